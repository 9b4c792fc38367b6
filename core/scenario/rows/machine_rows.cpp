#include "core/base/language.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/scenario/fields.h"
#include "core/scenario/meshes.h"
#include "core/scenario/rows/field_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace meshslice {
namespace {

/// A torus runs programs, and a machine of fast domains has plans of training runs.
bool is_of_use(const Machine& machine) {
    return is_torus(machine) || trains_by_plan(machine);
}

Field<Scenario> hardware_row() {
    Field<Scenario> row{
        {.key = "hardware",
         .name = "hardware",
         .label = "Har&dware",
         .group = machine_group,
         .help =
             "The chip and its links: peak, memory, bandwidth, and what launching and synchronizing cost. "
             "The button next to it shows each number with its unit and source.",
         .flag = "--machine",
         .flag_aliases = "--hardware,--cluster",
         .flag_help = "NAME|FILE.json: a preset or a hardware file (default tpu-v4-paper)",
         .kind = FieldKind::part,
         .tags = of_time | of_a_plan},
        [](const Scenario& scenario) -> FieldValue {
            const Result<Machine> preset = machine_preset(scenario.hardware.name);
            if (preset && *preset == scenario.hardware) {
                return scenario.hardware.name;
            }
            const std::string& title =
                scenario.hardware.title.empty() ? scenario.hardware.name : scenario.hardware.title;
            return JsonPart{write_machine(scenario.hardware), title};
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const auto* part = std::get_if<JsonPart>(&value);
            const Result<Machine> hardware = part ? read_machine(part->json, part->origin).map(told_apart)
                                                  : machine_preset(std::get<std::string>(value));
            if (!hardware) {
                return refuse(hardware.error());
            }
            scenario.hardware = *hardware;
            return {};
        }};
    row.choices = FieldChoices::later([] { return choices_of(presets_that(is_of_use)); });
    row.check = [](const Scenario& scenario) -> Result<void> {
        const Result<Machine> valid = checked(scenario.hardware);
        return valid ? Result<void>() : refuse(valid.error());
    };
    return row;
}

/// The mesh must be a torus that the hardware's links can make, where it has any.
Result<void> check_mesh(const Scenario& scenario) {
    if (const Result<Torus> torus = scenario.torus(); !torus) {
        return refuse(torus.error());
    }
    return is_torus(scenario.hardware) ? checked(scenario.mesh, scenario.hardware) : Result<void>();
}

Field<Scenario> mesh_row() {
    Field<Scenario> mesh{
        {.key = "mesh",
         .name = "mesh",
         .label = "Mesh",
         .group = machine_group,
         .help = "Chips along the axes of the torus.",
         .flag = "--mesh",
         .flag_help = "RxC: chips along the vertical and the horizontal axis (default 32x8)",
         .kind = FieldKind::whole_list,
         .least = 1,
         .most = Torus::most_chips,
         .from_text = [](std::string_view words) -> Result<FieldValue> {
             return parse_mesh(std::string(words)).map([](const std::vector<std::int32_t>& sizes) {
                 return FieldValue(std::vector<std::int64_t>(sizes.begin(), sizes.end()));
             });
         },
         .to_text =
             [](const FieldValue& value) {
                 return fmt::format("{}", fmt::join(std::get<std::vector<std::int64_t>>(value), "x"));
             }},
        [](const Scenario& scenario) {
            return FieldValue(std::vector<std::int64_t>(scenario.mesh.begin(), scenario.mesh.end()));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            scenario.mesh.clear();
            for (const std::int64_t size : std::get<std::vector<std::int64_t>>(value)) {
                scenario.mesh.push_back(static_cast<std::int32_t>(size));
            }
            return {};
        }};
    mesh.check = check_mesh;
    return mesh;
}

/// What a file says about the axes that close, one entry for each.
Field<Scenario> wraps_row() {
    const auto axes = [](const Scenario& scenario) {
        return static_cast<std::ptrdiff_t>(std::min(scenario.mesh.size(), scenario.wraps.size()));
    };
    return {{.key = "wraps", .required = false, .name = "wrap-around links", .kind = FieldKind::flag_list},
            [axes](const Scenario& scenario) {
                return FieldValue(
                    std::vector<bool>(scenario.wraps.begin(), scenario.wraps.begin() + axes(scenario)));
            },
            [](Scenario& scenario, const FieldValue& value) -> Result<void> {
                const auto& wraps = std::get<std::vector<bool>>(value);
                if (wraps.size() != scenario.mesh.size() || wraps.size() > scenario.wraps.size()) {
                    return refuse("\"/wraps\" must have one entry for each axis of the mesh.");
                }
                std::ranges::copy(wraps, scenario.wraps.begin());
                return {};
            },
            {},
            [axes](const Scenario& scenario) {
                return std::all_of(scenario.wraps.begin(), scenario.wraps.begin() + axes(scenario),
                                   [](bool wraps) { return wraps; });
            }};
}

Field<Scenario> folded_row() {
    Field<Scenario> folded = flag_field<Scenario>(
        {.key = "folded", .required = false, .name = "folded rings"},
        [](auto& scenario) -> auto& { return scenario.folded; });
    folded.omitted = [](const Scenario& scenario) { return !scenario.folded; };
    return folded;
}

/// Of a mesh of three axes: "none" opens the third too, and this keeps it closed.
constexpr const char* only_third = "third";

struct WrapChoice {
    const char* word;
    const char* label;
    bool vertical;
    bool horizontal;
    bool folded;
};
constexpr std::array<WrapChoice, 9> wrap_choices = {
    {{"both", "both axes", true, true, false},
     {"vertical", "vertical axis only", true, false, false},
     {"horizontal", "horizontal axis only", false, true, false},
     {"vertical-folded", "vertical, horizontal folded", true, false, true},
     {"horizontal-folded", "horizontal, vertical folded", false, true, true},
     {"none", "none", false, false, false},
     {only_third, "third axis only", false, false, false},
     {"folded", "none, rings folded", false, false, true},
     {"third-folded", "both axes, third folded", true, true, true}}};

/// The third axis of a mesh of three, where it does not close.
bool third_is_open(const Scenario& scenario) {
    return scenario.mesh.size() == 3 && !scenario.wraps[2];
}

/// The first two axes and the folding as people choose them, in one word.
Field<Scenario> wrap_row() {
    Field<Scenario> row{
        {.key = "wrap",
         .stored = false,
         .name = "wrap-around links",
         .label = "Wrap-aro&und",
         .group = machine_group,
         .help = "Along which axes a link joins the last chip to the first, so that the chips form closed "
                 "rings. An axis without is a line: shards travel whole instead of in halves, which takes "
                 "about twice as long. Folded, the algorithms take the line for a ring: what would cross the "
                 "missing link travels back over the others and shares them with their own traffic.",
         .flag = "--wrap",
         .flag_help =
             "both|vertical|horizontal|third|none: axes of the mesh that are closed rings, where a third "
             "one is not open by --wrap-third or none; folded, vertical-folded, horizontal-folded, "
             "third-folded: the others are rings folded onto their lines (default both)",
         .kind = FieldKind::choice,
         .tags = of_experts},
        [](const Scenario& scenario) {
            // Where all axes close there is nothing to fold.
            const bool folds = !scenario.wraps[0] || !scenario.wraps[1] || third_is_open(scenario);
            const bool none = !scenario.wraps[0] && !scenario.wraps[1] && !scenario.folded;
            if (none && scenario.mesh.size() == 3 && scenario.wraps[2]) {
                return FieldValue(std::string(only_third));
            }
            for (const WrapChoice& choice : wrap_choices) {
                if (choice.vertical == scenario.wraps[0] && choice.horizontal == scenario.wraps[1] &&
                    choice.folded == (scenario.folded && folds)) {
                    return FieldValue(std::string(choice.word));
                }
            }
            return FieldValue(std::string("both"));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const auto choice =
                std::ranges::find(wrap_choices, std::get<std::string>(value), &WrapChoice::word);
            scenario.wraps[0] = choice->vertical;
            scenario.wraps[1] = choice->horizontal;
            scenario.folded = choice->folded;
            if (scenario.mesh.size() == 3 && !choice->vertical && !choice->horizontal && !choice->folded) {
                scenario.wraps[2] = choice->word == std::string_view(only_third);
            }
            return {};
        }};
    for (const WrapChoice& choice : wrap_choices) {
        row.choices.push_back({choice.word, choice.label});
    }
    return row;
}

Field<Scenario> third_axis_row() {
    Field<Scenario> row = flag_field<Scenario>(
        {.key = "wrap_third",
         .stored = false,
         .name = "wrap-around links of the third axis",
         .label = "Third axis",
         .group = machine_group,
         .unit = "closed ring",
         .help = "Whether links join the last layer of chips to the first.",
         .flag = "--wrap-third",
         .flag_help = "on|off: whether the third axis of the mesh is a closed ring (default on)",
         .tags = of_experts},
        [](auto& scenario) -> auto& { return scenario.wraps[2]; });
    row.objection = [](const Scenario& scenario) {
        return scenario.mesh.size() == 3 ? std::string()
                                         : said("The mesh has no third axis; one such as 4x4x4 has.");
    };
    return row;
}

} // namespace

std::vector<Field<Scenario>> machine_rows() {
    return {hardware_row(), mesh_row(), wraps_row(), folded_row(), wrap_row(), third_axis_row()};
}

} // namespace meshslice
