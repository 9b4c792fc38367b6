#pragma once

#include "ui/commands/dialogs/palette_match.h"

#include <QMenu>
#include <QObject>
#include <QPointer>
#include <QStringList>

#include <functional>
#include <vector>

namespace meshslice::ui {

class MainWindow;
class PaletteDialog;

/// The command palette of the window: every action of the menus, views, lessons and examples among them,
/// those of the row that is selected in the timeline, every field of the scenario and what may be chosen in
/// it, the pages of views, studies by their titles and figures, the words of the glossary and the pages of
/// the manual, found by a few letters.
class Palette : public QObject {
    Q_OBJECT
  public:
    explicit Palette(MainWindow* window);

    /// The name of the action that opens it, which is not one of its own.
    static constexpr const char* own_action = "palette";

    /// Opens it, or brings it to the front.
    void open();
    [[nodiscard]] PaletteDialog* dialog() const;
    /// The names of what was taken, the last one first.
    [[nodiscard]] const QStringList& recent() const { return recent_; }
    void setRecent(const QStringList& names) { recent_ = names; }

  private:
    struct Entry {
        PaletteLine line;
        std::function<void()> act;
    };
    [[nodiscard]] std::vector<Entry> entries();
    /// The entries of a menu and of those in it.
    static void addMenu(std::vector<Entry>& entries, QMenu* menu, const QString& place);
    void addFields(std::vector<Entry>& entries) const;
    // What is found besides (palette_finds.cpp).
    void addFinds(std::vector<Entry>& entries) const;
    void addStudies(std::vector<Entry>& entries) const;
    void addChoices(std::vector<Entry>& entries) const;
    void addReading(std::vector<Entry>& entries) const;

    MainWindow* window_;
    QPointer<PaletteDialog> dialog_;
    QPointer<QMenu> offered_; ///< by the views for what is selected
    QStringList recent_;
};

} // namespace meshslice::ui
