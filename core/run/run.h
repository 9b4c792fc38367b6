#pragma once

#include "core/base/quantity.h"
#include "core/figure/role.h"
#include "core/run/stretch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {

struct RunKey;

/// How the numbers of a run came about.
enum class RunReading : std::uint8_t { simulated, estimated, measured };

enum class LaneKind : std::uint8_t {
    busy,    ///< bars that do not overlap
    counter, ///< an amount that changes over time
    nested,  ///< bars that stand for what the lanes below them do
};
/// What a counter counts.
enum class Counted : std::uint8_t { bytes, percent };

/// One line of a run. Those with the same `place` stand one after the other.
struct Lane {
    std::string place;        ///< "chip 3,5", "stage 2"
    std::string name;         ///< "core", "east link", "memory held"
    std::size_t at = 0;       ///< the number of its place
    int number = 0;           ///< at its place: the same part has the same number at every place
    int order = 0;            ///< among the lanes of its place, from top to bottom
    std::int32_t parent = -1; ///< the lane that it explains or is a part of
    LaneKind kind = LaneKind::busy;
    Counted counted = Counted::bytes;
    bool exposes = false; ///< where it does nothing, communication is exposed
};

/// A bar, or several that lie within one pixel: `count` of one role that take `busy` of it together.
struct RunSlice {
    Time start;
    Time end;
    Time busy;
    std::uint64_t item = 0; ///< which bar of its lane, or the first of several
    std::uint32_t count = 1;
    Role role = Role::compute;
};
/// From this time on a counter has this value: bytes, or percent.
struct RunValue {
    Time from;
    double value = 0;
};

/// What a bar says of itself.
struct RunLabel {
    using Value = std::variant<std::int64_t, double, std::string>;

    std::string name;     ///< "AG_col transfer", "forward 3"
    std::string category; ///< "transfer", "wait": what a trace viewer filters by
    std::vector<std::pair<std::string_view, Value>> arguments = {};
    std::vector<std::string> briefs = {}; ///< what a bar says, from the most to a word; none: its name
};

/// What arrives: from the middle of a bar to the middle of the one that waited for it.
struct RunArrow {
    std::size_t from_lane = 0;
    Time from;
    std::size_t to_lane = 0;
    Time to;
};

/// Seconds by role, of all busy lanes together; doubles, because many lanes are more than a Time counts.
struct RunTotals {
    double seconds = 0; ///< from the start to the end
    std::array<double, bar_roles> busy{};

    [[nodiscard]] double of(Role role) const { return busy[static_cast<std::size_t>(role)]; }
};

using SliceSink = std::function<void(std::span<const RunSlice>)>;

/// A run: lanes of intervals over time, and amounts held over time, whatever made them and however they are
/// kept. An interface over storages, each of which is asked for a stretch and copies nothing else. Times are
/// picoseconds from its start.
class Run {
  public:
    virtual ~Run() = default;

    [[nodiscard]] virtual std::string title() const = 0;
    [[nodiscard]] virtual RunReading reading() const = 0;
    [[nodiscard]] virtual Time end() const = 0;

    [[nodiscard]] virtual std::size_t lane_count() const = 0;
    /// Made when it is looked at.
    [[nodiscard]] virtual Lane lane(std::size_t lane) const = 0;
    /// How many places its lanes have.
    [[nodiscard]] virtual std::size_t place_count() const = 0;
    /// Bars of all lanes, however they are kept.
    [[nodiscard]] virtual std::size_t slice_count() const = 0;

    /// Shows the bars of a busy or nested lane that lie in a stretch, in the order of time, in batches. Bars
    /// that lie together in one column of `pixel` picoseconds, counted from the begin of the stretch, may
    /// come as one slice for each role; 0: each bar by itself.
    virtual void visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const = 0;
    /// The values of a counter in a stretch, the first one being the value at its begin.
    [[nodiscard]] virtual std::vector<RunValue> values(std::size_t lane, Stretch stretch) const;
    [[nodiscard]] virtual RunLabel label(std::size_t lane, std::uint64_t item) const = 0;

    [[nodiscard]] virtual RunTotals totals() const = 0;
    /// The part that takes longest, "core" or "east link"; empty where that is not known.
    [[nodiscard]] virtual std::string bound() const { return {}; }

    /// The stretches that it does one after the other, without those that only repeat another: what is
    /// written to a file.
    [[nodiscard]] virtual std::vector<Stretch> parts() const { return {{Time(0), end()}}; }
    /// The stretches in which it is known what its lanes do, ascending: all of it, unless a part was only
    /// estimated.
    [[nodiscard]] virtual std::vector<Stretch> recorded() const { return {{Time(0), end()}}; }
    /// Shows what arrives in a part; how many arrows are left out, because they begin outside the run.
    virtual std::size_t arrows(std::size_t part, const std::function<void(const RunArrow&)>& sink) const;

    /// The recipe by which a bar opens into a run of its own; none where there is nothing inside.
    [[nodiscard]] virtual std::optional<RunKey> inside(std::size_t lane, std::uint64_t item) const;

  protected:
    Run() = default;
    Run(const Run&) = default;
    Run(Run&&) = default;
    Run& operator=(const Run&) = default;
    Run& operator=(Run&&) = default;
};
using RunPtr = std::shared_ptr<const Run>;

/// The same run, which keeps what it is made from.
[[nodiscard]] RunPtr keeping(RunPtr run, std::shared_ptr<const void> with);

/// The bars of a lane, one by one: for tests, tables and small runs.
[[nodiscard]] std::vector<RunSlice> slices(const Run& run, std::size_t lane);
/// What a lane does in a stretch of time.
struct LaneUse {
    std::size_t count = 0; ///< bars
    Time busy;
    std::optional<RunSlice> longest; ///< within the stretch
};
[[nodiscard]] LaneUse use_in(const Run& run, std::size_t lane, Stretch stretch);
/// Of the bars of a lane, whose items ascend, the first that is this item or a later one, and the last that
/// is before it; looked for from a time `near` it on. None where there is none.
[[nodiscard]] std::optional<RunSlice> bar_from(const Run& run, std::size_t lane, std::uint64_t item,
                                               Time near);
[[nodiscard]] std::optional<RunSlice> bar_before(const Run& run, std::size_t lane, std::uint64_t item,
                                                 Time near);
/// The lane of this name at this place; none where there is none.
[[nodiscard]] std::optional<std::size_t> find_lane(const Run& run, std::string_view place,
                                                   std::string_view name);

} // namespace meshslice
