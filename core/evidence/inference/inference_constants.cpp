#include "core/evidence/inference/inference_constants.h"

#include "core/base/json/json_reader.h"
#include "core/evidence/training/training_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cassert>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

constexpr double largest_constant = 1e18;
constexpr std::size_t most_constants = 1000;

double rounded_constant(double value) {
    if (value == 0) {
        return 0;
    }
    const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 5);
    return std::round(value / unit) * unit;
}

std::string constant_name(std::size_t constant) {
    return std::string(sheet(static_cast<InferenceConstant>(constant)).name);
}
constexpr std::size_t first_of_engine = inference_chip_constants;
constexpr std::size_t first_shared = inference_chip_constants + inference_engine_constants;

void add_constants(Tree& tree, const std::vector<InferenceFitted>& constants, std::size_t first) {
    for (std::size_t k = 0; k < constants.size(); ++k) {
        tree[constant_name(first + k)] = rounded_constant(constants[k].value);
        tree[constant_name(first + k) + "_error"] = std::round(constants[k].error * 1e4) / 1e4;
    }
}

std::vector<InferenceFitted> read_constants(JsonReader& reader, std::size_t first, std::size_t count) {
    std::vector<InferenceFitted> made;
    for (std::size_t k = first; k < first + count; ++k) {
        made.push_back({reader.number(constant_name(k), 1e-18, largest_constant),
                        reader.number(constant_name(k) + "_error", 0, largest_constant)});
    }
    return made;
}

Tree constant_list(const FittedInference& fitted,
                   const std::map<std::string, std::vector<InferenceFitted>, std::less<>>& named,
                   std::size_t first) {
    Tree list = Tree::array();
    for (const auto& [name, constants] : named) {
        Tree one = {{"name", name}};
        const auto rows = fitted.rows.find(name);
        one["rows"] = rows == fitted.rows.end() ? 0 : rows->second;
        add_constants(one, constants, first);
        list.push_back(std::move(one));
    }
    return list;
}

void set_constants(InferenceValues& values, const std::vector<InferenceFitted>& constants,
                   std::size_t first) {
    for (std::size_t k = 0; k < constants.size(); ++k) {
        values[first + k] = constants[k].value;
    }
}

FittedInference shipped_constants(const std::string& file) {
    auto read = read_fitted_inference(measured_file(file), file);
    assert(read && "a test reads what comes with the program");
    return std::move(read).value_or(FittedInference());
}

} // namespace

bool FittedInference::serves() const {
    return shared.size() > first_serving_constant - first_shared;
}

std::string key_of(const InferenceRow& row, InferenceQuantity quantity) {
    return fmt::format("{}/{}", row.id, name(quantity));
}

InferenceValues FittedInference::values(const InferenceChip& chip, const std::string& engine) const {
    InferenceValues made{};
    for (std::size_t k = 0; k < inference_constants; ++k) {
        const InferenceConstantSheet& known = sheet(static_cast<InferenceConstant>(k));
        made[k] = k < first_serving_constant ? known.begin : known.without;
    }
    set_constants(made, shared, first_shared);
    if (const auto found = engines.find(engine); found != engines.end()) {
        set_constants(made, found->second, first_of_engine);
    }
    auto of = chips.find(chip.name);
    constexpr int most_steps = 4;
    const InferenceChip* like = &chip;
    for (int step = 0; of == chips.end() && like != nullptr && step < most_steps; ++step) {
        of = chips.find(like->like);
        like = inference_facts().chip(like->like);
    }
    if (of != chips.end()) {
        set_constants(made, of->second, 0);
        return made;
    }
    if (!chips.empty()) {
        for (std::size_t k = 0; k < inference_chip_constants; ++k) {
            double logs = 0;
            for (const auto& [name, constants] : chips) {
                logs += std::log(constants[k].value);
            }
            made[k] = std::exp(logs / static_cast<double>(chips.size()));
        }
    }
    return made;
}

Tree values_of(const FittedInference& fitted) {
    Tree shared = Tree::object();
    add_constants(shared, fitted.shared, first_shared);
    Tree left_out = Tree::object();
    for (const auto& [key, error] : fitted.left_out) {
        left_out[key] = std::round(error * 1e4) / 1e4;
    }
    return {{"meshslice_inference_constants", 1},
            {"source", fitted.serves()
                           ? "meshslice evidence serving --fit, on resources/measured/serving.csv and "
                             "serving_requests.csv"
                           : "meshslice evidence inference --fit, on resources/measured/inference.csv"},
            {"shared", std::move(shared)},
            {"chips", constant_list(fitted, fitted.chips, 0)},
            {"engines", constant_list(fitted, fitted.engines, first_of_engine)},
            {"left_out_errors", std::move(left_out)}};
}

Result<FittedInference> read_fitted_inference(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    reader.whole("meshslice_inference_constants", 1, 1);
    (void)reader.text("source");
    FittedInference fitted;
    JsonReader shared = reader.object("shared");
    const bool serves = shared.has(constant_name(first_serving_constant));
    fitted.shared = read_constants(shared, first_shared,
                                   (serves ? inference_constants : first_serving_constant) - first_shared);
    shared.no_other_keys();
    const auto read = [&](const char* key, auto& into, std::size_t first, std::size_t count) {
        for (JsonReader& one : reader.object_list(key, most_constants)) {
            const std::string name = one.name("name");
            fitted.rows[name] = one.whole("rows", 0, 1'000'000);
            into[name] = read_constants(one, first, count);
            one.no_other_keys();
        }
    };
    read("chips", fitted.chips, 0, inference_chip_constants);
    read("engines", fitted.engines, first_of_engine, inference_engine_constants);
    const nlohmann::json left_out = parsed->value("left_out_errors", nlohmann::json::object());
    (void)reader.has("left_out_errors");
    if (left_out.is_object()) {
        for (const auto& [key, error] : left_out.items()) {
            fitted.left_out[key] = error.is_number() ? error.get<double>() : 0;
        }
    }
    if (const auto finding = reader.finding()) {
        return refuse(*finding);
    }
    return fitted;
}

const FittedInference& fitted_inference() {
    static const FittedInference all = shipped_constants("inference-constants.json");
    return all;
}

const FittedInference& fitted_serving() {
    static const FittedInference all = shipped_constants("serving-constants.json");
    return all;
}

} // namespace meshslice
