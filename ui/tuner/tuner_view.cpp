#include "ui/tuner/tuner_view.h"

#include "ui/controls/tip.h"
#include "ui/session/subject.h"
#include "ui/view/finding.h"

#include <QComboBox>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr std::chrono::milliseconds progress_every{100};

} // namespace

TunerView::TunerView(Session* session, QWidget* parent)
    : PaintedView(session, parent)
    , bars_(new ChartSurface(this, ChartKeys::digits))
    , depths_(new QComboBox(this))
    , cancel_(new QPushButton(this))
    , inquiry_([](const TunerRequest& request,
                  const RunControl& control) { return computeTuner(request, control); },
               [this] { take(); }) {
    setAccessibleName(tr("Tuner"));
    depths_->setAccessibleName(tr("How the cells are computed"));
    depths_->setToolTip(tr("By the closed form at once, or by simulating every cell, which takes a while"));
    depths_->addItems({tr("by estimate"), tr("simulated")});
    connect(depths_, &QComboBox::activated, this,
            [this](int index) { setDepth(index == 1 ? Depth::simulate : Depth::estimate); });
    cancel_->setFocusPolicy(Qt::TabFocus);
    connect(cancel_, &QPushButton::clicked, this, [this] { setDepth(Depth::estimate); });
    progress_.setInterval(progress_every);
    connect(&progress_, &QTimer::timeout, this, &TunerView::renewControls);
    renewControls();
}

void TunerView::renewControls() {
    const bool there = results() != nullptr;
    depths_->setVisible(there);
    depths_->setCurrentIndex(depth_ == Depth::simulate ? 1 : 0);
    cancel_->setVisible(there && inquiry_.asked() && inquiry_.asked()->depth == Depth::simulate);
    cancel_->setText(tr("Cancel (%1%)").arg(std::lround(100 * inquiry_.progress())));
    if (cancel_->isHidden()) {
        progress_.stop();
    } else if (!progress_.isActive()) {
        progress_.start();
    }
    placeControls();
}

void TunerView::placeControls() {
    const QRect line = fromPicture(tunerControls(pictureSize()).toRect());
    int x = line.left();
    for (QWidget* control : {static_cast<QWidget*>(depths_), static_cast<QWidget*>(cancel_)}) {
        const QSize hint = control->sizeHint();
        const int height = std::min(hint.height(), line.height() - 4);
        control->setGeometry(x, line.center().y() - height / 2, hint.width(), height);
        x += hint.width() + 8;
    }
}

std::optional<TunerRequest> TunerView::wanted() const {
    return results() ? std::optional(tunerRequest(results()->scenario, depth_)) : std::nullopt;
}

void TunerView::renew() {
    const std::optional<TunerRequest> request = wanted();
    if (session().isComputing() || !request) {
        return;
    }
    if (isVisible()) {
        setUpdating(inquiry_.ask(*request));
    } else if (inquiry_.asked() != request) {
        inquiry_.cancel();
        setUpdating(false);
    }
    renewControls();
}

bool TunerView::isCurrent() const {
    return PaintedView::isCurrent() && inquiry_.answer() && inquiry_.answered() == wanted();
}

void TunerView::complete(const Completed& completed) {
    if (session().current()) {
        inquiry_.ask(*wanted(), completed);
        renewControls();
    } else {
        PaintedView::complete(completed);
    }
}

void TunerView::giveUp() {
    inquiry_.cancel();
    setUpdating(false);
    renew(); // what is seen is still asked for
}

void TunerView::take() {
    if (const std::optional<Scenario> cells = inquiry_.answered()->scenario; cells != cells_of_) {
        cells_of_ = cells;
        selected_.reset();
    }
    picture_.reset();
    setUpdating(false);
    renewControls();
    describe();
    takeHeight();
    update();
}

void TunerView::resultsChanged() {
    picture_.reset();
    if (selected_ && selected_ == currentCell()) {
        selected_.reset(); // it has been loaded
    }
    describe();
}

void TunerView::stateChanged() {
    PaintedView::stateChanged();
    if (session().isComputing() || !results()) {
        inquiry_.cancel(); // there will be another question soon
        setUpdating(false);
    }
    renew();
    renewControls();
    renewBars();
}

QString TunerView::nothingToShow() const {
    if (!inquiry_.refusal().isEmpty()) {
        return inquiry_.refusal();
    }
    return inquiry_.answer() ? QString() : tr("Trying every mesh and slice count…");
}

void TunerView::setDepth(Depth depth) {
    depth_ = depth;
    renew();
    renewControls();
}

std::optional<TunerPlace> TunerView::currentCell() const {
    return answer() && results() ? placeOf(*answer(), results()->scenario) : std::nullopt;
}

std::optional<TunerPlace> TunerView::selectedCell() const {
    if (!answer()) {
        return std::nullopt;
    }
    if (selected_) {
        return selected_;
    }
    const std::optional<TunerPlace> current = currentCell();
    return current ? current : answer()->landscape.best;
}

TunerMarks TunerView::marks() const {
    return {currentCell(), selectedCell(), hasFocus(), results() && !results()->scenario.faults.none()};
}

const TunerPicture& TunerView::picture() const {
    if (!picture_ && answer()) {
        picture_ = makeTunerPicture(answer(), pictureSize());
    }
    static const TunerPicture none;
    return picture_ ? *picture_ : none;
}

void TunerView::paintContent(QPainter& painter) {
    paint(painter, picture(), marks(), theme());
    bars_->paint(painter);
}

void TunerView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    TunerMarks shown = marks();
    shown.focus = false; // a file has no keyboard
    const TunerPicture picture = makeTunerPicture(answer(), size);
    paint(painter, picture, shown, theme);
    painter.save();
    painter.translate(picture.bars.topLeft());
    bars_->paintPicture(painter, picture.bars.size().toSize(), theme);
    painter.restore();
}

void TunerView::renewBars() {
    const std::optional<TunerPlace> cell = sentence().isEmpty() ? selectedCell() : std::nullopt;
    bars_->setChart(cell ? cellChart(*answer(), *cell) : std::nullopt);
    if (cell) {
        bars_->setArea(picture().bars.toRect());
    }
}

/// All meshes, so none is named; the title says which is best.
QString TunerView::pictured() const {
    const Scenario& scenario = results()->scenario;
    return tr("%1; %2").arg(subject(scenario), algorithmTitle(scenario.algorithm));
}

double TunerView::leastHeight(double width) const {
    return answer() ? ui::leastHeight(*answer(), width) : 0;
}

Table TunerView::makeTable() const {
    return tunerTable(*answer());
}

QStringList TunerView::linesAt(const QPoint& point) const {
    if (!sentence().isEmpty() || !answer()) {
        return {};
    }
    if (const auto cell = cellAt(picture(), point)) {
        return cellLines(*answer(), *cell);
    }
    const auto leader = leaderAt(picture(), point);
    return leader ? leaderLines(*answer(), *leader) : QStringList();
}

std::vector<ReadablePart> TunerView::readableParts() const {
    std::vector<ReadablePart> parts;
    if (!sentence().isEmpty() || !answer()) {
        return parts;
    }
    const TunerPicture& shown = picture();
    for (const TunerCellBox& box : shown.cells) {
        if (parts.size() + shown.leaders.size() < most_readable_parts) {
            parts.push_back(readablePart(cellLines(*answer(), box.place),
                                         fromPicture(box.area.toAlignedRect()), box.place == selectedCell()));
        }
    }
    for (std::size_t leader = 0; leader < shown.leaders.size(); ++leader) {
        parts.push_back(
            readablePart(leaderLines(*answer(), leader), fromPicture(shown.leaders[leader].toAlignedRect())));
    }
    return parts;
}

void TunerView::describe() {
    QString words = answer() ? tunerFinding(*answer()) : sentence();
    if (const auto cell = selectedCell()) {
        words += QStringLiteral("; ") + cellLines(*answer(), *cell).join(QStringLiteral("; "));
    }
    setAccessibleDescription(words);
    renewBars();
}

void TunerView::load(const TunerPlace& place) {
    const TunerAnswerPtr shown = answer(); // the edit may bring another
    const Landscape& land = shown->landscape;
    if (land.cell(place.first, place.second).runs()) {
        choose(land.algorithm, land.meshes[place.first], land.slices[place.second]);
    }
}

void TunerView::choose(const std::string& algorithm, const std::vector<std::int32_t>& mesh,
                       std::optional<std::int64_t> slices) {
    const bool other = session().document()->scenario().algorithm != algorithm;
    session().edit(
        [&](Scenario& next) {
            next.algorithm = algorithm;
            next.mesh = mesh;
            next.slices = slices;
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
    const auto last = static_cast<std::ptrdiff_t>(answer()->landscape.slices.size()) - 1;
    const auto column =
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(from.second) + columns, 0, last);
    selected_ = TunerPlace{shown[static_cast<std::size_t>(row)], static_cast<std::size_t>(column)};
    describe();
    update();
}

bool TunerView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, linesAt(toPicture(help->pos())));
        return true;
    }
    return PaintedView::event(event);
}

void TunerView::keyPressEvent(QKeyEvent* event) {
    if (!answer() || !sentence().isEmpty()) {
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
    case Qt::Key_Escape:
        selected_.reset();
        describe();
        update();
        return;
    default: PaintedView::keyPressEvent(event);
    }
}

void TunerView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !answer() || !sentence().isEmpty()) {
        PaintedView::mousePressEvent(event);
        return;
    }
    if (const auto cell = cellAt(picture(), toPicture(event->pos()))) {
        selected_ = *cell;
        describe();
        update();
        load(*cell);
    } else if (const auto leader = leaderAt(picture(), toPicture(event->pos()))) {
        const TunerAnswerPtr shown = answer();
        const Candidate& one = shown->tuning.ranked[shown->leaders[*leader]];
        choose(one.step.algorithm, one.step.mesh, std::nullopt);
    }
}

void TunerView::focusInEvent(QFocusEvent* event) {
    PaintedView::focusInEvent(event);
    update();
}

void TunerView::focusOutEvent(QFocusEvent* event) {
    PaintedView::focusOutEvent(event);
    update();
}

void TunerView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    picture_.reset();
    placeControls();
    renewBars();
}

void TunerView::looksChanged() {
    picture_.reset();
    renewBars();
    QMetaObject::invokeMethod(this, &TunerView::placeControls, // they hear of another font after this
                              Qt::QueuedConnection);
}

void TunerView::showEvent(QShowEvent* event) {
    PaintedView::showEvent(event);
    renew();
}

void TunerView::hideEvent(QHideEvent* event) {
    PaintedView::hideEvent(event);
    inquiry_.cancelUnlessAwaited();
    setUpdating(inquiry_.asked().has_value());
    renewControls();
}

} // namespace meshslice::ui
