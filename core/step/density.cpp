#include "core/step/density.h"

#include <algorithm>

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

} // namespace

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
