#include "core/papers/transformers/memory_sweep.h"

#include <cmath>

namespace meshslice {

Machine with_rates(Machine cluster, const ChipRates& rates) {
    cluster.peak[DataType::bf16].value = FlopRate(rates.matrix);
    cluster.vector_rate.value = FlopRate(rates.vector);
    return cluster;
}

Machine with_memory(Machine cluster, const ChipMemory& memory) {
    cluster.hbm.value = Bytes(static_cast<std::int64_t>(std::llround(memory.capacity)));
    cluster.hbm_bandwidth.value = Bandwidth(memory.bandwidth);
    return cluster;
}

std::vector<double> evenly(double from, double to, std::size_t count) {
    std::vector<double> points;
    for (std::size_t k = 0; k < count; ++k) {
        points.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(count - 1));
    }
    return points;
}

std::vector<double> along_generations(const std::array<double, 4>& of, std::size_t count) {
    std::vector<double> points;
    for (std::size_t k = 0; k + 1 < of.size(); ++k) {
        const std::vector<double> way = evenly(of[k], of[k + 1], count);
        points.insert(points.end(), way.begin() + (k == 0 ? 0 : 1), way.end());
    }
    return points;
}

Result<std::vector<std::optional<double>>> days_by_capacity(const Transformer& model, Machine cluster,
                                                            TensorStrategy strategy, std::int64_t chips,
                                                            const std::vector<double>& capacities,
                                                            ModelRules rules, const RunControl& control,
                                                            std::shared_ptr<ChipBlocks> blocks) {
    cluster = with_memory(std::move(cluster), {capacities.back(), cluster.hbm_bandwidth.value.value()});
    const auto made = plan_model(model, cluster, rules, std::move(blocks));
    if (!made) {
        return refuse(made.error());
    }
    PlanSpace space;
    space.chips = chips;
    space.strategies = {strategy};
    return FastestPlans(*made).within(capacities, space, {control.stop}).map([&](const auto& found) {
        std::vector<std::optional<double>> days;
        for (const std::optional<RankedPlan>& one : found) {
            days.push_back(one ? std::optional(training_days(made->run(), one->reading.time.total))
                               : std::nullopt);
        }
        return days;
    });
}

} // namespace meshslice
