#include "ui/view/print.h"

#include "ui/view/view.h"

#include <QPainter>
#include <QPrinter>

namespace meshslice::ui {

Figure figureForPage(const View& view, const QSizeF& room) {
    Figure figure = figureOn(UsualPage::report); // its letters and its light
    figure.millimetres = room;
    constexpr double per_millimetre = pixels_per_inch / 25.4;
    figure.size = {qRound(room.width() * per_millimetre), qRound(room.height() * per_millimetre)};
    const Figure free = settled(view, figure);
    if (free.size.height() <= figure.size.height()) {
        return free;
    }
    figure.as_high_as_needed = false;
    return figure;
}

Result<void> print(const View& view, QPrinter& printer) {
    if (!view.isCurrent()) {
        return refuse(view.whyNotCurrent().toStdString());
    }
    const Figure figure = figureForPage(view, printer.pageRect(QPrinter::Millimeter).size());
    QPainter painter;
    if (!painter.begin(&printer)) {
        return refuse(QCoreApplication::translate("meshslice::ui::Print",
                                                  "The printer could not begin. Is it switched on and free?")
                          .toStdString());
    }
    const QRectF page = printer.pageRect(QPrinter::DevicePixel);
    const double scale = page.width() / figure.size.width();
    painter.scale(scale, scale);
    paintFigure(painter, view, figure);
    return {};
}

} // namespace meshslice::ui
