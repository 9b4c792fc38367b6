#pragma once

#include "ui/shell/views.h"

#include <QDockWidget>
#include <QMainWindow>

#include <cstdint>
#include <set>
#include <vector>

namespace meshslice::ui {

class Appearance;
class Autosave;
class Breadcrumb;
class DetailsPanel;
class Document;
class ExportCommands;
class FileCommands;
class HeadlineBar;
class Lessons;
class WindowLayouts;
class Palette;
class PictureArea;
class RunStatus;
class ScenarioPanel;
class Session;
class VariantStrip;
class Welcome;

/// Whether the window reads and writes settings, recent files and autosave copies, and asks before work is
/// lost. Pictures made without a user, and tests, leave no traces.
enum class Memory : std::uint8_t { keep, forget };

/// The explorer's window: the scenario on the left, pictures in the middle, details on the right, the result
/// in words on top. It puts the parts together; what they do is theirs.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    explicit MainWindow(Memory memory = Memory::keep);
    ~MainWindow() override;

    [[nodiscard]] bool remembers() const { return memory_ == Memory::keep; }
    [[nodiscard]] Document* document() { return document_; }
    [[nodiscard]] Session* session() const { return session_; }
    [[nodiscard]] Appearance* appearance() { return appearance_; }
    [[nodiscard]] FileCommands* files() { return files_; }
    [[nodiscard]] ExportCommands* exports() { return exports_; }
    [[nodiscard]] ScenarioPanel* scenarioPanel() { return panel_; }
    [[nodiscard]] HeadlineBar* headline() { return headline_; }
    [[nodiscard]] VariantStrip* variants() { return variants_; }
    [[nodiscard]] Palette* commandPalette() { return palette_; }
    [[nodiscard]] WindowLayouts* layouts() { return layouts_; }
    [[nodiscard]] Welcome* welcome() { return welcome_; }
    [[nodiscard]] Lessons* lessons() { return lessons_; }
    [[nodiscard]] Breadcrumb* breadcrumb() { return breadcrumb_; }
    [[nodiscard]] PictureArea* pictures() { return pictures_; }
    [[nodiscard]] const std::vector<ViewEntry>& entries() const { return entries_; }
    /// One for each entry.
    [[nodiscard]] const std::vector<View*>& views() const { return views_; }
    [[nodiscard]] QDockWidget* scenarioDock() { return scenario_dock_; }
    [[nodiscard]] QDockWidget* detailsDock() { return details_dock_; }

    /// Which parts of the window are shown.
    struct Arrangement {
        bool scenario = true;
        bool details = true;
        bool two_pictures = false;
    };
    /// Puts these parts where a new user finds them, for the window's size, and the others away.
    void arrange(const Arrangement& arrangement);
    /// Docks and pictures as a new user sees them.
    void resetLayout() { arrange({}); }
    /// Puts the scenario, its result and its variants away where the picture is not of them, and back as they
    /// were.
    void setScenarioAside(bool aside);
    /// Brings a dock to the front, or puts it away if it is there.
    void toggleDock(QDockWidget* dock);
    /// Offers the work that an earlier session lost.
    void offerLostWork();
    /// Keeps a copy of what is not saved, to be offered next time.
    void keepUnsavedWork();

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void makeDocks();
    /// Whether a column of details would leave the picture too little of the window.
    [[nodiscard]] bool isNarrow() const;
    /// Puts the details among the tabs of the scenario, or into a column of their own.
    void placeDetails(bool among_tabs);
    /// The docks as wide as their contents ask for.
    void fitDocks();
    /// Where the window has become narrow or wide, the details go where there is room. Whether they have.
    bool followWidth();
    /// A dock among tabs is named by its tab; a title below it would say the same again.
    void renewDockTitles();
    /// Why what the task is about did not run, next to the fields.
    void tellRunFailure();
    void followSession();
    void followTask();
    void renewTitle();
    /// The first thing that is selected or marked shows where its details are, also behind another tab.
    void raiseDetailsOnce();
    /// Says in the status bar what is selected where the details are out of sight.
    void tellSelection();
    /// In the view that such a file is for.
    void openMeasured(const QString& path);

    Memory memory_;
    Document* document_;
    Session* session_;
    Appearance* appearance_;
    Autosave* autosave_ = nullptr; ///< none with Memory::forget
    FileCommands* files_;
    ExportCommands* exports_ = nullptr;
    std::vector<ViewEntry> entries_;
    std::vector<View*> views_;
    PictureArea* pictures_ = nullptr;
    HeadlineBar* headline_;
    VariantStrip* variants_;
    ScenarioPanel* panel_;
    DetailsPanel* details_;
    Palette* palette_;
    WindowLayouts* layouts_;
    RunStatus* run_status_ = nullptr;
    Breadcrumb* breadcrumb_ = nullptr;
    Welcome* welcome_;
    Lessons* lessons_ = nullptr;
    QDockWidget* scenario_dock_ = nullptr;
    QDockWidget* details_dock_ = nullptr;
    std::set<const QDockWidget*> in_front_; ///< docks that can be seen: not closed, not behind another tab
    bool details_raised_ = false;
    bool arranged_ = false; ///< the docks have been placed, by the settings or as for a new user
    bool narrow_ = false;
    bool gathered_ = false;           ///< the details are among the tabs only because the window is narrow
    double dock_scale_ = 1;           ///< of the text for which the docks have their widths
    std::vector<QWidget*> set_aside_; ///< what was shown before
    bool details_in_front_ = false;   ///< of the docks that are put aside
    bool fits_text_ = true;           ///< false: they are about to get others
};

} // namespace meshslice::ui
