#pragma once

#include "core/base/quantity.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace meshslice {

/// A larger trace (some 10 GB of text) no viewer opens and no spreadsheet reads.
inline constexpr std::size_t most_exported_intervals = 50'000'000;

/// Picoseconds as microseconds, exact: Chrome's `ts` and `dur` are microseconds whatever displayTimeUnit
/// says.
[[nodiscard]] std::string trace_microseconds(Time time);
/// As a JSON text. Titles and labels are ours and plain, but a name may come from a file.
[[nodiscard]] std::string trace_text(std::string_view words);

/// Writes the events of a Chrome trace, separated; the brackets around them are the caller's.
class TraceEvents {
  public:
    explicit TraceEvents(std::ostream& out) : out_(out) {}

    void operator()(const std::string& event);
    /// Names a process and has viewers show it at this place among the others.
    void name_process(int process, std::string_view name, int place);
    /// The same for a thread among those of its process.
    void name_thread(int process, int thread, std::string_view name, int place);

  private:
    std::ostream& out_;
    const char* separator_ = "\n";
};

} // namespace meshslice
