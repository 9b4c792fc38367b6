#include "core/step/run/density.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

namespace meshslice {
namespace {

/// Adds up time part by part.
class Parts {
  public:
    Parts(Stretch whole, std::size_t count)
        : begin_(static_cast<double>(whole.begin.value()))
        , scale_(static_cast<double>(count) / static_cast<double>((whole.end - whole.begin).value()))
        , sums_(count) {}

    void add(Time start, Time end, double weight) {
        const double from = std::max(0.0, (static_cast<double>(start.value()) - begin_) * scale_);
        const double to =
            std::min(static_cast<double>(sums_.size()), (static_cast<double>(end.value()) - begin_) * scale_);
        for (double at = from; at < to;) {
            const auto part = static_cast<std::size_t>(at);
            const double next = std::min(to, static_cast<double>(part + 1));
            sums_[part] += (next - at) * weight;
            at = next;
        }
    }
    [[nodiscard]] std::vector<float> shares() const {
        std::vector<float> shares;
        for (const double sum : sums_) {
            shares.push_back(static_cast<float>(std::min(1.0, sum)));
        }
        return shares;
    }

  private:
    double begin_;
    double scale_; ///< parts per picosecond
    std::vector<double> sums_;
};

/// Every so many of them that no more than `most` are left. An odd number: the links of a chip alternate.
std::vector<std::size_t> some_of(const std::vector<std::size_t>& rows, std::size_t most) {
    const std::size_t stride = rows.size() <= most ? 1 : (rows.size() / most + 1) | 1U;
    std::vector<std::size_t> some;
    for (std::size_t k = 0; k < rows.size(); k += stride) {
        some.push_back(rows[k]);
    }
    return some;
}

/// The intervals of one row that others may share, and how many rows have them.
struct SharedRow {
    std::span<const Interval> intervals;
    std::size_t rows = 0;
};

/// Of rows of a kind in one GEMM: alike chips keep theirs in one place.
std::vector<SharedRow> shared_rows(const Timeline& timeline, const std::vector<std::size_t>& rows) {
    std::map<const Interval*, SharedRow> by_place;
    for (const std::size_t row : rows) {
        if (row < timeline.rows_with_memory().size() && !timeline.intervals(row).empty()) {
            SharedRow& shared = by_place[timeline.intervals(row).data()];
            shared.intervals = timeline.intervals(row);
            ++shared.rows;
        }
    }
    std::vector<SharedRow> all;
    for (const auto& [place, shared] : by_place) {
        all.push_back(shared);
    }
    return all;
}

/// Those that lie in [begin, end).
std::span<const Interval> within(std::span<const Interval> all, Time begin, Time end) {
    const auto first =
        std::ranges::partition_point(all, [&](const Interval& interval) { return interval.end <= begin; });
    const auto last = std::partition_point(first, all.end(),
                                           [&](const Interval& interval) { return interval.start < end; });
    return {first, last};
}

/// Whether a row counts among the cores. Of memories, which stand apart, what serves GEMMs does.
bool counts_as_core(const Row& row) {
    return row.memory ? *row.memory == MemoryStream::compute : row.is_core;
}

/// Those of the rows that are cores, or links: every GEMM has the same rows. Memories count where there is
/// nothing else among them.
std::vector<std::size_t> rows_of_kind(const TrainingStep& step, std::span<const std::size_t> rows,
                                      bool core) {
    std::vector<std::size_t> own;
    const auto recorded =
        std::ranges::find_if(step.gemms, [](const GemmResult& gemm) { return gemm.timeline != nullptr; });
    if (recorded != step.gemms.end()) {
        const std::vector<Row>& known = recorded->timeline->rows_with_memory();
        const std::size_t resources = recorded->timeline->rows().size();
        const bool any = std::ranges::any_of(rows, [&](std::size_t row) { return row < resources; });
        std::ranges::copy_if(rows, std::back_inserter(own), [&](std::size_t row) {
            return row < (any ? resources : known.size()) && counts_as_core(known[row]) == core;
        });
    }
    return own;
}

/// The rows of a kind in one copy of a GEMM.
struct RowsOfCopy {
    bool core;
    Time start;
    std::size_t count; ///< of the rows, those without intervals too
    std::shared_ptr<const std::vector<SharedRow>> shared;

    /// Adds up every so many of them, which stand for the others; rows without intervals are idle.
    void add_to(Parts& sums, Stretch whole, std::size_t each) const {
        std::size_t counted = 0;
        std::size_t busy_rows = 0;
        for (std::size_t k = 0; k < shared->size(); ++k) {
            counted += k % each == 0 ? (*shared)[k].rows : 0;
            busy_rows += (*shared)[k].rows;
        }
        for (std::size_t k = 0; k < shared->size(); k += each) {
            const SharedRow& row = (*shared)[k];
            const double weight = static_cast<double>(row.rows) / static_cast<double>(counted) *
                                  static_cast<double>(busy_rows) / static_cast<double>(count);
            for (const Interval& interval : within(row.intervals, whole.begin - start, whole.end - start)) {
                if (!core || interval.activity == Activity::compute) {
                    sums.add(start + interval.start, start + interval.end, weight);
                }
            }
        }
    }
};

} // namespace

StepDensity density_of_rows(const TrainingStep& step, std::span<const std::size_t> rows, Stretch whole,
                            std::size_t parts, std::size_t most_intervals) {
    if (parts == 0 || whole.end <= whole.begin) {
        return {};
    }
    Parts cores(whole, parts);
    Parts links(whole, parts);
    std::vector<RowsOfCopy> all;
    std::size_t intervals = 0;
    for (const bool core : {true, false}) {
        const std::vector<std::size_t> own = some_of(rows_of_kind(step, rows, core), most_rows_for_density);
        for (const GemmResult& gemm : step.gemms) {
            if (!gemm.timeline || own.empty()) {
                continue;
            }
            const Timeline& timeline = *gemm.timeline;
            const auto shared = std::make_shared<const std::vector<SharedRow>>(shared_rows(timeline, own));
            for (std::int64_t copy = 0; copy < std::max<std::int64_t>(1, gemm.gemm.copies); ++copy) {
                const Time start = gemm.start + timeline.end() * copy;
                if (start >= whole.end || start + timeline.end() <= whole.begin) {
                    continue;
                }
                for (const SharedRow& row : *shared) {
                    intervals += within(row.intervals, whole.begin - start, whole.end - start).size();
                }
                all.push_back({core, start, own.size(), shared});
            }
        }
    }
    const std::size_t most = std::max<std::size_t>(1, most_intervals);
    const std::size_t each = std::max<std::size_t>(1, (intervals + most - 1) / most);
    for (const RowsOfCopy& one : all) {
        one.add_to(one.core ? cores : links, whole, each);
    }
    return {cores.shares(), links.shares()};
}

StepDensity density(const TrainingStep& step, Stretch whole, std::size_t parts, std::size_t most_intervals) {
    if (parts == 0 || whole.end <= whole.begin) {
        return {};
    }
    Parts cores(whole, parts);
    Parts links(whole, parts);
    std::size_t intervals = 0;
    for (const GemmResult& gemm : step.gemms) {
        intervals += gemm.timeline ? gemm.timeline->stored_intervals() *
                                         static_cast<std::size_t>(std::max<std::int64_t>(1, gemm.gemm.copies))
                                   : 0;
    }
    const std::size_t each = intervals / std::max<std::size_t>(1, most_intervals) + 1;
    for (const GemmResult& gemm : step.gemms) {
        if (!gemm.timeline) {
            continue;
        }
        const Timeline& timeline = *gemm.timeline;
        const std::vector<std::int32_t> members = timeline.classes().members();
        const auto stands_for = [&](const Row& row) -> std::int32_t {
            const std::size_t which = timeline.classes().of(row.chip);
            const bool seen =
                !row.round && which % each == 0 && timeline.classes().representative(row.chip) == row.chip;
            return seen ? members[which] : 0;
        };
        // Chips are alike in another way in each GEMM, so that each is averaged over those of its own.
        double own_cores = 0;
        double own_links = 0;
        for (const Row& row : timeline.rows()) {
            (row.is_core ? own_cores : own_links) += stands_for(row);
        }
        for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
            const Row& one = timeline.rows()[row];
            const std::int32_t alike = stands_for(one);
            if (alike == 0) {
                continue;
            }
            const double weight = alike / (one.is_core ? own_cores : own_links);
            for (std::int64_t copy = 0; copy < std::max<std::int64_t>(1, gemm.gemm.copies); ++copy) {
                const Time start = gemm.start + timeline.end() * copy;
                for (const Interval& interval : timeline.intervals(row)) {
                    if (!one.is_core || interval.activity == Activity::compute) {
                        (one.is_core ? cores : links)
                            .add(start + interval.start, start + interval.end, weight);
                    }
                }
            }
        }
    }
    return {cores.shares(), links.shares()};
}

} // namespace meshslice
