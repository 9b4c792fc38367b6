#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/papers/publication.h"

#include <vector>

namespace meshslice {

/// What the closed form says to the ten numbers that the paper states about fully connected layers on 256
/// chips: Table 2 (four), Figure 9 (two), what is lost from 16 to 256 chips (two) and Figure 11 (two). Then,
/// without numbers of the paper's, the utilization of MeshSlice, Collective and Wang under strong scaling at
/// 256 chips ("strong-gpt3-meshslice"). Estimates only, so that constants can be fitted to it; refused where
/// the hardware runs no bf16.
///
/// As the paper does (sections 4.2 and 5.1): half as many sequences of 2048 tokens as chips (strong scaling:
/// 32), each algorithm on its own best mesh, Wang unrolled to MeshSlice's slice counts GEMM by GEMM.
/// The mean of Figure 11 is of the ratios of times, each algorithm on its best mesh for each GEMM: the one
/// reading under which MeshSlice is the fastest on all of them, as the paper says.
[[nodiscard]] Result<std::vector<ClaimOutcome>> paper_claims(const Machine& hardware);

} // namespace meshslice
