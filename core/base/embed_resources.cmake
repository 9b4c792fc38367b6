# Writes ${OUTPUT}: every resources/{examples,lessons,machines,measured,models,studies}/*.json,
# resources/measured/*.csv, resources/docs/**.md and resources/translations/*.{json,md} as a string, so that they travel
# with the code. A name is a path in its folder.
set(body "")
foreach(kind docs examples lessons machines measured models studies translations)
    file(GLOB files ${ROOT}/${kind}/*.json)
    if(kind STREQUAL docs)
        file(GLOB_RECURSE files ${ROOT}/${kind}/*.md)
    elseif(kind STREQUAL measured)
        file(GLOB files ${ROOT}/${kind}/*.json ${ROOT}/${kind}/*.csv)
    elseif(kind STREQUAL translations)
        file(GLOB files ${ROOT}/${kind}/*.json ${ROOT}/${kind}/*.md)
    endif()
    list(SORT files)
    string(APPEND body "std::vector<EmbeddedFile> embedded_${kind}() {\n    return {\n")
    foreach(path ${files})
        file(RELATIVE_PATH file ${ROOT}/${kind} ${path})
        file(READ ${path} text)
        string(APPEND body "        {\"${file}\", R\"_json_(${text})_json_\"},\n")
    endforeach()
    string(APPEND body "    };\n}\n\n")
endforeach()
file(WRITE ${OUTPUT}
    "#include \"core/base/embedded_resources.h\"\n\nnamespace meshslice {\n\n${body}} // namespace meshslice\n")
