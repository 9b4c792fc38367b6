// Prints the table of README.md.

#include "tests/parity/table.h"

#include <cstdio>

int main() {
    const auto table = meshslice::parity::written_table();
    if (!table) {
        std::fprintf(stderr, "%s\n", table.error().sentence.c_str());
        return 1;
    }
    std::fputs(table->c_str(), stdout);
    return 0;
}
