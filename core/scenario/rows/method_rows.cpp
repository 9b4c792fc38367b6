#include "core/base/say.h"
#include "core/base/text/listing.h"
#include "core/cost/tiled_product.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/fields.h"
#include "core/scenario/rows/field_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_block = std::int64_t{1} << 16; ///< more rows than any memory reads in one go
constexpr std::int64_t most_packets = 4096;                ///< a stream of more would be all synchronization

std::vector<FieldChoice> algorithm_choices() {
    std::vector<FieldChoice> choices;
    for (const Algorithm& known : all_algorithms()) {
        choices.push_back(
            {std::string(known.id),
             std::string(known.title),
             {std::string(known.summary), std::string(known.needs), std::string(known.source)}});
    }
    return choices;
}

bool takes(const std::string& id, OptionId option) {
    const auto known = algorithm(id);
    return known && takes(**known, option);
}

/// "Cannon does not slice; SUMMA, Wang and MeshSlice do."
std::string lacks(const std::string& id, OptionId option) {
    std::vector<std::string> others;
    for (const Algorithm& known : algorithms()) {
        if (takes(known, option)) {
            others.emplace_back(known.title);
        }
    }
    const auto known = algorithm(id);
    const std::string title = known ? std::string((*known)->title) : id;
    return others.size() == 1
               ? say("{} does not {}; {} does.", title, said(verb(option)), listed(others, "and"))
               : say("{} does not {}; {} do.", title, said(verb(option)), listed(others, "and"));
}

/// Empty where the scenario's algorithm or the one compared with it takes the option.
std::string unless_used(const Scenario& scenario, OptionId option) {
    return takes(scenario.plan.algorithm, option) || takes(scenario.compare, option)
               ? std::string()
               : lacks(scenario.plan.algorithm, option);
}

Field<Scenario> algorithm_row() {
    Field<Scenario> row = text_field<Scenario>(
        {.key = "algorithm",
         .name = "algorithm",
         .label = "&Algorithm",
         .group = method_group,
         .help = "How the GEMM is distributed over the chips.",
         .flag = "--algorithm",
         .flag_help = "NAME: see 'meshslice presets algorithms' (default meshslice)"},
        [](auto& scenario) -> auto& { return scenario.plan.algorithm; });
    row.kind = FieldKind::choice;
    row.choices = algorithm_choices();
    return row;
}

Field<Scenario> compare_row() {
    return {{.key = "compare",
             .required = false,
             .name = "comparison",
             .label = "Compare &with",
             .group = method_group,
             .help = "A second algorithm, run on the same scenario and shown next to the first.",
             .kind = FieldKind::choice,
             .choices = algorithm_choices(),
             .word = "none",
             .word_label = "none",
             .tags = of_comparing},
            [](const Scenario& scenario) {
                return scenario.compare.empty() ? FieldValue() : FieldValue(scenario.compare);
            },
            [](Scenario& scenario, const FieldValue& value) -> Result<void> {
                const auto* id = std::get_if<std::string>(&value);
                scenario.compare = id != nullptr ? *id : std::string();
                return {};
            },
            {},
            [](const Scenario& scenario) { return scenario.compare.empty(); }};
}

Field<Scenario> stationary_row() {
    Field<Scenario> row = choice_field<Scenario, Stationary>(
        {.key = "stationary",
         .required = false,
         .name = "dataflow",
         .label = "Datafl&ow",
         .group = method_group,
         .help =
             "Which matrix of a layer Y = X W (Y the output, X the input, W the weights) stays on its chip "
             "in all three passes of training while the others move. By default the largest of the three "
             "stays, layer by layer.",
         .flag = "--dataflow",
         .flag_help = "auto|Y|X|W: which matrix of every layer stays (default auto)",
         .word = "auto",
         .word_label = "auto: the largest stays"},
        {{Stationary::Y, "Y stationary"}, {Stationary::X, "X stationary"}, {Stationary::W, "W stationary"}},
        [](auto& scenario) -> auto& { return scenario.plan.stationary; });
    row.objection = only_of_a_model;
    return row;
}

Field<Scenario> slices_row() {
    Field<Scenario> row = whole_field<Scenario>(
        {.key = "slices",
         .required = false,
         .name = "slice count",
         .label = "Sl&ices S",
         .group = method_group,
         .help =
             "S, into how many slices the GEMMs are cut, so that the links move one slice while the cores "
             "multiply another. For SUMMA and Wang the iterations to which their loops are unrolled, at "
             "most: fewer where that count does not work. By default every GEMM gets the smallest count "
             "whose estimate is within 1% of the shortest. The list has the counts that work for all GEMMs "
             "on this mesh.",
         .greyed = true,
         .flag = "--slices",
         .flag_help =
             "auto|N: slice count S of every GEMM, or iterations to which SUMMA and Wang are unrolled "
             "(default auto: best by estimate)",
         .idle_text = "1",
         .least = 1,
         .most = most_dimension,
         .word = "auto",
         .word_label = "best by estimate"},
        [](auto& scenario) -> auto& { return scenario.plan.slices; });
    row.objection = [](const Scenario& scenario) {
        return takes(scenario.plan.algorithm, OptionId::slices)
                   ? std::string()
                   : lacks(scenario.plan.algorithm, OptionId::slices);
    };
    return row;
}

Field<Scenario> block_row() {
    Field<Scenario> row = whole_field<Scenario>(
        {.key = "block",
         .required = false,
         .name = "block size",
         .label = "Bloc&k size B",
         .group = method_group,
         .unit = "columns",
         .help = "B, how many neighbouring columns (or rows) stay together when a matrix is sliced: a memory "
                 "reads them in one go.",
         .doubling = true,
         .greyed = true,
         .flag = "--block",
         .flag_help = "N: block size B of blocked slicing (default 8)",
         .least = 1,
         .most = most_block},
        [](auto& scenario) -> auto& { return scenario.plan.block; });
    row.objection = [](const Scenario& scenario) -> std::string {
        const auto known = algorithm(scenario.plan.algorithm);
        return !known || takes(**known, OptionId::block)
                   ? ""
                   : say("{} does not slice by blocks.", (*known)->title);
    };
    return row;
}

Field<Scenario> packets_row() {
    std::vector<FieldChoice> offered;
    for (const char* count : {"1", "2", "4", "8", "16", "32", "64", "128"}) {
        offered.push_back({count, count});
    }
    Field<Scenario> row = whole_field<Scenario>(
        {.key = "packets",
         .required = false,
         .name = "number of packets",
         .label = "Packets",
         .group = method_group,
         .help =
             "For SUMMA: into how many packets a panel is cut at most while it streams round its ring. More "
             "packets fill the ring sooner, and each costs a synchronization.",
         .flag = "--packets",
         .flag_help = "auto|N: packets of SUMMA's streams (default auto: best by estimate)",
         .least = 1,
         .most = most_packets,
         .choices = offered,
         .word = "auto",
         .word_label = "best by estimate"},
        [](auto& scenario) -> auto& { return scenario.plan.packets; });
    row.objection = [](const Scenario& scenario) { return unless_used(scenario, OptionId::packets); };
    row.omitted = [](const Scenario& scenario) { return !scenario.plan.packets; };
    return row;
}

Field<Scenario> decomposed_row() {
    Field<Scenario> row = choice_field<Scenario, Axis>(
        {.key = "decomposed",
         .required = false,
         .name = "overlapped axis",
         .label = "Overlaps",
         .group = method_group,
         .help =
             "For Wang's algorithm: the axis whose collective is taken apart into steps that overlap with "
             "partial GEMMs. The collective of the other axis stays exposed.",
         .flag = "--decompose",
         .flag_help = "auto|vertical|horizontal: axis whose collective Wang's algorithm splits (default "
                      "auto: better by estimate)",
         .word = "auto",
         .word_label = "better by estimate"},
        {{Axis::vertical, "vertical axis"}, {Axis::horizontal, "horizontal axis"}},
        [](auto& scenario) -> auto& { return scenario.plan.decomposed; });
    row.objection = [](const Scenario& scenario) { return unless_used(scenario, OptionId::decomposed); };
    row.omitted = [](const Scenario& scenario) { return !scenario.plan.decomposed; };
    return row;
}

Field<Scenario> data_type_row() {
    Field<Scenario> row = choice_field<Scenario, DataType>(
        {.key = "schedule.data_type",
         .name = "data type",
         .label = "Data t&ype",
         .group = method_group,
         .place = 3,
         .help = "The type of a matrix element, as stored, multiplied and sent. bf16: 16-bit brain floating "
                 "point, 2 bytes. int8: 8-bit integer, 1 byte.",
         .flag = "--data-type",
         .flag_help = "bf16|int8: type of the matrix elements (default bf16)"},
        {{DataType::bf16, "bf16, 2 bytes"}, {DataType::int8, "int8, 1 byte"}},
        [](auto& scenario) -> auto& { return scenario.assume.schedule.type; });
    row.check = [](const Scenario& scenario) -> Result<void> {
        if (scenario.hardware.peak_rate(scenario.assume.schedule.type).value() > 0) {
            return {};
        }
        return refuse(say("{} does not multiply {}; choose another data type.", scenario.hardware.title,
                          name(scenario.assume.schedule.type)));
    };
    return row;
}

Field<Scenario> ring_row() {
    return choice_field<Scenario, RingMode>(
        {.key = "schedule.ring",
         .name = "ring mode",
         .label = "Rin&gs",
         .group = method_group,
         .place = 2,
         .help =
             "How a collective goes round a ring of chips: half of every shard each way, or all of it one "
             "way while the links back stay idle.",
         .flag = "--ring",
         .flag_help = "both|one-way: how collectives use a ring (default both)",
         .tags = of_experts},
        {{RingMode::both_ways, "both ways"}, {RingMode::one_way, "one way"}},
        [](auto& scenario) -> auto& { return scenario.assume.schedule.ring; });
}

Field<Scenario> prefetch_row() {
    return {{.key = "schedule.prefetch",
             .name = "prefetch depth",
             .label = "&Prefetch",
             .group = method_group,
             .place = 1,
             .unit = "slices",
             .help = "How many slices ahead of their use the links may move. 0: communication and "
                     "multiplication take turns. 1: the next slice moves while this one is multiplied.",
             .flag = "--prefetch",
             .flag_help = "N|unbounded: iterations that communication may run ahead (default 1)",
             .kind = FieldKind::whole,
             .most = Prefetch::without_bound - 1,
             .choices = {{"0", "0 slices: no overlap"},
                         {"1", "1 slice: double buffer"},
                         {"2", "2 slices"},
                         {"3", "3 slices"}},
             .word = text(Prefetch{Prefetch::without_bound}),
             .word_label = text(Prefetch{Prefetch::without_bound}),
             .word_last = true,
             .tags = of_time | of_experts},
            [](const Scenario& scenario) {
                const Prefetch prefetch = scenario.assume.schedule.prefetch;
                return prefetch.unbounded() ? FieldValue() : FieldValue(prefetch.depth);
            },
            [](Scenario& scenario, const FieldValue& value) -> Result<void> {
                const auto* depth = std::get_if<std::int64_t>(&value);
                scenario.assume.schedule.prefetch = {depth != nullptr ? *depth : Prefetch::without_bound};
                return {};
            }};
}

Field<Scenario> chip_row() {
    Field<Scenario> row = choice_field<Scenario, ChipModel>(
        {.key = "schedule.chip",
         .required = false,
         .name = "chip model",
         .label = "Chip model",
         .group = machine_group,
         .help =
             "How a chip multiplies. Roofline: as long as its FLOP take at the effective rate, or its bytes "
             "in "
             "HBM (high-bandwidth memory), whichever is longer. Constant rate: memory left out, as in the "
             "paper's cost model. Tiled: tile by tile, fetched from HBM, which the core shares with the "
             "copying "
             "of slices and with its links, as in the paper's simulator.",
         .flag = "--chip",
         .flag_help =
             "by-hardware|roofline|constant-rate|tiled: a GEMM takes the time of its FLOP or of its "
             "HBM bytes, whichever is longer; that of its FLOP alone; or tile by tile with the HBM "
             "shared by tiles, slicing and links (default by-hardware: tiled where it says its tile, "
             "else roofline)",
         .tags = of_time | of_experts},
        {{ChipModel::by_hardware, "as the hardware says"},
         {ChipModel::roofline, "roofline: FLOP/s or memory"},
         {ChipModel::constant_rate, "constant FLOP/s, memory left out"},
         {ChipModel::tiled, "tiles, shared memory"}},
        [](auto& scenario) -> auto& { return scenario.assume.schedule.chip; });
    row.omitted = [](const Scenario& scenario) { return scenario.assume.schedule.chip == Schedule{}.chip; };
    row.check = [](const Scenario& scenario) -> Result<void> {
        if (scenario.assume.schedule.chip != ChipModel::tiled ||
            output_tile(scenario.hardware, scenario.assume.schedule.type) != 0) {
            return {};
        }
        return refuse(
            say("{} does not say how much on-chip memory it has or how large a tile its cores keep, so its "
                "GEMMs cannot be modelled tile by tile; choose the chip model roofline, or give its file an "
                "output_tile_rows.",
                scenario.hardware.title));
    };
    return row;
}

} // namespace

std::vector<Field<Scenario>> algorithm_rows() {
    return {algorithm_row(), compare_row(), stationary_row(), slices_row(),
            block_row(),     packets_row(), decomposed_row()};
}

std::vector<Field<Scenario>> schedule_rows() {
    std::vector<Field<Scenario>> rows = {data_type_row(), ring_row(), prefetch_row()};
    for (Field<Scenario>& row : gpu_rows()) {
        rows.push_back(std::move(row));
    }
    rows.push_back(chip_row());
    return rows;
}

} // namespace meshslice
