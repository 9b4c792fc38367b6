#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/meshslice.h"
#include "core/gemm/sharded_gemm.h"
#include "core/program/writer.h"

namespace meshslice {
namespace {

/// MeshSlice's loop with the reduce-scatter of every slice fed by the stores of the slice's GEMM: one line
/// more than MeshSlice. The partial sums of a slice lie in one buffer while the next slice's are made in the
/// other, and each buffer has counters of its own.
Result<Program> write_meshslice_t3(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                   const GemmOptions& options) {
    if (const Result<void> fits = fits_mesh(shape, dataflow, torus); !fits) {
        return refuse(fits.error());
    }
    if (const Result<void> fits = slices_fit(shape, dataflow, torus, options); !fits) {
        return refuse(fits.error());
    }
    const Axis sums = dataflow == Dataflow::LS ? Axis::horizontal : Axis::vertical;
    const bool closed = torus.size(sums) > 1 && torus.wraps(sums) && !torus.folded(sums);
    if (dataflow != Dataflow::OS && !closed) {
        return refuse(say("The reduce-scatters of {} go along the {} of the mesh {}; a GEMM feeds one on a "
                          "closed ring of at least two chips.",
                          name(dataflow), sums == Axis::horizontal ? said("rows") : said("columns"),
                          shape_text(torus)));
    }
    ProgramWriter chip(shape, dataflow, torus);
    slice_by_slice(chip, dataflow, options, chip.output(), SliceSums::fed_by_stores);
    return std::move(chip).finish();
}

} // namespace

namespace gemm {

extern constinit const Algorithm meshslice_t3{
    .id = "meshslice-t3",
    .title = "MeshSlice + T3",
    .summary =
        "MeshSlice whose slices end in a reduce-scatter that the stores of the slice's GEMM feed, tile "
        "by tile, one way round its ring; the other axis gathers as before.",
    .source =
        "Neither paper has it: MeshSlice (ISCA 2025), section 3.1, with T3 (ASPLOS 2024), section 4, in "
        "its loop",
    .needs = "A mesh of two axes, closed along the one that sums; shards and slices as for MeshSlice. Slices "
             "of OS end in no reduce-scatter: there it is MeshSlice.",
    .dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS},
    .on_gpu_rings = true,
    .feeds_ring = true,
    .options = {{OptionId::block}, {OptionId::slices, Taken::exactly, meshslice_slice_counts}},
    .write = write_meshslice_t3,
};

} // namespace gemm
} // namespace meshslice
