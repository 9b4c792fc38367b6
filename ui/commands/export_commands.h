#pragma once

#include "ui/commands/dialogs/figure_dialog.h"
#include "ui/commands/dialogs/trace_dialog.h"
#include "ui/commands/dialogs/views_dialog.h"
#include "ui/view/picture_file.h"

#include <QObject>
#include <QPointer>
#include <QSize>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QPrinter;
class QWidget;

namespace meshslice::ui {

class PictureArea;
class PictureExport;
class Session;
class View;

/// Writes pictures, tables and traces, asking where. What is written is of the scenario as it is now: an
/// export waits for the run, and says why there is no file when the run fails. Nothing of it holds the window
/// up; what takes long shows its progress and can be cancelled.
class ExportCommands : public QObject {
    Q_OBJECT
  public:
    /// Where the user says nothing else: as wide as the text of a report.
    [[nodiscard]] static Figure usualFigure() { return figureOn(UsualPage::report); }

    ExportCommands(Session* session, std::vector<View*> views, PictureArea* area, QWidget* window);

    /// Shows the current view as a figure, and writes it where the user says.
    void exportCurrent();
    /// The dialog of that, while it is open.
    [[nodiscard]] FigureDialog* dialog() { return dialog_; }
    /// Asks for a printer, and prints the current view as an export of it looks.
    void printCurrent();
    /// The same where the printer is known.
    void printTo(View* view, const std::shared_ptr<QPrinter>& printer);
    /// Asks which views and as what, then for a folder.
    void exportAll();
    /// The dialog of that, while it is open.
    [[nodiscard]] ViewsDialog* viewsDialog() { return views_dialog_; }
    void exportTrace();
    /// Asks for a file, and writes what a review needs to know about the task there: of papers and the lab
    /// about the step of the scenario.
    void exportReport();

    /// The same where the path is known.
    void exportTo(View* view, const QString& path) { exportTo(view, path, usualFigure()); }
    /// As it was asked for last, also where nothing was written.
    [[nodiscard]] const Figure& figure() const { return figure_; }
    void exportTo(View* view, const QString& path, const Figure& figure);
    void exportAllTo(const QString& folder);
    void exportSome(const std::vector<View*>& views, const QStringList& endings, const QString& folder);
    void exportTraceTo(const QString& path, const TraceChips& chips = {});
    void exportReportTo(const QString& path);
    /// The dialog of a trace, while it is open.
    [[nodiscard]] TraceDialog* traceDialog() { return trace_dialog_; }
    /// An export is waiting or under way.
    [[nodiscard]] bool isBusy() const { return under_way_ > 0; }

  signals:
    /// What was written, for the status bar.
    void told(const QString& sentence);

  private:
    using Write = std::function<Result<void>(const ResultsPtr& results, const RunControl& control)>;

    /// Once the run has ended, writes on another thread.
    void writeLater(const QString& path, const QString& failed, const std::function<Write()>& prepared);
    void run(PictureExport* pictures, const QString& failed, const QString& done);
    /// Shows how far an export is, with a button that cancels it, until `job` is gone.
    void watch(QObject* job, const QString& what, const std::function<double()>& progress,
               const std::function<void()>& cancel);

    Session* session_;
    std::vector<View*> views_;
    PictureArea* area_;
    QWidget* window_;
    QPointer<FigureDialog> dialog_;
    QPointer<TraceDialog> trace_dialog_;
    QPointer<ViewsDialog> views_dialog_;
    int under_way_ = 0;
    Figure figure_ = usualFigure(); ///< as it was asked for last
};

} // namespace meshslice::ui
