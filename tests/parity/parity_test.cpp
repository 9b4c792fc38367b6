// Our simulator against SimGrid, an independent one; simgrid_torus.h says what SimGrid gets.

#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"
#include "tests/parity/comparison.h"
#include "tests/parity/simgrid_run.h"
#include "tests/parity/table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>

namespace meshslice::parity {
namespace {

using testing::Gt;

/// Collective OS on 2 x 2, (400, 6000, 8000), both ways. B's gather takes 10 us to launch, 1 us to
/// synchronize and, for half of a shard of 24 MB at 10^9 B/s, 12 000 us; A's shard has 1.6 MB, so 811 us in
/// all. The GEMM, 9.6 GFLOP at 10^12 FLOP/s, takes 9600 us.
Program by_hand() {
    return written("collective", {400, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}));
}
constexpr double gather_of_b = 12011e-6;
constexpr double end_by_hand = gather_of_b + 9600e-6;

Settings on_round_hardware() {
    return {round_hardware(), {}, {}, {}};
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

/// The comparison can fail: what only SimGrid gets shows, and by as much as it should.
TEST(Parity, ADifferenceShows) {
    const auto later = [](const Settings& told) {
        const Comparison both = compared(by_hand(), on_round_hardware(), told);
        return both.simgrid.makespan - both.ours.makespan;
    };
    EXPECT_NEAR(later(on_round_hardware()), 0, 1e-12);

    Settings told = on_round_hardware();
    told.hardware.network.set_link_bandwidth(Bandwidth(0.98e9));
    EXPECT_NEAR(later(told), 12000e-6 / 0.98 - 12000e-6, 1e-12);
    EXPECT_GT(compared(by_hand(), on_round_hardware(), told).largest_deviation(), 0.01);
    told = on_round_hardware();
    told.hardware.effective_fraction.value = 0.96;
    EXPECT_NEAR(later(told), 9600e-6 / 0.96 - 9600e-6, 1e-12);
    told = on_round_hardware();
    told.hardware.sync.value = seconds(2e-6);
    EXPECT_NEAR(later(told), 1e-6, 1e-12);
    told = on_round_hardware();
    told.hardware.launch[Collective::all_gather].value = seconds(11e-6);
    EXPECT_NEAR(later(told), 1e-6, 1e-12);
    told = on_round_hardware();
    told.schedule.ring = RingMode::one_way;
    EXPECT_NEAR(later(told), 12000e-6, 1e-12);
}

/// In two slices the second gather of B, half as long, runs during the first multiplication; without
/// prefetch, after it. The multiplications take half as long, too.
TEST(Parity, ADifferentPrefetchShows) {
    const Program sliced =
        written("meshslice", {400, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}), {2, 8});
    Settings told = on_round_hardware();
    told.schedule.prefetch.depth = 0;
    const Comparison both = compared(sliced, on_round_hardware(), told);
    EXPECT_NEAR(both.ours.makespan, 2 * 6011e-6 + 4800e-6, 1e-12);
    EXPECT_NEAR(both.simgrid.makespan, 2 * 6011e-6 + 2 * 4800e-6, 1e-12);
}

/// A link of `chip` at `share` of its speed.
Conditions slow_link(const Torus& torus, Chip chip, Axis axis, double share) {
    Conditions slow;
    slow.link_speed.assign(static_cast<std::size_t>(torus.chips() * torus.link_slots()), 1);
    slow.link_speed[static_cast<std::size_t>(chip * torus.link_slots() +
                                             link_slot(axis, Direction::forward))] = share;
    return slow;
}

/// GPUs whose GEMMs are made in stages, one after the other with their all-reduce. SimGrid gets the flight as
/// the latency of a step and a core that takes as long as all stages with their writes: 2 M N K / N chips /
/// 1.8e14 + 2 M N / 1e12; and where compute units add up, what their last sum takes, 3 c / (0.92 x 1e12), as
/// the launch of the gather that waits for it. Whole links, and one at 60%.
TEST(Parity, HoldsForStagesAndTheirAllReduce) {
    const Machine gpu = *machine_preset("t3-paper");
    for (const GemmShape& shape : {GemmShape{8192, 4256, 17024}, GemmShape{2048, 1024, 3072}}) {
        for (const std::int32_t chips : {2, 4, 8}) {
            for (const RingMode ring : {RingMode::one_way, RingMode::both_ways}) {
                for (const Reduction reduction : {Reduction::near_memory, Reduction::by_units}) {
                    const Program program =
                        written("tp-ar", shape, Dataflow::LS, *Torus::create({TorusAxis{chips}}));
                    Settings ours{gpu, {.ring = ring}, {}, {}};
                    ours.schedule.reduction = reduction;
                    const double output =
                        2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n); // bytes
                    for (const double share : {1.0, 0.6}) {
                        ours.conditions = slow_link(program.torus, chips - 1, Axis::vertical, share);
                        Settings told = ours;
                        told.hardware.sync.value = gpu.ring_stores->link_flight.value;
                        if (reduction == Reduction::by_units) {
                            told.hardware.launch[Collective::all_gather].value =
                                seconds(3 * output / chips / 0.92e12);
                        }
                        const double flop = 2.0 * static_cast<double>(shape.m) *
                                            static_cast<double>(shape.n) * static_cast<double>(shape.k) /
                                            chips;
                        const double writes = output / 1e12;
                        told.hardware.effective_fraction.value = flop / 1.8e14 / (flop / 1.8e14 + writes);
                        told.hardware.hbm_bandwidth.value = Bandwidth(1e18); // counted already
                        const Comparison both = compared(program, ours, told);
                        // Ours takes whole picoseconds for each of up to some hundred halves of stages.
                        EXPECT_LE(std::abs(both.deviation()), most_deviation)
                            << text(shape) << ' ' << chips << ' ' << name(ring) << ' ' << share << ' '
                            << static_cast<int>(reduction);
                    }
                }
            }
        }
    }
}

/// Twice or ten times as many GEMMs are drawn where the environment says so (README.md).
int times_as_many() {
    const char* const asked = std::getenv("MESHSLICE_PARITY_TIMES");
    return asked == nullptr ? 1 : std::max(1, std::atoi(asked));
}

/// Slices of MeshSlice that feed their reduce-scatter on one row of GPUs; one slice of it is T3 without its
/// all-gather.
TEST(Parity, HoldsForGemmsThatFeedTheirRing) {
    const auto fed = [](const GemmShape& shape, std::int32_t chips, std::int64_t slices) {
        return written("meshslice-t3", shape, Dataflow::LS, *Torus::create({TorusAxis{1}, TorusAxis{chips}}),
                       {slices, 8});
    };
    Settings settings{*machine_preset("t3-torus"), {}, {}, {}};
    std::vector<std::pair<std::int32_t, std::int64_t>> rings = {{2, 2}, {4, 1}}; // chips, slices
    if (times_as_many() > 1) {                                                   // These take half a minute.
        rings.insert(rings.end(), {{2, 1}, {2, 4}, {4, 2}, {4, 4}, {8, 1}, {8, 2}, {8, 4}});
    }
    for (const MemoryPolicy policy : {MemoryPolicy::ideal, MemoryPolicy::communication_aware}) {
        settings.schedule.arbitration = policy;
        for (const auto& [chips, slices] : rings) {
            for (const double link : {75e9, 300e9}) {
                settings.hardware.network.set_link_bandwidth(Bandwidth(link));
                const Program program = fed({2048, 4096, 8192}, chips, slices);
                const Comparison both = compared(program, settings, settings);
                // Ours rounds every stage and piece, SimGrid's flows are of whole bytes.
                EXPECT_LE(std::abs(both.deviation()), 1e-4)
                    << name(policy) << ' ' << chips << ' ' << slices << ' ' << link << ' '
                    << both.ours.makespan << ' ' << both.simgrid.makespan;
            }
        }
    }
    // What only SimGrid gets shows: half the bandwidth, with which three chunks of 4.19 MB take 335 us.
    settings.hardware.network.set_link_bandwidth(Bandwidth(75e9));
    Settings told = settings;
    told.hardware.network.set_link_bandwidth(Bandwidth(37.5e9));
    const Comparison other = compared(fed({2048, 4096, 8192}, 4, 1), settings, told);
    EXPECT_LT(other.ours.makespan, 330e-6);
    EXPECT_GT(other.simgrid.makespan, 335e-6);
}

/// T3 with the all-gather after it, in either order of chunks: on whole rings, with a link at 60%, and with a
/// core at 70%.
TEST(Parity, HoldsForT3WithItsAllGatherAndSlowParts) {
    const auto t3 = [](ChunkOrder order, const GemmShape& shape, std::int32_t chips) {
        GemmOptions options;
        options.chunk_order = order;
        return written("t3", shape, Dataflow::LS, *Torus::create({TorusAxis{chips}}), options);
    };
    Settings settings{*machine_preset("t3-paper"), {.ring = RingMode::one_way}, {}, {}};
    std::vector<std::int32_t> rings = {2, 4};
    if (times_as_many() > 1) {
        rings.push_back(8);
    }
    for (const MemoryPolicy policy : {MemoryPolicy::ideal, MemoryPolicy::communication_aware}) {
        settings.schedule.arbitration = policy;
        for (const std::int32_t chips : rings) {
            for (const ChunkOrder order : all_chunk_orders) {
                const Program program = t3(order, {2048, 2048, 4096}, chips);
                Conditions slow_core;
                slow_core.core_speed.assign(static_cast<std::size_t>(chips), 1);
                slow_core.core_speed[1] = 0.7;
                for (const Conditions& conditions :
                     {Conditions(), slow_link(program.torus, 1, Axis::vertical, 0.6), slow_core}) {
                    settings.conditions = conditions;
                    const Comparison both = compared(program, settings, settings);
                    EXPECT_LE(std::abs(both.deviation()), 1e-4)
                        << name(policy) << ' ' << chips << ' ' << name(order) << ' '
                        << conditions.link_speed.size() << ' ' << conditions.core_speed.size() << ' '
                        << both.ours.makespan << ' ' << both.simgrid.makespan;
                }
            }
        }
    }
    // What only SimGrid gets shows.
    settings.conditions = {};
    Settings told = settings;
    const Program program = t3(ChunkOrder::staggered, {2048, 2048, 4096}, 4);
    told.conditions = slow_link(program.torus, 1, Axis::vertical, 0.6);
    const Comparison other = compared(program, settings, told);
    EXPECT_GT(other.simgrid.makespan, 1.2 * other.ours.makespan);
}

TEST(Parity, HoldsInEveryRowOfTheTable) {
    const std::vector<Case> cases = table_cases();
    EXPECT_THAT(cases.size(), Gt(60u));
    for (const Case& row : cases) {
        const auto both = compare(row);
        ASSERT_TRUE(both) << both.error().sentence;
        EXPECT_LE(both->largest_deviation(), most_deviation)
            << row.algorithm->id << ' ' << static_cast<int>(row.machine) << ' ' << name(row.dataflow) << ' '
            << shape_text(row.torus) << ' ' << text(row.shape) << ' ' << name(row.schedule.ring)
            << ", prefetch " << text(row.schedule.prefetch);
    }
}

TEST(Parity, TheReadmeShowsTheTableAsItComesOut) {
    std::ifstream stream(MESHSLICE_SOURCE_DIR "/tests/parity/README.md", std::ios::binary);
    const std::string readme{std::istreambuf_iterator<char>(stream), {}};
    const auto table = written_table();
    ASSERT_TRUE(table) << table.error().sentence;
    EXPECT_TRUE(readme.ends_with(*table)) << "tests/parity/README.md says how to make its table again";
}

/// Draws GEMMs and machines, always the same ones.
class Dice {
  public:
    /// Where `folds`, closed rings are folded onto lines, most of them.
    explicit Dice(bool folds = false) : folds_(folds) {}

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
            axes.back().folded = folds_ && axes.back().wraps && pick(true, true, false);
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
        any.hardware.network.set_link_bandwidth(Bandwidth(pick(1e9, 3.3e9, 45e9)));
        any.hardware.sync.value = seconds(pick(1e-6, 5e-6));
        for (Sourced<Time>* launch : any.hardware.launch.all()) {
            launch->value = seconds(pick(0.0, 7e-6, 13e-6));
        }
        any.schedule.type = pick(DataType::bf16, DataType::int8);
        any.schedule.ring = pick(RingMode::both_ways, RingMode::one_way);
        any.schedule.prefetch.depth = pick(std::int64_t{0}, 1, 2, Prefetch::without_bound);
        return any;
    }

    /// With axes of bandwidths of their own.
    Settings uneven_settings() {
        Settings any = settings();
        for (int axis = 0; axis < any.hardware.network.torus_axes(); ++axis) {
            any.hardware.network.torus_links(axis).bandwidth.value = Bandwidth(pick(1e9, 3.3e9, 45e9));
        }
        return any;
    }

    /// Up to four faults; none where they would cut the torus.
    std::optional<Conditions> faults(const Torus& torus) { return faults(torus, 0.0); }
    /// Without dead links.
    Conditions slow_parts(const Torus& torus) {
        for (;;) { // Until no part is drawn twice.
            if (const auto slow = faults(torus, 0.6)) {
                return *slow;
            }
        }
    }

  private:
    /// `least`: the least that is left of a link.
    std::optional<Conditions> faults(const Torus& torus, double least) {
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
            found.parts.push_back({part, is_core ? pick(0.3, 0.9) : pick(least, least, 0.5, 0.7)});
        }
        const auto conditions = meshslice::conditions(torus, found);
        return conditions ? std::optional(*conditions) : std::nullopt;
    }

    bool folds_;
    std::mt19937 random_{20};
};

std::string what(const Program& program, const Settings& settings) {
    std::string links;
    for (int axis = 0; axis < program.torus.axis_count(); ++axis) {
        links += fmt::format(" {}", settings.hardware.network.link_bandwidth(axis).value());
    }
    return fmt::format("{} on {} in {} iterations, {}, prefetch {}, links of{} B/s, HBM of {} B/s:\n{}",
                       text(program.shape), shape_text(program.torus), program.iterations,
                       name(settings.schedule.ring), text(settings.schedule.prefetch), links,
                       settings.hardware.hbm_bandwidth.value.value(), pseudocode(program));
}

/// Draws `products` GEMMs of every algorithm, on rings and lines of all sizes, and for each a machine to
/// compare them on; draws again where there is none. `differ` is the deviation that must vanish.
template <class MachineAt, class Differ>
void expect_parity(int products, Dice dice, MachineAt machine, Differ differ) {
    for (const Algorithm& algorithm : algorithms()) {
        for (int comparisons = 0; comparisons < products * times_as_many();) {
            const auto program = dice.program(algorithm);
            const std::optional<Settings> drawn =
                program ? machine(dice, program->torus) : std::optional<Settings>();
            if (!drawn) {
                continue;
            }
            ++comparisons;
            const Comparison both = compared(*program, *drawn, told_the_same(*program, *drawn));
            ASSERT_LE(differ(algorithm, *program, both), most_deviation)
                << algorithm.id << ' ' << what(*program, *drawn);
        }
    }
}

double largest(const Algorithm&, const Program&, const Comparison& both) {
    return both.largest_deviation();
}

/// With whatever else a user may choose.
TEST(Parity, HoldsForRandomProducts) {
    expect_parity(
        8, Dice(), [](Dice& dice, const Torus&) { return std::optional(dice.settings()); }, largest);
}

/// On machines with slow cores, slow links and dead ones.
TEST(Parity, HoldsForRandomFaults) {
    expect_parity(
        8, Dice(),
        [](Dice& dice, const Torus& torus) {
            const auto faults = dice.faults(torus);
            std::optional<Settings> drawn;
            if (faults) {
                drawn = dice.settings();
                drawn->conditions = *faults;
            }
            return drawn;
        },
        largest);
}

/// On axes of different bandwidth, with faults, on closed rings and on folded ones.
TEST(Parity, HoldsOnUnevenAxes) {
    for (const bool folds : {false, true}) {
        expect_parity(
            4, Dice(folds),
            [&](Dice& dice, const Torus& torus) {
                std::optional<Settings> drawn = dice.uneven_settings();
                if (!folds) {
                    const auto faults = dice.faults(torus);
                    drawn = faults ? drawn : std::nullopt;
                    if (drawn) {
                        drawn->conditions = *faults;
                    }
                }
                return drawn;
            },
            largest);
    }
}

double fastest_link(const Settings& settings) {
    double fastest = 0;
    for (int axis = 0; axis < settings.hardware.network.torus_axes(); ++axis) {
        fastest = std::max(fastest, settings.hardware.network.link_bandwidth(axis).value());
    }
    return fastest;
}

/// A chip that only receives, at the end of a line or the root of a reduce, leaves no bar of what it copies
/// then, so that our mean completion is too early there. Streams of panels that wait for each other in a
/// memory that is too narrow for them end up in an order that a picosecond decides: up to 1% is seen.
double deviation_on_tiled_chips(const Algorithm& algorithm, const Program& program, const Comparison& both) {
    if (takes(algorithm, OptionId::packets)) {
        return std::abs(both.deviation()) * most_deviation / 0.02;
    }
    return std::ranges::all_of(program.torus.axes(), &TorusAxis::wraps) ? both.largest_deviation()
                                                                        : std::abs(both.deviation());
}

/// The same for chips modelled tile by tile, whose memory serves the links of each axis at another rate.
TEST(Parity, HoldsForTiledChipsOnUnevenAxes) {
    expect_parity(
        3, Dice(),
        [](Dice& dice, const Torus& torus) {
            Settings drawn = dice.uneven_settings();
            if (dice.pick(true, false)) {
                drawn.conditions = dice.slow_parts(torus);
            }
            drawn.schedule.chip = ChipModel::tiled;
            drawn.hardware.output_tile.value = 256;
            drawn.hardware.hbm_bandwidth.value =
                Bandwidth(fastest_link(drawn) * dice.pick(0.8, 4.0, 20.0, 1000.0));
            return std::optional(drawn);
        },
        deviation_on_tiled_chips);
}

/// By hand: B's gather along the columns at 4 GB/s, 3011 us; A's along the rows at 1 GB/s, 811 us.
TEST(Parity, SimGridReachesTheEndWorkedByHandOnUnevenAxes) {
    Settings settings = on_round_hardware();
    settings.hardware = uneven_hardware();
    std::ranges::reverse(settings.hardware.network.levels.front().axes);
    const auto run = run_on_simgrid(by_hand(), settings);
    ASSERT_TRUE(run) << run.error().sentence;
    EXPECT_NEAR(run->outcome.makespan, 3011e-6 + 9600e-6, 1e-12);
    EXPECT_NEAR(run->outcome.mean_completion, (811e-6 + 3011e-6 + 3011e-6 + 9600e-6) / 3, 1e-12);
}

/// On rings folded onto lines: what crosses the missing link goes home over the others, and shares them.
TEST(Parity, HoldsOnFoldedRings) {
    expect_parity(
        5, Dice(true), [](Dice& dice, const Torus&) { return std::optional(dice.settings()); }, largest);
}

/// Where synchronizations are late by chance, each as late in both.
TEST(Parity, HoldsWithJitter) {
    expect_parity(
        5, Dice(true),
        [](Dice& dice, const Torus&) {
            Settings drawn = dice.settings();
            drawn.conditions.jitter = seconds(dice.pick(1e-6, 20e-6));
            drawn.conditions.seed = dice.below(1000);
            return std::optional(drawn);
        },
        largest);
}

/// Chips modelled tile by tile, with an HBM that is wide, or scarce, or too narrow for the links alone: core,
/// copies and links slow each other, on rings and lines, folded ones and those with faults.
TEST(Parity, HoldsForTiledChips) {
    expect_parity(
        5, Dice(true),
        [](Dice& dice, const Torus& torus) {
            Settings drawn = dice.settings();
            if (dice.pick(true, false) && std::ranges::none_of(torus.axes(), &TorusAxis::folded)) {
                if (const auto faults = dice.faults(torus)) {
                    drawn.conditions = *faults;
                }
            }
            drawn.schedule.chip = ChipModel::tiled;
            drawn.hardware.output_tile.value = 256;
            drawn.hardware.hbm_bandwidth.value =
                Bandwidth(fastest_link(drawn) * dice.pick(0.8, 4.0, 20.0, 1000.0));
            return std::optional(drawn);
        },
        deviation_on_tiled_chips);
}

/// The same GEMM where both axes are folded: each chip has one link along an axis, and both halves of a shard
/// go by it, so that B's gather takes 24 000 us. Late by 3 us, it ends 3 us later.
TEST(Parity, SimGridTellsFoldedRingsAndLatenessAsWorkedByHand) {
    const Torus folded = *Torus::create(std::vector<TorusAxis>{{2, true, true}, {2, true, true}});
    const Program program = written("collective", {400, 6000, 8000}, Dataflow::OS, folded);
    const Settings settings = on_round_hardware();
    Settings told = told_the_same(program, settings);
    ASSERT_TRUE(told.given.late);
    EXPECT_NEAR(run_on_simgrid(program, told)->outcome.makespan, 10e-6 + 1e-6 + 24000e-6 + 9600e-6, 1e-12);
    told.given.late = [](const Link&, std::uint64_t) { return seconds(3e-6); };
    const Comparison both = compared(program, settings, told);
    EXPECT_NEAR(both.simgrid.makespan - both.ours.makespan, 3e-6, 1e-12);
}

/// An HBM of 10^10 B/s. Both axes copy 6 MB for the first slice at the same time, in 1200 us; B's gather then
/// takes 6011 us. The first multiplication moves 2 MB in its 2 ms, 10^9 B/s, and B's second copy, which
/// begins with it, gets the rest, because A's is over: 6 MB at 9 x 10^9 B/s. Links take 8 x 10^9 at most and
/// slow neither.
TEST(Parity, SimGridSharesTheMemoryAsWorkedByHand) {
    const Program sliced =
        written("meshslice", {400, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}), {2, 8});
    Settings told = on_round_hardware();
    told.hardware.hbm_bandwidth.value = Bandwidth(1e10);
    told.given.late = [](const Link&, std::uint64_t) { return Time(0); };
    told.given.tiled.assign(sliced.operations.size(),
                            {seconds(2e-3), Bytes(2'000'000), {Bytes(6'000'000), Bytes(0)}, 1});
    const double copies = 1200e-6;
    const double slowed_copy = 6e6 / 9e9;
    EXPECT_NEAR(run_on_simgrid(sliced, told)->outcome.makespan,
                copies + 6011e-6 + slowed_copy + 6011e-6 + 2e-3, 1e-12);
}

} // namespace
} // namespace meshslice::parity
