#include "core/question/serve/replica/served_chip.h"

#include "core/base/say.h"
#include "core/cost/collective/collective.h"
#include "core/evidence/inference/inference_constants.h"
#include "core/machine/catalogue.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

/// Presets whose chips have rows, or are said in resources/measured/inference-facts.json to be like ones that
/// have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> chips_with_rows = {
    {{"a100-80g", "A100-SXM-80G"},
     {"a100-330w", "A100-SXM-80G-330W"},
     {"h100", "H100-SXM-80G"},
     {"h800", "H800-SXM"},
     {"h200", "H200-SXM-141G"},
     {"gh200", "GH200-96G"},
     {"h100-nvl", "H100-NVL-94G"},
     {"l40s", "L40S-48G"},
     {"l40", "L40-48G"},
     {"rtx-pro-6000", "RTX-PRO-6000-BSE"},
     {"b200", "B200"},
     {"b300", "B300"},
     {"gb200-nvl72", "GB200"},
     {"gb300-nvl72", "GB300"},
     {"tpu-v4", "TPU-v4"},
     {"tpu-v6e", "TPU-v6e"},
     {"a100-40g", "A100-SXM-80G"},
     {"a100", "A100-SXM-80G"},
     {"h100-96g", "H100-SXM-80G"}}};

std::string without_domain(const std::string& name) {
    const std::size_t at = name.rfind("-nvs");
    return at == std::string::npos ? name : name.substr(0, at);
}

double sheet_peak(const Machine& machine, std::initializer_list<DataType> types) {
    for (const DataType type : types) {
        if (const double peak = machine.peak_rate(type).value(); peak > 0) {
            return peak;
        }
    }
    return 0;
}
double sheet_peak_8(const Machine& machine) {
    return sheet_peak(machine, {DataType::fp8, DataType::int8});
}
double sheet_peak_4(const Machine& machine) {
    return sheet_peak(machine, {DataType::fp4, DataType::int4});
}

/// As its data sheet has it.
InferenceChip sheet_of(const Machine& machine) {
    InferenceChip chip;
    chip.name = machine.name;
    chip.peak_16 = sheet_peak(machine, {DataType::bf16, DataType::fp16});
    chip.peak_8 = sheet_peak_8(machine);
    chip.peak_4 = sheet_peak_4(machine);
    chip.memory_rate = machine.hbm_bandwidth.value.value();
    chip.memory = static_cast<double>(machine.hbm.value.value());
    return chip;
}

std::int64_t joined_chips(const Machine& machine) {
    const Level* domain = switched_domain(machine.network);
    return domain == nullptr ? std::int64_t{1} << 20 : domain->units.value;
}

/// The numbers of the chip with rows, changed as much as those of the machine differ from its preset.
InferenceChip edited_as(const Machine& machine, const InferenceChip& known) {
    InferenceChip chip = known;
    const std::string& from = machine.based_on.empty() ? machine.name : machine.based_on;
    const Result<Machine> preset = machine_preset(from);
    if (!preset) {
        return chip;
    }
    const InferenceChip now = sheet_of(machine), before = sheet_of(*preset);
    const auto change = [](double& number, double after, double first) {
        number *= first > 0 && after > 0 ? after / first : 1;
    };
    change(chip.peak_16, now.peak_16, before.peak_16);
    change(chip.peak_8, now.peak_8, before.peak_8);
    change(chip.peak_4, now.peak_4, before.peak_4);
    change(chip.memory_rate, now.memory_rate, before.memory_rate);
    change(chip.memory, now.memory, before.memory);
    chip.peak_8 = chip.peak_8 > 0 ? chip.peak_8 : now.peak_8;
    if (machine.based_on.empty()) {
        return chip;
    }
    const std::int64_t few = std::min<std::int64_t>(2, joined_chips(machine));
    const Result<double> faster = all_reduce_rate(machine, few), usual = all_reduce_rate(*preset, few);
    if (faster && usual) {
        change(chip.link_rate, *faster, *usual);
    }
    return chip;
}

/// As close to a square, or a cube, as its axes allow.
void lay_on_axes(const Machine& machine, std::int64_t chips, ChipGroup& group) {
    const int axes = machine.network.torus_axes();
    std::array<std::int64_t, 3> sides = {1, 1, 1};
    std::int64_t left = chips;
    for (int axis = axes; axis > 0; --axis) {
        std::int64_t side = left;
        for (std::int64_t one = 1; one <= left; ++one) {
            std::int64_t power = 1;
            for (int k = 0; k < axis; ++k) {
                power *= one;
            }
            if (left % one == 0 && power >= left) {
                side = one;
                break;
            }
        }
        sides[static_cast<std::size_t>(axis - 1)] = side;
        left /= side;
    }
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
        group.along[axis] = {static_cast<std::int32_t>(sides[axis]), 1,
                             closes(machine.pod, sides[axis], chips)};
    }
}

/// The rate of the links is that of a whole group that attends together; tokens that go to experts of other
/// groups may leave the chips that one switch joins.
void set_domain(const Machine& machine, const ServedGroup& group, InferenceChip& chip) {
    chip.domain = static_cast<double>(group.chips);
    const std::int64_t joined = joined_chips(machine);
    if (group.chips > joined) {
        const Result<double> beyond = rate_between(machine, group.chips);
        chip.domain = static_cast<double>(joined);
        chip.rate_beyond_domain = beyond ? *beyond : chip.rate_beyond_domain;
    }
}

/// The first with rows, of chips of which each is like the next one.
const std::string* chip_with_rows(const FittedInference& fitted, const InferenceChip& chip) {
    constexpr int most_steps = 4;
    const InferenceChip* one = &chip;
    for (int step = 0; one != nullptr && step < most_steps; ++step) {
        if (const auto found = fitted.chips.find(one->name); found != fitted.chips.end()) {
            return &found->first;
        }
        one = inference_facts().chip(one->like);
    }
    return nullptr;
}

void take_constants(const Machine& machine, const std::string& engine, bool as_served, ServedChip& made) {
    const bool own_static = fitted_inference().chips.contains(made.chip.name);
    const bool own_served = fitted_serving().chips.contains(made.chip.name);
    made.serving = as_served || engine != "TensorRT-LLM" || (own_served && !own_static);
    made.fitted = made.serving ? &fitted_serving() : &fitted_inference();
    made.values = made.fitted->values(made.chip, engine);
    const std::string* const whose = chip_with_rows(*made.fitted, made.chip);
    made.of_rows = whose != nullptr && *whose == made.chip.name;
    const std::string& title = machine.title;
    if (made.serving) {
        made.constants =
            made.of_rows       ? say("Constants fitted to runs of {} that served, under {}.", *whose, engine)
            : whose != nullptr ? say("Constants as those of {} under {}, as no runs of {} that served exist.",
                                     *whose, engine, title)
                               : say("Constants are the mean of all chips that served, under {}, as no such "
                                     "runs of {} exist.",
                                     engine, title);
        return;
    }
    made.constants =
        made.of_rows ? say("Constants fitted to measured rows of {}, under {}.", *whose, engine)
        : whose != nullptr
            ? say("Constants as those of {}, as no rows of {} exist, under {}.", *whose, title, engine)
            : say("Constants are the mean of all measured chips, as no rows of {} exist, under {}.", title,
                  engine);
}

} // namespace

std::string engine_of_rows(const std::string& engine) {
    return engine == "vllm" ? "vLLM" : engine == "sglang" ? "SGLang" : "TensorRT-LLM";
}

Result<double> rate_between(const Machine& machine, std::int64_t chips) {
    if (machine.network.torus_axes() > 0) {
        return machine.network.link_bandwidth(0).value();
    }
    const Level* const level =
        chips <= joined_chips(machine) ? switched_domain(machine.network) : outer_network(machine.network);
    if (level == nullptr) {
        return refuse(say("The network of {} joins {} chips; expected one that joins {}.", machine.title,
                          switched_domain(machine.network) == nullptr ? 1 : joined_chips(machine), chips));
    }
    return level->line_rate() * level->efficiency.value;
}

ChipGroup group_of_replica(const Machine& machine, std::int64_t chips) {
    ChipGroup group = packed_group(machine.network, chips);
    if (machine.network.torus_axes() > 0) {
        group.within.fill(chips);
        lay_on_axes(machine, chips, group);
    }
    return group;
}

Result<double> all_reduce_rate(const Machine& machine, std::int64_t chips) {
    if (chips <= 1) {
        return 0;
    }
    const Result<LevelLaws> laws = LevelLaws::of(machine, ModelRules::exact);
    if (!laws) {
        return refuse(laws.error());
    }
    const ChipGroup group = group_of_replica(machine, chips);
    if (machine.network.torus_axes() == 0 && outer_network(machine.network) == nullptr &&
        chips > joined_chips(machine)) {
        return refuse(say("The network of {} joins {} chips; a replica of {} is too large.", machine.title,
                          joined_chips(machine), chips));
    }
    constexpr double large = 1e15; // bytes, of which launches are nothing
    const auto n = static_cast<double>(chips);
    return 2 * (n - 1) / n * large / laws->seconds(Collective::all_reduce, large, group);
}

InferenceValues ideal_values() {
    InferenceValues values{};
    for (std::size_t k = 0; k < inference_constants; ++k) {
        const std::string_view name = sheet(static_cast<InferenceConstant>(k)).name;
        const auto is = [&](std::string_view other) { return name == other; };
        const bool amount =
            name.ends_with("_in_s") || name.ends_with("_in_bytes") || name.ends_with("_in_clocks");
        const bool none = is("dimension") || is("logits") || is("embedding_copy") || is("imbalance") ||
                          is("pile") || is("activation");
        values[k] = amount || none ? 0 : 1;
    }
    return values;
}

Result<ServedChip> served_chip(const Machine& machine, const ServedGroup& group, const std::string& engine,
                               Efficiency efficiency) {
    const std::int64_t tensor = group.tensor > 1 ? group.tensor : group.chips; // that links count for
    ServedChip made;
    made.chip = sheet_of(machine);
    if (!(made.chip.peak_16 > 0)) {
        return refuse(say("{} does not multiply in 16 bits, which the output head needs.", machine.title));
    }
    if (efficiency == Efficiency::ideal) {
        Machine lossless = machine;
        for (Level& level : lossless.network.levels) {
            level.efficiency.value = 1;
        }
        const Result<double> rate = all_reduce_rate(lossless, tensor);
        if (!rate) {
            return refuse(rate.error());
        }
        made.chip.link_rate = *rate;
        set_domain(lossless, group, made.chip);
        made.values = ideal_values();
        made.constants = say("Rates of the data sheet of {}, without any overhead.", machine.title);
        made.of_rows = false;
        return made;
    }
    const Result<double> rate = all_reduce_rate(machine, tensor),
                         of_all = all_reduce_rate(machine, group.chips);
    if (!rate || !of_all) {
        return refuse(rate ? of_all.error() : rate.error());
    }
    made.chip.link_rate = *rate;
    const std::string name = without_domain(machine.based_on.empty() ? machine.name : machine.based_on);
    for (const auto& [preset, with_rows] : chips_with_rows) {
        if (name == preset) {
            made.measured = inference_facts().chip(with_rows);
        }
    }
    if (made.measured != nullptr) {
        const double own_memory = made.chip.memory, own_rate = made.chip.memory_rate;
        made.chip = edited_as(machine, *made.measured);
        if (name == "a100" || name == "a100-40g" || name == "h100-96g") {
            // Other memories around the same die.
            made.chip.like = made.measured->name;
            made.chip.name = machine.title;
            made.chip.memory = own_memory;
            made.chip.memory_rate = own_rate;
            made.measured = nullptr;
        }
        const std::int64_t domain = joined_chips(machine);
        if (tensor > domain && made.chip.pair == 0) {
            const Result<double> within = all_reduce_rate(machine, std::max<std::int64_t>(domain, 2));
            made.chip.link_rate *= within && *within > 0 ? std::min(*rate / *within, 1.0) : 1;
        }
    }
    set_domain(machine, group, made.chip);
    take_constants(machine, engine_of_rows(engine), group.as_served, made);
    return made;
}

} // namespace meshslice
