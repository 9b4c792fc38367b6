#pragma once

#include "core/base/result.h"
#include "core/serve/arrivals.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Reads requests to replay, a line each after a line of columns in any order: `arrival_s`, `arrival_ms` or
/// `TIMESTAMP` (a date and a time), `input_tokens` or `ContextTokens`, `output_tokens` or `GeneratedTokens`,
/// and `priority` if it is there; other columns are passed over. The last names are those of Azure's public
/// traces (github.com/Azure/AzurePublicDataset). Answers them in order, the first at 0 s; `origin` is for
/// errors.
[[nodiscard]] Result<std::vector<ServingRequest>> read_arrivals(std::string_view csv,
                                                                const std::string& origin);

} // namespace meshslice
