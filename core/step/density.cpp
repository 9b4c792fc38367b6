#include "core/step/density.h"

#include <algorithm>
#include <iterator>
#include <map>

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
        if (row < timeline.rows().size() && !timeline.intervals(row).empty()) {
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

} // namespace

StepDensity density_of_rows(const TrainingStep& step, std::span<const std::size_t> rows, Stretch whole,
                            std::size_t parts, std::size_t most_intervals) {
    if (parts == 0 || whole.end <= whole.begin) {
        return {};
    }
    Parts cores(whole, parts);
    Parts links(whole, parts);
    for (const bool core : {true, false}) {
        std::vector<std::size_t> own;
        for (const GemmResult& gemm : step.gemms) {
            if (gemm.timeline) {
                std::ranges::copy_if(rows, std::back_inserter(own), [&](std::size_t row) {
                    return row < gemm.timeline->rows().size() && gemm.timeline->rows()[row].is_core == core;
                });
                break; // the rows are those of every GEMM
            }
        }
        own = some_of(own, most_rows_for_density);
        for (const GemmResult& gemm : step.gemms) {
            if (!gemm.timeline || own.empty()) {
                continue;
            }
            const Timeline& timeline = *gemm.timeline;
            const std::vector<SharedRow> shared = shared_rows(timeline, own);
            for (std::int64_t copy = 0; copy < std::max<std::int64_t>(1, gemm.gemm.copies); ++copy) {
                const Time start = gemm.start + timeline.end() * copy;
                if (start >= whole.end || start + timeline.end() <= whole.begin) {
                    continue;
                }
                std::size_t intervals = 0;
                for (const SharedRow& row : shared) {
                    intervals += within(row.intervals, whole.begin - start, whole.end - start).size();
                }
                const std::size_t each =
                    intervals * step.gemms.size() / std::max<std::size_t>(1, most_intervals) + 1;
                std::size_t counted = 0;
                for (std::size_t k = 0; k < shared.size(); k += each) {
                    counted += shared[k].rows;
                }
                // Rows without intervals are idle; those that are left out are like the others.
                std::size_t busy_rows = 0;
                for (const SharedRow& row : shared) {
                    busy_rows += row.rows;
                }
                for (std::size_t k = 0; k < shared.size(); k += each) {
                    const double weight = static_cast<double>(shared[k].rows) / static_cast<double>(counted) *
                                          static_cast<double>(busy_rows) / static_cast<double>(own.size());
                    for (const Interval& interval :
                         within(shared[k].intervals, whole.begin - start, whole.end - start)) {
                        if (!core || interval.activity == Activity::compute) {
                            (core ? cores : links).add(start + interval.start, start + interval.end, weight);
                        }
                    }
                }
            }
        }
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
