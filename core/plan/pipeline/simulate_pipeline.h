#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/plan/pipeline/pipeline_run.h"
#include "core/plan/pipeline/pipeline_work.h"

#include <vector>

namespace meshslice {

/// Runs a step of the pipeline as discrete events. Each stage works through its tasks in their order; one
/// starts when the stage is free, its input has arrived from the other stage, and its weights are gathered.
/// What a pass makes is sent when it ends, one after the other over the stage's link to its neighbours, in
/// either direction; gathers and reductions follow each other over its link to the other chips with the same
/// layers, where tensor-parallel groups leave it to them (DataLink). Where two stages are one, nothing is
/// sent. Nothing here is a formula: bubble, exposed traffic and memory are what the events leave.
///
/// The same work gives the same run. All of it is a graph of fixed order, so a shorter part never makes the
/// step longer.
///
/// Not an engine::simulate() of a program: there, every chip of a torus runs the same loop in ring steps.
/// Here each stage has an order of its own and sends point to point, so the two share the queue of events
/// only.
///
/// Refused where checked() refuses; or when stopped.
[[nodiscard]] Result<PipelineRun> simulate_pipeline(const PipelineWork& work, const RunControl& control = {});

/// The same with any orders, by stage. Also refused where a stage lacks a task or has one twice, or where
/// they never end, because stages wait for each other.
[[nodiscard]] Result<PipelineRun> simulate_pipeline(const PipelineWork& work,
                                                    const std::vector<std::vector<PipelineTask>>& orders,
                                                    const RunControl& control = {});

} // namespace meshslice
