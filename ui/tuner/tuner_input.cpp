// What keys and the mouse do in the tuner, and its controls. Its painting is in tuner_view.cpp.

#include "ui/tuner/tuner_view.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {

void TunerView::renewControls() {
    const bool there = results() != nullptr;
    depths_->setVisible(there);
    depths_->setCurrentIndex(depth_ == Depth::simulate ? 1 : 0);
    sides_->setVisible(there && results()->reference);
    sides_->setCurrentIndex(static_cast<int>(side()));
    const auto simulates = [](const auto& inquiry) {
        return inquiry.asked() && inquiry.asked()->depth == Depth::simulate;
    };
    cancel_->setVisible(there && (simulates(inquiry_) || simulates(inquiry_of_a_)));
    cancel_->setText(tr("Cancel (%1%)").arg(std::lround(100 * progress())));
    if (cancel_->isHidden()) {
        progress_.stop();
    } else if (!progress_.isActive()) {
        progress_.start();
    }
    placeControls();
}

void TunerView::placeControls() {
    const bool many = !sides_->isHidden();
    const QRect line = fromPicture(tunerControls(pictureSize(), many).toRect());
    int x = line.left();
    for (QWidget* control :
         {static_cast<QWidget*>(sides_), static_cast<QWidget*>(depths_), static_cast<QWidget*>(cancel_)}) {
        if (control->isHidden()) {
            continue;
        }
        const QSize hint = control->sizeHint();
        const int height = std::min(hint.height(), line.height() - 4);
        control->setGeometry(x, line.center().y() - height / 2, hint.width(), height);
        x += hint.width() + 8;
    }
}

bool TunerView::runs(const TunerPlace& place) const {
    return answer()->landscape.cell(place.first, place.second).runs();
}

void TunerView::load(const TunerPlace& place) {
    const std::optional<TunerPlace> own = difference() ? placeInB(*difference(), place) : place;
    const TunerAnswerPtr shown = answer(); // the edit may bring another
    if (own && runs(*own)) {
        const Landscape& land = shown->landscape;
        choose(land.algorithm, land.meshes[own->first], land.slices[own->second]);
    }
}

void TunerView::loadLeader(std::size_t leader) {
    if (difference()) {
        load({picture().rows[leader], 0});
        return;
    }
    const TunerAnswerPtr shown = answer();
    const Candidate& one = shown->tuning.ranked[shown->leaders[leader]];
    choose(one.step.algorithm, one.step.mesh, std::nullopt);
}

void TunerView::choose(const std::string& algorithm, const std::vector<std::int32_t>& mesh,
                       std::optional<std::int64_t> slices) {
    const bool other = session().document()->scenario().plan.algorithm != algorithm;
    session().edit(
        [&](Scenario& next) {
            next.plan.algorithm = algorithm;
            next.mesh = mesh;
            next.plan.slices = slices;
        },
        other ? "algorithm" : "mesh");
}

std::vector<KeyHelp> TunerView::keys() const {
    return {{tr("Arrows"), tr("Move between cells")},
            {tr("Enter or click"), tr("Load the cell's mesh and slice count into the scenario")},
            {tr("Escape"), tr("Back to the scenario's own cell")},
            {tr("1 … 9, 0"), tr("Show one part of the bars alone, or all")}};
}

void TunerView::move(int rows, int columns) {
    const std::vector<std::size_t>& shown = picture().rows;
    const TunerPlace from = *selectedCell();
    const auto at = std::ranges::find(shown, from.first) - shown.begin();
    const auto row = std::clamp<std::ptrdiff_t>(at + rows, 0, std::ssize(shown) - 1);
    const auto last = static_cast<std::ptrdiff_t>(picture().columns) - 1;
    const auto column =
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(from.second) + columns, 0, last);
    select(TunerPlace{shown[static_cast<std::size_t>(row)], static_cast<std::size_t>(column)});
}

void TunerView::select(const std::optional<TunerPlace>& place) {
    selected_ = place;
    selected_side_ = side();
    describe();
    update();
}

QStringList TunerView::tipAt(const QPoint& point) const {
    return linesAt(toPicture(point));
}

void TunerView::keyPressEvent(QKeyEvent* event) {
    if (!hasPicture() || !sentence().isEmpty()) {
        PaintedView::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left: move(0, -1); return;
    case Qt::Key_Right: move(0, 1); return;
    case Qt::Key_Up: move(-1, 0); return;
    case Qt::Key_Down: move(1, 0); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: load(*selectedCell()); return;
    case Qt::Key_Escape: select(std::nullopt); return;
    default: PaintedView::keyPressEvent(event);
    }
}

void TunerView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !hasPicture() || !sentence().isEmpty()) {
        PaintedView::mousePressEvent(event);
        return;
    }
    if (const auto cell = cellAt(picture(), toPicture(event->pos()))) {
        select(*cell);
        load(*cell);
    } else if (const auto leader = leaderAt(picture(), toPicture(event->pos()))) {
        loadLeader(*leader);
    }
}

} // namespace meshslice::ui
