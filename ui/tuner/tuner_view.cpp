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

TunerSide TunerView::side() const {
    return results() && results()->reference ? side_ : TunerSide::b;
}

void TunerView::setSide(TunerSide side) {
    side_ = side;
    selected_.reset(); // the same cell stands elsewhere
    picture_.reset();
    renew();
    renewControls();
    describe();
    takeHeight();
    update();
}

QString TunerView::sideName() const {
    if (!results() || !results()->reference) {
        return {};
    }
    return side() == TunerSide::a ? QStringLiteral("A") : QStringLiteral("B");
}

TunerAnswerPtr TunerView::answer() const {
    return (side() == TunerSide::a ? inquiry_of_a_ : inquiry_).answer().value_or(nullptr);
}

TunerDifferencePtr TunerView::difference() const {
    if (side() != TunerSide::difference || !inquiry_.answer() || !inquiry_of_a_.answer()) {
        return nullptr;
    }
    if (!difference_) {
        difference_ = tunerDifference(*inquiry_of_a_.answer(), *inquiry_.answer());
    }
    return difference_;
}

const Scenario& TunerView::shownScenario() const {
    return side() == TunerSide::a ? results()->reference->scenario : results()->scenario;
}

std::optional<TunerRequest> TunerView::wanted() const {
    return results() && side() != TunerSide::a ? std::optional(tunerRequest(results()->scenario, depth_))
                                               : std::nullopt;
}

std::optional<TunerRequest> TunerView::wantedOfA() const {
    return results() && side() != TunerSide::b
               ? std::optional(tunerRequest(results()->reference->scenario, depth_))
               : std::nullopt;
}

void TunerView::renew() {
    if (session().isComputing() || !results()) {
        return;
    }
    bool busy = false;
    const auto ask = [&](auto& inquiry, const std::optional<TunerRequest>& request) {
        if (request && isVisible()) {
            busy = inquiry.ask(*request) || busy;
        } else if (!request || inquiry.asked() != request) {
            inquiry.cancel();
        } else {
            busy = true; // a file waits for it
        }
    };
    ask(inquiry_, wanted());
    ask(inquiry_of_a_, wantedOfA());
    setUpdating(busy);
    renewControls();
}

bool TunerView::isCurrent() const {
    const auto answered = [](const auto& inquiry, const std::optional<TunerRequest>& request) {
        return !request || (inquiry.answer() && inquiry.answered() == request);
    };
    return PaintedView::isCurrent() && answered(inquiry_, wanted()) && answered(inquiry_of_a_, wantedOfA());
}

void TunerView::complete(const Completed& completed) {
    if (!session().current()) {
        PaintedView::complete(completed);
        return;
    }
    const auto own = wanted();
    const auto of_a = wantedOfA();
    if (own && of_a) {
        inquiry_of_a_.ask(*of_a); // both at once
        inquiry_.ask(*own, [this, of_a, completed](const Result<void>& done) {
            if (done) {
                inquiry_of_a_.ask(*of_a, completed);
            } else {
                completed(done);
            }
        });
    } else {
        (own ? inquiry_ : inquiry_of_a_).ask(own ? *own : *of_a, completed);
    }
    renewControls();
}

double TunerView::progress() const {
    const double own = inquiry_.asked() ? inquiry_.progress() : 1.0;
    const double of_a = inquiry_of_a_.asked() ? inquiry_of_a_.progress() : 1.0;
    return side() == TunerSide::difference ? (own + of_a) / 2
           : side() == TunerSide::a        ? inquiry_of_a_.progress()
                                           : inquiry_.progress();
}

void TunerView::giveUp() {
    inquiry_.cancel();
    inquiry_of_a_.cancel();
    setUpdating(false);
    renew(); // what is seen is still asked for
}

void TunerView::take() {
    const auto scenario_of = [](const auto& inquiry) {
        return inquiry.answered() ? std::optional(inquiry.answered()->scenario) : std::nullopt;
    };
    if (std::pair now(scenario_of(inquiry_), scenario_of(inquiry_of_a_)); now != cells_of_) {
        cells_of_ = std::move(now);
        selected_.reset();
    }
    picture_.reset();
    difference_.reset();
    setUpdating(inquiry_.asked() || inquiry_of_a_.asked());
    renewControls();
    describe();
    takeHeight();
    update();
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

void TunerView::setDepth(Depth depth) {
    depth_ = depth;
    renew();
    renewControls();
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
    return {currentCell(), selectedCell(), hasFocus(), results() && !shownScenario().faults.none()};
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
        return tr("%1; %2").arg(subject(scenario), algorithmTitle(scenario.algorithm));
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
        lines.back() = tr("Click or Enter loads it into B"); // whoever's map it is
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

bool TunerView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, linesAt(toPicture(help->pos())));
        return true;
    }
    return PaintedView::event(event);
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
