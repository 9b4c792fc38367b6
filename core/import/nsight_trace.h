#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/import/device_trace.h"

#include <string>
#include <string_view>

namespace meshslice {

/// Whether a file begins as SQLite's do.
[[nodiscard]] bool is_sqlite(std::string_view first_bytes);

/// Reads what Nsight Systems recorded of GPUs, in the form of `nsys export --type sqlite`: kernels, copies
/// and fills by device and stream, and as steps the ranges of NVTX whose names say so, such as "iteration 12"
/// or "ProfilerStep#3". Changes nothing in the file. Refuses what is not such a database, with the table or
/// the column that is missing. The database holds times in ns.
[[nodiscard]] Result<DeviceTrace> read_nsight_file(const std::string& path, const RunControl& control = {});
/// The same of the bytes of a file.
[[nodiscard]] Result<DeviceTrace> read_nsight_bytes(std::string_view bytes, const std::string& origin);

/// Whether a range of this name is a step of a training loop: "step", "train_step", "iteration 12",
/// "ProfilerStep#3".
[[nodiscard]] bool names_a_step(std::string_view range);

} // namespace meshslice
