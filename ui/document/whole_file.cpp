#include "ui/document/whole_file.h"

#include <QFile>

namespace meshslice::ui {

std::string fileName(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

Result<void> writeWhole(const QString& path, const QByteArray& bytes, OutputRules rules) {
    return write_file(
        fileName(path), [&](std::ostream& out) { out.write(bytes.data(), bytes.size()); }, rules);
}

} // namespace meshslice::ui
