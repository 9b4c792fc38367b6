#include "ui/commands/picture_export.h"

#include "ui/look/words.h"
#include "ui/session/latest_job.h"
#include "ui/session/session.h"
#include "ui/view/picture_file.h"
#include "ui/view/view.h"

#include <QDir>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace meshslice::ui {

PictureExport::PictureExport(Session* session, std::vector<Item> items, Figure figure, QObject* parent)
    : QObject(parent)
    , session_(session)
    , items_(std::move(items))
    , figure_(std::move(figure))
    , writer_(new LatestJob(this)) {}

void PictureExport::start() {
    connect(session_, &Session::changed, this, [this] {
        if (!origin_ && !over_) {
            proceed(); // the run that was awaited may have ended
        }
    });
    proceed();
}

void PictureExport::proceed() {
    if (session_->isComputing() && !origin_) {
        return; // written when the run is ready
    }
    if (!origin_) {
        origin_.emplace(session_->state().scenario, session_->state().reference);
    }
    if (next_ < items_.size() && isAnother()) {
        refusals_ << tr("The scenario was edited during the export. Export it again.");
        finish();
        return;
    }
    if (next_ == items_.size()) {
        finish();
        return;
    }
    completing_ = true;
    if (const Item& item = items_[next_]; item.page) {
        seen_.try_emplace(item.view, item.view->page());
        item.view->turnTo(*item.page);
    }
    items_[next_].view->complete([guard = QPointer(this)](const Result<void>& completed) {
        if (guard && !guard->over_) {
            guard->take(completed);
        }
    });
}

bool PictureExport::isAnother() const {
    return origin_ != std::pair(session_->state().scenario, session_->state().reference);
}

void PictureExport::take(const Result<void>& completed) {
    completing_ = false;
    if (!completed && !isAnother()) {
        refusals_ << tr("%1: %2").arg(items_[next_].view->title(), words(completed.error().sentence));
        ++next_;
        proceed();
        return;
    }
    file_ = 0;
    writeFile();
}

void PictureExport::writeFile() {
    const Item& item = items_[next_];
    if (file_ == item.paths.size()) {
        ++next_;
        proceed();
        return;
    }
    if (isAnother()) {
        proceed(); // says that it was edited
        return;
    }
    if (item.page) {
        item.view->turnTo(*item.page); // the user may have turned it meanwhile
    }
    const QString& asked = item.paths[file_++];
    QString path = asked;
    if (const auto format = pictureFormat(asked); format && *format == PictureFormat::csv) {
        if (const QString lacks = item.view->whatTableLacks(); !lacks.isEmpty()) {
            path = nameOfCut(asked);
            remarks_ << tr("%1: %2").arg(QFileInfo(path).fileName(), lacks);
        }
    }
    const Result<DrawnFile> drawn = drawnFile(*item.view, path, figure_);
    if (!drawn) {
        wrote(path, refuse(drawn.error()));
        return;
    }
    writer_->start([this, path, rest = *drawn](const RunControl& /*control*/) -> LatestJob::Tell {
        return [this, path, saved = withoutExceptions(rest)] { wrote(path, saved); };
    });
}

void PictureExport::wrote(const QString& path, const Result<void>& saved) {
    if (!saved) {
        refusals_ << words(saved.error().sentence);
        finish(); // a disk that is full for one is full for all
        return;
    }
    emit written(path);
    writeFile();
}

void PictureExport::turnBack() {
    for (const auto& [view, page] : std::exchange(seen_, {})) {
        view->turnTo(page);
    }
}

void PictureExport::finish() {
    over_ = true;
    turnBack();
    emit finished(refusals_);
}

void PictureExport::cancel() {
    over_ = true;
    writer_->cancel();
    if (std::exchange(completing_, false)) {
        items_[next_].view->giveUp();
    }
    turnBack();
}

double PictureExport::progress() const {
    const double within = completing_ ? items_[next_].view->progress() : 0;
    return (static_cast<double>(next_) + within) /
           static_cast<double>(std::max<std::size_t>(1, items_.size()));
}

QString nameOfCut(const QString& path) {
    const QFileInfo file(path);
    return file.dir().filePath(file.completeBaseName() + QStringLiteral("-first-rows.") + file.suffix());
}

std::vector<PictureExport::Item> filesOf(const std::vector<View*>& views, const QString& folder,
                                         const QStringList& endings) {
    std::vector<PictureExport::Item> items;
    for (View* view : views) {
        PictureExport::Item item{view, {}};
        for (const QString& ending : endings) {
            item.paths << QDir(folder).filePath(view->id() + QLatin1Char('.') + ending);
        }
        items.push_back(std::move(item));
    }
    return items;
}

std::vector<PictureExport::Item> everyFormat(const std::vector<View*>& views, const QString& folder) {
    std::vector<View*> used;
    for (View* view : views) {
        if (!view->isUnused()) {
            used.push_back(view);
        }
    }
    return filesOf(
        used, folder,
        {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv")});
}

QString nameOfPage(const View& view, const QString& page) {
    return view.id() + QLatin1Char('-') + page;
}

std::vector<PictureExport::Item> everyPage(const std::vector<View*>& views, const QString& folder) {
    std::vector<PictureExport::Item> items;
    for (PictureExport::Item& first : everyFormat(views, folder)) {
        const QStringList pages = first.view->pages();
        for (qsizetype page = 1; page < pages.size(); ++page) {
            PictureExport::Item item{first.view, {}, static_cast<int>(page)};
            for (const QString& path : std::as_const(first.paths)) {
                item.paths << QDir(folder).filePath(nameOfPage(*first.view, pages[page]) + QLatin1Char('.') +
                                                    QFileInfo(path).suffix());
            }
            items.push_back(std::move(item));
        }
        if (!pages.isEmpty()) {
            first.page = 0;
        }
        items.insert(items.end() - std::max<qsizetype>(0, pages.size() - 1), std::move(first));
    }
    return items;
}

} // namespace meshslice::ui
