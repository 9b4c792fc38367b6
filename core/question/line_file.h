#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace meshslice {

/// A file that grows line by line and keeps what is in it whatever ends the program, so that a later one can
/// go on. It has one writer at a time.
class LineFile {
  public:
    /// Opens it, or makes it where there is none. Refuses what is not a file or may not be written, and one
    /// that another process writes. Changes nothing in it.
    [[nodiscard]] static Result<LineFile> open(const std::string& path);

    LineFile(LineFile&& other) noexcept;
    LineFile& operator=(LineFile&& other) noexcept;
    ~LineFile();

    /// Its whole lines.
    [[nodiscard]] std::size_t count() const;
    /// Reads those, without their ends, one after the other until `take` returns false. None of them is held,
    /// as a file may be larger than the memory.
    [[nodiscard]] Result<void> each(const std::function<bool(const std::string& line)>& take) const;
    /// What follows them without an end, of a writer that was killed; add() would go on with it.
    [[nodiscard]] const std::string& rest() const;
    [[nodiscard]] Result<void> cut_rest();
    /// One line more, whole; the system has it then. After one that could not be written whole it refuses
    /// all others.
    [[nodiscard]] Result<void> add(std::string_view line);

  private:
    struct State;
    explicit LineFile(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace meshslice
