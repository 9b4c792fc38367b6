# Completion of meshslice for bash. The program itself says what may stand where.
_meshslice() {
    local IFS=$'\n'
    mapfile -t COMPREPLY < <(meshslice complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _meshslice meshslice
