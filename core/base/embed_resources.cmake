# Writes ${OUTPUT}: every resources/{examples,hardware,models,studies}/*.json and resources/docs/*.md as a string, so that
# they travel with the code.
set(body "")
foreach(kind docs examples hardware models studies)
    file(GLOB files ${ROOT}/${kind}/*.json)
    if(kind STREQUAL docs)
        file(GLOB files ${ROOT}/${kind}/*.md)
    endif()
    list(SORT files)
    string(APPEND body "std::vector<EmbeddedFile> embedded_${kind}() {\n    return {\n")
    foreach(path ${files})
        get_filename_component(file ${path} NAME)
        file(READ ${path} text)
        string(APPEND body "        {\"${file}\", R\"_json_(${text})_json_\"},\n")
    endforeach()
    string(APPEND body "    };\n}\n\n")
endforeach()
file(WRITE ${OUTPUT}
    "#include \"core/base/embedded_resources.h\"\n\nnamespace meshslice {\n\n${body}} // namespace meshslice\n")
