#include "core/report/plan_table.h"

#include "core/base/json_writer.h"
#include "core/base/say.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace meshslice {
namespace {

using PlanJson = nlohmann::ordered_json;

PlanJson numbers_json(const RankedPlan& one) {
    const PlanTime& time = one.reading.time;
    const PlanMemory& memory = one.reading.memory;
    const Plan& plan = one.plan;
    const Placement& at = plan.placement;
    return {{"time_s", time.total},
            {"compute_s", time.compute},
            {"memory_exposed_s", time.memory_exposed},
            {"tensor_s", time.tensor},
            {"data_s", time.data},
            {"pipeline_s", time.pipeline},
            {"bubble_s", time.bubble},
            {"ends_s", time.ends},
            {"optimizer_s", time.optimizer},
            {"memory_bytes", memory.total()},
            {"weights_bytes", memory.weights},
            {"gradients_bytes", memory.gradients},
            {"optimizer_bytes", memory.optimizer},
            {"activations_bytes", memory.activations},
            {"buffers_bytes", memory.buffers},
            {"flop_per_chip", one.reading.flop_per_chip},
            {"utilisation", one.reading.utilisation},
            {"micro_batches", one.reading.micro_batches},
            {"fits", one.reading.fits},
            {"plan",
             {{"strategy", name(plan.strategy)},
              {"dp", plan.data},
              {"pp", plan.pipeline},
              {"tp", grid_text(plan)},
              {"micro_batch", plan.micro_batch},
              {"panels", plan.panels},
              {"placement", {at.tensor1, at.tensor2, at.data, at.pipeline}},
              {"schedule", text(plan.schedule)},
              {"recompute", name(plan.recompute)},
              {"zero", plan.zero}}}};
}

PlanJson simulated_json(const Result<SimulatedTime>& simulated) {
    if (!simulated) {
        return {{"objection", simulated.error().sentence}};
    }
    return {{"time_s", simulated->total},    {"passes_s", simulated->passes},
            {"data_s", simulated->data},     {"pipeline_s", simulated->pipeline},
            {"bubble_s", simulated->bubble}, {"memory_bytes", simulated->memory}};
}

PlanJson list_json(const std::vector<RankedPlan>& plans, const SimulatedPlans& simulated = {}) {
    PlanJson list = PlanJson::array();
    for (std::size_t k = 0; k < plans.size(); ++k) {
        list.push_back(numbers_json(plans[k]));
        if (k < simulated.size()) {
            list.back()["simulated"] = simulated_json(simulated[k]);
        }
    }
    return list;
}

std::vector<PlanPart> shares(std::vector<PlanPart> parts, double whole) {
    std::erase_if(parts, [](const PlanPart& part) { return part.amount == 0; });
    for (PlanPart& part : parts) {
        part.share = whole > 0 ? part.amount / whole : 0;
    }
    return parts;
}

} // namespace

Table plan_table(const PlanSearch& search) {
    Table table{"Plans",
                {"rank",
                 "strategy",
                 "dp",
                 "pp",
                 "tp",
                 "micro_batch",
                 "panels",
                 "placement",
                 "time_s",
                 "compute_s",
                 "memory_exposed_s",
                 "tensor_s",
                 "data_s",
                 "pipeline_s",
                 "bubble_s",
                 "ends_s",
                 "optimizer_s",
                 "memory_bytes",
                 "weights_bytes",
                 "gradients_bytes",
                 "optimizer_bytes",
                 "activations_bytes",
                 "buffers_bytes",
                 "flop_per_chip",
                 "utilisation",
                 "micro_batches",
                 "fits"},
                {}};
    for (std::size_t k = 0; k < search.ranked.size(); ++k) {
        const Plan& plan = search.ranked[k].plan;
        const PlanReading& reading = search.ranked[k].reading;
        const PlanTime& time = reading.time;
        const PlanMemory& memory = reading.memory;
        const Placement& at = plan.placement;
        table.rows.push_back({static_cast<std::int64_t>(k + 1),
                              std::string(name(plan.strategy)),
                              plan.data,
                              plan.pipeline,
                              grid_text(plan),
                              plan.micro_batch,
                              plan.panels,
                              fmt::format("{},{},{},{}", at.tensor1, at.tensor2, at.data, at.pipeline),
                              time.total,
                              time.compute,
                              time.memory_exposed,
                              time.tensor,
                              time.data,
                              time.pipeline,
                              time.bubble,
                              time.ends,
                              time.optimizer,
                              memory.total(),
                              memory.weights,
                              memory.gradients,
                              memory.optimizer,
                              memory.activations,
                              memory.buffers,
                              reading.flop_per_chip,
                              reading.utilisation,
                              reading.micro_batches,
                              std::string(reading.fits ? "yes" : "no")});
    }
    return table;
}

std::string plan_json(const RankedPlan& plan, const SimulatedPlans& simulated) {
    return json_file(list_json({plan}, simulated).front());
}

std::string plan_search_json(const PlanSearch& search, const SimulatedPlans& simulated) {
    return json_file({{"candidates", search.candidates},
                      {"feasible", search.feasible},
                      {"plans", list_json(search.ranked, simulated)},
                      {"frontier", list_json(search.frontier)}});
}

std::vector<PlanPart> time_parts(const PlanReading& reading) {
    const PlanTime& time = reading.time;
    return shares({{said("compute"), time.compute},
                   {said("memory traffic beyond it"), time.memory_exposed},
                   {said("tensor-parallel communication"), time.tensor},
                   {said("data-parallel communication"), time.data},
                   {said("transfers between stages"), time.pipeline},
                   {said("pipeline bubble"), time.bubble},
                   {said("embedding, head and loss"), time.ends},
                   {said("optimizer step"), time.optimizer}},
                  time.total);
}

std::vector<PlanPart> memory_parts(const PlanReading& reading) {
    const PlanMemory& memory = reading.memory;
    return shares({{said("weights"), memory.weights},
                   {said("gradients"), memory.gradients},
                   {said("optimizer state"), memory.optimizer},
                   {said("activations"), memory.activations},
                   {said("buffers"), memory.buffers}},
                  memory.total());
}

} // namespace meshslice
