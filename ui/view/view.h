#pragma once

#include "core/figure/table.h"
#include "ui/look/palette.h"
#include "ui/session/inquiry.h"
#include "ui/session/session.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <vector>

class QMenu;
class QPainter;

namespace meshslice::ui {

class Veil;

/// A key of a view and what it does, for the list of keys.
struct KeyHelp {
    QString keys;
    QString act;
};

/// One picture of the session: a widget for the window, a painter's picture for export and a table behind it.
/// A view pulls from the session whenever it changes, derives what it shows and keeps no results.
///
/// A new view derives from this (or from PaintedView, if it paints itself), and gets a line in the register
/// of views. Over an old picture it is said by itself that the picture is being updated.
class View : public QWidget {
    Q_OBJECT
  public:
    View(Session* session, QWidget* parent);

    /// Short and stable: "timeline". File names of exports begin with it. Set by the register.
    [[nodiscard]] QString id() const { return objectName(); }
    /// For people: "Timeline". Set by the register.
    [[nodiscard]] QString title() const { return windowTitle(); }
    /// The keys that it handles while it has the focus.
    [[nodiscard]] virtual std::vector<KeyHelp> keys() const { return {}; }

    /// Adds what its own menu offers for what is selected in it, for the command palette; what that is, in
    /// words: "chip 3,5 east link". Nothing at first.
    virtual QString offer(QMenu& menu);

    /// Takes over the session's state. It does so by itself when the state changes; a view that is made later
    /// calls it once.
    void follow();

    /// What stands in the place of the picture; empty where there is a picture.
    [[nodiscard]] virtual QString sentence() const;
    /// The picture shows an older scenario than the one that is being computed, for long enough to say so.
    [[nodiscard]] virtual bool isStale() const;
    /// Picture and table are the scenario's as it is now. Only then do they leave the program.
    [[nodiscard]] virtual bool isCurrent() const { return session_->current() != nullptr; }

    /// It waits for something that the user has not given it; files of all views leave it out.
    [[nodiscard]] virtual bool isUnused() const { return false; }
    /// Why it is not current; empty where it is.
    [[nodiscard]] QString whyNotCurrent() const;

    /// Short and stable, as in file names, if it has several: "pipeline". Empty where it is all seen at once.
    [[nodiscard]] virtual QStringList pages() const { return {}; }
    /// Which of `pages` is seen, and goes into files.
    [[nodiscard]] virtual int page() const { return 0; }
    virtual void turnTo(int page);

    /// Computes what a file still lacks, off the UI thread; then, or at once where nothing is lacking, calls
    /// `completed`: the picture can be written, or why it cannot.
    virtual void complete(const Completed& completed);
    /// How far that is, 0 to 1.
    [[nodiscard]] virtual double progress() const { return 0; }
    /// The file is not wanted any more.
    virtual void giveUp() {}

    /// Paints the whole picture into a rectangle of `size` at the origin, in the theme's colours, title
    /// included; a sentence where there is no current one. Works without a display, on any paint device
    /// (raster, SVG, PDF).
    virtual void paintPicture(QPainter& painter, const QSize& size, Theme theme) const = 0;
    /// How high a picture so wide has to be for nothing in it to be cut and nothing to be empty, both in the
    /// pixels that pictures are laid out in. At first: as a page that lies on its side.
    [[nodiscard]] virtual double pictureHeight(double width) const;
    /// One line for below the picture in a file: what it is of, and which program made it. Empty where there
    /// is no picture.
    [[nodiscard]] QString caption() const;
    /// What the table leaves out, as a sentence; empty where it is whole. Whoever writes it says so.
    [[nodiscard]] virtual QString whatTableLacks() const { return {}; }
    /// The data behind the picture; empty unless it is current.
    [[nodiscard]] Table table() const { return isCurrent() ? makeTable() : Table{}; }
    /// Makes the same table when it is called: in any thread, and whatever becomes of the view.
    [[nodiscard]] std::function<Table()> tableLater() const;

  signals:
    /// It has turned to another of its pages by itself.
    void pageTurned();

  protected:
    /// What a view with fields above its picture asks for at least: `least`, and the height below which its
    /// layout would put one thing over another.
    [[nodiscard]] QSize leastOfLayout(const QSize& least) const;
    [[nodiscard]] Session& session() const { return *session_; }
    [[nodiscard]] Selection& selection() const { return *session_->selection(); }
    /// The results that the picture is of: the current or, while the next run computes, the previous ones.
    /// Null where there are none.
    [[nodiscard]] ResultsPtr results() const { return session_->shown(); }

    /// `results()` are others than before (or none): derive what is shown.
    virtual void resultsChanged() = 0;
    /// Something of the session's state has changed; after `resultsChanged` if both have.
    virtual void stateChanged() {}
    /// Why the results at hand make no picture; empty if they do.
    [[nodiscard]] virtual QString nothingToShow() const { return {}; }
    [[nodiscard]] virtual Table makeTable() const = 0;
    /// Of a table that takes long; others are made at once.
    [[nodiscard]] virtual std::function<Table()> makeTableLater() const;
    /// What the picture is of; there is one. At first: what the scenario runs, on which chips and mesh, and
    /// how.
    [[nodiscard]] virtual QString pictured() const;

    /// The view computes something of its own, while its old picture stays.
    void setUpdating(bool updating);
    /// It has done so for long enough to say so.
    [[nodiscard]] bool updatesForLong() const { return own_late_; }
    /// Selects the next (`turn` above 0) or the previous GEMM, round and round; false where there is none to
    /// select.
    bool selectNextProduct(int turn);
    /// Selects nothing; false where nothing was selected.
    bool clearSelection();

  private:
    void showVeil();

    Session* session_;
    std::weak_ptr<const Results> derived_from_;
    Veil* veil_;
    QTimer patience_; ///< with what the view computes of its own
    bool own_late_ = false;
};

} // namespace meshslice::ui
