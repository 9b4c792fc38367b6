#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

class QSaveFile;

namespace meshslice::ui {

/// Commits what was written to the file, unless any of it could not be written: then the old file stays.
/// QSaveFile::commit of Qt 6.4 does not look whether the last bytes reached the disk, and would put an empty
/// file in its place when the disk is full.
[[nodiscard]] bool commitWhole(QSaveFile& file);

/// Writes a file whole or not at all; else why not: "No space left on device".
[[nodiscard]] Result<void> writeWhole(const QString& path, const QByteArray& bytes);

} // namespace meshslice::ui
