#pragma once

#include "core/base/result.h"
#include "core/program/program.h"
#include "core/sharding/resharding.h"
#include "core/sharding/shards.h"

#include <vector>

namespace meshslice {

/// A plan of a sharded GEMM as a program, which every reading takes: the collectives of its steps, axis by
/// axis, the local multiplication, and what follows.
struct ShardedProgram {
    Program program;
    /// By step of the plan: one past its last operation.
    std::vector<OperationId> step_ends;
};

/// `closes`: by axis of the mesh, whether the ring is closed. Axes of one device are not axes of the torus;
/// the others are those of the torus in their order.
///
/// A collective over several axes cuts its array into as many parts as axes where it divides, and takes each
/// part over the axes in turn, beginning with another one, so that all links are used (as LevelLaws has
/// it); else the axes follow one another. An all-reduce is a reduce-scatter and an all-gather of a dimension
/// that the group divides.
///
/// Refuses GEMMs other than of two matrices, one letter of which is contracted (a batch or a vector has no
/// Program), what shards() refuses on the way, and an all-reduce of what the group does not divide.
[[nodiscard]] Result<ShardedProgram> sharded_program(const ShardedPlan& plan, const ShardedGemm& gemm,
                                                     const NamedMesh& mesh, const DimensionSizes& sizes,
                                                     const std::vector<bool>& closes);

} // namespace meshslice
