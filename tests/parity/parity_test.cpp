// Our simulator against SimGrid, an independent one; what SimGrid is told is in simgrid_torus.h.

#include "core/gemm/algorithms.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"
#include "tests/parity/comparison.h"
#include "tests/parity/simgrid_run.h"
#include "tests/parity/table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>

namespace meshslice::parity {
namespace {

using testing::Gt;

/// Collective OS on 2 x 2, (400, 6000, 8000), both ways. B's gather takes 10 us to launch, 1 us to agree and,
/// for half of a shard of 24 MB at 10^9 B/s, 12 000 us; A's shard has 1.6 MB, so 811 us in all. The product,
/// 9.6 GFLOP at 10^12 FLOP/s, takes 9600 us.
Program by_hand() {
    return written("collective", {400, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}));
}
constexpr double gather_of_b = 12011e-6;
constexpr double end_by_hand = gather_of_b + 9600e-6;

Settings on_round_hardware() {
    return {round_hardware(), {}, {}};
}

Comparison compared(const Program& program, const Settings& ours, const Settings& simgrid) {
    const auto both = compare(program, ours, simgrid);
    EXPECT_TRUE(both) << (both ? "" : both.error().sentence);
    return both ? *both : Comparison{};
}

TEST(Parity, SimGridReachesTheEndWorkedByHand) {
    const auto run = run_on_simgrid(by_hand(), on_round_hardware());
    ASSERT_TRUE(run) << run.error().sentence;
    EXPECT_NEAR(run->outcome.makespan, end_by_hand, 1e-12);
    EXPECT_NEAR(run->outcome.mean_completion, (811e-6 + gather_of_b + end_by_hand) / 3, 1e-12);
    EXPECT_GT(run->wall_clock, 0);
}

/// The comparison is able to fail: what SimGrid alone is told shows, and by as much as it should.
TEST(Parity, ADifferenceShows) {
    const auto later = [](const Settings& told) {
        const Comparison both = compared(by_hand(), on_round_hardware(), told);
        return both.simgrid.makespan - both.ours.makespan;
    };
    EXPECT_NEAR(later(on_round_hardware()), 0, 1e-12);

    Settings told = on_round_hardware();
    told.hardware.link_bandwidth.value = Bandwidth(0.98e9);
    EXPECT_NEAR(later(told), 12000e-6 / 0.98 - 12000e-6, 1e-12);
    EXPECT_GT(compared(by_hand(), on_round_hardware(), told).largest_deviation(), 0.01);
    told = on_round_hardware();
    told.hardware.effective_fraction.value = 0.96;
    EXPECT_NEAR(later(told), 9600e-6 / 0.96 - 9600e-6, 1e-12);
    told = on_round_hardware();
    told.hardware.sync.value = seconds(2e-6);
    EXPECT_NEAR(later(told), 1e-6, 1e-12);
    told = on_round_hardware();
    told.hardware.launch[static_cast<std::size_t>(LaunchKind::all_gather)].value = seconds(11e-6);
    EXPECT_NEAR(later(told), 1e-6, 1e-12);
    told = on_round_hardware();
    told.schedule.ring = RingMode::one_way;
    EXPECT_NEAR(later(told), 12000e-6, 1e-12);
}

/// In two slices the second gather of B, half as long, runs beside the first product; without prefetch,
/// after it. The products take half as long, too.
TEST(Parity, ADifferentPrefetchShows) {
    const Program sliced =
        written("meshslice", {400, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}), {2, 8});
    Settings told = on_round_hardware();
    told.schedule.prefetch.depth = 0;
    const Comparison both = compared(sliced, on_round_hardware(), told);
    EXPECT_NEAR(both.ours.makespan, 2 * 6011e-6 + 4800e-6, 1e-12);
    EXPECT_NEAR(both.simgrid.makespan, 2 * 6011e-6 + 2 * 4800e-6, 1e-12);
}

TEST(Parity, HoldsInEveryRowOfTheTable) {
    const std::vector<Case> cases = table_cases();
    EXPECT_THAT(cases.size(), Gt(60u));
    for (const Case& row : cases) {
        const auto both = compare(row);
        ASSERT_TRUE(both) << both.error().sentence;
        EXPECT_LE(both->largest_deviation(), most_deviation)
            << row.algorithm->id << ' ' << name(row.dataflow) << ' ' << shape_text(row.torus) << ' '
            << text(row.shape) << ' ' << name(row.schedule.ring) << ", prefetch "
            << text(row.schedule.prefetch);
    }
}

TEST(Parity, TheReadmeShowsTheTableAsItComesOut) {
    std::ifstream stream(MESHSLICE_SOURCE_DIR "/tests/parity/README.md", std::ios::binary);
    const std::string readme{std::istreambuf_iterator<char>(stream), {}};
    const auto table = written_table();
    ASSERT_TRUE(table) << table.error().sentence;
    EXPECT_TRUE(readme.ends_with(*table)) << "tests/parity/README.md says how to make its table again";
}

/// Draws products and machines, always the same ones.
class Dice {
  public:
    template <class First, class... Rest>
    First pick(First first, Rest... rest) {
        const std::array<First, 1 + sizeof...(Rest)> all = {first, static_cast<First>(rest)...};
        return all[below(all.size())];
    }
    std::size_t below(std::size_t count) { return random_() % count; }

    Torus torus(const Algorithm& algorithm) {
        std::vector<TorusAxis> axes;
        for (int axis = 0; axis < algorithm.torus_axes; ++axis) {
            axes.push_back({axis == 2 ? pick(1, 2, 3) : pick(1, 2, 3, 4, 5, 6), pick(true, true, false)});
        }
        if (algorithm.id == "cannon" || algorithm.id == "2.5d") {
            axes[1] = axes[0];
        }
        return *Torus::create(axes);
    }

    /// Of any size, dataflow and number of slices that the algorithm allows; none where that is none.
    std::optional<Program> program(const Algorithm& algorithm) {
        const Torus torus = this->torus(algorithm);
        const GemmShape shape{720 * pick(1, 2, 7), 720 * pick(1, 3, 4), 720 * pick(1, 2, 5)};
        const Dataflow dataflow = pick(Dataflow::OS, Dataflow::LS, Dataflow::RS);
        GemmOptions options;
        options.block = pick(1, 2, 3);
        options.packets = pick(0, 1, 3);
        options.decomposed = pick(std::optional<Axis>(), Axis::vertical, Axis::horizontal);
        const auto counts = algorithm.slice_counts(shape, dataflow, torus, options);
        if (!counts) {
            return std::nullopt;
        }
        options.slices = (*counts)[below(std::min<std::size_t>(counts->size(), 8))];
        const auto written = algorithm.write(shape, dataflow, torus, options);
        return written ? std::optional(*written) : std::nullopt;
    }

    Settings settings() {
        Settings any = on_round_hardware();
        any.hardware.link_bandwidth.value = Bandwidth(pick(1e9, 3.3e9, 45e9));
        any.hardware.sync.value = seconds(pick(1e-6, 5e-6));
        for (auto& launch : any.hardware.launch) {
            launch.value = seconds(pick(0.0, 7e-6, 13e-6));
        }
        any.schedule.type = pick(DataType::bf16, DataType::int8);
        any.schedule.ring = pick(RingMode::both_ways, RingMode::one_way);
        any.schedule.prefetch.depth = pick(std::int64_t{0}, 1, 2, Prefetch::without_bound);
        return any;
    }

    /// Up to four faults; none where they would cut the torus.
    std::optional<Conditions> faults(const Torus& torus) {
        Faults found;
        const std::vector<Link> links = torus.links();
        for (int k = pick(1, 2, 3, 4); k > 0; --k) {
            FaultyPart part;
            const bool is_core = links.empty() || pick(true, false, false);
            const Link link = is_core ? Link{} : links[below(links.size())];
            const auto chips = static_cast<std::size_t>(torus.chips());
            const Chip chip = is_core ? static_cast<Chip>(below(chips)) : link.chip;
            for (int axis = 0; axis < torus.axis_count(); ++axis) {
                part.chip.push_back(torus.coordinate(chip, static_cast<Axis>(axis)));
            }
            part.is_core = is_core;
            part.axis = link.axis;
            part.direction = link.direction;
            found.parts.push_back({part, is_core ? pick(0.3, 0.9) : pick(0.0, 0.0, 0.5, 0.7)});
        }
        const auto conditions = meshslice::conditions(torus, found);
        return conditions ? std::optional(*conditions) : std::nullopt;
    }

  private:
    std::mt19937 random_{20};
};

std::string what(const Program& program, const Settings& settings) {
    return fmt::format("{} on {} in {} iterations, {}, prefetch {}:\n{}", text(program.shape),
                       shape_text(program.torus), program.iterations, name(settings.schedule.ring),
                       text(settings.schedule.prefetch), pseudocode(program));
}

/// Every algorithm on rings and lines of all sizes, with whatever else a user may choose.
TEST(Parity, HoldsForRandomProducts) {
    Dice dice;
    for (const Algorithm& algorithm : algorithms()) {
        for (int comparisons = 0; comparisons < 40;) {
            const auto program = dice.program(algorithm);
            if (!program) {
                continue;
            }
            ++comparisons;
            const Settings settings = dice.settings();
            ASSERT_LE(compared(*program, settings, settings).largest_deviation(), most_deviation)
                << algorithm.id << ' ' << what(*program, settings);
        }
    }
}

/// The same on machines with slow cores, slow links and dead ones. What goes round a dead link shares links,
/// and there CM02 gives each flow a part in inverse proportion to its latency, as TCP would. Without a
/// latency it gives all the same, as ours does, so these synchronise in no time.
TEST(Parity, HoldsForRandomFaults) {
    Dice dice;
    for (const Algorithm& algorithm : algorithms()) {
        for (int comparisons = 0; comparisons < 40;) {
            const auto program = dice.program(algorithm);
            const auto conditions = program ? dice.faults(program->torus) : std::nullopt;
            if (!conditions) {
                continue;
            }
            ++comparisons;
            Settings settings = dice.settings();
            settings.conditions = *conditions;
            if (std::ranges::find(conditions->link_speed, 0.0) != conditions->link_speed.end()) {
                settings.hardware.sync.value = Time(0);
            }
            ASSERT_LE(compared(*program, settings, settings).largest_deviation(), most_deviation)
                << algorithm.id << ' ' << what(*program, settings);
        }
    }
}

} // namespace
} // namespace meshslice::parity
