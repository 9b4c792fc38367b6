#include "core/step/run/step_run.h"

#include "core/base/say.h"
#include "core/program/operation_words.h"
#include "core/run/slice_merger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace meshslice {
namespace {

/// From this many bars in one pixel on, they are added up together, and from `sampled` on by a sample.
constexpr std::size_t crowd = 8;
constexpr std::size_t sampled = 512;
constexpr unsigned index_bits = 40;

/// What transfers of this row's axis look like.
Role transfers_of(Axis axis) {
    switch (axis) {
    case Axis::vertical: return Role::transferVertical;
    case Axis::horizontal: return Role::transferHorizontal;
    case Axis::third: break;
    }
    return Role::transferThird;
}

/// Shows the bars of one row of one piece.
class RowVisit {
  public:
    RowVisit(const Piece& piece, std::size_t number, std::size_t row, Stretch stretch, double pixel,
             SliceMerger& merger)
        : row_(piece.timeline->rows_with_memory()[row])
        , all_(piece.timeline->intervals(row))
        , from_(piece.start)
        , number_(number)
        , begin_((stretch.begin - piece.start).value())
        , pixel_(pixel)
        , merger_(merger) {}

    void bars(std::size_t first, std::size_t last) {
        for (std::size_t index = first; index < last;) {
            const Interval& one = all_[index];
            if (pixel_ > 0 && index + crowd < last && one.start.value() >= begin_) {
                const std::int64_t column = column_of(one.start);
                if (ends_within(all_[index + crowd - 1], column)) {
                    index = crowd_of(index, last, column);
                    continue;
                }
            }
            merger_.add({from_ + one.start, from_ + one.end, one.end - one.start,
                         StepRun::item(number_, index), 1, role_of(row_, one.activity)});
            ++index;
        }
    }

  private:
    [[nodiscard]] std::int64_t column_of(Time time) const {
        return static_cast<std::int64_t>(static_cast<double>(time.value() - begin_) / pixel_);
    }
    [[nodiscard]] bool ends_within(const Interval& one, std::int64_t column) const {
        return static_cast<double>(one.end.value() - begin_) <= static_cast<double>(column + 1) * pixel_;
    }

    /// Many bars within one column: finds the first that leaves it by doubling and halving, and asks a
    /// sample. The first bar after them.
    std::size_t crowd_of(std::size_t first, std::size_t last, std::int64_t column) {
        std::size_t step = crowd;
        while (first + step < last && ends_within(all_[first + step - 1], column)) {
            step *= 2;
        }
        const auto begin = all_.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = all_.begin() + static_cast<std::ptrdiff_t>(std::min(first + step, last));
        const auto leaves =
            std::partition_point(begin, end, [&](const Interval& one) { return ends_within(one, column); });
        const auto count = static_cast<std::size_t>(leaves - begin);

        // An odd stride: launch, synchronization and transfer alternate, and an even one would miss some of
        // them.
        const std::size_t stride = count < sampled ? 1 : count / sampled * 2 + 1;
        std::array<std::int64_t, bar_roles> busy{};
        std::array<std::size_t, bar_roles> seen{};
        std::size_t asked = 0;
        for (std::size_t k = first; k < first + count; k += stride, ++asked) {
            const auto role = static_cast<std::size_t>(role_of(row_, all_[k].activity));
            busy[role] += (all_[k].end - all_[k].start).value();
            ++seen[role];
        }
        const double scale = static_cast<double>(count) / static_cast<double>(asked);
        RunSlice slice{from_ + all_[first].start,
                       from_ + all_[first + count - 1].end,
                       {},
                       StepRun::item(number_, first),
                       0,
                       Role::compute};
        std::size_t untold = count;
        for (std::size_t role = 0; role < bar_roles; ++role) {
            if (seen[role] == 0) {
                continue;
            }
            const std::size_t bars = std::min(untold, (seen[role] * count + asked / 2) / asked);
            untold -= bars;
            slice.busy = Time(std::llround(static_cast<double>(busy[role]) * scale));
            slice.count = static_cast<std::uint32_t>(bars);
            slice.role = static_cast<Role>(role);
            merger_.add(slice);
        }
        if (untold > 0) {
            slice.busy = Time(0);
            slice.count = static_cast<std::uint32_t>(untold);
            slice.role = role_of(row_, all_[first].activity);
            merger_.add(slice);
        }
        return first + count;
    }

    const Row& row_;
    std::span<const Interval> all_;
    Time from_;
    std::size_t number_;
    std::int64_t begin_; ///< of the first column, in the piece's time
    double pixel_;
    SliceMerger& merger_;
};

} // namespace

std::vector<Piece> pieces_of(const TrainingStep& step) {
    std::vector<Piece> pieces;
    for (std::size_t gemm = 0; gemm < step.gemms.size(); ++gemm) {
        const GemmResult& result = step.gemms[gemm];
        const Timeline* timeline = result.timeline.get();
        // Without a timeline there is nothing to repeat: one piece as long as all copies.
        const std::int64_t copies = timeline ? std::max<std::int64_t>(1, result.gemm.copies) : 1;
        Time start = result.start;
        for (std::int64_t copy = 0; copy < copies; ++copy) {
            const Time end = start + (timeline ? timeline->end() : result.time);
            pieces.push_back({gemm, copy, start, end, timeline});
            start = end;
        }
    }
    return pieces;
}

Role role_of(const Row& row, Activity activity) {
    switch (activity) {
    case Activity::compute: return Role::compute;
    case Activity::launch: return Role::launch;
    case Activity::sync: return Role::sync;
    case Activity::copy: return Role::slicing;
    case Activity::transfer: break;
    }
    return transfers_of(row.axis);
}

namespace {

bool has_program(const GemmResult& result, OperationId operation) {
    return result.program != nullptr && operation < result.program->operations.size();
}

bool is_sliced(const GemmResult& result, OperationId operation) {
    return result.timeline->iterations() > 1 && result.program != nullptr &&
           result.program->in_loop(operation);
}

std::string slice_of(const Timeline& timeline, std::int64_t iteration) {
    return say("slice {} of {}", iteration + 1, timeline.iterations());
}

std::string brief_words_of(const GemmResult& result, OperationId operation) {
    return has_program(result, operation) ? brief_operation_words(*result.program, operation)
                                          : said(result.timeline->operations()[operation].name);
}

/// What a bar says, from the most to the least.
std::vector<std::string> briefs_of(const GemmResult& result, const Row& row, const Interval& interval) {
    const Timeline& timeline = *result.timeline;
    if (const MemoryStretch* stretch = timeline.stretch(row, interval)) {
        return {said(access_name(stretch->use))};
    }
    if (interval.activity == Activity::launch) {
        return {said("launch")};
    }
    if (interval.activity == Activity::copy) {
        return {said("copy")};
    }
    const OperationId operation = interval.operation;
    const std::string whole = operation_words(result, operation);
    if (!is_sliced(result, operation)) {
        return row.is_core ? std::vector{whole} : std::vector{whole, brief_words_of(result, operation)};
    }
    const std::string number = fmt::format("{}", interval.iteration + 1);
    const std::string slice = slice_of(timeline, interval.iteration);
    if (row.is_core) {
        return {slice, number};
    }
    const std::string brief = brief_words_of(result, operation);
    return {say("{}, {}", whole, slice), say("{}, {}", brief, slice), brief, number};
}

/// "FF1 forward, gather A along the row, slice 2 of 3, sync": no other bar of the chip has this name, unless
/// it is another step of the same ring.
std::string bar_name(const GemmResult& result, const std::string& what, OperationId operation,
                     std::int64_t iteration) {
    std::string name = what.empty() ? result.title() : say("{}, {}", result.title(), what);
    return is_sliced(result, operation) ? say("{}, {}", name, slice_of(*result.timeline, iteration)) : name;
}

std::string bar_name(const GemmResult& result, const Row& row, const Interval& interval) {
    const bool multiplies = row.is_core && interval.activity == Activity::compute;
    const std::string name =
        bar_name(result, multiplies ? std::string() : operation_words(result, interval.operation),
                 interval.operation, interval.iteration);
    return interval.activity == Activity::compute || interval.activity == Activity::transfer
               ? name
               : say("{}, {}", name, said(meshslice::name(interval.activity)));
}

} // namespace

std::string operation_words(const GemmResult& result, OperationId operation) {
    return has_program(result, operation) ? operation_words(*result.program, operation)
                                          : said(result.timeline->operations()[operation].name);
}

StepConditions step_conditions(const Scenario& scenario) {
    return {scenario.hardware, scenario.assume, scenario.torus().value_or(Torus()), {}};
}

StepRun::StepRun(const TrainingStep& step) : step_(&step), pieces_(pieces_of(step)), end_(step.time) {
    for (const Piece& piece : pieces_) {
        timeline_ = timeline_ != nullptr ? timeline_ : piece.timeline;
        end_ = std::max(end_, piece.end);
    }
}

StepRun::StepRun(std::shared_ptr<const TrainingStep> step, StepConditions conditions) : StepRun(*step) {
    kept_ = std::move(step);
    conditions_ = std::move(conditions);
}

StepRun StepRun::moved(Time by) const {
    StepRun made = *this;
    for (Piece& piece : made.pieces_) {
        piece.start += by;
        piece.end += by;
    }
    made.end_ += by;
    return made;
}

const std::vector<Row>& StepRun::rows() const {
    static const std::vector<Row> none;
    return timeline_ != nullptr ? timeline_->rows_with_memory() : none;
}

const std::vector<Row>& StepRun::chip_rows() const {
    static const std::vector<Row> none;
    return timeline_ != nullptr ? timeline_->rows() : none;
}

const Torus& StepRun::torus() const {
    static const Torus one;
    return timeline_ != nullptr ? timeline_->torus() : one;
}

std::optional<std::size_t> StepRun::piece_at(Time time) const {
    const Span span = pieces_in({time, time + Time(1)});
    return span.first < span.last ? std::optional(span.first) : std::nullopt;
}

StepRun::Span StepRun::pieces_in(Stretch range) const {
    const auto first = std::partition_point(pieces_.begin(), pieces_.end(),
                                            [&](const Piece& piece) { return piece.end <= range.begin; });
    const auto last = std::partition_point(first, pieces_.end(),
                                           [&](const Piece& piece) { return piece.start < range.end; });
    return {static_cast<std::size_t>(first - pieces_.begin()),
            static_cast<std::size_t>(last - pieces_.begin())};
}

StepRun::Span StepRun::intervals_in(const Piece& piece, std::size_t row, Stretch range) {
    if (piece.timeline == nullptr || row >= piece.timeline->rows_with_memory().size()) {
        return {};
    }
    const auto all = piece.timeline->intervals(row);
    const Time begin = range.begin - piece.start;
    const Time end = range.end - piece.start;
    const auto first = std::partition_point(all.begin(), all.end(),
                                            [&](const Interval& interval) { return interval.end <= begin; });
    const auto last = std::partition_point(first, all.end(),
                                           [&](const Interval& interval) { return interval.start < end; });
    return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
}

std::uint64_t StepRun::item(std::size_t piece, std::size_t index) {
    return (static_cast<std::uint64_t>(piece) << index_bits) | index;
}

StepRun::Bar StepRun::bar(std::uint64_t item) {
    return {item >> index_bits, item & ((std::uint64_t{1} << index_bits) - 1)};
}

const Interval& StepRun::interval(std::size_t lane, std::uint64_t item) const {
    return piece_of(item).timeline->intervals(lane)[bar(item).index];
}

RunSlice StepRun::slice(std::size_t lane, std::uint64_t item) const {
    const Interval& one = interval(lane, item);
    const Time from = piece_of(item).start;
    return {
        from + one.start, from + one.end, one.end - one.start, item, 1, role_of(rows()[lane], one.activity)};
}

std::string StepRun::title() const {
    return meshslice::title(*step_);
}

RunReading StepRun::reading() const {
    return timeline_ != nullptr ? RunReading::simulated : RunReading::estimated;
}

Lane StepRun::lane(std::size_t lane) const {
    const Row& row = rows()[lane];
    const Torus& torus = timeline_->torus();
    Lane made;
    made.place = say("chip {}", place_text(torus, row.chip));
    made.name = resource_name(torus, row);
    made.at = static_cast<std::size_t>(row.chip);
    made.exposes = row.is_core && !row.memory;
    // The core first, its waits second; the links after them, and then the memory.
    const int link = 1 + link_slot(row.axis, row.direction);
    made.number = row.memory ? 8 + static_cast<int>(*row.memory) : row.is_core ? 0 : link;
    made.order = row.memory ? made.number : row.is_core ? 0 : 1 + link;
    return made;
}

std::size_t StepRun::place_count() const {
    return static_cast<std::size_t>(step_->torus.chips());
}

std::size_t StepRun::slice_count() const {
    std::size_t count = 0;
    for (const Piece& piece : pieces_) {
        count += piece.timeline ? piece.timeline->interval_count() + piece.timeline->memory_stretches() : 0;
    }
    return count;
}

void StepRun::visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const {
    SliceMerger merger(stretch, pixel, sink);
    const Span pieces = pieces_in(stretch);
    for (std::size_t number = pieces.first; number < pieces.last; ++number) {
        const Piece& piece = pieces_[number];
        if (piece.timeline == nullptr || lane >= piece.timeline->rows_with_memory().size()) {
            continue;
        }
        // What takes no time at the end of a piece is a part of it.
        const bool whole = stretch.begin <= piece.start && piece.end <= stretch.end;
        const Span span =
            whole ? Span{0, piece.timeline->intervals(lane).size()} : intervals_in(piece, lane, stretch);
        RowVisit(piece, number, lane, stretch, pixel, merger).bars(span.first, span.last);
    }
}

RunLabel StepRun::label(std::size_t lane, std::uint64_t item) const {
    const Bar at = bar(item);
    const GemmResult& result = step_->gemms[piece_of(item).gemm];
    const Timeline& timeline = *result.timeline;
    const Row& row = timeline.rows_with_memory()[lane];
    RunLabel label;
    const auto add = [&](std::string_view key, std::int64_t value) {
        label.arguments.emplace_back(key, value);
    };
    label.briefs = briefs_of(result, row, timeline.intervals(lane)[at.index]);
    label.arguments.emplace_back("layer", result.gemm.layer);
    label.arguments.emplace_back("pass", std::string(name(result.gemm.pass)));
    if (row.memory) {
        const MemoryStretch& one = timeline.served(row.chip, *row.memory)[at.index];
        label.name = bar_name(result, said(access_name(one.use)), one.use.operation, one.use.iteration);
        label.category = "memory";
        add("slice", one.use.iteration);
        add("step", one.use.step);
        add("bytes", std::llround(one.bytes));
        label.arguments.emplace_back("share", one.share);
        return label;
    }
    const Interval& one = timeline.intervals(lane)[at.index];
    label.name = bar_name(result, row, one);
    label.category = name(one.activity);
    add("slice", one.iteration);
    add("step", one.step);
    add("bytes", timeline.bytes(row, one).value());
    return label;
}

RunTotals StepRun::totals() const {
    RunTotals totals;
    totals.seconds = in_seconds(end_);
    for (const Piece& piece : pieces_) {
        const std::size_t rows = piece.timeline ? piece.timeline->rows().size() : 0;
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t k = 0; k < activity_count; ++k) {
                const Role role = role_of(piece.timeline->rows()[row], static_cast<Activity>(k));
                totals.busy[static_cast<std::size_t>(role)] += in_seconds(piece.timeline->busy(row)[k]);
            }
        }
    }
    return totals;
}

std::string StepRun::bound() const {
    return step_->bottleneck.part ? std::string(id(*step_->bottleneck.part)) : std::string();
}

std::vector<Stretch> StepRun::parts() const {
    std::vector<Stretch> parts;
    for (const Piece& piece : pieces_) {
        if (piece.timeline != nullptr && piece.copy == 0) {
            parts.push_back({piece.start, piece.end});
        }
    }
    return parts;
}

std::vector<Stretch> StepRun::recorded() const {
    std::vector<Stretch> stretches;
    for (const Piece& piece : pieces_) {
        if (piece.timeline == nullptr) {
            continue;
        }
        if (!stretches.empty() && stretches.back().end == piece.start) {
            stretches.back().end = piece.end;
        } else {
            stretches.push_back({piece.start, piece.end});
        }
    }
    return stretches;
}

} // namespace meshslice
