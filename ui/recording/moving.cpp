// What can be recorded.

#include "ui/lab/lab_view.h"
#include "ui/lab/stepper/stepper_page.h"
#include "ui/recording/record_dialog.h"
#include "ui/session/session.h"
#include "ui/torus/torus_view.h"

#include <QPainter>

#include <cmath>
#include <memory>

namespace meshslice::ui {
namespace {

/// A slide's letters are larger than a screen's: pictures are laid out as for so many pixels.
constexpr double laid_out_width = 860;

template <class Paint>
QImage painted(const QSize& size, const Paint& paint) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    const double scale = size.width() / laid_out_width;
    painter.scale(scale, scale);
    paint(painter, (QSizeF(size) / scale).toSize());
    return image;
}

} // namespace

Moving movingTorus(TorusView* torus) {
    const auto before = std::make_shared<std::optional<Time>>();
    Moving made;
    made.title = torus->title().isEmpty() ? RecordDialog::tr("Torus") : torus->title();
    made.file_name = QStringLiteral("torus");
    made.why_not = [torus] { return torus->whyNotCurrent(); };
    made.at = [torus, before](double share, const QSize& size, Theme theme) {
        if (!*before) {
            *before = torus->shownMoment();
        }
        const TimeRange seen = torus->shownRange();
        const double length = static_cast<double>((seen.end - seen.begin).value());
        torus->showMoment(seen.begin + Time(static_cast<std::int64_t>(std::llround(share * length))));
        return painted(
            size, [&](QPainter& painter, const QSize& room) { torus->paintPicture(painter, room, theme); });
    };
    made.back = [torus, before] {
        if (*before) {
            torus->showMoment(**before);
            before->reset();
        }
    };
    return made;
}

Moving movingStepper(LabView* lab) {
    StepperCanvas* const canvas = lab->stepper()->canvas();
    const auto before = std::make_shared<std::optional<std::size_t>>();
    Moving made;
    made.title = RecordDialog::tr("Stepper");
    made.file_name = QStringLiteral("stepper");
    made.steps = canvas->isReady() ? static_cast<int>(canvas->lastMoment()) + 1 : 1;
    made.why_not = [canvas] {
        return canvas->isReady() ? QString() : RecordDialog::tr("Open the stepper in the lab first.");
    };
    made.at = [canvas, before](double share, const QSize& size, Theme theme) {
        if (!*before) {
            *before = canvas->moment();
        }
        canvas->setMoment(
            static_cast<std::size_t>(std::llround(share * static_cast<double>(canvas->lastMoment()))));
        return painted(size,
                       [&](QPainter& painter, const QSize& room) { canvas->paintFor(painter, room, theme); });
    };
    made.back = [canvas, before] {
        if (*before) {
            canvas->setMoment(**before);
            before->reset();
        }
    };
    return made;
}

} // namespace meshslice::ui
