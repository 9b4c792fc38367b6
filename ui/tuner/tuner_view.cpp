#include "ui/tuner/tuner_view.h"

#include "ui/session/subject.h"
#include "ui/view/finding.h"

#include <QComboBox>
#include <QPainter>
#include <QPushButton>

#include <chrono>

namespace meshslice::ui {
namespace {

constexpr std::chrono::milliseconds progress_every{100};

} // namespace

TunerView::TunerView(Session* session, QWidget* parent)
    : PaintedView(session, parent)
    , bars_(new ChartSurface(this, ChartKeys::digits))
    , depths_(new QComboBox(this))
    , sides_(new QComboBox(this))
    , cancel_(new QPushButton(this))
    , inquiry_([](const TunerRequest& request,
                  const RunControl& control) { return computeTuner(request, control); },
               [this] { take(); })
    , inquiry_of_a_([](const TunerRequest& request,
                       const RunControl& control) { return computeTuner(request, control); },
                    [this] { take(); }) {
    setAccessibleName(tr("Tuner"));
    sides_->setAccessibleName(tr("Whose map is shown"));
    sides_->setToolTip(tr("The map of A, of B, or where B takes less or more time than A"));
    sides_->addItems({QStringLiteral("A"), QStringLiteral("B"), tr("difference")});
    setTabOrder(sides_, depths_); // as they stand
    connect(sides_, &QComboBox::activated, this,
            [this](int index) { setSide(static_cast<TunerSide>(index)); });
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

void TunerView::resultsChanged() {
    picture_.reset();
    if (selected_side_ != side()) {
        selected_.reset(); // the same cell stands elsewhere, or nowhere
    }
    if (selected_ && selected_ == currentCell()) {
        selected_.reset(); // it has been loaded
    }
    describe();
}

void TunerView::stateChanged() {
    PaintedView::stateChanged();
    if (session().isComputing() || !results()) {
        inquiry_.cancel(); // there will be another question soon
        inquiry_of_a_.cancel();
        setUpdating(false);
    }
    renew();
    renewControls();
    renewBars();
}

QString TunerView::nothingToShow() const {
    const auto why = [this](const auto& inquiry, const QString& name) {
        return inquiry.refusal().isEmpty() || sideName().isEmpty()
                   ? inquiry.refusal()
                   : QStringLiteral("%1: %2").arg(name, inquiry.refusal());
    };
    if (const QString own = why(inquiry_, QStringLiteral("B")); side() != TunerSide::a && !own.isEmpty()) {
        return own;
    }
    if (const QString of_a = why(inquiry_of_a_, QStringLiteral("A"));
        side() != TunerSide::b && !of_a.isEmpty()) {
        return of_a;
    }
    return hasPicture() ? QString() : tr("Trying every mesh and slice count…");
}

std::optional<TunerPlace> TunerView::currentCell() const {
    if (!hasPicture() || !results()) {
        return std::nullopt;
    }
    const std::optional<TunerPlace> own = placeOf(*answer(), shownScenario());
    return own && difference() ? placeOfB(*difference(), *own) : own;
}

std::optional<TunerPlace> TunerView::selectedCell() const {
    if (!hasPicture() || selected_) {
        return hasPicture() ? selected_ : std::nullopt;
    }
    if (const std::optional<TunerPlace> current = currentCell()) {
        return current;
    }
    const std::optional<TunerPlace> best = answer()->landscape.best;
    return difference() ? placeOfB(*difference(), *best) : best;
}

TunerMarks TunerView::marks() const {
    return {currentCell(), selectedCell(), hasFocus(), results() && !shownScenario().assume.faults.none()};
}

const TunerPicture& TunerView::picture() const {
    if (!picture_ && hasPicture()) {
        picture_ = makePicture(pictureSize());
    }
    static const TunerPicture none;
    return picture_ ? *picture_ : none;
}

TunerPicture TunerView::makePicture(const QSize& size) const {
    return difference() ? makeDifferencePicture(difference(), size)
                        : makeTunerPicture(answer(), size, sideName());
}

void TunerView::paintContent(QPainter& painter) {
    paint(painter, picture(), marks(), theme());
    bars_->paint(painter);
}

void TunerView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    TunerMarks shown = marks();
    shown.focus = false; // a file has no keyboard
    const TunerPicture picture = makePicture(size);
    paint(painter, picture, shown, theme);
    painter.save();
    painter.translate(picture.bars.topLeft());
    bars_->paintPicture(painter, picture.bars.size().toSize(), theme);
    painter.restore();
}

void TunerView::renewBars() {
    const std::optional<TunerPlace> cell = sentence().isEmpty() ? selectedCell() : std::nullopt;
    bars_->setChart(!cell          ? std::nullopt
                    : difference() ? cellChart(*difference(), *cell)
                                   : cellChart(*answer(), *cell));
    if (cell) {
        bars_->setArea(picture().bars.toRect());
    }
}

/// All meshes, so none is named; the title says which is best.
QString TunerView::pictured() const {
    const auto said = [](const Scenario& scenario) {
        return tr("%1; %2").arg(subject(scenario), algorithmTitle(scenario.plan.algorithm));
    };
    if (side() != TunerSide::difference) {
        return sideName().isEmpty() ? said(shownScenario())
                                    : tr("%1: %2").arg(sideName(), said(shownScenario()));
    }
    return tr("A: %1. B: %2").arg(said(results()->reference->scenario), said(results()->scenario));
}

double TunerView::leastHeight(double width) const {
    return !hasPicture()  ? 0
           : difference() ? ui::leastHeight(*difference(), width)
                          : ui::leastHeight(*answer(), width, sideName());
}

Table TunerView::makeTable() const {
    return difference() ? tunerTable(*difference()) : tunerTable(*answer());
}

QStringList TunerView::linesOf(const TunerPlace& place) const {
    if (difference()) {
        return cellLines(*difference(), place);
    }
    QStringList lines = cellLines(*answer(), place);
    if (!sideName().isEmpty() && runs(place)) {
        lines.back() = tr("Click or Enter loads it into B"); // in the map of either
    }
    return lines;
}

/// Of the difference the list has the meshes.
QStringList TunerView::linesOfLeader(std::size_t leader) const {
    return difference() ? linesOf({picture().rows[leader], 0}) : leaderLines(*answer(), leader);
}

QStringList TunerView::linesAt(const QPoint& point) const {
    if (!sentence().isEmpty() || !hasPicture()) {
        return {};
    }
    if (const auto cell = cellAt(picture(), point)) {
        return linesOf(*cell);
    }
    const auto leader = leaderAt(picture(), point);
    return leader ? linesOfLeader(*leader) : QStringList();
}

std::vector<ReadablePart> TunerView::readableParts() const {
    std::vector<ReadablePart> parts;
    if (!sentence().isEmpty() || !hasPicture()) {
        return parts;
    }
    const TunerPicture& shown = picture();
    for (const TunerCellBox& box : shown.cells) {
        if (parts.size() + shown.leaders.size() < most_readable_parts) {
            parts.push_back(readablePart(linesOf(box.place), fromPicture(box.area.toAlignedRect()),
                                         box.place == selectedCell()));
        }
    }
    for (std::size_t leader = 0; leader < shown.leaders.size(); ++leader) {
        parts.push_back(
            readablePart(linesOfLeader(leader), fromPicture(shown.leaders[leader].toAlignedRect())));
    }
    return parts;
}

void TunerView::describe() {
    QString words = !hasPicture()  ? sentence()
                    : difference() ? tunerFinding(*difference())
                                   : tunerFinding(*answer());
    if (const auto cell = selectedCell()) {
        words += QStringLiteral("; ") + linesOf(*cell).join(QStringLiteral("; "));
    }
    setAccessibleDescription(words);
    renewBars();
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
    inquiry_of_a_.cancelUnlessAwaited();
    setUpdating(inquiry_.asked() || inquiry_of_a_.asked());
    renewControls();
}

} // namespace meshslice::ui
