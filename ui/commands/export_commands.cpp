#include "ui/commands/export_commands.h"

#include "core/base/text.h"
#include "core/question/catalogue/questions.h"
#include "core/scenario/examples.h"
#include "ui/commands/picture_export.h"
#include "ui/commands/report_file.h"
#include "ui/commands/trace_file.h"
#include "ui/document/document.h"
#include "ui/lab/form/question_form.h"
#include "ui/look/words.h"
#include "ui/serve/serve_view.h"
#include "ui/session/latest_job.h"
#include "ui/session/session.h"
#include "ui/settings/notices.h"
#include "ui/timeline/view/timeline_notes.h"
#include "ui/view/picture_area.h"
#include "ui/view/print.h"
#include "ui/view/view.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPageLayout>
#include <QPrintDialog>
#include <QPrinter>
#include <QProgressDialog>
#include <QTimer>

#include <chrono>
#include <optional>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int patience_ms = 500; ///< a shorter export shows no progress
constexpr std::chrono::milliseconds look_every{100};
constexpr int steps = 1000;

} // namespace

ExportCommands::ExportCommands(Session* session, std::vector<View*> views, PictureArea* area, QWidget* window)
    : QObject(window), session_(session), views_(std::move(views)), area_(area), window_(window) {}

void ExportCommands::exportCurrent() {
    if (dialog_) {
        dialog_->raise();
        return;
    }
    View* view = area_->currentView();
    dialog_ = new FigureDialog(view, figure_, window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(session_, &Session::changed, dialog_, &FigureDialog::renew);
    connect(dialog_, &QDialog::finished, this, [this] {
        if (dialog_ && dialog_->isFigure()) {
            figure_ = dialog_->figure(); // also where nothing is written
        }
    });
    connect(dialog_, &FigureDialog::saveAsked, this, [this, view] {
        figure_ = dialog_->figure();
        QString path = QFileDialog::getSaveFileName(
            dialog_, tr("Export “%1”").arg(view->title()), view->id() + QStringLiteral(".png"),
            tr("Picture (*.png);;Drawing (*.svg);;Page (*.pdf);;Table (*.csv)"));
        if (path.isEmpty()) {
            return;
        }
        if (QFileInfo(path).suffix().isEmpty()) {
            path += QStringLiteral(".png");
        }
        exportTo(view, path, figure_);
        dialog_->close();
    });
    dialog_->open();
}

void ExportCommands::exportTo(View* view, const QString& path, const Figure& figure) {
    run(new PictureExport(session_, {{view, {path}}}, figure, this), tr("The view was not exported"),
        tr("Wrote %1").arg(QDir::toNativeSeparators(path)));
}

void ExportCommands::printCurrent() {
    View* view = area_->currentView();
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setDocName(view->title());
    printer->setPageOrientation(QPageLayout::Landscape);
    auto* dialog = new QPrintDialog(printer.get(), window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Print “%1”").arg(view->title()));
    connect(dialog, qOverload<>(&QDialog::accepted), this, [this, view, printer] { printTo(view, printer); });
    dialog->open();
}

void ExportCommands::printTo(View* view, const std::shared_ptr<QPrinter>& printer) {
    ++under_way_;
    view->complete([guard = QPointer(this), view = QPointer(view), printer](const Result<void>& completed) {
        if (!guard) {
            return;
        }
        --guard->under_way_;
        const Result<void> printed = !completed ? completed : view ? print(*view, *printer) : Result<void>();
        if (printed) {
            emit guard->told(tr("Printed “%1”").arg(view ? view->title() : QString()));
        } else {
            say(guard->window_, tr("The view was not printed"), words(printed.error().sentence));
        }
    });
}

void ExportCommands::exportAll() {
    if (views_dialog_) {
        views_dialog_->raise();
        return;
    }
    views_dialog_ = new ViewsDialog(views_, figure_, window_);
    views_dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(views_dialog_, &ViewsDialog::saveAsked, this, [this] {
        const std::vector<View*> chosen = views_dialog_->chosen();
        const QStringList endings = views_dialog_->endings();
        const QString folder = QFileDialog::getExistingDirectory(views_dialog_, tr("Folder for the views"));
        if (folder.isEmpty()) {
            return;
        }
        exportSome(chosen, endings, folder);
        if (views_dialog_) { // unless it was closed meanwhile
            views_dialog_->close();
        }
    });
    views_dialog_->open();
}

void ExportCommands::exportSome(const std::vector<View*>& views, const QStringList& endings,
                                const QString& folder) {
    Figure figure = figure_;
    if (figure.title && !figure.title->isEmpty()) {
        figure.title.reset(); // of one view; no title at all may be wanted of each
    }
    if (figure.caption && !figure.caption->isEmpty()) {
        figure.caption.reset();
    }
    const QString what = endings.join(tr(", ")).toUpper();
    run(new PictureExport(session_, filesOf(views, folder, endings), figure, this),
        tr("Not all views were exported"),
        tr("Wrote %1 views as %2 to %3").arg(views.size()).arg(what, QDir::toNativeSeparators(folder)));
}

void ExportCommands::exportAllTo(const QString& folder) {
    run(new PictureExport(session_, everyFormat(views_, folder), usualFigure(), this),
        tr("Not all views were exported"),
        tr("Wrote every view as PNG, SVG, PDF and CSV to %1").arg(QDir::toNativeSeparators(folder)));
}

void ExportCommands::run(PictureExport* pictures, const QString& failed, const QString& done) {
    watch(
        pictures, tr("Exporting…"), [pictures] { return pictures->progress(); },
        [pictures] {
            pictures->cancel();
            pictures->deleteLater();
        });
    connect(pictures, &PictureExport::finished, this, [=, this](const QStringList& refusals) {
        pictures->deleteLater();
        if (refusals.isEmpty()) {
            emit told((QStringList(done) + pictures->remarks()).join(QStringLiteral(". ")));
        } else {
            say(window_, failed, refusals.join(QStringLiteral("\n\n")));
        }
    });
    pictures->start();
}

void ExportCommands::exportTrace() {
    if (trace_dialog_) {
        trace_dialog_->raise();
        return;
    }
    trace_dialog_ = new TraceDialog(session_, window_);
    trace_dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(trace_dialog_, &TraceDialog::saveAsked, this, [this] {
        const Result<TraceChips> chips = trace_dialog_->chips();
        const QString path =
            QFileDialog::getSaveFileName(trace_dialog_, tr("Export the timeline for Perfetto"),
                                         QStringLiteral("trace.json"), tr("Chrome trace (*.json)"));
        if (!path.isEmpty() && chips) {
            exportTraceTo(path, *chips);
            trace_dialog_->close();
        }
    });
    trace_dialog_->open();
}

void ExportCommands::exportTraceTo(const QString& path, const TraceChips& chips) {
    writeLater(path, tr("The trace was not exported"), [this, path, chips]() -> Write {
        const Project& project = session_->document()->project();
        const TraceMarks marks{project.marks, runNames(*session_->current(), project)};
        return [path, chips, marks](const ResultsPtr& results, const RunControl& control) {
            return saveTrace(results, path, chips, control.stop, marks);
        };
    });
}

void ExportCommands::exportReport() {
    QString path = QFileDialog::getSaveFileName(window_, tr("Write a report"), QStringLiteral("report.html"),
                                                tr("Web page (*.html);;PDF (*.pdf);;Markdown (*.md)"));
    if (path.isEmpty()) {
        return;
    }
    if (QFileInfo(path).suffix().isEmpty()) {
        path += QStringLiteral(".html");
    }
    exportReportTo(path);
}

void ExportCommands::exportReportTo(const QString& path) {
    const Task task = session_->task();
    OwnTexts texts;
    OwnValues own;
    for (View* view : views_) {
        if (auto* const serving = qobject_cast<ServeView*>(view);
            serving != nullptr && task == Task::serving) {
            const ServeRequest request = serving->wanted().own;
            texts = request.texts;
            own = request.own;
        }
    }
    const Question question = task == Task::training  ? plan_question()
                              : task == Task::serving ? serve_question()
                                                      : simulate_question();
    // The pinned variant is A, and what is shown is B.
    const Document* const document = session_->document();
    const Variant* const pinned = document->reference();
    const std::optional<Variant> a = pinned == nullptr ? std::nullopt : std::optional(*pinned);
    const std::string name = document->project().variants[document->project().current].name;
    writeLater(path, tr("The report was not written"), [path, texts, own, question, a, name]() -> Write {
        return [path, texts, own, question, a, name](const ResultsPtr& results, const RunControl& control) {
            const Scenario& shown = results->scenario;
            return a ? saveReport(question, texts, a->scenario, path, control, own,
                                  ReportedAgainst{shown, shown_name(a->name), shown_name(name)})
                     : saveReport(question, texts, shown, path, control, own);
        };
    });
}

void ExportCommands::writeLater(const QString& path, const QString& failed,
                                const std::function<Write()>& prepared) {
    auto* job = new LatestJob(this);
    watch(
        job, tr("Writing %1…").arg(QDir::toNativeSeparators(path)), [job] { return job->progress(); },
        [job] { job->deleteLater(); });
    const auto end = [this, job, failed](const Result<void>& outcome, const QString& wrote) {
        job->deleteLater();
        if (outcome) {
            emit told(wrote);
        } else {
            say(window_, failed, words(outcome.error().sentence));
        }
    };
    const auto begin = [this, job, path, prepared, end] {
        const ResultsPtr results = session_->current();
        if (!results) {
            end(refuse(session_->whyNoResults().toStdString()), {});
            return;
        }
        // The results are immutable, so another thread may read them.
        job->start([results, path, write = prepared(), end](const RunControl& control) -> LatestJob::Tell {
            const Result<void> outcome = withoutExceptions([&] { return write(results, control); });
            return [outcome, path, end] {
                end(outcome,
                    tr("Wrote %1, %2")
                        .arg(QDir::toNativeSeparators(path), words(text(Bytes(QFileInfo(path).size())))));
            };
        });
    };
    if (!session_->isComputing()) {
        begin();
        return;
    }
    auto* awaited = new QObject(job); // deleted with the job, or when the run has ended
    connect(session_, &Session::changed, awaited, [this, awaited, begin] {
        if (!session_->isComputing()) {
            awaited->disconnect(session_);
            session_->disconnect(awaited);
            begin();
        }
    });
}

void ExportCommands::watch(QObject* job, const QString& what, const std::function<double()>& progress,
                           const std::function<void()>& cancel) {
    ++under_way_;
    auto* dialog = new QProgressDialog(what, tr("Cancel"), 0, steps, window_);
    dialog->setMinimumDuration(patience_ms);
    dialog->setAutoReset(false);
    dialog->setAutoClose(false);
    auto* look = new QTimer(dialog);
    connect(look, &QTimer::timeout, dialog, [dialog, progress] {
        dialog->setValue(qBound(0, static_cast<int>(progress() * steps), steps - 1));
    });
    look->start(look_every);
    connect(dialog, &QProgressDialog::canceled, job, cancel);
    connect(job, &QObject::destroyed, dialog, &QObject::deleteLater);
    connect(job, &QObject::destroyed, this, [this] { --under_way_; });
}

} // namespace meshslice::ui
