#include "ui/view/picture_area.h"

#include "ui/controls/scrolling.h"
#include "ui/view/picture_column.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QCoreApplication>
#include <QScrollArea>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int least_column = 320;

struct Tabs {
    Q_DECLARE_TR_FUNCTIONS(Tabs)
};

} // namespace

QString titleOf(Tab tab) {
    switch (tab) {
    case Tab::summary: return Tabs::tr("Summary");
    case Tab::timeline: return Tabs::tr("Timeline");
    case Tab::map: return Tabs::tr("Map");
    case Tab::limits: return Tabs::tr("Limits");
    case Tab::compare: return Tabs::tr("Compare");
    case Tab::papers: return Tabs::tr("Papers");
    case Tab::lab: return Tabs::tr("Lab");
    }
    return {};
}

PictureArea::PictureArea(std::vector<ViewPlace> places, Task task, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent)
    , places_(std::move(places))
    , task_(task)
    , columns_{new PictureColumn(tr("Pictures"), this), new PictureColumn(tr("More pictures"), this)}
    , last_(columns_[0]) {
    std::ranges::stable_sort(places_, {}, &ViewPlace::tab);
    for (const ViewPlace& place : places_) {
        if (!frames_.contains(place.view)) {
            frames_[place.view] = makeScrolling(place.view, columns_[0]);
        }
    }
    columns_[0]->setPlaces(places_, frames_); // which owns them until they are shared out
    for (PictureColumn* column : columns_) {
        connect(column, &PictureColumn::clicked, this, [this, column] { last_ = column; });
        connect(column, &PictureColumn::turned, this, &PictureArea::turned);
        column->setMinimumWidth(least_column);
        addWidget(column);
    }
    for (const auto& [view, frame] : frames_) { // of views that turn their own pages
        connect(view, &View::pageTurned, this, [this, view = view] {
            if (const ViewPlace now = current(); now.view == view && now.page != ViewPlace::whole) {
                show(view);
            }
        });
    }
    setChildrenCollapsible(false);
    setStretchFactor(0, 3);
    setStretchFactor(1, 2);
    columns_[1]->hide();
    share();
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        for (PictureColumn* column : columns_) {
            last_ = now != nullptr && column->isAncestorOf(now) ? column : last_;
        }
    });
}

/// The focus changes once more while its children go, and there are no tabs left to ask.
PictureArea::~PictureArea() {
    disconnect(qApp, nullptr, this, nullptr);
    for (PictureColumn* column : columns_) {
        column->disconnect(this);
    }
}

Tab PictureArea::leftTab(const std::vector<ViewPlace>& of_task) const {
    const auto elsewhere = [&](const ViewPlace& place) {
        return std::ranges::any_of(of_task, [&](const ViewPlace& other) {
            return other.view == place.view && other.tab != place.tab;
        });
    };
    const auto timeline = std::ranges::find(of_task, Tab::timeline, &ViewPlace::tab);
    return timeline != of_task.end() && !elsewhere(*timeline) ? Tab::timeline : of_task.front().tab;
}

void PictureArea::share() {
    std::vector<ViewPlace> all;
    std::ranges::copy_if(places_, std::back_inserter(all),
                         [this](const ViewPlace& place) { return has(place.tasks, task_); });
    std::vector<ViewPlace> on_the_right;
    if (side_by_side_ && !all.empty()) {
        const Tab first = leftTab(all);
        const auto rest = std::stable_partition(all.begin(), all.end(),
                                                [&](const ViewPlace& one) { return one.tab == first; });
        on_the_right.assign(rest, all.end());
        all.erase(rest, all.end());
    }
    columns_[0]->setPlaces(std::move(all), frames_);
    columns_[1]->setPlaces(on_the_right, frames_);
    columns_[1]->setVisible(!on_the_right.empty());
    if (on_the_right.empty()) {
        last_ = columns_[0];
    }
    emit turned();
}

void PictureArea::setTask(Task task) {
    if (task == task_) {
        return;
    }
    last_of_.insert_or_assign(std::exchange(task_, task), current());
    setUpdatesEnabled(false);
    share();
    if (const auto last = last_of_.find(task); last != last_of_.end()) {
        show(last->second);
    }
    setUpdatesEnabled(true);
}

void PictureArea::setSideBySide(bool side_by_side) {
    if (std::exchange(side_by_side_, side_by_side) == side_by_side) {
        return;
    }
    const ViewPlace now = current();
    setUpdatesEnabled(false);
    share();
    if (!columns_[1]->isHidden()) {
        setSizes({width() / 2, width() / 2});
    }
    show(now);
    setUpdatesEnabled(true);
}

ViewPlace PictureArea::current() const {
    const std::optional<ViewPlace> seen = last_->shown();
    return seen ? *seen : columns_[0]->shown().value_or(ViewPlace{});
}

void PictureArea::show(const ViewPlace& place) {
    if (!has(place.tasks, task_)) {
        emit taskAsked(place.tasks);
    }
    for (PictureColumn* column : columns_) {
        if (std::ranges::find(column->places(), place) != column->places().end()) {
            column->show(place);
            last_ = column;
        }
    }
}

void PictureArea::show(const View* view) {
    const auto suits = [view](const ViewPlace& place) {
        return place.view == view && (place.page == ViewPlace::whole || place.page == view->page());
    };
    auto found = std::ranges::find_if(
        places_, [&](const ViewPlace& place) { return suits(place) && has(place.tasks, task_); });
    found = found != places_.end() ? found : std::ranges::find_if(places_, suits);
    if (found != places_.end()) {
        show(ViewPlace(*found));
    }
}

bool PictureArea::show(Tab tab) {
    for (PictureColumn* column : columns_) {
        if (const std::optional<ViewPlace> place = column->of(tab)) {
            show(*place);
            return true;
        }
    }
    return false;
}

} // namespace meshslice::ui
