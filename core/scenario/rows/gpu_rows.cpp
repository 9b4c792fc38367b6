// The rows of the field table that only GPUs have whose stores may feed a ring.

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/machine/ring_stores.h"
#include "core/scenario/fields.h"
#include "core/scenario/rows/field_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr std::int64_t most_units = 65'536; ///< more than any GPU has

std::vector<FieldChoice> reduction_choices() {
    return {{"core", "the compute units"}, {"near-memory", "memory, near its banks"}};
}

/// Of the scenario's algorithm and of the one compared with it.
std::vector<const Algorithm*> shown_algorithms(const Scenario& scenario) {
    std::vector<const Algorithm*> shown;
    for (const std::string& id : {scenario.plan.algorithm, scenario.compare}) {
        if (const auto known = id.empty() ? Result<const Algorithm*>(nullptr) : algorithm(id);
            known && *known != nullptr) {
            shown.push_back(*known);
        }
    }
    return shown;
}

/// Why nothing is arbitrated between two streams of memory; empty where GEMMs are made in stages.
std::string no_stages(const Scenario& scenario) {
    if (!feeds_rings(scenario.hardware)) {
        return makes_fed_ring(scenario.hardware).error().sentence;
    }
    return staged(scenario.assume.schedule, scenario.hardware)
               ? std::string()
               : say("The chip model by-hardware makes GEMMs in stages, {} does not.",
                     name(scenario.assume.schedule.chip));
}

Field<Scenario> arbitration_row() {
    Field<Scenario> row = choice_field<Scenario, MemoryPolicy>(
        {.key = "schedule.arbitration",
         .required = false,
         .name = "arbitration of memory",
         .label = "Arbitration",
         .group = method_group,
         .place = 4,
         .help =
             "On GPUs: how memory serves a GEMM and the communication next to it (T3, section 4.5). Round "
             "robin: the GEMM stands still while communication is served, the paper's T3. "
             "Communication-aware: each gets what it needs, and half where both want more, the paper's "
             "T3-MCA. Compute first: communication gets what the GEMM leaves. Ideal: neither holds up "
             "the other.",
         .greyed = true,
         .flag = "--arbitration",
         .flag_help =
             "ideal|round-robin|communication-aware|compute-first: on GPUs, how memory serves a GEMM "
             "and the communication next to it (default communication-aware)",
         .tags = of_time},
        {{MemoryPolicy::communication_aware, "communication-aware (T3-MCA)"},
         {MemoryPolicy::round_robin, "round robin (T3)"},
         {MemoryPolicy::compute_first, "compute first"},
         {MemoryPolicy::ideal, "ideal: no contention"}},
        [](auto& scenario) -> auto& { return scenario.assume.schedule.arbitration; });
    row.objection = [](const Scenario& scenario) {
        if (std::string none = no_stages(scenario); !none.empty()) {
            return none;
        }
        const std::vector<const Algorithm*> shown = shown_algorithms(scenario);
        return shown.empty() || !std::ranges::all_of(shown, &Algorithm::takes_turns)
                   ? std::string()
                   : say("Nothing of {} overlaps its GEMM, which has the memory to itself.",
                         shown.front()->title);
    };
    row.absent = [](const Scenario& scenario) { return !feeds_rings(scenario.hardware); };
    row.omitted = [](const Scenario& scenario) {
        return scenario.assume.schedule.arbitration == Schedule{}.arbitration;
    };
    return row;
}

Field<Scenario> reduction_row() {
    Field<Scenario> row{
        {.key = "schedule.reduction",
         .required = false,
         .name = "reduction",
         .label = "Adds up",
         .group = method_group,
         .place = 5,
         .help = "On GPUs: what adds up a reduce-scatter that no GEMM feeds, the compute units or "
                 "memory by itself, near its banks. One that a GEMM feeds is always added up near memory.",
         .greyed = true,
         .flag = "--reduction",
         .flag_help = "core|near-memory: on GPUs, what adds up a reduce-scatter that no GEMM feeds "
                      "(default core)",
         .kind = FieldKind::choice,
         .choices = reduction_choices(),
         .tags = of_time},
        [](const Scenario& scenario) {
            const bool near = scenario.assume.schedule.reduction == Reduction::near_memory;
            return FieldValue(reduction_choices()[near ? 1 : 0].word);
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const bool near = std::get<std::string>(value) == reduction_choices()[1].word;
            scenario.assume.schedule.reduction = near ? Reduction::near_memory : Reduction::by_units;
            return {};
        }};
    row.objection = [](const Scenario& scenario) {
        if (std::string none = no_stages(scenario); !none.empty()) {
            return none;
        }
        const std::vector<const Algorithm*> shown = shown_algorithms(scenario);
        return shown.empty() || !std::ranges::all_of(shown, &Algorithm::feeds_ring)
                   ? std::string()
                   : say("The GEMM of {} feeds its reduce-scatter, which is added up near memory.",
                         shown.front()->title);
    };
    row.absent = [](const Scenario& scenario) { return !feeds_rings(scenario.hardware); };
    row.omitted = [](const Scenario& scenario) {
        return scenario.assume.schedule.reduction == Schedule{}.reduction;
    };
    return row;
}

Field<Scenario> chunk_order_row() {
    Field<Scenario> row = choice_field<Scenario, ChunkOrder>(
        {.key = "chunk_order",
         .required = false,
         .name = "order of chunks",
         .label = "Chunk order",
         .group = method_group,
         .place = 7,
         .help =
             "On GPUs, of T3: in which order a chip makes the chunks of its output. Staggered: as the ring "
             "sends them, so that the chips work on different chunks and little is left to send at the "
             "end (T3, section 4.4). Unstaggered: all chips make the same chunk at the same time; what "
             "the last stage makes then still goes round the whole ring.",
         .greyed = true,
         .flag = "--chunk-order",
         .flag_help =
             "staggered|unstaggered: on GPUs, in which order T3's GEMM makes the chunks of its output "
             "(default staggered)",
         .tags = of_time},
        {{ChunkOrder::staggered, "staggered"}, {ChunkOrder::unstaggered, "unstaggered"}},
        [](auto& scenario) -> auto& { return scenario.plan.chunk_order; });
    row.objection = [](const Scenario& scenario) {
        if (std::string none = no_stages(scenario); !none.empty()) {
            return none;
        }
        const std::vector<const Algorithm*> shown = shown_algorithms(scenario);
        return shown.empty() || std::ranges::any_of(shown, &Algorithm::orders_chunks)
                   ? std::string()
                   : say("{} has no chunks to order; T3 has.", shown.front()->title);
    };
    row.absent = [](const Scenario& scenario) { return !feeds_rings(scenario.hardware); };
    row.omitted = [](const Scenario& scenario) { return scenario.plan.chunk_order == ChunkOrder::staggered; };
    return row;
}

/// Why compute units set apart for communication change nothing, or are too many.
std::string no_units_for_communication(const Scenario& scenario) {
    if (std::string none = no_stages(scenario); !none.empty()) {
        return none;
    }
    const std::vector<const Algorithm*> shown = shown_algorithms(scenario);
    return shown.empty() || !std::ranges::all_of(shown, &Algorithm::needs_no_units)
               ? std::string()
               : say("No compute unit works for the reduce-scatter of {}: the GEMM's stores feed it.",
                     shown.front()->title);
}

Field<Scenario> units_row() {
    Field<Scenario> row = whole_field<Scenario>(
        {.key = "schedule.units_for_communication",
         .required = false,
         .name = "units for communication",
         .label = "Units",
         .group = method_group,
         .place = 6,
         .unit = "units",
         .help = "On GPUs: compute units that run collectives and are taken from the GEMMs, as a software "
                 "overlap has to (T3, section 3.2.1, Figure 6). GEMMs then compute on the others, and a "
                 "collective moves no faster than its units reach memory. 0: collectives cost no units.",
         .greyed = true,
         .flag = "--units-for-communication",
         .flag_help =
             "N: on GPUs, compute units that run collectives, taken from the GEMMs (default 0: none)",
         .most = most_units,
         .tags = of_time},
        [](auto& scenario) -> auto& { return scenario.assume.schedule.units_for_communication; });
    row.objection = no_units_for_communication;
    row.check = [](const Scenario& scenario) -> Result<void> {
        const std::int64_t units = scenario.hardware.cores.value;
        if (!feeds_rings(scenario.hardware) || scenario.assume.schedule.units_for_communication < units) {
            return {};
        }
        return refuse(say("{} has {} compute units; {} for communication leave none for the GEMMs.",
                          scenario.hardware.title, units, scenario.assume.schedule.units_for_communication));
    };
    row.absent = [](const Scenario& scenario) { return !feeds_rings(scenario.hardware); };
    row.omitted = [](const Scenario& scenario) {
        return scenario.assume.schedule.units_for_communication == 0;
    };
    return row;
}

} // namespace

std::vector<Field<Scenario>> gpu_rows() {
    return {arbitration_row(), reduction_row(), units_row(), chunk_order_row()};
}

} // namespace meshslice
