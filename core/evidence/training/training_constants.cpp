#include "core/evidence/training/training_constants.h"

#include "core/base/json/json_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace meshslice {
namespace {

constexpr std::size_t most_training_constants = 100'000;

/// Six digits are more than a fit knows.
double rounded(double value) {
    return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

Tree tree_of(std::string_view name, const FittedValue& one) {
    return {{"name", name},
            {"value", rounded(one.value)},
            {"standard_error", rounded(one.error)},
            {"rows", one.rows}};
}

Tree tree_of(const std::string& title, const FittedChip& chip) {
    Tree constants = Tree::array();
    for (std::size_t k = 0; k < chip_constants; ++k) {
        if (chip[k].value > 0) {
            constants.push_back(tree_of(name(static_cast<ChipConstant>(k)), chip[k]));
        }
    }
    return {{"name", title}, {"constants", std::move(constants)}};
}

FittedValue read_value(JsonReader& reader) {
    return {reader.number("value", 0, 1e9), reader.number("standard_error", 0, 1e9),
            reader.whole("rows", 0, 1'000'000'000)};
}

/// The place of a constant by its name; none where nothing is called so.
template <class Constant>
std::size_t place_of(JsonReader& reader, std::size_t count) {
    const std::string word = reader.name("name");
    for (std::size_t k = 0; k < count; ++k) {
        if (name(static_cast<Constant>(k)) == word) {
            return k;
        }
    }
    reader.expect(false, "name", "must be a constant's");
    return 0;
}

std::map<std::string, FittedChip, std::less<>> read_chips(JsonReader& reader, const std::string& key) {
    std::map<std::string, FittedChip, std::less<>> chips;
    for (JsonReader& one : reader.object_list(key, most_training_constants)) {
        FittedChip& chip = chips[one.name("name")];
        for (JsonReader& constant : one.object_list("constants", chip_constants)) {
            const std::size_t at = place_of<ChipConstant>(constant, chip_constants);
            chip[at] = read_value(constant);
        }
    }
    return chips;
}

} // namespace

bool of_chip(ChipConstant constant) {
    return constant != ChipConstant::host && constant != ChipConstant::expert_host;
}

const FittedValue& FittedTraining::of(const TrainingChip& chip, ChipConstant constant) const {
    static const FittedValue none;
    const auto k = static_cast<std::size_t>(constant);
    for (const std::string_view name : {std::string_view(chip.name), std::string_view(chip.sibling)}) {
        if (const auto found = chips.find(name); found != chips.end() && found->second[k].value > 0) {
            return found->second[k];
        }
    }
    const auto family = families.find(chip.family());
    return family != families.end() ? family->second[k] : none;
}

TrainingEfficiencies FittedTraining::efficiencies(const TrainingChip& chip) const {
    TrainingEfficiencies made;
    for (std::size_t k = 0; k < chip_constants; ++k) {
        made.chip[k] = of(chip, static_cast<ChipConstant>(k)).value;
    }
    std::ranges::transform(stack, made.stack.begin(), &FittedValue::value);
    return made;
}

Tree values_of(const FittedTraining& fitted) {
    Tree stack = Tree::array();
    for (std::size_t k = 0; k < stack_constants; ++k) {
        stack.push_back(tree_of(name(static_cast<StackConstant>(k)), fitted.stack[k]));
    }
    Tree chips = Tree::array(), families = Tree::array(), left_out = Tree::array();
    for (const auto& [name, chip] : fitted.chips) {
        chips.push_back(tree_of(name, chip));
    }
    for (const auto& [name, chip] : fitted.families) {
        families.push_back(tree_of(name, chip));
    }
    for (const auto& [id, error] : fitted.left_out) {
        left_out.push_back({{"id", id}, {"log_error", rounded(error)}});
    }
    return {{"meshslice_training_constants", 1},
            {"source", "meshslice evidence training --fit, on resources/measured/training.csv"},
            {"stack", std::move(stack)},
            {"families", std::move(families)},
            {"chips", std::move(chips)},
            {"left_out", std::move(left_out)}};
}

Result<FittedTraining> read_training_constants(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    reader.whole("meshslice_training_constants", 1, 1);
    FittedTraining fitted;
    for (JsonReader& one : reader.object_list("stack", stack_constants)) {
        const std::size_t at = place_of<StackConstant>(one, stack_constants);
        fitted.stack[at] = read_value(one);
    }
    fitted.families = read_chips(reader, "families");
    fitted.chips = read_chips(reader, "chips");
    for (JsonReader& one : reader.object_list("left_out", most_training_constants)) {
        const std::string id = one.name("id");
        fitted.left_out[id] = one.number("log_error", -100, 100);
    }
    if (const auto finding = reader.finding()) {
        return refuse(*finding);
    }
    return fitted;
}

const FittedTraining& fitted_training() {
    static const FittedTraining fitted = [] {
        const auto read =
            read_training_constants(measured_file("training-constants.json"), "training-constants.json");
        assert(read && "a test reads what comes with the program");
        return read.value_or(FittedTraining());
    }();
    return fitted;
}

StepSeconds predicted_step(const DecidedTraining& training, const FittedTraining& fitted) {
    return step_seconds(amounts_of(training), fitted.efficiencies(*training.row.chip));
}

} // namespace meshslice
