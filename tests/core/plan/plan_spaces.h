#pragma once

#include "core/machine/catalogue.h"
#include "core/plan/search/plan_search.h"
#include "tests/core/plan/published.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace meshslice::test {

inline PlanSpace space_of(std::int64_t chips, std::vector<TensorStrategy> strategies) {
    PlanSpace space;
    space.chips = chips;
    space.strategies = std::move(strategies);
    return space;
}

inline PlanModel model_of(const char* model, const char* on, std::int64_t batch, ModelRules rules) {
    return PlanModel::of(run_of(model, batch), *machine_preset(on), rules).value();
}

} // namespace meshslice::test
