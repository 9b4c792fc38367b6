#pragma once

#include "core/base/fields/field_table.h"
#include "core/scenario/scenario.h"

#include <vector>

namespace meshslice {

/// For whom a field of a scenario matters (FieldRow::tags).
enum ScenarioTag : unsigned {
    of_a_model = 1u,   ///< only a model's training step has it, not one GEMM by itself
    of_time = 2u,      ///< it changes how long things take, not what is computed and sent
    of_what_if = 4u,   ///< what could be wrong with the machine
    of_comparing = 8u, ///< which results are shown next to each other
    of_a_plan = 16u,   ///< plans of a whole training run are made of it
    of_plans = 32u,    ///< only they are
    of_experts = 64u,  ///< most users leave it as it is: a form shows it when it is asked for more
};

/// The headings of the form.
inline constexpr const char* work_group = "Work";
inline constexpr const char* machine_group = "Machine";
inline constexpr const char* hardware_group = "Hardware numbers";
inline constexpr const char* method_group = "Method";
inline constexpr const char* training_group = "Training plan";
inline constexpr const char* what_if_group = "What if";

/// Everything about a scenario that can be edited, stored or given on a command line, one row a field, in the
/// order of its file. A row that is not stored is another way to edit stored ones.
[[nodiscard]] const std::vector<Field<Scenario>>& scenario_fields();

/// The row with this key, which must be one of the table.
[[nodiscard]] const Field<Scenario>& scenario_field(std::string_view key);

} // namespace meshslice
