#pragma once

#include "ui/session/task.h"

#include <QString>

#include <cstdint>

namespace meshslice::ui {

class View;

/// What the views of a task are called by, in the order of their tabs.
enum class Tab : std::uint8_t { summary, timeline, map, limits, compare, papers, lab };

[[nodiscard]] QString titleOf(Tab tab);

/// Where a view, or one of its pages, is found: in a tab, for some tasks. Several in one tab are its pages.
struct ViewPlace {
    View* view = nullptr;
    int page = whole; ///< of the view's pages
    QString title;    ///< as a page of the tab
    Tab tab = Tab::summary;
    Tasks tasks = 0;

    /// The view turns its pages itself, or has one.
    static constexpr int whole = -1;

    bool operator==(const ViewPlace&) const = default;
};

} // namespace meshslice::ui
