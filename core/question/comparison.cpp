#include "core/question/comparison.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <cstddef>
#include <utility>

namespace meshslice {

Answer comparison_of(const Answer& first, const Answer& second, const std::string& first_name,
                     const std::string& second_name) {
    Table table{say("{} and {}", first_name, second_name),
                {"number", first_name, second_name, "difference", "ratio"},
                {}};
    Tree differences = Tree::array();
    std::size_t other = 0;
    for (const std::string& path : number_paths(first.values)) {
        const double before = *number_at(first.values, path);
        const std::optional<double> after = number_at(second.values, path);
        if (!after) {
            continue;
        }
        const std::optional<double> ratio = before != 0 ? std::optional(*after / before) : std::nullopt;
        other += *after != before ? 1 : 0;
        table.rows.push_back({path, before, *after, *after - before,
                              ratio ? Table::Cell(*ratio) : Table::Cell(std::string())});
        differences.push_back({{"number", path},
                               {"first", before},
                               {"second", *after},
                               {"difference", *after - before},
                               {"ratio", ratio}});
    }
    Answer comparison{
        Tree{{"first", first.values}, {"second", second.values}, {"differences", differences}},
        say("{} and {}: {} of {} numbers differ", first_name, second_name, other, table.rows.size()),
        table.title};
    comparison.confidence = first.confidence == second.confidence ? first.confidence : Confidence::modelled;
    comparison.tables.push_back(NamedTable::of("differences", std::move(table)));
    for (const Answer* one : {&first, &second}) {
        comparison.charts.insert(comparison.charts.end(), one->charts.begin(), one->charts.end());
        comparison.runs.insert(comparison.runs.end(), one->runs.begin(), one->runs.end());
        comparison.notes.insert(comparison.notes.end(), one->notes.begin(), one->notes.end());
    }
    return comparison;
}

} // namespace meshslice
