#include "ui/timeline/run_window.h"

#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace meshslice::ui {
namespace {

struct RunWindowWords {
    Q_DECLARE_TR_FUNCTIONS(RunPicture)
};

} // namespace

QString roleName(const RunWindow& window, Role role) {
    if (window.words.role) {
        return window.words.role(role);
    }
    switch (role) {
    case Role::compute: return RunWindowWords::tr("compute");
    case Role::backward: return RunWindowWords::tr("backward");
    case Role::weights: return RunWindowWords::tr("gradients of weights");
    case Role::update: return RunWindowWords::tr("optimizer step");
    case Role::transferHorizontal: return RunWindowWords::tr("transfer");
    case Role::transferVertical: return RunWindowWords::tr("transfer along a column, or the one ring");
    case Role::transferThird: return RunWindowWords::tr("transfer over the outer network");
    case Role::sync: return RunWindowWords::tr("latency");
    case Role::launch: return RunWindowWords::tr("launch");
    case Role::slicing: return RunWindowWords::tr("memory");
    case Role::exposed: return RunWindowWords::tr("exposed communication");
    default: return RunWindowWords::tr("waits");
    }
}

TimeRange RunWindow::whole() const {
    TimeRange whole{Time(0), Time(0)};
    for (const ShownRun& shown : runs) {
        whole.end = shown.run ? std::max(whole.end, shown.run->end()) : whole.end;
    }
    return whole;
}

std::size_t RunWindow::rowCount() const {
    std::size_t count = 0;
    for (const ShownRun& shown : runs) {
        count += shown.rows.size();
    }
    return count;
}

std::size_t RunWindow::runOf(std::size_t row) const {
    std::size_t run = 0;
    while (row >= runs[run].rows.size()) {
        row -= runs[run++].rows.size();
    }
    return run;
}

const RunRow& RunWindow::at(std::size_t row) const {
    std::size_t run = 0;
    while (row >= runs[run].rows.size()) {
        row -= runs[run++].rows.size();
    }
    return runs[run].rows[row];
}

std::vector<LegendItem> legendOf(const RunWindow& window, bool brief) {
    if (window.words.legend) {
        return window.words.legend(brief);
    }
    std::vector<LegendItem> items;
    for (const ShownRun& shown : window.runs) {
        for (const Role role : shown.roles) {
            const auto same = [&](const LegendItem& item) { return item.role == role; };
            if (std::ranges::none_of(items, same)) {
                items.push_back({roleName(window, role), role});
            }
        }
    }
    if (!brief) {
        items.push_back(
            {RunWindowWords::tr("several bars in a pixel: height by share of time"), std::nullopt});
    }
    return items;
}

ShownRun shownRun(RunPtr run, bool first) {
    ShownRun shown;
    shown.run = std::move(run);
    std::map<std::size_t, std::size_t> row_of; // by lane
    std::set<std::string> places;
    const TimeRange whole{Time(0), shown.run->end()};
    const bool one_place = shown.run->place_count() == 1;
    for (std::size_t number = 0; number < shown.run->lane_count(); ++number) {
        const Lane lane = shown.run->lane(number);
        if (lane.kind == LaneKind::counter) {
            shown.counters.push_back(number);
            continue;
        }
        if (const auto parent = row_of.find(static_cast<std::size_t>(lane.parent));
            lane.parent >= 0 && parent != row_of.end()) {
            shown.rows[parent->second].lanes.push_back(number);
            continue;
        }
        bool empty = !first; // such as cores where nothing is computed
        if (empty) {
            shown.run->visit(number, whole, static_cast<double>(whole.end.value()),
                             [&](std::span<const RunSlice> slices) { empty = slices.empty(); });
        }
        if (empty || (first && !places.insert(lane.place).second)) {
            continue;
        }
        row_of[number] = shown.rows.size();
        const QString place = words(lane.place);
        const bool again = !shown.rows.empty() && shown.rows.back().place == lane.place;
        shown.rows.push_back({{number},
                              first ? place : words(lane.name),
                              first || one_place ? QString() : QString(place + QStringLiteral("  ")),
                              lane.place,
                              again});
    }
    std::set<Role> roles;
    for (std::size_t row = 0; row < std::min<std::size_t>(shown.rows.size(), 64); ++row) {
        for (const std::size_t lane : shown.rows[row].lanes) {
            shown.run->visit(lane, whole, static_cast<double>(whole.end.value()) / 500.0,
                             [&](std::span<const RunSlice> slices) {
                                 for (const RunSlice& slice : slices) {
                                     if (slice.busy > Time(0)) {
                                         roles.insert(slice.role);
                                     }
                                 }
                             });
        }
    }
    for (const Role role : {Role::compute, Role::backward, Role::weights, Role::update,
                            Role::transferHorizontal, Role::transferVertical, Role::transferThird, Role::sync,
                            Role::launch, Role::slicing, Role::exposed, Role::waits}) {
        if (roles.contains(role)) {
            shown.roles.push_back(role);
        }
    }
    return shown;
}

} // namespace meshslice::ui
