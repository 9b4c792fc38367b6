#pragma once

#include "core/question/question.h"
#include "core/work/training.h"

#include <span>
#include <string_view>

namespace meshslice {

/// Each in a file of its name; simulate and estimate in step.cpp.
[[nodiscard]] Question calibrate_question();
[[nodiscard]] Question split_question();
[[nodiscard]] Question collective_question();
[[nodiscard]] Question estimate_question();
[[nodiscard]] Question evidence_question();
[[nodiscard]] Question hlo_question();
[[nodiscard]] Question flows_question();
[[nodiscard]] Question launch_question();
[[nodiscard]] Question machine_question();
[[nodiscard]] Question model_question();
[[nodiscard]] Question pipeline_question();
[[nodiscard]] Question plan_question(const Workload& workload = training);
[[nodiscard]] Question pod_question();
[[nodiscard]] Question report_question();
[[nodiscard]] Question reproduce_question();
[[nodiscard]] Question roofline_question();
[[nodiscard]] Question scale_question();
[[nodiscard]] Question sensitivity_question();
[[nodiscard]] Question serve_question();
[[nodiscard]] Question shard_question();
[[nodiscard]] Question simulate_question();
[[nodiscard]] Question sweep_question();
[[nodiscard]] Question systolic_question();
[[nodiscard]] Question trace_question();
[[nodiscard]] Question share_question();
[[nodiscard]] Question transfer_question();
[[nodiscard]] Question tune_question();
[[nodiscard]] Question verify_question();
[[nodiscard]] Question warps_question();

/// A question that is made when it is asked for: some read every preset for the choices of their fields.
struct NamedQuestion {
    std::string_view id;
    Question (*make)() = nullptr;
};
/// In the order of the command line's help.
[[nodiscard]] std::span<const NamedQuestion> named_questions();

/// All of them, in the order of the command line's help; for those who hand them to readers.
[[nodiscard]] Questions all_questions();

} // namespace meshslice
