#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QImage>
#include <QRect>
#include <QSize>

#include <memory>

struct GifFileType;

namespace meshslice::ui {

/// Writes pictures as an animated GIF that is repeated for ever, into memory. Each has the 256 colours that
/// it uses most, so that a role keeps its colour, and of each only the part that has changed is written.
class GifWriter {
  public:
    explicit GifWriter(const QSize& size);
    ~GifWriter();
    GifWriter(const GifWriter&) = delete;
    GifWriter& operator=(const GifWriter&) = delete;

    /// Seen for so many hundredths of a second; at least two, which is what browsers keep to.
    [[nodiscard]] Result<void> add(const QImage& picture, int hundredths);
    /// The whole file; nothing can be added afterwards.
    [[nodiscard]] Result<QByteArray> finish();

  private:
    [[nodiscard]] Result<void> begin();

    QSize size_;
    std::unique_ptr<QByteArray> bytes_; ///< stays where it is: the library writes there
    GifFileType* file_ = nullptr;       ///< none before the first picture, and after the end
    QImage before_;
};

/// The picture in the 256 colours that it has most of; others become the nearest of them.
[[nodiscard]] QImage inItsColors(const QImage& picture);
/// The smallest rectangle outside of which two pictures of one size are alike; empty where they are.
[[nodiscard]] QRect changedPart(const QImage& before, const QImage& now);

} // namespace meshslice::ui
