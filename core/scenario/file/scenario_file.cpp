#include "core/base/fields/field_file.h"
#include "core/base/json/json_writer.h"
#include "core/base/say.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/migrate.h"
#include "core/scenario/file/scenario_json.h"
#include "core/scenario/scenario.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace meshslice {
namespace {

constexpr const char* scenario_key = "meshslice_scenario";

/// Keys that files of models have: ours, and config.json of most families.
constexpr std::array model_keys = {"meshslice_model", "model_type", "hidden_size", "n_embd"};

bool is_model(const nlohmann::json& json) {
    return json.is_object() && !json.contains(scenario_key) &&
           std::ranges::any_of(model_keys, [&](const char* key) { return json.contains(key); });
}

} // namespace

int scenario_version() {
    return static_cast<int>(scenario_migrations().size()) + 1;
}

Result<Scenario> read_scenario(std::string_view json, const std::string& origin,
                               std::vector<std::string>* all) {
    Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    if (is_model(*parsed)) {
        return refuse(
            say("{} is a model, not a scenario. The command line takes it as --model, the window by "
                "Open a model's config.json.",
                origin));
    }
    if (const auto current = migrate(*parsed, "scenario", scenario_key, scenario_migrations(), origin);
        !current) {
        return refuse(current.error());
    }
    JsonReader reader(*parsed, origin, all);
    (void)reader.whole(scenario_key, 1, scenario_version());
    Scenario scenario;
    scenario.compare.clear(); // a file without has none
    read_fields(reader, scenario_fields(), origin, scenario);
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    const Result<void> valid = check_read(scenario_fields(), scenario, origin);
    return valid ? Result<Scenario>(std::move(scenario)) : refuse(valid.error());
}

Tree scenario_json(const Scenario& scenario) {
    Tree json;
    json[scenario_key] = scenario_version();
    write_fields(json, scenario_fields(), scenario);
    return json;
}

std::string write_scenario(const Scenario& scenario) {
    return json_file(scenario_json(scenario));
}

} // namespace meshslice
