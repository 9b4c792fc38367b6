#pragma once

#include "core/base/output_file.h"
#include "core/base/result.h"

#include <QByteArray>
#include <QString>

namespace meshslice::ui {

/// What the engine calls the file: its bytes on this disk.
[[nodiscard]] std::string fileName(const QString& path);

/// Writes a file whole or not at all; else says why not.
[[nodiscard]] Result<void> writeWhole(const QString& path, const QByteArray& bytes, OutputRules rules = {});

} // namespace meshslice::ui
