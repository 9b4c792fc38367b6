#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/cost/exchange_bound.h"
#include "core/cost/gemm_roofline.h"
#include "core/machine/machine.h"
#include "core/scenario/scenario.h"
#include "core/sharding/sharded_gemm.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace meshslice {

/// A number of a simulated run, by its place in `simulate --json`: "time_s", "gemms/0/exposed_s".
struct RunQuantity {
    Scenario scenario;
    std::string key;
    bool another = false; ///< not the scenario of its step: what a student is asked to try
};

/// A number of `collective --json`.
struct CollectiveQuantity {
    Collective what = Collective::all_gather;
    double bytes = 1;
    std::vector<ExchangeAxis> axes;
    double hop = 0; ///< s
    std::string key;
};

/// A number of `roofline --json`: "memory/critical_batch".
struct RooflineQuantity {
    RooflineGemm gemm;
    double peak = 1;      ///< FLOP/s
    double bandwidth = 1; ///< bytes/s
    std::string key;
};

/// A number of `shard --json` about one array: "bytes_per_device".
struct ShardsQuantity {
    ShardedArray array;
    NamedMesh mesh;
    DimensionSizes sizes;
    std::int64_t bits = 16;
    std::string key;
};

/// A number of a plan of a sharded GEMM, as `shard --json` has them in "plans".
struct PlanQuantity {
    ShardedGemm gemm;
    NamedMesh mesh;
    DimensionSizes sizes;
    DataType kind = DataType::bf16;
    Machine hardware;
    std::string plan; ///< its steps, as `shard` prints them; empty: the best
    std::string key;
};

/// A number that only the engine says. Lessons hold no other ones.
struct LessonQuantity {
    std::variant<RunQuantity, CollectiveQuantity, RooflineQuantity, ShardsQuantity, PlanQuantity> of;
    std::vector<LessonQuantity> over; ///< divided by this one; none or one
};

/// Computes it; refuses where the run does not run, or has no such number.
[[nodiscard]] Result<double> value_of(const LessonQuantity& quantity, const RunControl& control = {});

/// The keys of each kind but a run's, which depend on what is run.
[[nodiscard]] std::vector<std::string_view> collective_keys();
[[nodiscard]] std::vector<std::string_view> roofline_keys();
[[nodiscard]] std::vector<std::string_view> shards_keys();
[[nodiscard]] std::vector<std::string_view> plan_keys();

} // namespace meshslice
