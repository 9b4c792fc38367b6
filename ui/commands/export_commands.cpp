#include "ui/commands/export_commands.h"

#include "ui/commands/pictures.h"
#include "ui/commands/trace_file.h"
#include "ui/look/words.h"
#include "ui/settings/notices.h"
#include "ui/view/picture_area.h"
#include "ui/view/picture_file.h"
#include "ui/view/view.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrent>

#include <exception>
#include <utility>

namespace meshslice::ui {

ExportCommands::ExportCommands(std::vector<View*> views, PictureArea* area, QWidget* window)
    : QObject(window), views_(std::move(views)), area_(area), window_(window) {}

Theme ExportCommands::theme() const {
    return themeOf(window_->palette());
}

void ExportCommands::exportCurrent() {
    View* view = area_->currentView();
    QString path = QFileDialog::getSaveFileName(
        window_, tr("Export “%1”").arg(view->title()), view->id() + QStringLiteral(".png"),
        tr("Picture (*.png);;Drawing (*.svg);;Page (*.pdf);;Table (*.csv)"));
    if (path.isEmpty()) {
        return;
    }
    if (QFileInfo(path).suffix().isEmpty()) {
        path += QStringLiteral(".png");
    }
    view->complete();
    if (const auto saved = savePicture(*view, path, picture_size, theme()); !saved) {
        say(window_, tr("The view was not exported"), words(saved.error().sentence));
    } else {
        emit told(tr("Wrote %1").arg(QDir::toNativeSeparators(path)));
    }
}

void ExportCommands::exportAll() {
    const QString folder = QFileDialog::getExistingDirectory(window_, tr("Folder for all views"));
    if (folder.isEmpty()) {
        return;
    }
    if (const auto saved = saveAllPictures(views_, folder, picture_size, theme()); !saved) {
        say(window_, tr("Not all views were exported"), words(saved.error().sentence));
    } else {
        emit told(
            tr("Wrote every view as PNG, SVG, PDF and CSV to %1").arg(QDir::toNativeSeparators(folder)));
    }
}

void ExportCommands::exportTrace() {
    const QString path =
        QFileDialog::getSaveFileName(window_, tr("Export the timeline for Perfetto"),
                                     QStringLiteral("trace.json"), tr("Chrome trace (*.json)"));
    if (path.isEmpty()) {
        return;
    }
    // A large trace takes seconds; the results are immutable, so another thread may read them.
    using Outcome = Result<void>;
    auto* watcher = new QFutureWatcher<Outcome>(this);
    connect(watcher, &QFutureWatcher<Outcome>::finished, this, [this, watcher, path] {
        const Outcome outcome = watcher->result();
        watcher->deleteLater();
        if (!outcome) {
            say(window_, tr("The trace was not exported"), words(outcome.error().sentence));
        } else {
            emit told(tr("Wrote %1").arg(QDir::toNativeSeparators(path)));
        }
    });
    emit told(tr("Writing %1 …").arg(QDir::toNativeSeparators(path)));
    watcher->setFuture(QtConcurrent::run([results = results_, path]() -> Outcome {
        try {
            return saveTrace(results, 0, path);
        } catch (const std::exception& mistake) {
            return refuse(std::string(mistake.what()));
        }
    }));
}

} // namespace meshslice::ui
