#pragma once

#include "core/papers/meshslice/study.h"

namespace meshslice {

/// The studies of the MeshSlice paper (ISCA 2025), one file each. Where a study is of one cluster it is of
/// the largest of the inputs (the paper's 256 chips); claims are judged where model and cluster are the
/// paper's. All are by estimate where nothing else is said.

/// Figure 9 (section 5.1.1): FLOP utilisation of all algorithms, half as many sequences as chips.
[[nodiscard]] Result<StudyResult> weak_scaling(const StudyInputs& inputs, const RunControl& control);
/// Figure 10 (5.1.2): launch, synchronisation and transfer of each algorithm over its compute time; all of
/// it, hidden or not.
[[nodiscard]] Result<StudyResult> communication_share(const StudyInputs& inputs, const RunControl& control);
/// Figure 11 (5.1.4): the 2D algorithms on each distinct product of a step, each on its best mesh for it.
[[nodiscard]] Result<StudyResult> product_shapes(const StudyInputs& inputs, const RunControl& control);
/// Figure 12 (5.1.3): as Figure 9, always 32 sequences. FSDP is left out, as its batch grows with the chips.
[[nodiscard]] Result<StudyResult> strong_scaling(const StudyInputs& inputs, const RunControl& control);
/// Table 2 (5.2): the largest matrix of every layer stationary, or always Y; each on its best mesh.
[[nodiscard]] Result<StudyResult> dataflows(const StudyInputs& inputs, const RunControl& control);
/// Figure 13 (5.2): MeshSlice on every mesh, estimated and simulated.
[[nodiscard]] Result<StudyResult> mesh_shapes(const StudyInputs& inputs, const RunControl& control);
/// Figure 14 (5.2): MeshSlice on its best mesh with every slice count that all products have in common,
/// estimated and simulated.
[[nodiscard]] Result<StudyResult> slice_count_study(const StudyInputs& inputs, const RunControl& control);
/// Figure 15 (5.3.2): communication of each layer's forward and backward passes on 4x4 chips, estimated and
/// simulated (the paper: estimated and measured).
[[nodiscard]] Result<StudyResult> layer_communication(const StudyInputs& inputs, const RunControl& control);
/// Table 3 (5.3.1): the real 4x4 cluster, whose two axes are not equally fast. The inputs' hardware has no
/// say: its constants are the published autotuner's (see real_cluster.h).
[[nodiscard]] Result<StudyResult> real_cluster(const StudyInputs& inputs, const RunControl& control);
/// Section 5.1.1, the speed-up of whole blocks: the layers that are not fully connected (see block_rest.h)
/// take as long with either algorithm.
[[nodiscard]] Result<StudyResult> end_to_end(const StudyInputs& inputs, const RunControl& control);
/// Section 7: what a chip sends with 2.5D and with MeshSlice + DP. Needs no hardware.
[[nodiscard]] Result<StudyResult> traffic(const StudyInputs& inputs, const RunControl& control);

} // namespace meshslice
