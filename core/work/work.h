#pragma once

#include "core/work/stack.h"
#include "core/work/task.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace meshslice {

/// Sequences of a batch that are alike: how many tokens of each are new, and how many lie in a cache. A GEMM
/// works on the new tokens of all; attention of each segment on its own.
struct Segment {
    std::int64_t fresh = 1;
    std::int64_t cached = 0;
    std::int64_t copies = 1; ///< sequences

    bool operator==(const Segment&) const = default;
};

/// A kind of workload writes its tasks, for one block and for what stands at both ends of a stack. Each is
/// the last thing in its own file.
struct Workload {
    std::string_view id;    ///< "training"
    std::string_view title; ///< "Training step"
    std::vector<Task> (*block)(const BlockKind& kind, std::span<const Segment> batch);
    std::vector<Task> (*ends)(const Stack& stack, std::span<const Segment> batch);
};

/// What has to be computed.
struct Work {
    const Workload* workload = nullptr; ///< never null
    std::vector<Transformer> models;
    std::vector<Segment> batch;

    bool operator==(const Work&) const = default;
};

} // namespace meshslice
