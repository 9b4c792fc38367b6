#pragma once

#include "core/papers/meshslice/paper_setup.h"

namespace meshslice {

/// The studies of the MeshSlice paper (ISCA 2025), each in its own file. Where a study is of one cluster it
/// is of the largest of the inputs (the paper's 256 chips); claims are judged where model and cluster are the
/// paper's. All are by estimate where nothing else is said.
extern const Study weak_scaling_study;
extern const Study communication_share_study;
extern const Study product_shapes_study;
extern const Study strong_scaling_study;
extern const Study dataflows_study;
extern const Study mesh_shapes_study;
extern const Study slice_counts_study;
extern const Study real_cluster_study;
extern const Study layer_communication_study;
extern const Study end_to_end_study;
extern const Study traffic_study;

} // namespace meshslice
