#include "ui/planner/pipeline_pane.h"

#include "ui/look/picture_scale.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr double zoom_factor = 1.25;
constexpr double pan_share = 0.1;
constexpr int drag_from = 4; ///< pixels; less is a click

} // namespace

PipelinePane::PipelinePane(QWidget* parent) : PicturePane(plan_timeline, parent) {
    setAccessibleName(tr("Timeline of the pipeline"));
}

std::vector<KeyHelp> PipelinePane::keys() const {
    return {{tr("W and S, Ctrl+wheel"), tr("Zoom into the pipeline's time and out")},
            {tr("A and D, left and right, drag"), tr("Move in time")},
            {tr("Up and down"), tr("Select a stage")},
            {tr("Home or double click"), tr("Show the whole step")}};
}

void PipelinePane::showAnswer() {
    const PlanTimeline* now = answer();
    if (now == nullptr) {
        picture_.reset();
    } else if (!picture_ || !(picture_->timeline.of == now->of)) {
        picture_ = PipelinePicture{*now, {Time(0), now->run->time()}, fullestStage(*now->run)};
    }
    setAccessibleDescription(picture_ ? pipelineFinding(picture_->timeline) : sentence());
    pictureChanged();
}

PipelineLayout PipelinePane::layoutNow() const {
    return layoutPipeline(toPicture(size()), picture_ ? picture_->timeline.run->stages() : 1);
}

void PipelinePane::selectStage(std::size_t stage) {
    if (picture_ && stage < picture_->timeline.run->stages()) {
        picture_->stage = stage;
        setAccessibleDescription(stageLines(picture_->timeline, stage).join(QStringLiteral("; ")));
        update();
    }
}

void PipelinePane::setRange(TimeRange range) {
    if (picture_) {
        picture_->range = within(range, picture_->whole());
        update();
    }
}

void PipelinePane::zoom(double factor, double x) {
    if (picture_) {
        const Time fixed = picture_->scale(layoutNow()).time(x);
        setRange(zoomed(picture_->range, fixed, factor, picture_->whole()));
    }
}

void PipelinePane::pan(double share) {
    if (picture_) {
        const auto by = static_cast<double>(length(picture_->range).value()) * share;
        setRange(panned(picture_->range, Time(std::llround(by)), picture_->whole()));
    }
}

void PipelinePane::keyPressEvent(QKeyEvent* event) {
    if (!picture_ || (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0) {
        PicturePane::keyPressEvent(event);
        return;
    }
    const QRect rows = layoutNow().rows;
    switch (event->key()) {
    case Qt::Key_W: zoom(1 / zoom_factor, rows.center().x()); return;
    case Qt::Key_S: zoom(zoom_factor, rows.center().x()); return;
    case Qt::Key_A:
    case Qt::Key_Left: pan(-pan_share); return;
    case Qt::Key_D:
    case Qt::Key_Right: pan(pan_share); return;
    case Qt::Key_Home: setRange(picture_->whole()); return;
    case Qt::Key_Up:
        if (picture_->stage > 0) {
            selectStage(picture_->stage - 1);
        }
        return;
    case Qt::Key_Down: selectStage(picture_->stage + 1); return;
    default: PicturePane::keyPressEvent(event);
    }
}

void PipelinePane::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    if (!picture_) {
        event->ignore();
    } else if (event->modifiers() & Qt::ControlModifier) {
        zoom(std::pow(zoom_factor, -notches), event->position().x() / pictureScale());
        event->accept();
    } else if ((event->modifiers() & Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y())) {
        pan(-notches * pan_share);
        event->accept();
    } else {
        event->ignore(); // the page scrolls
    }
}

void PipelinePane::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && picture_) {
        pressed_ = toPicture(event->pos());
        at_press_ = picture_->range;
        dragged_ = false;
        return;
    }
    PicturePane::mousePressEvent(event);
}

void PipelinePane::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_ || !picture_) {
        PicturePane::mouseMoveEvent(event);
        return;
    }
    const int moved = toPicture(event->pos()).x() - pressed_->x();
    dragged_ = dragged_ || std::abs(moved) >= drag_from;
    if (dragged_) {
        const TimeScale scale{at_press_, 0, layoutNow().rows.width()};
        setRange(
            panned(at_press_, Time(std::llround(-moved * scale.picosecondsPerPixel())), picture_->whole()));
    }
}

void PipelinePane::mouseReleaseEvent(QMouseEvent* event) {
    if (pressed_ && !dragged_) {
        if (const auto stage = layoutNow().stageAt(pressed_->y())) {
            selectStage(*stage);
        }
    }
    pressed_.reset();
    PicturePane::mouseReleaseEvent(event);
}

void PipelinePane::mouseDoubleClickEvent(QMouseEvent* event) {
    if (picture_ && event->button() == Qt::LeftButton) {
        setRange(picture_->whole());
    }
}

void PipelinePane::paintNow(QPainter& painter, const QSize& size, Theme theme) const {
    paintPipeline(painter, size, *picture_, theme);
}

QStringList PipelinePane::linesAt(const QPoint& point) const {
    return pipelineLinesAt(*picture_, layoutNow(), point);
}

int PipelinePane::leastHeight(int /*width*/) const {
    return leastPipelineHeight(picture_->timeline.run->stages());
}

Table PipelinePane::table() const {
    const PipelineRun& run = *answer()->run;
    Table table{"Stages of the pipeline",
                {"stage", "forward_s", "backward_s", "waits_s", "exposed_s", "peak_memory_bytes"},
                {}};
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        const auto total = [&](PipelineActivity activity) { return in_seconds(run.total(stage, activity)); };
        table.rows.push_back({static_cast<std::int64_t>(stage + 1), total(PipelineActivity::forward),
                              total(PipelineActivity::backward), total(PipelineActivity::bubble),
                              total(PipelineActivity::exposed_send) +
                                  total(PipelineActivity::exposed_gather) +
                                  total(PipelineActivity::exposed_reduce),
                              run.peak(stage).value()});
    }
    return table;
}

QString PipelinePane::readAloud() const {
    return picture_
               ? QString(pipelineFinding(picture_->timeline) + QLatin1Char(' ') + accessibleDescription())
               : sentence();
}

std::vector<ReadablePart> PipelinePane::readableParts() const {
    std::vector<ReadablePart> parts;
    if (picture_) {
        const PipelineLayout layout = layoutNow();
        const std::size_t count = std::min(picture_->timeline.run->stages(), most_readable_parts);
        for (std::size_t stage = 0; stage < count; ++stage) {
            parts.push_back(readablePart(stageLines(picture_->timeline, stage),
                                         fromPicture(layout.rowOf(stage)), stage == picture_->stage));
        }
    }
    return parts;
}

} // namespace meshslice::ui
