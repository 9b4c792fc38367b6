// Every reader reads the inputs that the fuzzers start from, on every machine; and what breaks off, or is one
// byte off.

#include "tests/fuzz/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

std::vector<std::string> inputs(const Reader& reader) {
    std::vector<std::string> all;
    for (const char* folder : reader.seeds) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 std::filesystem::path(MESHSLICE_SOURCE_DIR) / folder)) {
            if (!entry.is_regular_file()) {
                continue;
            }
            std::ifstream stream(entry.path(), std::ios::binary);
            all.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
        }
    }
    return all;
}

TEST(Readers, TakeTheirSeedsOrRefuseThem) {
    for (const Reader& reader : readers()) {
        const std::vector<std::string> seeds = inputs(reader);
        EXPECT_THAT(seeds, testing::Not(testing::IsEmpty())) << reader.name;
        for (const std::string& seed : seeds) {
            reader.read(seed);
        }
    }
}

/// Ten cuts of every seed, and ten bytes of it replaced by what each format gives a meaning to.
TEST(Readers, TakeBrokenSeedsOrRefuseThem) {
    for (const Reader& reader : readers()) {
        for (const std::string& seed : inputs(reader)) {
            for (std::size_t tenth = 0; tenth < 10; ++tenth) {
                const std::size_t at = seed.size() * tenth / 10;
                reader.read(std::string_view(seed).substr(0, at));
                std::string broken = seed;
                broken.replace(at, 1, 1, "\0\xff\"{[9-,e\n"[tenth]);
                reader.read(broken);
            }
        }
    }
}

} // namespace
} // namespace meshslice::test
