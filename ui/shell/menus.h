#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QMenu;

namespace meshslice::ui {

class MainWindow;
struct ToolOffer;

/// The menu bar of the window: every action, its shortcut and what it calls.
class Menus : public QObject {
    Q_OBJECT
  public:
    explicit Menus(MainWindow* window);

  private:
    QAction* add(QMenu* menu, const QString& text, const QKeySequence& keys,
                 const std::function<void()>& act);
    void addFile();
    void openTrace();
    void addEdit();
    void addTools(QMenu* menu);
    [[nodiscard]] QString takeOffer(const ToolOffer& offer);
    void addVariants();
    void addView();
    void addTheme(QMenu* menu);
    void addLanguage(QMenu* menu);
    void addTasks(QMenu* menu);
    void addTabs(QMenu* menu);
    void addLayouts(QMenu* menu);
    void addLessons();
    void addHelp();

    MainWindow* window_;
};

} // namespace meshslice::ui
