#pragma once

#include "ui/view/view_place.h"

#include <QKeySequence>
#include <QString>

#include <vector>

class QWidget;

namespace meshslice::ui {

class Session;
class View;

/// Where a view, or one of its pages, stands in the frame.
struct PlaceEntry {
    Tab tab;
    Tasks tasks;
    int page = ViewPlace::whole;
    QString title = {}; ///< of the page; empty: the view's
};

/// A view as the window knows it: tabs, menu, keys, help, files and pictures all come from here.
struct ViewEntry {
    const char* id; ///< short and stable: file names of exports begin with it
    QString title;
    std::vector<PlaceEntry> places;
    View* (*make)(Session* session, QWidget* parent);
};

/// All views. A new view is its own files, one line here and, for lessons, one of lesson_views
/// (core/lesson/lesson.h).
[[nodiscard]] std::vector<ViewEntry> viewRegister();

/// A widget for each of the register.
[[nodiscard]] std::vector<View*> makeViews(const std::vector<ViewEntry>& entries, Session* session,
                                           QWidget* parent);
/// Where they stand.
[[nodiscard]] std::vector<ViewPlace> placesOf(const std::vector<ViewEntry>& entries,
                                              const std::vector<View*>& views);

/// What brings a tab to the front, and what chooses a task.
[[nodiscard]] QKeySequence keyOf(Tab tab);
[[nodiscard]] QKeySequence keyOf(Task task);
/// "Training run".
[[nodiscard]] QString titleOf(Task task);
/// What it is about, in a sentence.
[[nodiscard]] QString tipOf(Task task);
/// In the order of the bar of tasks.
[[nodiscard]] std::vector<Task> allTasks();

} // namespace meshslice::ui
