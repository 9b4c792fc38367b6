#include "ui/recording/gif_writer.h"

#include <QHash>

#include <algorithm>
#include <cstring>
#include <gif_lib.h>
#include <utility>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr int most_colors = 256;
constexpr int least_hundredths = 2;

int write(GifFileType* file, const GifByteType* bytes, int count) {
    static_cast<QByteArray*>(file->UserData)->append(reinterpret_cast<const char*>(bytes), count);
    return count;
}

Result<void> refusal(int code) {
    const char* const why = GifErrorString(code);
    return refuse(std::string("The GIF cannot be written: ") + (why == nullptr ? "unknown error" : why) +
                  ".");
}

/// The ones that most pixels have; of equally many the darker one first, so that a picture is always the
/// same.
QList<QRgb> mostUsed(const QImage& picture) {
    QHash<QRgb, int> counted;
    for (int y = 0; y < picture.height(); ++y) {
        const auto* const line = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        for (int x = 0; x < picture.width(); ++x) {
            ++counted[line[x]];
        }
    }
    std::vector<std::pair<int, QRgb>> order;
    order.reserve(static_cast<std::size_t>(counted.size()));
    for (auto one = counted.cbegin(); one != counted.cend(); ++one) {
        order.emplace_back(-one.value(), one.key());
    }
    std::ranges::sort(order);
    QList<QRgb> colors;
    for (const auto& [count, color] : order) {
        if (colors.size() < most_colors) {
            colors << color;
        }
    }
    return colors;
}

} // namespace

QImage inItsColors(const QImage& picture) {
    const QImage plain = picture.convertToFormat(QImage::Format_RGB32);
    return plain.convertToFormat(QImage::Format_Indexed8, mostUsed(plain), Qt::ThresholdDither);
}

QRect changedPart(const QImage& before, const QImage& now) {
    if (before.size() != now.size()) {
        return now.rect();
    }
    QRect changed;
    for (int y = 0; y < now.height(); ++y) {
        const auto* const old_line = reinterpret_cast<const QRgb*>(before.constScanLine(y));
        const auto* const line = reinterpret_cast<const QRgb*>(now.constScanLine(y));
        if (std::memcmp(old_line, line, sizeof(QRgb) * static_cast<std::size_t>(now.width())) == 0) {
            continue;
        }
        int first = 0;
        while (old_line[first] == line[first]) {
            ++first;
        }
        int last = now.width() - 1;
        while (old_line[last] == line[last]) {
            --last;
        }
        changed |= QRect(first, y, last - first + 1, 1);
    }
    return changed;
}

GifWriter::GifWriter(const QSize& size) : size_(size), bytes_(std::make_unique<QByteArray>()) {}

GifWriter::~GifWriter() {
    if (file_ != nullptr) {
        int ignored = 0;
        EGifCloseFile(file_, &ignored);
    }
}

Result<void> GifWriter::begin() {
    int error = 0;
    file_ = EGifOpen(bytes_.get(), &write, &error);
    if (file_ == nullptr) {
        return refusal(error);
    }
    EGifSetGifVersion(file_, true);
    // Repeated for ever: the extension that Netscape gave to the format, with 0 for the number of times.
    constexpr const char* name = "NETSCAPE2.0";
    const GifByteType loops[] = {1, 0, 0};
    if (EGifPutScreenDesc(file_, size_.width(), size_.height(), 8, 0, nullptr) == GIF_ERROR ||
        EGifPutExtensionLeader(file_, APPLICATION_EXT_FUNC_CODE) == GIF_ERROR ||
        EGifPutExtensionBlock(file_, 11, name) == GIF_ERROR ||
        EGifPutExtensionBlock(file_, sizeof(loops), loops) == GIF_ERROR ||
        EGifPutExtensionTrailer(file_) == GIF_ERROR) {
        return refusal(file_->Error);
    }
    return {};
}

Result<void> GifWriter::add(const QImage& picture, int hundredths) {
    if (file_ == nullptr) {
        if (const Result<void> begun = begin(); !begun) {
            return begun;
        }
    }
    const QImage now = picture.convertToFormat(QImage::Format_RGB32);
    const QRect changed = changedPart(before_, now);
    const QRect part = changed.isEmpty() ? QRect(0, 0, 1, 1) : changed; // a picture has at least one pixel
    before_ = now;
    const QImage indexed = inItsColors(now.copy(part));
    std::vector<GifColorType> colors(most_colors);
    for (int k = 0; k < indexed.colorCount(); ++k) {
        const QRgb color = indexed.color(k);
        colors[static_cast<std::size_t>(k)] = {static_cast<GifByteType>(qRed(color)),
                                               static_cast<GifByteType>(qGreen(color)),
                                               static_cast<GifByteType>(qBlue(color))};
    }
    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = std::max(least_hundredths, hundredths);
    control.TransparentColor = NO_TRANSPARENT_COLOR;
    GifByteType extension[4];
    EGifGCBToExtension(&control, extension);
    ColorMapObject* const map = GifMakeMapObject(most_colors, colors.data());
    if (map == nullptr) {
        return refusal(E_GIF_ERR_NOT_ENOUGH_MEM);
    }
    bool written =
        EGifPutExtension(file_, GRAPHICS_EXT_FUNC_CODE, sizeof(extension), extension) != GIF_ERROR &&
        EGifPutImageDesc(file_, part.left(), part.top(), part.width(), part.height(), false, map) !=
            GIF_ERROR;
    GifFreeMapObject(map);
    for (int y = 0; y < part.height() && written; ++y) {
        std::vector<GifPixelType> line(indexed.constScanLine(y), indexed.constScanLine(y) + part.width());
        written = EGifPutLine(file_, line.data(), part.width()) != GIF_ERROR;
    }
    return written ? Result<void>() : refusal(file_->Error);
}

Result<QByteArray> GifWriter::finish() {
    int error = 0;
    if (file_ == nullptr || EGifCloseFile(std::exchange(file_, nullptr), &error) == GIF_ERROR) {
        return refuse(refusal(error).error());
    }
    return *bytes_;
}

} // namespace meshslice::ui
