#include "core/simulate/record/usage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace meshslice {
namespace {

Time at(const ActivityTimes& sums, Activity activity) {
    return sums[static_cast<std::size_t>(activity)];
}

/// How the two links of an axis spend their time together, and how long the core multiplies meanwhile.
struct AxisUsage {
    ActivityTimes times{};
    Time overlapped;
};

/// Where the links do different things at the same time, what moves bytes counts before what waits to.
Activity foremost(Activity one, Activity other) {
    // By Activity: compute and launch, sync, transfer, copy.
    constexpr std::array<int, activity_count> rank = {3, 3, 2, 0, 1};
    return rank[static_cast<std::size_t>(one)] <= rank[static_cast<std::size_t>(other)] ? one : other;
}

/// The part of an interval within a stretch that it touches.
Time inside(const Interval& interval, Stretch within) {
    return std::min(interval.end, within.end) - std::max(interval.start, within.begin);
}

/// What of a row lies within a stretch, if only in part.
std::span<const Interval> intervals_within(std::span<const Interval> all, Stretch within) {
    const auto first = std::ranges::partition_point(
        all, [&](const Interval& interval) { return interval.end <= within.begin; });
    const auto last = std::partition_point(
        first, all.end(), [&](const Interval& interval) { return interval.start < within.end; });
    return {first, last};
}

ActivityTimes busy_within(const Timeline& timeline, std::size_t row, Stretch within) {
    if (within == Stretch{Time(0), timeline.end()}) {
        return timeline.busy(row);
    }
    ActivityTimes times{};
    for (const Interval& interval : intervals_within(timeline.intervals(row), within)) {
        times[static_cast<std::size_t>(interval.activity)] += inside(interval, within);
    }
    return times;
}

constexpr Time never(std::numeric_limits<std::int64_t>::max());

/// By value, so that what is compared stays in registers: this is asked of every interval of a run.
Time earlier(Time one, Time other) {
    return one < other ? one : other;
}
Time later(Time one, Time other) {
    return one < other ? other : one;
}

/// How long a core multiplies, asked of spans that follow one another.
class Multiplying {
  public:
    explicit Multiplying(std::span<const Interval> core)
        : at_(core.data()), end_(core.data() + core.size()) {}

    Time within(Time begin, Time end) {
        while (at_ != end_ && at_->end <= begin) {
            ++at_;
        }
        Time sum;
        for (const Interval* next = at_; next != end_ && next->start < end; ++next) {
            if (next->activity == Activity::compute) {
                sum += earlier(next->end, end) - later(next->start, begin);
            }
        }
        return sum;
    }

  private:
    const Interval* at_;
    const Interval* end_;
};

/// What one link does next, or does now.
class LinkAt {
  public:
    explicit LinkAt(std::span<const Interval> row) : at_(row.data()), end_(row.data() + row.size()) {
        read();
    }

    [[nodiscard]] Time begins() const { return begins_; } ///< `never` after the last
    [[nodiscard]] Time ends() const { return ends_; }
    [[nodiscard]] Activity activity() const { return at_->activity; }
    void pass(Time now) {
        if (ends_ <= now) {
            ++at_;
            read();
        }
    }

  private:
    void read() {
        begins_ = at_ == end_ ? never : at_->start;
        ends_ = at_ == end_ ? never : at_->end;
    }

    const Interval* at_;
    const Interval* end_;
    Time begins_;
    Time ends_;
};

/// All rows are those of what lies within the stretch.
AxisUsage axis_usage(std::span<const Interval> core, std::span<const Interval> forward,
                     std::span<const Interval> backward, Stretch within) {
    AxisUsage usage;
    Multiplying multiplying(core);
    LinkAt one(forward);
    LinkAt other(backward);
    Time now = within.begin;
    Time since = now; // when either of the links was taken up that have been busy since
    // From span to span in which neither link begins nor ends anything.
    while (true) {
        const Time next = later(now, earlier(one.begins(), other.begins()));
        if (next > now || next >= within.end) {
            usage.overlapped += multiplying.within(since, now);
            since = next;
        }
        now = next;
        if (now >= within.end) {
            return usage;
        }
        const bool one_busy = one.begins() <= now;
        const bool other_busy = other.begins() <= now;
        const Time until = earlier(within.end, earlier(one_busy ? one.ends() : one.begins(),
                                                       other_busy ? other.ends() : other.begins()));
        const Activity activity = !other_busy ? one.activity()
                                  : !one_busy ? other.activity()
                                              : foremost(one.activity(), other.activity());
        usage.times[static_cast<std::size_t>(activity)] += until - now;
        now = until;
        one.pass(now);
        other.pass(now);
    }
}

/// The rows of the links by which what a row records goes round: from its chip on, over all of the ring but
/// the link that leads back to it. `row_of`: by chip and link slot.
std::vector<std::size_t> detour(const Torus& torus, const Row& row, const std::vector<std::size_t>& row_of) {
    std::vector<std::size_t> links;
    const std::optional<Chip> beyond = torus.neighbour(row.chip, row.axis, row.direction);
    for (std::int32_t place = 0; place < torus.size(row.axis); ++place) {
        const Chip chip = torus.along(row.chip, row.axis, place);
        if (chip != beyond) {
            const int slot = link_slot(row.axis, opposite(row.direction));
            links.push_back(row_of[static_cast<std::size_t>(chip * torus.link_slots() + slot)]);
        }
    }
    return links;
}

/// By chip and link slot.
std::vector<std::size_t> rows_of_links(const Timeline& timeline) {
    const int slots = timeline.torus().link_slots();
    std::vector<std::size_t> row_of(static_cast<std::size_t>(timeline.torus().chips() * slots));
    const std::vector<Row>& rows = timeline.rows();
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].is_core) {
            row_of[static_cast<std::size_t>(rows[row].chip * slots +
                                            link_slot(rows[row].axis, rows[row].direction))] = row;
        }
    }
    return row_of;
}

/// By row that of its chip's representative, which comes first: that is the lowest of its class.
std::vector<std::size_t> representative_rows(const Timeline& timeline) {
    const std::vector<Row>& rows = timeline.rows();
    std::vector<std::size_t> first(static_cast<std::size_t>(timeline.torus().chips())); // Of each chip's.
    for (std::size_t row = rows.size(); row-- > 0;) {
        first[static_cast<std::size_t>(rows[row].chip)] = row;
    }
    std::vector<std::size_t> alike(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Chip chip = timeline.classes().representative(rows[row].chip);
        alike[row] =
            first[static_cast<std::size_t>(chip)] + row - first[static_cast<std::size_t>(rows[row].chip)];
    }
    return alike;
}

/// How long at least one of the spans is under way; sorts them.
Time covered(std::vector<std::pair<Time, Time>>& spans) {
    std::ranges::sort(spans);
    Time sum;
    Time end;
    for (const auto& [from, to] : spans) {
        sum += std::max(Time(0), to - std::max(from, end));
        end = std::max(end, to);
    }
    return sum;
}

} // namespace

Usage& Usage::operator+=(const Usage& other) {
    compute += other.compute;
    launch += other.launch;
    sync += other.sync;
    transfer += other.transfer;
    copy += other.copy;
    overlapped += other.overlapped;
    exposed += other.exposed;
    return *this;
}

Usage usage(const Timeline& timeline) {
    return usage(timeline, {Time(0), timeline.end()});
}

Usage usage(const Timeline& timeline, Stretch stretch) {
    const Stretch within = common(stretch, {Time(0), timeline.end()});
    // Summed over tens of thousands of chips, picoseconds would overflow 64 bits.
    __extension__ using Wide = __int128;
    struct {
        Wide compute = 0, launch = 0, sync = 0, transfer = 0, copy = 0, overlapped = 0, exposed = 0;
    } sum;
    const std::vector<Row>& rows = timeline.rows();
    const ChipClasses& classes = timeline.classes();
    const std::vector<std::int32_t> members = classes.members();
    std::span<const Interval> core;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Chip chip = rows[row].chip;
        if (classes.representative(chip) != chip) {
            continue; // Its representative speaks for it.
        }
        const Wide alike = members[classes.of(chip)];
        if (rows[row].is_core) {
            const ActivityTimes sums = busy_within(timeline, row, within);
            core = intervals_within(timeline.intervals(row), within);
            sum.compute += alike * at(sums, Activity::compute).value();
            sum.exposed += alike * (within.end - within.begin - total(sums)).value();
            continue;
        }
        const std::span<const Interval> forward = intervals_within(timeline.intervals(row), within);
        const bool paired =
            row + 1 < rows.size() && !rows[row + 1].is_core && rows[row + 1].axis == rows[row].axis;
        const std::span<const Interval> backward =
            paired ? intervals_within(timeline.intervals(++row), within) : std::span<const Interval>();
        const AxisUsage axis = axis_usage(core, forward, backward, within);
        sum.launch += alike * at(axis.times, Activity::launch).value();
        sum.sync += alike * at(axis.times, Activity::sync).value();
        sum.transfer += alike * at(axis.times, Activity::transfer).value();
        sum.copy += alike * at(axis.times, Activity::copy).value();
        sum.overlapped += alike * axis.overlapped.value();
    }
    const std::int32_t chips = timeline.torus().chips();
    const auto mean = [&](Wide all) { return Time(static_cast<std::int64_t>(all / chips)); };
    return {mean(sum.compute), mean(sum.launch),     mean(sum.sync),   mean(sum.transfer),
            mean(sum.copy),    mean(sum.overlapped), mean(sum.exposed)};
}

std::vector<Time> busy_times(const Timeline& timeline) {
    return busy_times(timeline, {Time(0), timeline.end()});
}

std::vector<Time> busy_times(const Timeline& timeline, Stretch stretch) {
    const Stretch within = common(stretch, {Time(0), timeline.end()});
    const Torus& torus = timeline.torus();
    const std::vector<Row>& rows = timeline.rows();
    std::vector<Time> busy(rows.size());
    const std::vector<std::size_t> alike = representative_rows(timeline);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].round) {
            busy[row] = alike[row] == row ? total(busy_within(timeline, row, within)) : busy[alike[row]];
        }
    }
    if (std::ranges::none_of(rows, &Row::round)) {
        return busy;
    }
    const std::vector<std::size_t> row_of = rows_of_links(timeline);
    std::vector<std::vector<std::size_t>> guests(rows.size()); // The rows that go round over each link.
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const std::size_t link :
             rows[row].round ? detour(torus, rows[row], row_of) : std::vector<std::size_t>()) {
            guests[link].push_back(row);
        }
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (guests[row].empty() || rows[row].round) {
            continue;
        }
        std::vector<std::pair<Time, Time>> spans;
        const auto add = [&](const Interval& interval) {
            spans.emplace_back(std::max(interval.start, within.begin), std::min(interval.end, within.end));
        };
        std::ranges::for_each(intervals_within(timeline.intervals(row), within), add);
        for (const std::size_t guest : guests[row]) {
            for (const Interval& interval : intervals_within(timeline.intervals(guest), within)) {
                if (interval.activity == Activity::sync || interval.activity == Activity::transfer) {
                    add(interval);
                }
            }
        }
        busy[row] = covered(spans);
    }
    return busy;
}

MemoryUsage memory_usage(const Timeline& timeline) {
    const std::vector<std::int32_t> members = timeline.classes().members();
    std::array<double, memory_streams.size()> sums{};
    for (std::size_t which = 0; which < members.size(); ++which) {
        for (const MemoryStream stream : memory_streams) {
            const Time taken =
                memory_time(timeline.served(timeline.classes().representatives[which], stream));
            sums[static_cast<std::size_t>(stream)] +=
                static_cast<double>(taken.value()) * static_cast<double>(members[which]);
        }
    }
    const auto average = [&](MemoryStream stream) {
        return Time(std::llround(sums[static_cast<std::size_t>(stream)] /
                                 static_cast<double>(std::max<std::int32_t>(1, timeline.torus().chips()))));
    };
    return {average(MemoryStream::compute), average(MemoryStream::communication),
            average(MemoryStream::collectives)};
}

std::vector<double> carried_bytes(const Timeline& timeline, Stretch stretch) {
    const Stretch within = common(stretch, {Time(0), timeline.end()});
    const std::vector<Row>& rows = timeline.rows();
    const std::vector<std::size_t> alike = representative_rows(timeline);
    std::vector<double> sent(rows.size()); // By the row that records it.
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (alike[row] != row) {
            sent[row] = sent[alike[row]];
            continue;
        }
        for (const Interval& interval : intervals_within(timeline.intervals(row), within)) {
            const auto whole = static_cast<double>(timeline.bytes(rows[row], interval).value());
            const Time lasts = interval.end - interval.start;
            sent[row] += lasts > Time(0) ? whole * ratio(inside(interval, within), lasts) : whole;
        }
    }
    if (std::ranges::none_of(rows, &Row::round)) {
        return sent;
    }
    std::vector<double> carried = sent;
    const std::vector<std::size_t> row_of = rows_of_links(timeline);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].round) {
            for (const std::size_t link : detour(timeline.torus(), rows[row], row_of)) {
                carried[link] += sent[row];
            }
        }
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].round) {
            carried[row] = 0;
        }
    }
    return carried;
}

StretchUse& StretchUse::operator+=(const StretchUse& other) {
    length += other.length;
    usage += other.usage;
    links_busy += other.links_busy;
    moved += other.moved;
    flop += other.flop;
    return *this;
}

StretchUse stretch_use(const Timeline& timeline, Stretch stretch) {
    const Stretch within = common(stretch, {Time(0), timeline.end()});
    StretchUse use;
    use.length = within.end - within.begin;
    use.usage = usage(timeline, within);
    const std::vector<Row>& rows = timeline.rows();
    const std::vector<Time> busy = busy_times(timeline, within);
    const std::vector<std::int32_t> members = timeline.classes().members();
    double links = 0;
    double links_busy = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].is_core && !rows[row].round) {
            links += 1;
            links_busy += static_cast<double>(busy[row].value());
        }
        if (timeline.classes().representative(rows[row].chip) != rows[row].chip) {
            continue;
        }
        const std::int64_t alike = members[timeline.classes().of(rows[row].chip)];
        for (const Interval& interval : intervals_within(timeline.intervals(row), within)) {
            const auto cut = [&](std::int64_t amount) {
                return alike *
                       (inside(interval, within) == interval.end - interval.start
                            ? amount
                            : std::llround(static_cast<double>(amount) *
                                           ratio(inside(interval, within), interval.end - interval.start)));
            };
            use.moved += Bytes(cut(timeline.bytes(rows[row], interval).value()));
            if (interval.activity == Activity::compute) {
                use.flop += Flop(cut(timeline.operations()[interval.operation].flop.value()));
            }
        }
    }
    use.links_busy = links > 0 ? Time(std::llround(links_busy / links)) : Time(0);
    return use;
}

} // namespace meshslice
