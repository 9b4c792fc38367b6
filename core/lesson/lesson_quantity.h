#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/machine/machine.h"
#include "core/question/catalogue/questions.h"
#include "core/scenario/scenario.h"
#include "core/sharding/sharded_gemm.h"

#include <cstdint>
#include <optional>
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

/// A number of a question, by its place in the answer's values: "memory/critical_batch" of "roofline".
struct QuestionNumber {
    std::string question;
    OwnValues own;
    std::string path;
    std::optional<Scenario> scenario = {}; ///< of a question that uses one
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
    std::variant<RunQuantity, QuestionNumber, ShardsQuantity, PlanQuantity> of;
    std::vector<LessonQuantity> over; ///< divided by this one; none or one
};

/// Computes it; refuses where the run does not run, or has no such number.
[[nodiscard]] Result<double> value_of(const LessonQuantity& quantity, const RunControl& control = {},
                                      const Questions& questions = all_questions());

/// The keys of each kind about sharded arrays.
[[nodiscard]] std::vector<std::string_view> shards_keys();
[[nodiscard]] std::vector<std::string_view> plan_keys();

} // namespace meshslice
