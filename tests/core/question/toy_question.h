#pragma once

// A question about something else than chips, to see that a file is all that a question takes: how long
// painters need for a wall.

#include "core/base/text.h"
#include "core/question/question.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

[[nodiscard]] inline std::vector<QuestionField> wall_fields() {
    return {{.row = {.key = "wall",
                     .name = "Length of the wall",
                     .label = "Wall",
                     .help = "How long the wall is",
                     .flag = "--length",
                     .flag_help = "N: metres",
                     .kind = FieldKind::whole,
                     .least = 1,
                     .most = 1000},
             .needed = true,
             .shown = "10"},
            {.row = {.key = "coats",
                     .name = "Coats",
                     .label = "Coats",
                     .help = "How often it is painted",
                     .flag = "--coats",
                     .flag_help = "N: coats of paint",
                     .kind = FieldKind::whole,
                     .least = 1,
                     .most = 9},
             .first = "2"},
            {.row = {.key = "tool",
                     .name = "Tool",
                     .help = "What it is painted with",
                     .flag = "--tool",
                     .flag_help = "brush|roller",
                     .kind = FieldKind::choice,
                     .choices = {{"brush", "a brush"}, {"roller", "a roller"}}},
             .first = "brush",
             .aliases = {{"--roller", "roller", "The same as --tool roller"}}}};
}

/// A metre takes a brush 60 s, a roller 20 s.
[[nodiscard]] inline Result<Tree> wall_numbers(const Asked& asked) {
    const double length = asked.number("wall");
    const double coats = asked.number("coats");
    const double metre = asked.text("tool") == "roller" ? 20 : 60;
    if (length * coats > 5000) {
        return refuse(asked.called("coats") + " is too many for a wall of this length.");
    }
    Tree values{{"tool", asked.text("tool")}, {"time_in_s", length * coats * metre}};
    for (std::int64_t coat = 1; coat <= static_cast<std::int64_t>(coats); ++coat) {
        values["coats"].push_back(
            {{"coat", coat}, {"done_in_s", static_cast<double>(coat) * length * metre}});
    }
    return values;
}

[[nodiscard]] inline Result<Answer> wall_answer(const Asked& asked) {
    const Result<Tree> values = wall_numbers(asked);
    if (!values) {
        return refuse(values.error());
    }
    const double time = number_at(*values, "time_in_s").value();
    Answer answer{*values, "The wall takes " + seconds_text(time), "a wall", Confidence::exact};
    Table table{"Coats", {"coat", "done_s"}, {}};
    ChartSeries line{"done", SeriesKind::line};
    ChartPanel panel{{}, {"coat"}, {"done", ChartUnit::seconds}};
    for (const Tree& coat : values->find("coats")->items()) {
        const std::int64_t number = std::get<std::int64_t>(coat.find("coat")->value());
        const double done = number_at(coat, "done_in_s").value();
        table.rows.push_back({number, done});
        panel.x.categories.push_back(std::to_string(number));
        line.values.emplace_back(done);
    }
    panel.series.push_back(std::move(line));
    answer.tables.push_back(NamedTable::of("coats", std::move(table)));
    answer.charts.push_back({"coats", {answer.headline, {std::move(panel)}}});
    answer.checks.push_back({"within a day", time < 86400});
    answer.offers.push_back({"Use a roller.", {{"wall", "tool", FieldValue("roller")}}});
    answer.notes = {"Drying is not counted."};
    return answer;
}

[[nodiscard]] inline Question wall_question() {
    return {"wall",
            "Walls",
            "walls",
            "Says how long it takes to paint a wall",
            {},
            wall_fields(),
            [](const Asked& asked, const RunControl& /*control*/) { return wall_numbers(asked); },
            [](const Asked& asked, const RunControl& /*control*/) { return wall_answer(asked); }};
}

} // namespace meshslice
