#include "tests/cli/support/meshslice_command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdlib.h>
#include <system_error>
#include <utility>

namespace meshslice::test {

Finished meshslice_command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), MESHSLICE_COMMAND);
    return run_process(arguments);
}

std::string printed(std::vector<std::string> arguments) {
    const Finished finished = meshslice_command(std::move(arguments));
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    return finished.out;
}

nlohmann::json meshslice_json(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const Finished finished = meshslice_command(std::move(arguments));
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    nlohmann::json answer = nlohmann::json::parse(finished.out, nullptr, false);
    EXPECT_FALSE(answer.is_discarded()) << finished.out;
    return answer.is_discarded() ? nlohmann::json() : answer;
}

std::string source_file(const std::string& path) {
    return std::string(MESHSLICE_SOURCE_DIR) + "/" + path;
}

std::vector<std::string> and_flags(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TemporaryFolder::TemporaryFolder() {
    // Tests run side by side as processes of their own: the system picks a name that is free.
    std::string name = (std::filesystem::temp_directory_path() / "meshslice-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    folder_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string TemporaryFolder::path(const std::string& name) const {
    return (folder_ / name).string();
}

std::string TemporaryFolder::file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return path(name);
}

std::vector<std::string> TemporaryFolder::names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string file_content(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace meshslice::test
