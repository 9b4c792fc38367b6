#include "ui/commands/pictures.h"

#include "ui/view/picture_file.h"
#include "ui/view/view.h"

#include <QCoreApplication>
#include <QDir>

namespace meshslice::ui {

Result<void> saveAllPictures(const std::vector<View*>& views, const QString& folder, const QSize& size,
                             Theme theme, const std::function<void(const QString&)>& written) {
    if (!QDir().mkpath(folder)) {
        return refuse(QCoreApplication::translate("meshslice::ui::Pictures", "The folder %1 cannot be made.")
                          .arg(folder)
                          .toStdString());
    }
    for (View* view : views) {
        view->complete();
        for (const char* ending : {"png", "svg", "pdf", "csv"}) {
            const QString path = QDir(folder).filePath(view->id() + QLatin1Char('.') + QLatin1String(ending));
            if (auto saved = savePicture(*view, path, size, theme); !saved) {
                return refuse(saved.error());
            }
            if (written) {
                written(path);
            }
        }
    }
    return {};
}

} // namespace meshslice::ui
