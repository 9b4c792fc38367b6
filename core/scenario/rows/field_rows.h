#pragma once

#include "core/base/fields/field_table.h"
#include "core/scenario/scenario.h"

#include <vector>

namespace meshslice {

/// The parts of the scenario's field table, in the order of its file.
[[nodiscard]] std::vector<Field<Scenario>> work_rows();      ///< task and model
[[nodiscard]] std::vector<Field<Scenario>> machine_rows();   ///< hardware and mesh
[[nodiscard]] std::vector<Field<Scenario>> tokens_rows();    ///< batch and sequence
[[nodiscard]] std::vector<Field<Scenario>> gemm_rows();      ///< one GEMM by itself
[[nodiscard]] std::vector<Field<Scenario>> algorithm_rows(); ///< the algorithm and its options
[[nodiscard]] std::vector<Field<Scenario>> schedule_rows();
[[nodiscard]] std::vector<Field<Scenario>> gpu_rows(); ///< among them, of GPUs alone
[[nodiscard]] std::vector<Field<Scenario>> fault_rows();
[[nodiscard]] std::vector<Field<Scenario>> expert_rows();   ///< how its tokens go to experts
[[nodiscard]] std::vector<Field<Scenario>> planning_rows(); ///< of a training run and its plan
[[nodiscard]] Field<Scenario> measured_step_row();          ///< one of them
[[nodiscard]] Field<Scenario> recipe_row();                 ///< another
[[nodiscard]] std::vector<Field<Scenario>> price_rows();    ///< others
[[nodiscard]] std::vector<Field<Scenario>> adapter_rows();  ///< what is trained instead of weights
[[nodiscard]] std::vector<Field<Scenario>> copies_rows();   ///< and what copies share and exchange
[[nodiscard]] Field<Scenario> serving_row();                ///< what the question of serving is asked, in one
/// The hardware's numbers, which its own row stores. After the data type, which says which peak is meant.
[[nodiscard]] std::vector<Field<Scenario>> hardware_rows();

/// Why a row of a model's training step, or of one GEMM, has no effect; empty where it has.
[[nodiscard]] std::string only_of_a_model(const Scenario& scenario);
[[nodiscard]] std::string only_of_a_gemm(const Scenario& scenario);

} // namespace meshslice
