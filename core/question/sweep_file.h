#pragma once

#include "core/base/result.h"
#include "core/question/line_file.h"
#include "core/question/sweep.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// A point as a line of JSON, without its end.
[[nodiscard]] std::string point_line(const Sweep& sweep, const SweepPoint& point);
/// The point of a line; none where it is not that of this place.
[[nodiscard]] std::optional<SweepPoint> point_of_line(const std::string& line, const Sweep& sweep,
                                                      std::size_t place);

/// The points of a sweep in a file: a line of JSON that says what is swept, then a line for each point,
/// written as soon as it is known. A sweep that was stopped goes on where the file ends.
class SweepFile {
  public:
    /// Without `resume` refused where there is such a file; with it, where the file is of another sweep or
    /// damaged.
    [[nodiscard]] static Result<SweepFile> open(const std::string& path, const Sweep& sweep, bool resume);

    /// Those that it had when it was opened, from the first one on, of a sweep that is kept whole.
    [[nodiscard]] const std::vector<SweepPoint>& points() const { return points_; }
    /// How many it has now, of any sweep.
    [[nodiscard]] std::size_t done() const { return done_; }
    /// Hands over those, read again, until `take` returns false; refused where the file is damaged.
    [[nodiscard]] Result<void> each(const Sweep& sweep,
                                    const std::function<bool(const SweepPoint& point)>& take) const;
    [[nodiscard]] Result<void> add(const Sweep& sweep, const SweepPoint& point);

  private:
    SweepFile(std::string path, LineFile file, std::size_t done, std::vector<SweepPoint> points);

    std::string path_;
    LineFile file_;
    std::size_t done_;
    std::vector<SweepPoint> points_;
};

} // namespace meshslice
