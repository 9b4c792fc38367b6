#include "app/scenario_options.h"

#include "app/arguments/typed_words.h"
#include "app/outputs.h"
#include "core/base/fields/field_file.h"
#include "core/base/json/json_reader.h"
#include "core/calibrate/measurements.h"
#include "core/machine/catalogue.h"
#include "core/machine/ring_stores.h"
#include "core/question/catalogue/common_fields.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/project.h"
#include "core/scenario/file/shared_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace meshslice {
namespace {

constexpr const char* scenario_flag = "--scenario";
constexpr const char* variant_flag = "--variant";
constexpr const char* sequence_flag = "--sequence";
constexpr const char* measured_flag = "--measured";
/// What sentences call a scenario that was not in a file.
constexpr const char* shared_origin = "the shared text";

/// All rows that a flag may set; only one of them applies at a time.
std::vector<const Field<Scenario>*> rows_of(const std::string& flag) {
    std::vector<const Field<Scenario>*> rows;
    for (const Field<Scenario>& field : scenario_fields()) {
        if (field.flag == flag) {
            rows.push_back(&field);
        }
    }
    return rows;
}

/// The flags of the table, each once, in its order.
std::vector<std::string> table_flags() {
    std::vector<std::string> flags;
    std::set<std::string> seen;
    for (const Field<Scenario>& field : scenario_fields()) {
        if (!field.flag.empty() && seen.insert(field.flag).second) {
            flags.push_back(field.flag);
        }
    }
    return flags;
}

/// The row that the flag sets in this scenario; where none applies, the first.
const Field<Scenario>& chosen_row(const std::string& flag, const Scenario& scenario) {
    const auto rows = rows_of(flag);
    for (const Field<Scenario>* row : rows) {
        if (row->applies(scenario)) {
            return *row;
        }
    }
    return *rows.front();
}

/// Sets the row from the command line's words; a preset or, of a file's name, what is in it.
Result<void> set_words(const Field<Scenario>& row, Scenario& scenario, const std::string& words) {
    if (row.kind == FieldKind::part && (words == standard_stream || looks_like_a_file(words))) {
        const Result<std::string> text = input_text(words);
        return text ? row.set(scenario, JsonPart{*text, words}) : refuse(text.error());
    }
    const std::string meant = meant_choice(row, words);
    const bool known = set_text(row, scenario, meant, row.flag) ||
                       (row.kind == FieldKind::part && set_text(row, scenario, lower_case(words), row.flag));
    return known ? Result<void>()
                 : set_text(row, scenario, words, row.flag); // A refusal repeats what was typed.
}

/// Why words that this row refuses would be fine if another row of the same flag applied.
std::string meant_for_another(const Field<Scenario>& row, const Scenario& scenario,
                              const std::string& words) {
    for (const Field<Scenario>* other : rows_of(row.flag)) {
        if (other != &row && parse(*other, words, row.flag)) {
            return fmt::format(" Another task has \"{}\". {}", words, other->objection(scenario));
        }
    }
    return {};
}

/// Flags that change nothing are refused, so that nobody thinks they did. A value that asks for nothing may
/// stay.
Result<void> has_effect(const Field<Scenario>& row, const std::string& words, const Scenario& scenario,
                        const std::string& file, const OtherAlgorithms& others) {
    if (!row.objection || words == row.idle_text || row.get(scenario) == row.get(default_scenario())) {
        return {};
    }
    Scenario run = scenario;
    run.compare.clear(); // not what a window would show
    std::string objection = row.objection(run);
    for (std::size_t k = 0; k < others.ids.size() && !objection.empty(); ++k) {
        run.plan.algorithm = others.ids[k];
        const std::string other = row.objection(run);
        if (other.empty() || (others.instead && k == 0)) {
            objection = other;
        }
    }
    if (objection.empty()) {
        return {};
    }
    return refuse(
        fmt::format("{} has no effect{}. {}", row.flag, file.empty() ? "" : " in " + file, objection));
}

/// What GEMMs took on one chip, from a file of measurements.
Result<void> take_measured(const std::string& path, Scenario& scenario) {
    auto products = input_text(path)
                        .and_then([&](const std::string& csv) { return read_gemms(csv, path); })
                        .and_then([&](const std::vector<MeasuredGemm>& gemms) {
                            return measured_products(gemms, path, scenario.hardware);
                        });
    if (!products) {
        return refuse(products.error());
    }
    scenario.hardware.measured_products = *std::move(products);
    if (scenario.assume.schedule.type != DataType::bf16) {
        return refuse(
            fmt::format("{} is about GEMMs in bf16, and the data type is {}; expected bf16 with it.",
                        measured_flag, name(scenario.assume.schedule.type)));
    }
    return {};
}

} // namespace

Result<Project> project_of_file(const std::string& file) {
    const bool is_text = is_shared_text(file);
    const std::string origin = is_text ? std::string(shared_origin) : file;
    return (is_text ? Result<std::string>(file) : input_text(file)).and_then([&](const std::string& text) {
        return read_project(text, origin);
    });
}

void ScenarioOptions::declare_file(CLI::App& command) {
    for (const auto& [flag, meaning] :
         {std::pair{
              scenario_flag,
              "FILE: a scenario or project file, or the text that share prints; other flags override it"},
          std::pair{variant_flag,
                    "NAME|N|A|B: which variant of a project file; else the one that was shown last"}}) {
        command.add_option(flag, typed_[flag].once, meaning)->type_name("")->group("Scenario");
    }
}

void ScenarioOptions::declare(CLI::App& command, unsigned only, const std::vector<std::string>& without) {
    runs_ = only == 0;
    std::string group = "Scenario"; // the heading in the help
    const auto option = [&](const std::string& flag, const std::string& meaning, bool repeated) {
        Typed& into = typed_[flag];
        const auto rows = rows_of(flag);
        const std::string names = rows.empty() || rows.front()->flag_aliases.empty()
                                      ? flag
                                      : flag + "," + rows.front()->flag_aliases;
        if (repeated) {
            command.add_option(names, into.repeated, meaning)->type_name("")->allow_extra_args(false);
        } else {
            command.add_option(names, into.once, meaning)->type_name("");
        }
        command.get_option(flag)->group(group);
    };
    declare_file(command);
    for (const std::string& flag : table_flags()) {
        const unsigned tags = rows_of(flag).front()->tags;
        const bool left_out = only == 0 ? (tags & of_plans) != 0 : (tags & only) == 0;
        if (left_out || std::ranges::find(without, flag) != without.end()) {
            continue;
        }
        group = rows_of(flag).front()->group.empty() ? "Scenario" : rows_of(flag).front()->group;
        std::vector<std::string> meanings;
        for (const Field<Scenario>* row : rows_of(flag)) {
            meanings.push_back(row->flag_help);
        }
        option(flag, fmt::format("{}", fmt::join(meanings, "; ")),
               rows_of(flag).front()->kind == FieldKind::text_list);
    }
    if (only == 0) {
        option(measured_flag,
               "FILE.csv: what GEMMs took on one chip, M,N,K,time; the most similar one gives a GEMM's rate",
               false);
    }
}

void ScenarioOptions::hide(CLI::App& command, unsigned tags) {
    for (const Field<Scenario>& field : scenario_fields()) {
        if (!field.flag.empty() && (field.tags & tags) != 0) {
            command.get_option(field.flag)->group("");
        }
    }
    if ((tags & of_time) != 0) {
        command.get_option(measured_flag)->group("");
    }
}

std::string ScenarioOptions::given(std::string_view flag) const {
    const auto typed = typed_.find(flag);
    if (typed == typed_.end()) {
        return {};
    }
    return typed->second.repeated.empty() ? typed->second.once
                                          : fmt::format("{}", fmt::join(typed->second.repeated, "; "));
}

void ScenarioOptions::assume(const std::string& flag, const std::string& words) {
    if (given(flag).empty()) {
        typed_[flag].once = words;
    }
}

std::vector<std::string> ScenarioOptions::files() const {
    const std::string scenario = given(scenario_flag);
    std::vector<std::string> files = {is_shared_text(scenario) ? std::string() : scenario,
                                      given(measured_flag)};
    for (const Field<Scenario>& field : scenario_fields()) {
        if (field.kind == FieldKind::part) {
            files.push_back(given(field.flag));
        }
    }
    return files;
}

Result<std::optional<Variant>> ScenarioOptions::variant() const {
    const std::string file = given(scenario_flag), name = given(variant_flag);
    if (file.empty()) {
        return name.empty() ? Result<std::optional<Variant>>()
                            : refuse(fmt::format("{} needs {} FILE.", variant_flag, scenario_flag));
    }
    return project_of_file(file).and_then([&](const Project& project) -> Result<std::optional<Variant>> {
        Result<Variant> one = variant_of(project, name);
        return one ? Result<std::optional<Variant>>(*std::move(one))
                   : refuse(fmt::format("{}: {}", origin(), one.error().sentence));
    });
}

std::string ScenarioOptions::origin() const {
    const std::string file = given(scenario_flag);
    return is_shared_text(file) ? std::string(shared_origin) : file;
}

Result<Scenario> ScenarioOptions::read(const OtherAlgorithms& others) const {
    Result<std::optional<Variant>> begun = variant();
    if (!begun) {
        return refuse(begun.error());
    }
    const std::string file = origin();
    const Scenario stored = *begun ? (*begun)->scenario : default_scenario();
    Scenario scenario = stored;
    if (file.empty()) {
        scenario.compare.clear();
    }
    for (const std::string& flag : table_flags()) {
        const std::string words = given(flag);
        if (words.empty()) {
            continue;
        }
        const Field<Scenario>& row = chosen_row(flag, scenario);
        if (const auto set = set_words(row, scenario, words); !set) {
            return refuse(set.error().sentence + meant_for_another(row, scenario, words));
        }
    }
    if (file.empty() && given(sequence_flag).empty() && !scenario.gemm) {
        scenario.sequence = usual_sequence(scenario.model);
    }
    if (const std::string measured = given(measured_flag); !measured.empty()) {
        if (const auto taken = take_measured(measured, scenario); !taken) {
            return refuse(taken.error());
        }
    }
    for (const std::string& flag : table_flags()) {
        const std::string words = given(flag);
        if (const auto effect = words.empty()
                                    ? Result<void>()
                                    : has_effect(chosen_row(flag, scenario), words, scenario, file, others);
            !effect) {
            return refuse(effect.error());
        }
    }
    if (!runs_) { // Nothing depends on the shape of the mesh.
        take_a_mesh(scenario);
    }
    const std::optional<RowRefusal> refusal = first_refusal(scenario_fields(), scenario);
    if (!refusal) {
        return scenario;
    }
    // What a file has may not suit what a flag changed: its faults, another mesh.
    const Field<Scenario>& row = scenario_field(refusal->row->key);
    const FieldValue value = row.get(scenario);
    const bool from_file = !file.empty() && value == row.get(stored) && value != row.get(default_scenario());
    return refuse(from_file ? in_file(file, {}, row, refusal->error) : refusal->error);
}

} // namespace meshslice
