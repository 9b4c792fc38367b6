#include "ui/timeline/row_list.h"

#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <map>

namespace meshslice::ui {
namespace {

struct RowWordsOfGroups {
    Q_DECLARE_TR_FUNCTIONS(RowGroups)
};

/// Of groups of memories: greater than that of any link.
constexpr std::int64_t after_links = 1 + 2 * Network::most_torus_axes;

const ChipClasses* classesOf(const StepRun& run) {
    for (const Piece& piece : run.pieces()) {
        if (piece.timeline) {
            return &piece.timeline->classes();
        }
    }
    return nullptr;
}

QString groupName(const StepRun& run, std::size_t row, RowGroups groups) {
    const Torus& torus = run.torus();
    const Row& one = run.rows()[row];
    switch (groups) {
    case RowGroups::chip: return {};
    case RowGroups::row:
        return RowWordsOfGroups::tr("row %1 of the mesh").arg(torus.coordinate(one.chip, Axis::vertical));
    case RowGroups::column:
        return RowWordsOfGroups::tr("column %1 of the mesh")
            .arg(torus.coordinate(one.chip, Axis::horizontal));
    case RowGroups::resource:
        if (one.memory) {
            return *one.memory == MemoryStream::compute ? RowWordsOfGroups::tr("memories: GEMM")
                   : *one.memory == MemoryStream::communication
                       ? RowWordsOfGroups::tr("memories: communication")
                       : RowWordsOfGroups::tr("memories: collectives");
        }
        return one.is_core ? RowWordsOfGroups::tr("cores") : words(links_text(one.axis, one.direction));
    case RowGroups::alike: break;
    }
    const ChipClasses& classes = *classesOf(run);
    const std::int32_t members = classes.members()[classes.of(one.chip)];
    const QString chip = words(place_text(torus, classes.representative(one.chip)));
    return members == torus.chips() ? RowWordsOfGroups::tr("all %1 chips, alike").arg(members)
           : members == 1           ? RowWordsOfGroups::tr("chip %1, like no other").arg(chip)
                                    : RowWordsOfGroups::tr("%1 chips like chip %2").arg(members).arg(chip);
}

/// Whether a row is shown although its group is collapsed.
bool standsForGroup(const StepRun& run, std::size_t row, RowGroups groups) {
    const Row& one = run.rows()[row];
    switch (groups) {
    case RowGroups::chip: return one.is_core;
    case RowGroups::alike: return classesOf(run)->representative(one.chip) == one.chip;
    case RowGroups::row:
    case RowGroups::column:
    case RowGroups::resource: break;
    }
    return false;
}

} // namespace

std::vector<RowLine> rowsFrom(std::size_t first, std::size_t count) {
    std::vector<RowLine> lines;
    lines.reserve(count);
    for (std::size_t row = first; row < first + count; ++row) {
        lines.push_back({row, false});
    }
    return lines;
}

FaultyPart partOfRow(const Torus& torus, const Row& row) {
    FaultyPart part{{}, row.is_core, row.axis, row.direction};
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        part.chip.push_back(torus.coordinate(row.chip, static_cast<Axis>(axis)));
    }
    return part;
}

std::int64_t groupKey(const StepRun& run, std::size_t row, RowGroups groups) {
    const Row& one = run.rows()[row];
    switch (groups) {
    case RowGroups::chip: return one.chip;
    case RowGroups::row: return run.torus().coordinate(one.chip, Axis::vertical);
    case RowGroups::column: return run.torus().coordinate(one.chip, Axis::horizontal);
    case RowGroups::resource:
        return one.memory    ? after_links + static_cast<std::int64_t>(*one.memory)
               : one.is_core ? 0
                             : 1 + link_slot(one.axis, one.direction);
    case RowGroups::alike: break;
    }
    return static_cast<std::int64_t>(classesOf(run)->of(one.chip));
}

std::set<std::int64_t> collapsedThatExist(const StepRuns& runs, const RowChoice& choice) {
    std::set<std::int64_t> there;
    for (const StepRunPtr& run : choice.collapsed.empty() ? StepRuns() : runs) {
        for (std::size_t row = 0; row < run->rows().size(); ++row) {
            there.insert(groupKey(*run, row, choice.groups));
        }
    }
    std::set<std::int64_t> both;
    std::ranges::set_intersection(there, choice.collapsed, std::inserter(both, both.end()));
    return both;
}

RowChoice foldedAlike(const StepRuns& runs, RowChoice choice) {
    constexpr std::int32_t few_chips = 16; // that are looked through one by one
    constexpr std::size_t few_kinds = 4;   // whose rows have room in a window
    const bool fold = !runs.empty() && std::ranges::all_of(runs, [](const StepRunPtr& run) {
        const ChipClasses* classes = classesOf(*run);
        return classes != nullptr && run->torus().chips() > few_chips && classes->count() <= few_kinds;
    });
    choice.groups = fold ? RowGroups::alike : RowGroups::chip;
    choice.collapsed.clear();
    for (const StepRunPtr& run : fold ? runs : StepRuns()) {
        for (std::size_t row = 0; row < run->rows().size(); ++row) {
            choice.collapsed.insert(groupKey(*run, row, choice.groups));
        }
    }
    return choice;
}

RowList rowList(const StepRun& run, std::size_t step, const RowChoice& choice) {
    RowList list;
    const std::vector<Row>& rows = run.rows();
    const Torus& torus = run.torus();
    std::set<std::size_t> on_top;
    for (const FaultyPart& part : choice.pinned) {
        const auto row = std::ranges::find_if(rows, [&](const Row& one) { return isPart(part, torus, one); });
        const auto index = static_cast<std::size_t>(row - rows.begin());
        if (row != rows.end() && on_top.insert(index).second) {
            list.pinned.push_back({index, false});
        }
    }
    std::vector<std::size_t> shown;
    if (choice.filtered) {
        shown = step < choice.matching.size() ? choice.matching[step] : std::vector<std::size_t>();
    } else {
        shown.resize(rows.size());
        for (std::size_t row = 0; row < rows.size(); ++row) {
            shown[row] = row;
        }
    }
    std::erase_if(shown, [&](std::size_t row) { return row >= rows.size() || on_top.contains(row); });
    if (choice.groups == RowGroups::chip) {
        if (!rows.empty() && rows.back().memory) { // a chip's memory stands below its links
            std::ranges::stable_sort(shown, {}, [&](std::size_t row) { return rows[row].chip; });
        }
        list.collapsedChips = choice.collapsed;
        for (const std::size_t row : shown) {
            if (!choice.collapsed.contains(rows[row].chip) || rows[row].is_core) {
                list.others.push_back({row, false});
            }
        }
        return list;
    }
    std::map<std::int64_t, std::vector<std::size_t>> grouped;
    for (const std::size_t row : shown) {
        grouped[groupKey(run, row, choice.groups)].push_back(row);
    }
    for (const auto& [key, members] : grouped) {
        const bool collapsed = choice.collapsed.contains(key);
        list.others.push_back({list.groups.size(), true});
        list.groups.push_back({key, groupName(run, members.front(), choice.groups), members, collapsed});
        for (const std::size_t row : members) {
            if (!collapsed || standsForGroup(run, row, choice.groups)) {
                list.others.push_back({row, false});
            }
        }
    }
    return list;
}

std::size_t RowList::roomForOthers(std::size_t fit) const {
    return fit - std::min(pinned.size(), fit > 0 ? fit - 1 : 0);
}

std::size_t RowList::pinnedInSight(std::size_t fit) const {
    return std::min(pinned.size(), fit - roomForOthers(fit));
}

std::vector<RowLine> RowList::inSight(std::size_t first, std::size_t fit) const {
    const std::size_t room = roomForOthers(fit);
    std::vector<RowLine> lines(pinned.begin(),
                               pinned.begin() + static_cast<std::ptrdiff_t>(pinnedInSight(fit)));
    // Panes scroll together, and a shorter list stays in sight.
    const std::size_t count = std::min(room, others.size());
    const std::size_t from = std::min(first, others.size() - count);
    const auto begin = others.begin() + static_cast<std::ptrdiff_t>(from);
    lines.insert(lines.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    return lines;
}

std::optional<std::size_t> RowList::placeOf(std::size_t row) const {
    const auto line = std::ranges::find(others, RowLine{row, false});
    return line == others.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(line - others.begin()));
}

bool RowList::shows(std::size_t row) const {
    return placeOf(row) || std::ranges::find(pinned, RowLine{row, false}) != pinned.end();
}

std::vector<std::map<std::size_t, StepDensity>>
GroupSummaries::of(const StepRuns& runs, const std::vector<RowList>& lists,
                   const std::vector<std::vector<RowLine>>& lines, TimeRange range, int width) {
    const auto folded = [&](std::size_t step, const RowLine& line) {
        return line.group && lists[step].groups[line.index].collapsed;
    };
    std::size_t count = 0;
    for (std::size_t step = 0; step < lines.size(); ++step) {
        count += static_cast<std::size_t>(
            std::ranges::count_if(lines[step], [&](const RowLine& line) { return folded(step, line); }));
    }
    const std::size_t most = most_intervals_for_density / std::max<std::size_t>(1, count);
    const auto parts = static_cast<std::size_t>(std::max(1, width / 2));
    if (runs_ != runs || range_ != range || parts_ != parts || most_ != most) {
        runs_ = runs;
        range_ = range;
        parts_ = parts;
        most_ = most;
        known_.clear();
    }
    std::vector<std::map<std::size_t, StepDensity>> all(lines.size());
    for (std::size_t step = 0; step < lines.size(); ++step) {
        for (std::size_t line = 0; line < lines[step].size(); ++line) {
            if (!folded(step, lines[step][line])) {
                continue;
            }
            const std::vector<std::size_t>& rows = lists[step].groups[lines[step][line].index].rows;
            auto found = known_.find({step, rows});
            if (found == known_.end()) {
                ++added_;
                found = known_
                            .emplace(std::pair(step, rows),
                                     density_of_rows(runs[step]->step(), rows, {range.begin, range.end},
                                                     parts, most))
                            .first;
            }
            all[step][line] = found->second;
        }
    }
    return all;
}

} // namespace meshslice::ui
