#include "core/cost/contention.h"

#include <algorithm>
#include <array>

namespace meshslice {
namespace {

/// What an axis does in one iteration.
struct Moving {
    double lasts = 0; ///< seconds of transfers
    double takes = 0; ///< bytes/s meanwhile, of one chip's memory
};

/// Works a multiplication off, one stretch of time after the other.
class Progress {
  public:
    Progress(double alone, double bytes, double bandwidth)
        : left_(alone), most_(bytes / alone), bandwidth_(bandwidth) {}

    /// Others take `taken` bytes/s for `lasts` seconds.
    void beside(double taken, double lasts) {
        const double speed = std::min(1.0, (bandwidth_ - taken) / most_);
        const double spent = std::min(lasts, left_ / speed);
        left_ -= spent * speed;
        spent_ += spent;
    }
    /// A copy of so many bytes takes what the core leaves, at least half.
    void beside_copy(double bytes) {
        const double kept = std::min(most_, bandwidth_ / 2);
        beside(bandwidth_ - kept, bytes / (bandwidth_ - kept));
    }
    [[nodiscard]] double whole() const { return spent_ + left_; }

  private:
    double left_; ///< seconds at full speed
    double most_; ///< bytes/s
    double bandwidth_;
    double spent_ = 0;
};

} // namespace

std::vector<Time> contention(const Program& program, const std::vector<OperationCost>& costs,
                             const std::vector<std::int64_t>& times, const Hardware& hardware) {
    Time multiplying;
    Bytes bytes;
    Bytes copied;
    std::array<Moving, core_engine> axes{};
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        const OperationCost& cost = costs[id];
        const std::size_t engine = engine_of(program.operations[id]);
        const std::int64_t alike = times.empty() ? 1 : times[id];
        if (engine == core_engine) {
            multiplying += cost.compute * alike;
            bytes += cost.memory * alike;
        } else if (engine < core_engine && cost.reads > 0) {
            copied += (cost.copied[0] + cost.copied[1]) * alike;
            axes[engine].lasts += in_seconds(cost.all_transfer() * alike);
            axes[engine].takes = std::max(axes[engine].takes, cost.memory_per_second());
        }
    }
    if (bytes == Bytes(0)) {
        return {};
    }
    Progress product(in_seconds(multiplying), static_cast<double>(bytes.value()),
                     hardware.hbm_bandwidth.value.value());
    product.beside_copy(static_cast<double>(copied.value()));
    std::ranges::sort(axes, {}, &Moving::lasts);
    double passed = 0;
    for (std::size_t first = 0; first < axes.size(); ++first) {
        double taken = 0;
        for (std::size_t axis = first; axis < axes.size(); ++axis) {
            taken += axes[axis].takes;
        }
        product.beside(taken, axes[first].lasts - passed);
        passed = axes[first].lasts;
    }
    const Time slower = seconds(product.whole()) - multiplying;
    // Each in proportion; the sums are rounded, not the parts.
    std::vector<Time> by_operation(program.operations.size());
    Time before, given;
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        before += costs[id].compute * (times.empty() ? 1 : times[id]);
        by_operation[id] = seconds(in_seconds(slower) * in_seconds(before) / in_seconds(multiplying)) - given;
        given += by_operation[id];
    }
    return by_operation;
}

} // namespace meshslice
