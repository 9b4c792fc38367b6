#pragma once

#include "core/base/fields/field_table.h"
#include "core/scenario/plan/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A plan as a part of a file: a row for each of its numbers and choices.
[[nodiscard]] const std::vector<Field<Plan>>& plan_fields();

/// Ranges alone; whether it suits a model and a cluster is another question (check_plan()).
[[nodiscard]] Result<void> check_plan_fields(const Plan& plan);

/// The object of a file, as JSON text, and back. Strict, as a scenario's file is.
[[nodiscard]] std::string write_plan(const Plan& plan);
[[nodiscard]] Result<Plan> read_plan(std::string_view json, const std::string& origin);

/// What such an object may hold, as a JSON Schema.
[[nodiscard]] std::string plan_schema();

} // namespace meshslice
