#include "ui/tuner/tuner_view.h"

#include "ui/controls/tip.h"

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

TunerView::TunerView(Selection* selection, QWidget* parent)
    : PaintedView(selection, parent)
    , runner_(new StudyRunner(this))
    , depths_(new QComboBox(this))
    , cancel_(new QPushButton(this)) {
    setMouseTracking(true);
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
    connect(runner_, &StudyRunner::failed, this, &TunerView::fail);
    renewControls();
}

void TunerView::renewControls() {
    const bool there = results() && state() != ViewState::failed;
    depths_->setVisible(there);
    depths_->setCurrentIndex(depth_ == Depth::simulate ? 1 : 0);
    cancel_->setVisible(there && asked_ && asked_->depth == Depth::simulate);
    cancel_->setText(tr("Cancel (%1%)").arg(std::lround(100 * runner_->progress())));
    if (cancel_->isHidden()) {
        progress_.stop();
    } else if (!progress_.isActive()) {
        progress_.start();
    }
    placeControls();
}

void TunerView::placeControls() {
    const QRectF line = tunerControls(size());
    auto x = static_cast<int>(line.left());
    for (QWidget* control : {static_cast<QWidget*>(depths_), static_cast<QWidget*>(cancel_)}) {
        const QSize hint = control->sizeHint();
        const int height = std::min(hint.height(), static_cast<int>(line.height()) - 4);
        control->setGeometry(x, static_cast<int>(line.center().y()) - height / 2, hint.width(), height);
        x += hint.width() + 8;
    }
}

std::optional<TunerRequest> TunerView::wanted() const {
    return results() ? std::optional(tunerRequest(results()->scenario, depth_)) : std::nullopt;
}

StudyRunner::Study TunerView::study(const TunerRequest& request) {
    return [this, request](std::uint64_t, const RunControl& control) {
        return computeTuner(request, control).map([&](const TunerAnswerPtr& answer) {
            return StudyRunner::Deliver([this, request, answer] { take(request, answer); });
        });
    };
}

void TunerView::giveUp() {
    runner_->cancel();
    asked_.reset();
}

void TunerView::renew() {
    const std::optional<TunerRequest> request = wanted();
    if (!request || scenario_runs_ || state() == ViewState::failed || request == asked_) {
        return;
    }
    const bool working = asked_.has_value();
    giveUp();
    if (request == shown_) {
        if (working) { // back to what is there, before the answer to another question
            PaintedView::showResults(results());
        }
    } else if (isVisible()) {
        asked_ = request;
        PaintedView::showState(ViewState::computing, {});
        runner_->request(study(*request));
    }
    renewControls();
}

void TunerView::complete() {
    const std::optional<TunerRequest> request = wanted();
    if (request && request != shown_) {
        asked_ = request;
        runner_->answerNow(study(*request));
    }
}

void TunerView::take(const TunerRequest& request, const TunerAnswerPtr& answer) {
    const bool same_cells = answer_ && shown_ && shown_->scenario == request.scenario;
    shown_ = request;
    asked_.reset();
    failure_.clear();
    answer_ = answer;
    if (!same_cells) {
        selected_.reset();
    }
    PaintedView::showResults(results()); // the picture is of these again
}

void TunerView::fail(const QString& sentence) {
    shown_ = asked_;
    asked_.reset();
    answer_.reset();
    failure_ = sentence;
    PaintedView::showResults(results());
}

void TunerView::resultsChanged() {
    scenario_runs_ = false;
    picture_.reset();
    if (!results()) {
        giveUp();
        shown_.reset();
        answer_.reset();
        failure_.clear();
    }
    if (selected_ && selected_ == currentCell()) {
        selected_.reset(); // it has been loaded
    }
    renew();
    renewControls();
    describe();
}

void TunerView::showState(ViewState state, const QString& sentence) {
    giveUp();
    scenario_runs_ = state == ViewState::computing;
    PaintedView::showState(state, sentence);
    renewControls();
}

QString TunerView::nothingToShow() const {
    if (!failure_.isEmpty()) {
        return failure_;
    }
    return answer_ ? QString() : tr("Trying every mesh and slice count …");
}

void TunerView::setDepth(Depth depth) {
    depth_ = depth;
    renew();
    renewControls();
}

std::optional<TunerPlace> TunerView::currentCell() const {
    return answer_ && results() ? placeOf(*answer_, results()->scenario) : std::nullopt;
}

std::optional<TunerPlace> TunerView::selectedCell() const {
    if (!answer_) {
        return std::nullopt;
    }
    if (selected_) {
        return selected_;
    }
    const std::optional<TunerPlace> current = currentCell();
    return current ? current : answer_->landscape.best;
}

TunerMarks TunerView::marks() const {
    return {currentCell(), selectedCell(), hasFocus(), results() && !results()->scenario.faults.none()};
}

const TunerPicture& TunerView::picture() const {
    if (!picture_ && answer_) {
        picture_ = makeTunerPicture(answer_, size());
    }
    static const TunerPicture none;
    return picture_ ? *picture_ : none;
}

void TunerView::paintContent(QPainter& painter) {
    paint(painter, picture(), marks(), theme());
}

void TunerView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    const bool answered = !results() || shown_ == wanted();
    const QString words = answered ? sentence() : tr("The meshes have not been tried yet.");
    if (!words.isEmpty()) {
        painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
        paintSentence(painter, QRectF(QPointF(0, 0), size), words, theme);
        return;
    }
    TunerMarks shown = marks();
    shown.focus = false; // a file has no keyboard
    paint(painter, makeTunerPicture(answer_, size), shown, theme);
}

Table TunerView::table() const {
    return answer_ && shown_ == wanted() ? tunerTable(*answer_) : Table{};
}

QStringList TunerView::linesAt(const QPoint& point) const {
    if (!sentence().isEmpty() || !answer_) {
        return {};
    }
    if (const auto cell = cellAt(picture(), point)) {
        return cellLines(*answer_, *cell);
    }
    const auto leader = leaderAt(picture(), point);
    return leader ? leaderLines(*answer_, *leader) : QStringList();
}

void TunerView::describe() {
    QString words = answer_ ? tunerFinding(*answer_) : sentence();
    if (const auto cell = selectedCell()) {
        words += QStringLiteral("; ") + cellLines(*answer_, *cell).join(QStringLiteral("; "));
    }
    setAccessibleDescription(words);
}

void TunerView::load(const TunerPlace& place) {
    const Landscape& land = answer_->landscape;
    if (land.cell(place.first, place.second).runs()) {
        emit chosen({land.algorithm, land.meshes[place.first], land.slices[place.second]});
    }
}

void TunerView::move(int rows, int columns) {
    const std::vector<std::size_t>& shown = picture().rows;
    const TunerPlace from = *selectedCell();
    const auto at = std::ranges::find(shown, from.first) - shown.begin();
    const auto row = std::clamp<std::ptrdiff_t>(at + rows, 0, std::ssize(shown) - 1);
    const auto last = static_cast<std::ptrdiff_t>(answer_->landscape.slices.size()) - 1;
    const auto column =
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(from.second) + columns, 0, last);
    selected_ = TunerPlace{shown[static_cast<std::size_t>(row)], static_cast<std::size_t>(column)};
    describe();
    update();
}

bool TunerView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, linesAt(help->pos()));
        return true;
    }
    return PaintedView::event(event);
}

void TunerView::keyPressEvent(QKeyEvent* event) {
    if (!answer_ || !sentence().isEmpty()) {
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
    if (event->button() != Qt::LeftButton || !answer_ || !sentence().isEmpty()) {
        PaintedView::mousePressEvent(event);
        return;
    }
    if (const auto cell = cellAt(picture(), event->pos())) {
        selected_ = *cell;
        describe();
        update();
        load(*cell);
    } else if (const auto leader = leaderAt(picture(), event->pos())) {
        const Candidate& one = answer_->tuning.ranked[answer_->leaders[*leader]];
        emit chosen({one.algorithm, one.mesh, std::nullopt});
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
}

void TunerView::showEvent(QShowEvent* event) {
    PaintedView::showEvent(event);
    renew();
}

void TunerView::hideEvent(QHideEvent* event) {
    PaintedView::hideEvent(event);
    giveUp();
    renewControls();
}

} // namespace meshslice::ui
