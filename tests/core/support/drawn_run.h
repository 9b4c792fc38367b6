#pragma once

#include "core/cost/schedule.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/program/program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace meshslice {

/// How the chips of an axis are joined (where rings are folded, one axis or all of them), and what is drawn
/// besides: `tiled` are chips that are modelled tile by tile, with memories from ample to narrow, mostly on
/// closed rings.
enum class RunKind : std::uint8_t { closed, open, folded, tiled };
inline constexpr std::array all_run_kinds = {RunKind::closed, RunKind::open, RunKind::folded, RunKind::tiled};
[[nodiscard]] inline std::string_view name(RunKind kind) {
    static constexpr std::array<std::string_view, 4> names = {"closed", "open", "folded", "tiled"};
    return names[static_cast<std::size_t>(kind)];
}

/// A run by chance: whatever a user may choose about one GEMM, on a chip of the presets.
struct DrawnRun {
    Program program;
    Machine hardware;
    Schedule schedule;
    std::string words; ///< to find it again by
};

/// Draws runs, always the same ones.
class RunDice {
  public:
    explicit RunDice(std::uint64_t seed) : random_(seed) {}

    template <class First, class... Rest>
    First pick(First first, Rest... rest) {
        const std::array<First, 1 + sizeof...(Rest)> all = {first, static_cast<First>(rest)...};
        return all[below(all.size())];
    }
    std::size_t below(std::size_t count) { return random_() % count; }

    /// Of this algorithm and kind; none where what was drawn does not fit.
    std::optional<DrawnRun> run(const Algorithm& algorithm, RunKind kind) {
        const std::int64_t unit = pick(std::int64_t{96}, 192);
        const GemmShape shape{unit * pick(2, 8, 32, 64, 256), unit * pick(2, 8, 16, 64, 128),
                              unit * pick(2, 8, 16, 64, 128)};
        const Torus torus = this->torus(algorithm, kind);
        const auto dataflow = algorithm.dataflows.begin()[below(algorithm.dataflows.size())];
        GemmOptions options;
        options.block = pick(std::int64_t{1}, 2, 8);
        options.packets = pick(std::int64_t{0}, 0, 1, 2, 5, 16, 64);
        options.decomposed = pick(std::optional<Axis>(), Axis::vertical, Axis::horizontal);
        const auto counts = algorithm.slice_counts(shape, dataflow, torus, options);
        if (!counts) {
            return std::nullopt;
        }
        options.slices = (*counts)[below(std::min<std::size_t>(counts->size(), 12))];
        const auto program = algorithm.write(shape, dataflow, torus, options);
        if (!program) {
            return std::nullopt;
        }
        const std::vector<Machine>& presets = presets_that(is_plain_torus);
        const Machine& chip = presets[below(presets.size())];
        if (algorithm.torus_axes > chip.network.torus_axes()) {
            return std::nullopt;
        }
        DrawnRun run{*program, chip, {}, {}};
        run.schedule.type = pick(DataType::bf16, DataType::int8);
        run.schedule.ring = pick(RingMode::both_ways, RingMode::one_way);
        run.schedule.prefetch.depth = pick(std::int64_t{0}, 1, 2, Prefetch::without_bound);
        run.schedule.chip = pick(ChipModel::roofline, ChipModel::constant_rate);
        if (kind == RunKind::tiled) {
            run.schedule.chip = ChipModel::tiled;
            if (run.hardware.output_tile.value == 0) {
                run.hardware.output_tile.value = 4 * run.hardware.systolic_array.value;
            }
            run.hardware.hbm_bandwidth.value =
                Bandwidth(run.hardware.hbm_bandwidth.value.value() / pick(1.0, 2, 4, 8, 16));
        }
        const auto word = [&](std::string_view flag, const auto& value) {
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
                run.words += " --" + std::string(flag) + ' ' + std::to_string(value);
            } else {
                run.words += " --" + std::string(flag) + ' ' + std::string(value);
            }
        };
        word("algorithm", algorithm.id);
        word("hardware", run.hardware.name);
        word("mesh", shape_text(torus));
        word("wrap", wraps(torus));
        word("gemm", text(shape));
        word("dataflow", name(dataflow));
        word("slices", options.slices);
        word("block", options.block);
        word("packets", options.packets);
        word("ring", name(run.schedule.ring));
        word("prefetch", text(run.schedule.prefetch));
        word("data-type", name(run.schedule.type));
        word("chip", name(run.schedule.chip));
        if (kind == RunKind::tiled) {
            run.words +=
                " with " + std::to_string(run.hardware.hbm_bandwidth.value.value() / 1e9) + " GB/s of memory";
        }
        return run;
    }

  private:
    Torus torus(const Algorithm& algorithm, RunKind kind) {
        std::vector<TorusAxis> axes;
        for (int axis = 0; axis < algorithm.torus_axes; ++axis) {
            const std::int32_t size = axis == 2                   ? pick(1, 2, 4)
                                      : algorithm.torus_axes == 1 ? pick(2, 3, 4, 8, 16, 20, 24, 32, 48, 64)
                                                                  : pick(1, 2, 3, 4, 6, 8, 16, 20, 32, 64);
            axes.push_back({size});
        }
        if (algorithm.id == "cannon" || algorithm.id == "2.5d") {
            axes[1] = axes[0];
        }
        const RunKind rings = kind != RunKind::tiled
                                  ? kind
                                  : pick(RunKind::closed, RunKind::closed, RunKind::open, RunKind::folded);
        const std::size_t alone = below(axes.size()); // The one axis that is folded, if not all are.
        const bool all = pick(true, false);
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            axes[axis].wraps = rings != RunKind::open;
            axes[axis].folded = rings == RunKind::folded && axes[axis].size > 1 && (all || axis == alone);
        }
        return *Torus::create(axes);
    }

    /// As the command line takes it, where it can.
    static std::string wraps(const Torus& torus) {
        std::string folded;
        bool all = true;
        bool open = false;
        for (int axis = 0; axis < torus.axis_count(); ++axis) {
            const auto which = static_cast<Axis>(axis);
            open = open || !torus.wraps(which);
            all = all && (torus.folded(which) || torus.size(which) == 1);
            if (torus.folded(which)) {
                folded += std::string(folded.empty() ? "" : "-") + std::string(name(which));
            }
        }
        return open ? "none" : folded.empty() ? "both" : all ? "folded" : folded + "-folded";
    }

    std::mt19937_64 random_;
};

} // namespace meshslice
