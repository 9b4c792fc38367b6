#include "ui/shell/pictures/capture.h"

#include "ui/commands/picture_export.h"
#include "ui/document/document.h"
#include "ui/document/whole_file.h"
#include "ui/look/words.h"
#include "ui/session/plans.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QPixmap>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr int largest_text = 150; ///< percent, as after five times Ctrl +

/// Waits until the scenario has run and its results are explained; an error where it does not run.
Result<void> waitForResults(Session& session) {
    QEventLoop loop;
    QObject::connect(&session, &Session::changed, &loop, &QEventLoop::quit);
    while (session.isComputing() || (session.current() && session.isExplaining())) {
        loop.exec();
    }
    if (session.task() == Task::training) {
        Plans& plans = *session.plans();
        QObject::connect(&plans, &Plans::changed, &loop, &QEventLoop::quit);
        while (plans.state().kind == Plans::Kind::computing) {
            loop.exec();
        }
        return plans.current() ? Result<void>() : refuse(plans.state().sentence.toStdString());
    }
    return session.current() || !has(on_a_mesh, session.task())
               ? Result<void>()
               : refuse(session.whyNoResults().toStdString());
}

Result<void> writeViews(MainWindow& window, const CaptureRequest& request,
                        const std::function<void(const QString&)>& written) {
    std::vector<PictureExport::Item> items = everyPage(window.views(), request.folder);
    std::erase_if(items, [&](const PictureExport::Item& item) {
        return !request.views.isEmpty() && !request.views.contains(item.view->id()) &&
               !request.views.contains(QFileInfo(item.paths.front()).baseName());
    });
    PictureExport pictures(window.session(), std::move(items), Figure{request.size, request.theme, {}, {}});
    QObject::connect(&pictures, &PictureExport::written, &pictures, written);
    std::optional<QStringList> refusals;
    QEventLoop loop;
    QObject::connect(&pictures, &PictureExport::finished, &loop, [&](const QStringList& sentences) {
        refusals = sentences;
        loop.quit();
    });
    pictures.start();
    if (!refusals) {
        loop.exec();
    }
    return refusals->isEmpty() ? Result<void>() : refuse(refusals->join(QLatin1Char(' ')).toStdString());
}

/// The first that is neither a view nor a page of one, in a sentence.
Result<void> checkViews(const MainWindow& window, const QStringList& asked) {
    QStringList known;
    QStringList pages;
    for (const View* view : window.views()) {
        known << view->id();
        for (const QString& page : view->pages().mid(1)) {
            pages << nameOfPage(*view, page);
        }
    }
    for (const QString& name : asked) {
        if (!known.contains(name) && !pages.contains(name)) {
            return refuse(QCoreApplication::translate("meshslice::ui::Capture",
                                                      "There is no view \"%1\"; there are %2, and pages of "
                                                      "these, such as %3.")
                              .arg(name, known.join(QStringLiteral(", ")), pages.front())
                              .toStdString());
        }
    }
    return {};
}

/// The window as it is seen, whole or not at all.
Result<void> writeWindow(MainWindow& window, const QString& path) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    window.grab().save(&buffer, "PNG");
    return writeWhole(path, bytes);
}

/// Waits for what the view in front computes of its own; one that cannot says so itself.
void waitForFront(MainWindow& window) {
    QEventLoop loop;
    bool done = false;
    window.pictures()->currentView()->complete([&](const Result<void>&) {
        done = true;
        loop.quit();
    });
    if (!done) {
        loop.exec();
    }
}

/// Layouts that something has changed, and what those change in turn.
void settle() {
    for (int i = 0; i < 5; ++i) {
        QApplication::sendPostedEvents();
        QApplication::processEvents();
    }
}

/// The window arranged for comparing and for teaching, and with the largest text.
Result<void> writeArranged(MainWindow& window, const QDir& folder,
                           const std::function<void(const QString&)>& written) {
    const std::vector<std::pair<const char*, std::function<void()>>> arrangements = {
        {"window-compare.png", [&] { window.layouts()->take(WindowLayout::compare); }},
        {"window-teach.png", [&] { window.layouts()->take(WindowLayout::teach); }},
        {"window-large-text.png", [&] {
             window.layouts()->reset();
             window.appearance()->setFontPercent(largest_text);
         }}};
    const int usual = window.appearance()->fontPercent();
    Result<void> saved;
    for (const auto& [name, arrange] : arrangements) {
        arrange();
        settle();
        const QString path = folder.filePath(QLatin1String(name));
        saved = writeWindow(window, path);
        if (!saved) {
            break;
        }
        written(path);
    }
    window.appearance()->setFontPercent(usual); // which is the whole program's
    return saved;
}

} // namespace

Result<void> capture(const CaptureRequest& request, const std::function<void(const QString&)>& written) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("meshslice::ui", text); };
    MainWindow window(Memory::forget);
    if (auto known = checkViews(window, request.views); !known) {
        return known;
    }
    if (!QDir().mkpath(request.folder)) {
        return refuse(tr("The folder %1 cannot be created.").arg(request.folder).toStdString());
    }
    window.appearance()->setTheme(request.theme == Theme::dark ? ThemeChoice::dark : ThemeChoice::light);
    window.document()->restore(request.project, {});
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.resize(request.size);
    window.show();
    if (auto ran = waitForResults(*window.session()); !ran) {
        return ran;
    }
    settle();
    waitForFront(window);
    settle();
    const QString path = QDir(request.folder).filePath(QStringLiteral("window.png"));
    if (auto saved = writeWindow(window, path); !saved) {
        return saved;
    }
    written(path);
    if (auto views = writeViews(window, request, written); !views || !request.views.isEmpty()) {
        return views;
    }
    return writeArranged(window, QDir(request.folder), written);
}

} // namespace meshslice::ui
