#pragma once

#include "core/evidence/inference/inference_rows.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Reads points of clients that wait for their last token, with the columns of
/// resources/measured/serving.csv, or requests of logs, with those of
/// resources/measured/serving_requests.csv, in any order; others are passed over, and empty cells are not
/// known. hardware and model have to be there. A row that cannot be expressed says why.
[[nodiscard]] Result<std::vector<InferenceRow>> read_serving_rows(std::string_view csv,
                                                                  const std::string& origin);
/// Those of resources/measured/serving.csv and serving_requests.csv.
[[nodiscard]] const std::vector<InferenceRow>& measured_serving();

/// Of a model with experts whose weights have four bits: in four bits stand the experts alone, and the rest
/// in 8 where weights are floating (as in NVIDIA's NVFP4 checkpoints) or in 16. gpt-oss has MXFP4 experts,
/// which Blackwell multiplies in 8 bits and others in 16.
void set_formats_of_experts(InferenceAsked& asked, bool integers);

/// A row for each log of `rows`: clients that keep as many requests at work as the log had, of its mean
/// lengths, with its mean time per token and the geometric mean of its times to the first token.
[[nodiscard]] std::vector<InferenceRow> means_of_logs(const std::vector<InferenceRow>& rows);

} // namespace meshslice
