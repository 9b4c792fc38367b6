# What "cmake --install" puts where, and the Debian packages that "cpack" makes of it: the command line, which needs no
# Qt, the window, and what joins processes, which needs Open MPI. Each program holds its presets, documents and translations in itself.
include(GNUInstallDirs)
find_program(GZIP_PROGRAM gzip)

# manual_page(COMPONENT PROGRAM ARGUMENTS ...): what the program prints of itself, compressed as Debian has it.
function(manual_page component program)
    set(page ${CMAKE_CURRENT_BINARY_DIR}/${program}.1)
    set(compressed)
    set(installed ${page})
    if(GZIP_PROGRAM)
        set(installed ${page}.gz)
        set(compressed COMMAND ${GZIP_PROGRAM} -9nfk ${page})
    endif()
    add_custom_command(OUTPUT ${installed}
        COMMAND ${program} ${ARGN} > ${page}
        ${compressed}
        DEPENDS ${program}
        COMMENT "Writing the manual page of ${program}"
        VERBATIM)
    add_custom_target(${program}_manual ALL DEPENDS ${installed})
    add_dependencies(packaged ${program}_manual)
    install(FILES ${installed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endfunction()

# What the packages hold, without the tests: cmake --build build/release --target packaged
add_custom_target(packaged)
set(shared ${PROJECT_SOURCE_DIR}/resources/desktop)

install(TARGETS meshslice RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cli)
# Found from the program's own folder, so always under lib (core/report/paper/pdf.cpp).
install(TARGETS meshslice_paper LIBRARY DESTINATION lib/meshslice COMPONENT cli)
manual_page(cli meshslice complete --manual)
install(FILES ${shared}/meshslice.bash RENAME meshslice
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT cli)
install(FILES ${shared}/_meshslice DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT cli)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/meshslice COMPONENT cli)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/examples
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/meshslice COMPONENT cli)
set(CPACK_COMPONENTS_ALL cli)

if(TARGET meshslice_processes)
    install(TARGETS meshslice_processes LIBRARY DESTINATION lib/meshslice COMPONENT processes)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/meshslice-mpi COMPONENT processes)
    list(APPEND CPACK_COMPONENTS_ALL processes)
endif()

if(MESHSLICE_GUI)
    install(TARGETS meshslice-explorer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT window)
    manual_page(window meshslice-explorer --manual)
    install(FILES ${shared}/meshslice-explorer.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
    install(FILES ${shared}/meshslice-explorer.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT window)
    install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/meshslice-explorer.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT window)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/meshslice-explorer COMPONENT window)
    list(APPEND CPACK_COMPONENTS_ALL window)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME meshslice)
set(CPACK_PACKAGE_VENDOR "MeshSlice Explorer")
set(CPACK_PACKAGE_CONTACT "The developers of MeshSlice Explorer <meshslice-explorer@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "what large models take on many chips: time, memory, what bounds them")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # dpkg-shlibdeps, of Debian's dpkg-dev
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME meshslice)
set(CPACK_DEBIAN_CLI_DESCRIPTION
    "The command line: how long a step of a large model takes on many TPUs or\nGPUs, whether it fits into memory, and what would change that.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME meshslice-explorer)
set(CPACK_DEBIAN_WINDOW_DESCRIPTION
    "The window: shows when each core multiplies and each link moves bytes while\na large model runs on many chips, and what bounds the run.")
set(CPACK_COMPONENT_WINDOW_DEPENDS cli)
set(CPACK_DEBIAN_PROCESSES_PACKAGE_NAME meshslice-mpi)
set(CPACK_DEBIAN_PROCESSES_DESCRIPTION
    "Sweeps of the command line over several processes and hosts, with Open MPI.")
set(CPACK_COMPONENT_PROCESSES_DEPENDS cli)
# Qt loads these when it runs, so that no library's name shows them. The fonts: one to write with, and one for Chinese.
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "qt6-qpa-plugins, fonts-dejavu-core")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "fonts-wqy-microhei, qt6-translations-l10n, qt6-wayland")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE) # whatever the builder's umask is
include(CPack)
