#pragma once

#include "core/plan/pipeline/simulate_pipeline.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// Stages that are all alike, without any traffic; each pass keeps one byte.
inline PipelineWork alike_stages(PipelineOrder order, std::int32_t stages, std::int32_t chunks,
                                 std::int32_t micro_batches, Time forward, Time backward) {
    PipelineStage stage;
    stage.chunks.assign(static_cast<std::size_t>(chunks), {forward, backward, Bytes(1)});
    return {order, micro_batches, std::vector<PipelineStage>(static_cast<std::size_t>(stages), stage)};
}

/// The run of work that must be sound.
inline PipelineRun run_of(const PipelineWork& work) {
    Result<PipelineRun> run = simulate_pipeline(work);
    EXPECT_TRUE(run) << (run ? "" : run.error().sentence);
    return run ? *std::move(run) : PipelineRun(work.stages.size());
}

/// What a task is drawn as, for up to 8 micro-batches and 2 chunks: forward 0 to 7 in the first chunk and A
/// to H in the second; backward a to h in the last chunk and s to z in the first of two.
inline char letter(PipelinePass pass, std::int32_t chunk, std::int32_t micro_batch, std::int32_t chunks) {
    const bool last = chunk + 1 == chunks;
    const char first = pass == PipelinePass::forward ? (chunk == 0 ? '0' : 'A') : (last ? 'a' : 's');
    return static_cast<char>(first + micro_batch);
}

/// What a stage computes, a letter per picosecond, '.' where nothing.
inline std::string drawn(const PipelineRun& run, std::size_t stage, std::int32_t chunks = 1) {
    std::string picture(static_cast<std::size_t>(run.time().value()), '.');
    for (const PipelineInterval& interval : run.intervals(stage, PipelineRow::compute)) {
        const PipelinePass pass =
            interval.activity == PipelineActivity::forward ? PipelinePass::forward : PipelinePass::backward;
        for (std::int64_t at = interval.start.value(); at < interval.end.value(); ++at) {
            EXPECT_EQ(picture[static_cast<std::size_t>(at)], '.') << "two passes at " << at;
            picture[static_cast<std::size_t>(at)] =
                letter(pass, interval.chunk, interval.micro_batch, chunks);
        }
    }
    return picture;
}

/// One row of a stage, as "bubble 0-2, exposed send 2-3".
inline std::string listed_row(const PipelineRun& run, std::size_t stage, PipelineRow row) {
    std::string words;
    for (const PipelineInterval& interval : run.intervals(stage, row)) {
        words += (words.empty() ? "" : ", ") + std::string(name(interval.activity)) + ' ' +
                 std::to_string(interval.start.value()) + '-' + std::to_string(interval.end.value());
    }
    return words;
}

} // namespace meshslice
