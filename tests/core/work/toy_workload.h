#pragma once

// A workload that is not a transformer, to see that a file is all that one takes: blocks of two GEMMs and a
// gate between them, without attention.

#include "core/work/laws.h"
#include "core/work/work.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace meshslice {

/// Its forward pass, its backward passes, and the update of what has weights, each after the one before it.
inline void add_toy_operation(std::vector<Task>& tasks, std::string_view name, TaskKind kind, TaskPlace place,
                              const Dims& dims, Amounts (*law)(const Dims& dims, Pass pass)) {
    std::vector<Pass> passes = {Pass::forward, Pass::backward_data};
    if (kind == TaskKind::gemm) {
        passes.insert(passes.end(), {Pass::backward_weight, Pass::update});
    }
    for (const Pass pass : passes) {
        Task& task = tasks.emplace_back(Task{name, pass, kind, place, false, dims, law, {}});
        if (tasks.size() > 1) {
            task.after = {static_cast<std::int16_t>(tasks.size() - 2)};
        }
    }
}

inline std::vector<Task> toy_block(const BlockKind& kind, std::span<const Segment> batch) {
    Dims tokens;
    tokens.samples = static_cast<double>(batch.front().copies);
    tokens.rows = static_cast<double>(batch.front().fresh);
    const auto wide = static_cast<double>(kind.feed_forward.width);
    const auto narrow = static_cast<double>(kind.hidden);
    std::vector<Task> tasks;
    Dims in = tokens;
    in.in = narrow;
    in.out = wide;
    add_toy_operation(tasks, "widen", TaskKind::gemm, TaskPlace::into, in, gemm_law);
    Dims gate = tokens;
    gate.out = wide;
    add_toy_operation(tasks, "gate", TaskKind::vector, TaskPlace::inside, gate, gelu_law);
    Dims out = tokens;
    out.in = wide;
    out.out = narrow;
    add_toy_operation(tasks, "narrow", TaskKind::gemm, TaskPlace::out_of, out, gemm_law);
    return tasks;
}

inline std::vector<Task> toy_ends(const Stack& /*stack*/, std::span<const Segment> /*batch*/) {
    return {};
}

inline constexpr Workload toy_workload{"toy", "Toy step", toy_block, toy_ends};

} // namespace meshslice
