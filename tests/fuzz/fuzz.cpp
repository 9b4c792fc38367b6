// libFuzzer's entry: feeds the reader that MESHSLICE_READER names. tests/fuzz/run starts it for each.

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

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const meshslice::test::Reader& chosen = reader();
    chosen.read({reinterpret_cast<const char*>(data), size});
    return 0;
}
