#include "core/scenario/file/project.h"

#include "core/base/json/json_reader.h"
#include "core/base/json/json_writer.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/parse.h"
#include "core/scenario/file/migrate.h"
#include "core/scenario/file/scenario_json.h"
#include "core/scenario/file/shared_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace meshslice {
namespace {

constexpr const char* project_key = "meshslice_project";
constexpr const char* training_word = "training";
constexpr const char* serving_word = "serving";

/// Adds a variant "NAME, plan" for each that planned for another machine than its own.
void split_plans(nlohmann::json& file) {
    const auto variants = file.find("variants");
    if (variants == file.end() || !variants->is_array()) {
        return;
    }
    const auto name_of = [](const nlohmann::json& one) {
        const auto name = one.is_object() ? one.find("name") : one.end();
        return name != one.end() && name->is_string() ? name->get<std::string>() : std::string();
    };
    std::set<std::string> names;
    for (const nlohmann::json& one : *variants) {
        names.insert(name_of(one));
    }
    nlohmann::json added = nlohmann::json::array();
    for (nlohmann::json& one : *variants) {
        if (!one.is_object() || !one.contains("scenario")) {
            continue;
        }
        if (std::optional<nlohmann::json> plan = one_machine(one["scenario"])) {
            std::string name = name_of(one) + ", plan";
            for (int next = 2; !names.insert(name).second; ++next) {
                name = fmt::format("{}, plan {}", name_of(one), next);
            }
            added.push_back({{"name", name}, {"scenario", *std::move(plan)}});
        }
    }
    variants->insert(variants->end(), added.begin(), added.end());
}

const std::vector<Migration>& project_migrations() {
    // Version 2 may have marks, which version 1 has not; in version 3 each variant has one machine; version 4
    // may say the task.
    static const std::vector<Migration> steps = {[](nlohmann::json&) {}, split_plans, [](nlohmann::json&) {}};
    return steps;
}

std::optional<std::size_t> place_of(const Project& project, std::string_view name) {
    const auto found = std::ranges::find(project.variants, name, &Variant::name);
    return found == project.variants.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - project.variants.begin()));
}

Result<std::size_t> named_place(const Project& project, const char* key, const std::string& name) {
    if (const auto place = place_of(project, name)) {
        return *place;
    }
    return refuse(fmt::format("\"{}\" is \"{}\"; expected the name of a variant.", key, shortened(name)));
}

Result<Project> read_variants(const nlohmann::json& json, const std::string& origin,
                              std::vector<std::string>* all) {
    JsonReader reader(json, origin, all);
    Project project;
    project.variants.clear();
    (void)reader.whole(project_key, 1, project_version());
    for (JsonReader& part : reader.object_list("variants", Project::most_variants)) {
        Variant variant;
        variant.name = part.name("name");
        const std::string text = part.json_text("scenario");
        part.no_other_keys();
        if (!reader.ok() && all == nullptr) {
            break;
        }
        const std::string place = fmt::format("{}, variant \"{}\"", origin, shortened(variant.name));
        const std::size_t before = all == nullptr ? 0 : all->size();
        Result<Scenario> scenario = read_scenario(text, place, all);
        if (!scenario && all == nullptr) {
            return refuse(scenario.error());
        }
        if (!scenario) {
            if (all->size() == before) { // what no reader of fields has found
                all->push_back(scenario.error().sentence);
            }
            continue;
        }
        variant.scenario = std::move(*scenario);
        project.variants.push_back(std::move(variant));
    }
    reader.expect(!project.variants.empty() || (all != nullptr && !all->empty()), "variants",
                  "must have at least one variant");
    if (reader.has("marks")) {
        for (JsonReader& part : reader.object_list("marks", Project::most_marks)) {
            const std::string name = part.name("name");
            TimeMark mark{name, Time(part.whole("at_ps", 0, Project::latest_mark))};
            mark.part = part.has("part") ? part.text("part") : std::string();
            mark.run = part.has("run") ? part.text("run") : std::string();
            project.marks.push_back(std::move(mark));
            part.no_other_keys();
        }
    }
    if (reader.has("task")) {
        const std::string task = reader.text("task");
        reader.expect(task == training_word || task == serving_word, "task",
                      "must be \"training\" or \"serving\", or be left out");
        project.task = task == serving_word ? ProjectTask::serving : ProjectTask::training;
    }
    const std::string current = reader.text("current");
    const std::string pinned = reader.has("pinned") ? reader.text("pinned") : std::string();
    reader.no_other_keys();
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    if (all != nullptr && !all->empty()) {
        return refuse(all->front());
    }
    const auto set = [&](const char* key, const std::string& name, auto& member) -> Result<void> {
        const Result<std::size_t> place = named_place(project, key, name);
        if (!place) {
            return refuse(fmt::format("{}: {}", origin, place.error().sentence));
        }
        member = *place;
        return {};
    };
    Result<void> done = set("current", current, project.current);
    if (done && !pinned.empty()) {
        done = set("pinned", pinned, project.pinned);
    }
    if (!done) {
        return refuse(done.error());
    }
    Result<Project> valid = checked(project);
    return valid ? valid : refuse(fmt::format("{}: {}", origin, valid.error().sentence));
}

} // namespace

std::string Project::free_name() const {
    for (std::size_t number = variants.size() + 1;; ++number) {
        std::string name = fmt::format("Variant {}", number);
        if (!place_of(*this, name)) {
            return name;
        }
    }
}

Project project_of(const Scenario& scenario) {
    Project project;
    project.variants.front().scenario = scenario;
    return project;
}

Result<Project> checked(const Project& project) {
    if (project.variants.empty() || project.variants.size() > Project::most_variants) {
        return refuse(fmt::format("There are {} variants; expected 1 to {}.", project.variants.size(),
                                  Project::most_variants));
    }
    if (project.current >= project.variants.size() || project.pinned.value_or(0) >= project.variants.size()) {
        return refuse("The current or the pinned variant is not one of the project.");
    }
    Project valid = project;
    std::set<std::string_view> names;
    for (Variant& variant : valid.variants) {
        if (const Result<void> named = check_name(variant.name); !named) {
            return refuse(fmt::format("The name of variant {} {}.", &variant - valid.variants.data() + 1,
                                      named.error().sentence));
        }
        if (!names.insert(variant.name).second) {
            return refuse(fmt::format("Two variants are named \"{}\"; each must have a name of its own.",
                                      shortened(variant.name)));
        }
        Result<Scenario> scenario = checked(variant.scenario);
        if (!scenario) {
            return refuse(
                fmt::format("Variant \"{}\": {}", shortened(variant.name), scenario.error().sentence));
        }
        variant.scenario = std::move(*scenario);
    }
    if (valid.marks.size() > Project::most_marks) {
        return refuse(
            fmt::format("There are {} marks; expected at most {}.", valid.marks.size(), Project::most_marks));
    }
    for (std::size_t k = 0; k < valid.marks.size(); ++k) {
        const TimeMark& mark = valid.marks[k];
        if (mark.name.empty() || mark.name.size() > Project::longest_mark_name) {
            return refuse(fmt::format("The name of mark {} has {} bytes; expected 1 to {}.", k + 1,
                                      mark.name.size(), Project::longest_mark_name));
        }
        if (mark.part.size() > Project::longest_mark_name || mark.run.size() > Project::longest_mark_name) {
            return refuse(
                fmt::format("The note \"{}\" is on a part whose name is too long.", shortened(mark.name)));
        }
        if (mark.at < Time(0) || mark.at > Time(Project::latest_mark)) {
            return refuse(fmt::format("The mark \"{}\" is at {}; expected a time from 0 to 53 days.",
                                      shortened(mark.name), text(mark.at)));
        }
    }
    std::ranges::stable_sort(valid.marks, {}, &TimeMark::at);
    return valid;
}

int project_version() {
    return static_cast<int>(project_migrations().size()) + 1;
}

Result<Project> read_project(std::string_view json, const std::string& origin,
                             std::vector<std::string>* all) {
    if (is_shared_text(json)) {
        return file_of_shared_text(json).and_then(
            [&](const std::string& text) { return read_project(text, origin, all); });
    }
    Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    for (const char* const study : {"meshslice_swept_study", "meshslice_study"}) {
        if (parsed->is_object() && parsed->contains(study)) {
            return refuse(
                fmt::format("{} is a study; expected a scenario or a project. \"meshslice reproduce {}\" "
                            "runs it.",
                            origin, origin));
        }
    }
    if (!parsed->is_object() || !parsed->contains(project_key)) {
        const std::optional<nlohmann::json> plan = one_machine(*parsed);
        Result<Scenario> scenario = read_scenario(plan ? parsed->dump() : std::string(json), origin, all);
        Result<Scenario> planned = plan ? read_scenario(plan->dump(), origin, all) : refuse("");
        if (!scenario || !plan) {
            return std::move(scenario).map([](const Scenario& one) {
                Project project = project_of(one);
                // Blocks and GEMMs run on a torus; of a machine without one the file asks for a plan.
                project.task =
                    one.hardware.network.torus_axes() == 0 ? ProjectTask::training : ProjectTask::step;
                return project;
            });
        }
        if (!planned) {
            return refuse(planned.error());
        }
        Project project = project_of(*scenario);
        project.variants.push_back({project.variants.front().name + ", plan", *std::move(planned)});
        return project;
    }
    if (const auto current = migrate(*parsed, "project", project_key, project_migrations(), origin);
        !current) {
        return refuse(current.error());
    }
    return read_variants(*parsed, origin, all);
}

std::string write_project(const Project& project) {
    if (project.plain()) {
        return write_scenario(project.scenario());
    }
    Tree json;
    json[project_key] = project_version();
    json["current"] = project.variants[project.current].name;
    if (project.pinned) {
        json["pinned"] = project.variants[*project.pinned].name;
    }
    if (project.task != ProjectTask::step) {
        json["task"] = project.task == ProjectTask::training ? training_word : serving_word;
    }
    auto& variants = json["variants"] = Tree::array();
    for (const Variant& variant : project.variants) {
        variants.push_back({{"name", variant.name}, {"scenario", scenario_json(variant.scenario)}});
    }
    for (const TimeMark& mark : project.marks) {
        Tree made = {{"name", mark.name}, {"at_ps", mark.at.value()}};
        if (mark.is_note()) {
            made["part"] = mark.part;
        }
        if (!mark.run.empty()) {
            made["run"] = mark.run;
        }
        json["marks"].push_back(std::move(made));
    }
    return json_file(json);
}

Result<Variant> variant_of(const Project& project, std::string_view words) {
    if (words.empty()) {
        return project.variants[project.current];
    }
    if (const auto place = place_of(project, words)) {
        return project.variants[*place];
    }
    if (words == "A" && project.pinned) { // as the window calls them
        return project.variants[*project.pinned];
    }
    if (words == "B") {
        return project.variants[project.current];
    }
    const Result<std::int64_t> number = parse_whole(std::string(words));
    if (number && *number >= 1 && *number <= static_cast<std::int64_t>(project.variants.size())) {
        return project.variants[static_cast<std::size_t>(*number - 1)];
    }
    std::vector<std::string> names;
    for (const Variant& variant : project.variants) {
        names.push_back(fmt::format("\"{}\"", shortened(variant.name)));
    }
    return refuse(fmt::format("There is no variant \"{}\"; there {} {}.", shortened(words),
                              names.size() == 1 ? "is" : "are", listed(names, "and")));
}

} // namespace meshslice
