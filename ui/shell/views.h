#pragma once

#include <QKeySequence>
#include <QString>

#include <vector>

class QWidget;

namespace meshslice::ui {

class Session;
class View;

/// What views are for; the menu keeps those of a group together.
enum class ViewGroup : std::uint8_t {
    run,     ///< what the scenario's run does
    choices, ///< how other algorithms and meshes compare
    papers,  ///< what publications say
    machine  ///< what was measured on a real one
};

/// A view as the window knows it: tabs, menu, keys, help, files and pictures all come from here.
struct ViewEntry {
    const char* id; ///< short and stable: file names of exports begin with it
    QString title;
    ViewGroup group;
    QKeySequence key; ///< brings it to the front; empty: by the menu alone
    View* (*make)(Session* session, QWidget* parent);
};

/// All views, in the order of their tabs. A new view is its own files, one line here and, for lessons, one of
/// lesson_views (core/lesson/lesson.h).
[[nodiscard]] std::vector<ViewEntry> viewRegister();

/// A widget for each of the register.
[[nodiscard]] std::vector<View*> makeViews(const std::vector<ViewEntry>& entries, Session* session,
                                           QWidget* parent);

} // namespace meshslice::ui
