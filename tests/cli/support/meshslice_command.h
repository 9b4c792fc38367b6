#pragma once

#include "tests/cli/support/process.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace meshslice::test {

/// Runs the command line that was built with these tests.
[[nodiscard]] Finished meshslice_command(std::vector<std::string> arguments);

/// What it prints; a failed expectation where it does not succeed or complains.
[[nodiscard]] std::string printed(std::vector<std::string> arguments);

/// Runs it with --json and parses the answer; null, and a failed expectation, where it does not succeed.
[[nodiscard]] nlohmann::json meshslice_json(std::vector<std::string> arguments);

/// The same arguments and further ones.
[[nodiscard]] std::vector<std::string> and_flags(std::vector<std::string> arguments,
                                                 const std::vector<std::string>& more);

/// A file of the source tree: "tests/core/model/fixtures/llama-3-70b.json".
[[nodiscard]] std::string source_file(const std::string& path);

/// An empty folder of one test's own, gone with it.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    /// Where a file of that name is or would be.
    [[nodiscard]] std::string path(const std::string& name) const;
    /// Writes a file and returns its path.
    std::string file(const std::string& name, const std::string& content) const;
    /// The names of all there is, in order.
    [[nodiscard]] std::vector<std::string> names() const;

  private:
    std::filesystem::path folder_;
};

[[nodiscard]] std::string file_content(const std::string& path);

} // namespace meshslice::test
