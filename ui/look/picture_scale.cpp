#include "ui/look/picture_scale.h"

#include <cmath>

namespace meshslice::ui {
namespace {

double& scaleOfPictures() {
    static double scale = 1;
    return scale;
}

int roundedUp(int pixels) {
    return static_cast<int>(std::ceil(pixels / pictureScale() - 1e-9));
}

} // namespace

double pictureScale() {
    return scaleOfPictures();
}

void setPictureScale(double scale) {
    scaleOfPictures() = scale;
}

QSize toPicture(const QSize& shown) {
    return {roundedUp(shown.width()), roundedUp(shown.height())};
}

QPoint toPicture(const QPoint& shown) {
    return {static_cast<int>(std::floor(shown.x() / pictureScale())),
            static_cast<int>(std::floor(shown.y() / pictureScale()))};
}

QRect fromPicture(const QRect& laidOut) {
    const auto pixel = [](int at) { return static_cast<int>(std::lround(at * pictureScale())); };
    const QPoint topLeft(pixel(laidOut.left()), pixel(laidOut.top()));
    return {topLeft, QSize(pixel(laidOut.left() + laidOut.width()) - topLeft.x(),
                           pixel(laidOut.top() + laidOut.height()) - topLeft.y())};
}

} // namespace meshslice::ui
