#include "ui/shell/capture.h"

#include "ui/commands/pictures.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/session/explainer.h"
#include "ui/session/runner.h"
#include "ui/settings/appearance.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QPixmap>

namespace meshslice::ui {
namespace {

/// Waits until the runner has answered and what it answered is explained; an error where it refuses.
Result<void> waitForResults(MainWindow& window) {
    Result<void> outcome;
    QEventLoop loop;
    QObject::connect(window.runner(), &Runner::finished, &loop, &QEventLoop::quit);
    QObject::connect(window.runner(), &Runner::failed, &loop, [&](const QString& sentence) {
        outcome = refuse(sentence.toStdString());
        loop.quit();
    });
    if (window.runner()->isBusy()) {
        loop.exec();
    }
    if (outcome && window.explainer()->isBusy()) {
        QObject::connect(window.explainer(), &Explainer::finished, &loop, &QEventLoop::quit);
        loop.exec();
    }
    return outcome;
}

} // namespace

Result<void> capture(const CaptureRequest& request, const std::function<void(const QString&)>& written) {
    const auto tr = [](const char* text) {
        return QCoreApplication::translate("meshslice::ui::Capture", text);
    };
    if (!QDir().mkpath(request.folder)) {
        return refuse(tr("The folder %1 cannot be made.").arg(request.folder).toStdString());
    }
    MainWindow window(Memory::forget);
    window.appearance()->setTheme(request.theme == Theme::dark ? ThemeChoice::dark : ThemeChoice::light);
    window.document()->restore(request.scenario, {});
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.resize(request.size);
    window.show();
    if (auto ran = waitForResults(window); !ran) {
        return ran;
    }
    // Layouts that the results have changed, and what those change in turn.
    for (int i = 0; i < 5; ++i) {
        QApplication::sendPostedEvents();
        QApplication::processEvents();
    }

    const QString path = QDir(request.folder).filePath(QStringLiteral("window.png"));
    if (!window.grab().save(path)) {
        return refuse(tr("%1 cannot be written.").arg(path).toStdString());
    }
    written(path);
    return saveAllPictures(window.views(), request.folder, request.size, request.theme, written);
}

} // namespace meshslice::ui
