#include "core/plan/evaluate/hidden_communication.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace meshslice {
namespace {

constexpr double no_limit = 1e6; ///< times as slow: nothing hides so much

/// Data-parallel communication of one plan on networks that are so many times as slow.
class DataOfStep {
  public:
    DataOfStep(const PlanModel& model, const Plan& plan)
        : model_(model)
        , plan_(plan)
        , layer_(model.layer(plan))
        , transfers_(model.transfers(plan, layer_))
        , layers_(static_cast<double>(most_stage_layers(model.run(), plan)))
        , micro_batches_(static_cast<double>(model.run().batch / plan.data / plan.micro_batch)) {}

    [[nodiscard]] double exposed(double slower) const { return seconds(plan_, slower); }
    [[nodiscard]] double whole(double slower) const {
        Plan apart = plan_;
        apart.data_overlap = false;
        return seconds(apart, slower);
    }

  private:
    [[nodiscard]] double seconds(const Plan& plan, double slower) const {
        PlanTransfers transfers = transfers_;
        transfers.gather *= slower;
        transfers.gather_trained *= slower;
        transfers.scatter *= slower;
        transfers.gather_sums *= slower;
        transfers.replicas *= slower;
        return model_.data_time(plan, layer_, transfers, layers_, micro_batches_).total;
    }

    const PlanModel& model_;
    Plan plan_;
    LayerCost layer_;
    PlanTransfers transfers_;
    double layers_, micro_batches_;
};

/// Up to which factor what is exposed grows in proportion. Parts of it are what is longer than something, so
/// beyond that factor it grows faster.
double longest_in_proportion(const DataOfStep& data) {
    constexpr double rounding = 1e-12;
    const double whole = data.whole(1), exposed = data.exposed(1);
    const auto proportional = [&](double slower) {
        return data.exposed(slower) <= slower * (exposed + rounding * whole);
    };
    double least = 1, most = no_limit;
    if (proportional(most)) {
        return most;
    }
    constexpr double hardly = 1 + 1e-9;
    if (!proportional(hardly)) {
        return 1;
    }
    for (int k = 0; k < 100 && most - least > 1e-12 * least; ++k) {
        const double middle = (least + most) / 2;
        (proportional(middle) ? least : most) = middle;
    }
    return least;
}

/// Adds one pass of an operation, of which a layer has `blocks`, on average: a part of one where several
/// kinds of blocks take turns.
void add_pass(HiddenCommunication& sum, const PlanModel& model, const Plan& plan, const ChipTask& operation,
              const PassWork& work) {
    const double times = operation.blocks;
    if (times <= 0) {
        return;
    }
    const LayerPass pass = model.pass(plan, operation, work);
    const CollectiveTime collectives = model.collectives(plan, operation, work);
    const double body = (pass.compute + pass.memory) / times; // of one block, as the collectives
    double exposed_rings = 0;
    if (collectives.rings > 0) {
        const auto blocks = static_cast<double>(plan.tensor2);
        const double before = body * (blocks - 1) / blocks;
        exposed_rings = collectives.exposed_rings(body, plan.tensor2);
        sum.whole += times * collectives.rings;
        sum.exposed += times * exposed_rings;
        sum.room += times * before;
        if (const double hides = collectives.rings - collectives.last; hides > 0) {
            sum.slower = std::min(sum.slower.value_or(no_limit), std::max(before / hides, 1.0));
        }
    }
    if (collectives.all == 0) {
        return;
    }
    double behind = 0; // what each of so many parts can hide
    double parts = 0;
    double whole = collectives.all;
    if (operation.panelled) {
        const auto panels = static_cast<double>(plan.panels);
        parts = model.rules().has(Slip::extra_panel) ? panels : panels - 1;
        behind = body / panels;
        whole *= parts + 1;
    } else if (plan.tensor_overlap && work.matrix_flop > 0) {
        parts = 1 - collectives.steps / collectives.all;
        behind = body;
    }
    const double exposed = parts > 0 ? pass.tensor / times - exposed_rings : whole;
    sum.whole += times * whole;
    sum.exposed += times * exposed;
    sum.room += times * parts * behind;
    constexpr double rounding = 1e-9;
    if (parts > 0 && exposed < whole * (1 - rounding)) { // what hides nothing stays so
        const double slower = std::max(behind / collectives.all, 1.0);
        sum.slower = std::min(sum.slower.value_or(no_limit), slower);
    }
}

/// Adds the passes of an operation of programs, the forward one so many times. Programs hide what their
/// estimates say; the closed form of a slower network would be another one.
void add_programs(HiddenCommunication& sum, const TunedLayer& layer, double forward) {
    const auto copies = static_cast<double>(layer.layer.copies);
    for (std::size_t k = 0; k < layer.gemms.size(); ++k) {
        const Estimate& estimate = layer.gemms[k].estimate;
        const double times = copies * (k == 0 ? forward : 1);
        sum.exposed += in_seconds(estimate.exposed) * times;
        sum.room += in_seconds(estimate.overlapped) * times;
        sum.whole += in_seconds(estimate.exposed + estimate.overlapped) * times;
    }
}

} // namespace

HiddenCommunication hidden_data(const PlanModel& model, const Plan& plan) {
    const DataOfStep data(model, plan);
    HiddenCommunication made{data.whole(1), data.exposed(1)};
    if (!plan.data_overlap || made.whole == 0) {
        return made;
    }
    made.room = std::max(data.whole(no_limit) - data.exposed(no_limit), made.hidden());
    if (made.hidden() > 0) {
        made.slower = longest_in_proportion(data);
    }
    return made;
}

HiddenCommunication hidden_tensor(const PlanModel& model, const Plan& plan) {
    const double passes = static_cast<double>(model.run().batch / plan.data / plan.micro_batch) *
                          static_cast<double>(most_stage_layers(model.run(), plan));
    HiddenCommunication sum;
    const auto tuned = plan.algorithm == nullptr ? std::vector<TunedLayer>() : model.tuned(plan).value();
    for (const ChipTask& operation : model.block(plan).operations) {
        const bool again =
            computed_again(operation, plan.recompute) && !again_alone(operation, plan.recompute);
        const int forward = again ? 2 : 1;
        if (operation.layer >= 0) {
            add_programs(sum, tuned[static_cast<std::size_t>(operation.layer)], forward);
            continue;
        }
        for (int k = 0; k < forward; ++k) {
            add_pass(sum, model, plan, operation, operation.forward);
        }
        add_pass(sum, model, plan, operation, operation.backward);
    }
    sum.whole *= passes;
    sum.exposed *= passes;
    sum.room *= passes;
    if (plan.algorithm != nullptr) {
        sum.slower.reset();
    }
    return sum;
}

} // namespace meshslice
