#include "ui/document/whole_file.h"

#include <QSaveFile>

namespace meshslice::ui {

bool commitWhole(QSaveFile& file) {
    if (!file.flush() || file.error() != QFileDevice::NoError) {
        file.cancelWriting();
        return false;
    }
    return file.commit();
}

Result<void> writeWhole(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !commitWhole(file)) {
        return refuse(file.errorString().toStdString());
    }
    return {};
}

} // namespace meshslice::ui
