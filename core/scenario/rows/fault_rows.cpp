#include "core/scenario/fields.h"
#include "core/scenario/rows/field_rows.h"

#include <algorithm>
#include <string>

namespace meshslice {
namespace {

bool no_faults(const Scenario& scenario) {
    return scenario.assume.faults == Faults{};
}

/// "3,5 east 50%; 0,0 core 80%", one by one.
Result<FieldValue> parse_parts(std::string_view words) {
    std::vector<std::string> parts;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(';'), words.size());
        const std::string_view part = words.substr(0, end);
        if (part.find_first_not_of(" \t") != std::string_view::npos) {
            const Result<Fault> fault = parse_fault(part);
            if (!fault) {
                return refuse(fault.error());
            }
            parts.emplace_back(part);
        }
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return FieldValue(parts);
}

Field<Scenario> parts_row() {
    Field<Scenario> row{
        {.key = "faults.parts",
         .required = false,
         .name = "faults",
         .label = "Fault&s",
         .group = what_if_group,
         .help = "Cores and links that are slow or dead: the chip's row and column, the part (core, south, "
                 "north, east or west link) and the share of its speed that is left, such as \"3,5 east 50%; "
                 "0,0 core 80%; 1,2 north dead\". What a dead link would carry goes round its ring the other "
                 "way. A row's menu in the timeline sets them too. Estimates assume a healthy machine.",
         .flag = "--fault",
         .flag_help =
             "\"R,C PART SHARE\": what if that part were slow: \"3,5 east 50%\", \"3,5 core 80%\" or "
             "dead: \"3,5 north dead\"; may be repeated",
         .kind = FieldKind::text_list,
         .word_label = "nothing is slow or dead",
         .tags = of_time | of_what_if,
         .from_text = parse_parts},
        [](const Scenario& scenario) {
            std::vector<std::string> parts;
            for (const Fault& fault : scenario.assume.faults.parts) {
                parts.push_back(text(fault));
            }
            return FieldValue(parts);
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            std::vector<Fault> faults;
            for (const std::string& words : std::get<std::vector<std::string>>(value)) {
                const Result<Fault> fault = parse_fault(words);
                if (!fault) {
                    return refuse(fault.error());
                }
                faults.push_back(*fault);
            }
            scenario.assume.faults.parts = std::move(faults);
            return {};
        },
        {},
        no_faults};
    row.check = [](const Scenario& scenario) -> Result<void> {
        const Result<Torus> torus = scenario.torus();
        const auto known =
            torus ? conditions(*torus, scenario.assume.faults) : Result<Conditions>(refuse(torus.error()));
        return known ? Result<void>() : refuse(known.error());
    };
    return row;
}

Field<Scenario> jitter_row() {
    Field<Scenario> row = quantity_field<Scenario>(
        {.key = "faults.jitter_s",
         .required = false,
         .name = "jitter",
         .label = "&Jitter",
         .group = what_if_group,
         .unit = "s",
         .form_unit = "ns",
         .form_scale = 1e-9,
         .help = "Every synchronization takes up to this much longer, by chance. 0: none.",
         .flag = "--jitter",
         .flag_help = "TIME: every synchronization takes up to this much longer, by chance, e.g. 2us",
         .highest = in_seconds(most_jitter),
         .tags = of_time | of_what_if},
        [](auto& scenario) -> auto& { return scenario.assume.faults.jitter; }, seconds, in_seconds);
    row.omitted = no_faults;
    return row;
}

Field<Scenario> seed_row() {
    Field<Scenario> row = whole_field<Scenario>(
        {.key = "faults.seed",
         .required = false,
         .name = "seed",
         .label = "Seed",
         .group = what_if_group,
         .help = "Of the jitter's chance: the same seed gives the same run.",
         .flag = "--seed-jitter",
         .flag_help = "N: seed of that chance (default 1)",
         .tags = of_time | of_what_if},
        [](auto& scenario) -> auto& { return scenario.assume.faults.seed; });
    row.objection = [](const Scenario& scenario) {
        return scenario.assume.faults.jitter > Time(0) ? "" : "There is no jitter; --jitter sets it.";
    };
    row.omitted = no_faults;
    return row;
}

} // namespace

std::vector<Field<Scenario>> fault_rows() {
    return {parts_row(), jitter_row(), seed_row()};
}

} // namespace meshslice
