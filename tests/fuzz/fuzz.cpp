// libFuzzer's entry: feeds the reader that MESHSLICE_READER names. --readers prints one line for each, its
// name and the folders of its seeds; tests/fuzz/run starts them all.

#include "tests/fuzz/readers.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

const meshslice::test::Reader& reader() {
    const char* const name = std::getenv("MESHSLICE_READER");
    for (const auto& one : meshslice::test::readers()) {
        if (name != nullptr && name == std::string(one.name)) {
            return one;
        }
    }
    std::fprintf(stderr, "MESHSLICE_READER must name one of:");
    for (const auto& one : meshslice::test::readers()) {
        std::fprintf(stderr, " %s", one.name);
    }
    std::fprintf(stderr, "\n");
    std::exit(2);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    if (*argc == 2 && std::string((*argv)[1]) == "--readers") {
        for (const auto& one : meshslice::test::readers()) {
            std::printf("%s", one.name);
            for (const char* folder : one.seeds) {
                std::printf(" %s", folder);
            }
            std::printf("\n");
        }
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const meshslice::test::Reader& chosen = reader();
    chosen.read({reinterpret_cast<const char*>(data), size});
    return 0;
}
