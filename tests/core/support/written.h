#pragma once

#include "core/gemm/algorithms.h"

#include <gtest/gtest.h>

#include <string_view>

namespace meshslice {

/// The program of a GEMM that must be writable.
inline Program written(std::string_view id, const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                       const GemmOptions& options = {}) {
    const Result<Program> program = (*algorithm(id))->write(shape, dataflow, torus, options);
    EXPECT_TRUE(program) << (program ? "" : program.error().sentence);
    return program ? *program : Program{};
}

inline constexpr std::array all_dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS};

} // namespace meshslice
