#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Why the system refused `path`, by errno: "its disk has no room left", "its folder does not exist".
[[nodiscard]] std::string because_of(int problem, const std::filesystem::path& path);
/// "a.csv cannot be written: its disk has no room left."
[[nodiscard]] Error not_written(std::string_view path, std::string_view because);

/// How an output treats what it finds.
struct OutputRules {
    bool through_links = true; ///< else a symbolic link is refused
    bool private_file = false; ///< only its owner may read it
};

/// A file that is written whole or not at all. Until it is put into its place it has no name, so whatever
/// ends the program leaves what was there, and nothing else; a file system without such files gets one named
/// ".meshslice-PID-N.part", which the next output in that folder removes. It keeps the mode of the file that
/// it replaces, and the owner where it may. A pipe or device is written to as it is.
class OutputFile {
  public:
    /// Refuses what could not be put there later: a folder that does not exist, a file that may not be
    /// written. Changes nothing yet.
    [[nodiscard]] static Result<OutputFile> open(const std::string& path, OutputRules rules = {});
    /// Of a descriptor that stays open; `name` is for sentences.
    [[nodiscard]] static Result<OutputFile> on(int descriptor, const std::string& name);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    ~OutputFile();

    /// Where it is written to. It fails for good where the system refuses a part.
    [[nodiscard]] std::ostream& stream();
    /// Calls it with the bytes written so far, now and then. Where it says false, writing fails.
    void watch(std::function<bool(std::int64_t bytes)> watcher);

    /// All of it is on the disk, and what was there is untouched still.
    [[nodiscard]] Result<void> finish();
    /// Puts what is finished in the place of what was there.
    [[nodiscard]] Result<void> put();

  private:
    struct State;
    explicit OutputFile(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Finishes all before it puts the first into its place: a full disk leaves all the old ones.
[[nodiscard]] Result<void> put_all(std::vector<OutputFile>& files);

/// Opens, writes, finishes and puts one file.
[[nodiscard]] Result<void>
write_file(const std::string& path, const std::function<void(std::ostream&)>& write, OutputRules rules = {});

/// Makes sure that files can be written into a folder, which may still have to be made. Changes nothing.
[[nodiscard]] Result<void> takes_files(const std::string& folder);

/// Refuses where a command would write over a file that it reads, or twice to the same place. Empty names and
/// devices are passed over.
[[nodiscard]] Result<void> keeps_what_is_read(const std::vector<std::string>& read,
                                              const std::vector<std::string>& written);

} // namespace meshslice
