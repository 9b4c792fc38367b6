# Runs moc over the headers that declare a class for it, without the folders of other people's headers: it would read
# all of Qt again for each of ours, a third of a second, and write the same. A file whose text stays the same is not
# written, so that nothing is compiled for it.
#   cmake -DMOC=... -DROOT=<the headers' folder> -DINCLUDE_ROOT=... -DFOLDER=<of what is written> -P meta_objects.cmake
file(GLOB_RECURSE headers RELATIVE ${INCLUDE_ROOT} ${ROOT}/*.h)
set(all "// Written by ui/meta_objects.cmake.\n")
foreach(header ${headers})
    file(STRINGS ${INCLUDE_ROOT}/${header} declared REGEX "Q_OBJECT|Q_GADGET|Q_NAMESPACE" LIMIT_COUNT 1)
    if(declared)
        string(MAKE_C_IDENTIFIER moc_${header} name)
        set(written ${FOLDER}/${name}.cpp)
        execute_process(COMMAND ${MOC} -f${header} -o ${written}.new ${INCLUDE_ROOT}/${header} COMMAND_ERROR_IS_FATAL ANY)
        file(COPY_FILE ${written}.new ${written} ONLY_IF_DIFFERENT)
        string(APPEND all "#include \"${name}.cpp\" // IWYU pragma: keep\n")
    endif()
endforeach()
file(WRITE ${FOLDER}/meta_objects.cpp.new "${all}")
file(COPY_FILE ${FOLDER}/meta_objects.cpp.new ${FOLDER}/meta_objects.cpp ONLY_IF_DIFFERENT)
