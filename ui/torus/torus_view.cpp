#include "ui/torus/torus_view.h"

#include "core/base/text.h"
#include "core/simulate/record/timeline.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/view/timeline_geometry.h"
#include "ui/view/finding.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int slider_steps = 10'000;
constexpr int frame_ms = 16;
constexpr std::array<double, 7> speeds = {0.01, 0.1, 0.25, 1, 2, 4, 10};
constexpr int usual_speed = 3;
/// More rows of chips are shown small instead of scrolled through.
constexpr int most_rows_to_scroll = 64;

/// Of the line that a figure's own title takes above several runs; one run has it in its picture.
double figureTitleHeight(std::size_t runs) {
    const std::optional<QString> title = figureTitle();
    return runs > 1 && title && !title->isEmpty() ? torus_heading_height : 0;
}

} // namespace

TorusView::TorusView(Session* session, QWidget* parent)
    : PaintedView(session, parent)
    , controls_(new QWidget(this))
    , play_(new QToolButton(controls_))
    , back_(new QToolButton(controls_))
    , forward_(new QToolButton(controls_))
    , slider_(new QSlider(Qt::Horizontal, controls_))
    , speeds_(new QComboBox(controls_))
    , what_(new QComboBox(controls_))
    , steps_(new QComboBox(controls_))
    , space_(new QToolButton(controls_))
    , slack_([](const SlackRequest& request, const RunControl& control) { return slackOf(request, control); },
             [this] { changed(); })
    , measures_([](const MeasureRequest& request,
                   const RunControl& control) { return measuresOf(request, control); },
                [this] { changed(); })
    , tables_([](const TorusTableRequest& request,
                 const RunControl& control) { return torusTableOf(request, control); },
              [] {}) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Torus"));
    makeControls();
    setShows(TorusShows::now); // with what the buttons say
    clock_.setInterval(frame_ms);
    clock_.setTimerType(Qt::PreciseTimer);
    connect(&clock_, &QTimer::timeout, this, &TorusView::tick);
    connect(&selection(), &Selection::momentChanged, this, &TorusView::changed);
    connect(&selection(), &Selection::selectedChanged, this, qOverload<>(&TorusView::update));
    connect(&selection(), &Selection::rangeChanged, this, [this] {
        if (!atMoment(shows_)) {
            changed();
        }
    });
}

void TorusView::makeControls() {
    play_->setText(tr("Play"));
    play_->setCheckable(true);
    play_->setToolTip(tr("Lets the time run (Space)"));
    connect(play_, &QToolButton::clicked, this, [this](bool on) { setPlaying(on); });
    back_->setText(QStringLiteral("\u2039"));
    back_->setAccessibleName(tr("Previous event"));
    forward_->setText(QStringLiteral("\u203a"));
    forward_->setAccessibleName(tr("Next event"));
    connect(back_, &QToolButton::clicked, this, [this] { goToEvent(false); });
    connect(forward_, &QToolButton::clicked, this, [this] { goToEvent(true); });
    slider_->setMinimumWidth(80);
    steps_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    slider_->setRange(0, slider_steps);
    slider_->setAccessibleName(tr("Moment"));
    slider_->setToolTip(tr("The moment that is shown; . and , go from event to event"));
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        goTo(Time(std::llround(static_cast<double>(whole().end.value()) * value / slider_steps)));
    });
    for (const double speed : speeds) {
        speeds_->addItem(QStringLiteral("\u00d7 %1").arg(speed));
    }
    speeds_->setCurrentIndex(usual_speed);
    speeds_->setAccessibleName(tr("Speed"));
    speeds_->setToolTip(
        tr("At × 1 the stretch of time that the timeline shows plays in 20 seconds (+ and −)"));
    what_->addItems(
        {tr("what they do now"), tr("how busy they are"), tr("bytes they carry"), tr("slack they have")});
    what_->setSizeAdjustPolicy(QComboBox::AdjustToContents); // chunks come and go
    what_->setAccessibleName(tr("What the colours say"));
    what_->setToolTip(
        tr("What cores and links do at the moment; or, over the stretch of time that the timeline shows, how "
           "busy they are, how many bytes they carry, or how much later they could have ended without "
           "delaying their GEMM; or, where a GEMM feeds its reduce-scatter, which of its tiles are made, "
           "counted, complete and sent"));
    connect(what_, &QComboBox::activated, this,
            [this](int index) { setShows(static_cast<TorusShows>(index)); });
    steps_->setAccessibleName(tr("Which run"));
    steps_->setToolTip(
        tr("Which of the two runs is shown, both next to each other, or, of what is measured, how "
           "much more B has than A"));
    connect(steps_, &QComboBox::activated, this, [this](int index) {
        const auto step = static_cast<std::size_t>(index);
        if (step < runs_.size()) {
            setStep(step);
        } else if (step == runs_.size()) {
            setBoth(true);
        } else {
            setDifference(true);
        }
    });
    space_->setText(tr("3D"));
    space_->setCheckable(true);
    space_->setAccessibleName(tr("In space"));
    space_->setToolTip(tr("Shows the three axes in space: dragging or the arrows turn it, 0 turns it back"));
    connect(space_, &QToolButton::toggled, this, &TorusView::setInSpace);
    auto* row = new QHBoxLayout(controls_);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(play_);
    row->addWidget(back_);
    row->addWidget(forward_);
    row->addWidget(slider_, 1);
    row->addWidget(speeds_);
    row->addWidget(what_);
    row->addWidget(steps_);
    row->addWidget(space_);
}

bool TorusView::hasThreeAxes(std::size_t step) const {
    return step < runs_.size() && !runs_[step]->chip_rows().empty() && runs_[step]->torus().axis_count() == 3;
}

std::optional<TorusTurn> TorusView::turn(std::size_t step) const {
    return in_space_ && hasThreeAxes(step) ? std::optional(turn_) : std::nullopt;
}

bool TorusView::standsInSpace() const {
    return std::ranges::any_of(stepsShown(), [this](std::size_t step) { return turn(step).has_value(); });
}

void TorusView::setInSpace(bool in_space) {
    in_space_ = in_space;
    const QSignalBlocker quiet(space_);
    space_->setChecked(in_space);
    takeHeight();
    changed();
}

void TorusView::turnBy(double yaw, double pitch) {
    turn_ = turned(turn_, yaw, pitch);
    changed();
}

void TorusView::resultsChanged() {
    runs_ = runsOf(results());
    step_ = runs_.size() > 0 ? std::min(step_, runs_.size() - 1) : 0;
    fed_.clear();
    for (std::size_t step = 0; step < runs_.size(); ++step) {
        fed_.emplace_back(*runs_[step]);
    }
    offerChunks();
    forgetOldAnswers();
    fillSteps();
    takeHeight();
    changed();
}

void TorusView::offerChunks() {
    const bool offered = what_->count() > static_cast<int>(TorusShows::chunks);
    const bool any = std::ranges::any_of(fed_, &FedGemms::any);
    if (any && !offered) {
        what_->addItem(tr("tiles that feed the ring"));
    } else if (!any && offered) {
        what_->removeItem(static_cast<int>(TorusShows::chunks));
    }
    if (!any && shows_ == TorusShows::chunks) {
        setShows(TorusShows::now);
    }
}

void TorusView::fillSteps() {
    const QSignalBlocker quiet(steps_);
    steps_->clear();
    for (std::size_t step = 0; step < runs_.size(); ++step) {
        steps_->addItem(stepTitle(runs_[step]->step()));
    }
    if (runs_.size() > 1) {
        steps_->addItem(tr("both"));
    }
    if (hasDifference()) {
        steps_->addItem(tr("difference"));
    }
    steps_->setCurrentIndex(static_cast<int>(!showsBoth()                     ? step_
                                             : difference_ && hasDifference() ? runs_.size() + 1
                                                                              : runs_.size()));
    steps_->setVisible(runs_.size() > 1);
}

void TorusView::stateChanged() {
    PaintedView::stateChanged();
    if (!sentence().isEmpty()) {
        setPlaying(false);
    }
    if (session().isComputing()) {
        measures_.cancel(); // who waits for it hears that there is another run
    }
    ask();
    renewControls();
}

QString TorusView::nothingToShow() const {
    if (step_ < runs_.size() && !runs_[step_]->chip_rows().empty()) {
        return {};
    }
    const StepRuns runs = runs_.empty() ? runsOf(results()) : runs_; // it may not have followed yet
    return whyNoBars(*runs[std::min(step_, runs.size() - 1)]);
}

std::vector<KeyHelp> TorusView::keys() const {
    return {{tr("Space"), tr("Play and stop")},
            {tr(". and ,"), tr("Next and previous event")},
            {tr("+ and −"), tr("Faster and slower")},
            {tr("Home, End"), tr("The beginning and the end")},
            {tr("Arrows, or drag"), tr("Turn a torus of three axes that is shown in space; 0 turns it back")},
            {tr("Click"), tr("Select a core or link; again: what if it were slow or dead?")}};
}

TimeRange TorusView::whole() const {
    Time end;
    for (std::size_t step = 0; step < runs_.size(); ++step) {
        for (const Piece& piece : runs_[step]->pieces()) {
            end = std::max(end, piece.end);
        }
    }
    return {Time(0), end};
}

TimeRange TorusView::range() const {
    const TimeRange seen = selection().range();
    return length(seen) > Time(0) ? within(seen, whole()) : whole();
}

/// Of the run that is shown, which may end before another one does.
TimeRange TorusView::loadRange(std::size_t step) const {
    TimeRange own = range();
    if (step < runs_.size() && !runs_[step]->pieces().empty()) {
        own.end = std::max(own.begin, std::min(own.end, runs_[step]->pieces().back().end));
    }
    return own;
}

std::vector<std::size_t> TorusView::stepsShown() const {
    const auto has_rows = [this](std::size_t step) { return !runs_[step]->chip_rows().empty(); };
    if (!showsBoth() || !has_rows(0) || !has_rows(1)) {
        return {step_};
    }
    return results() && results()->reference ? std::vector<std::size_t>{1, 0}
                                             : std::vector<std::size_t>{0, 1};
}

Time TorusView::moment() const {
    const bool runs = step_ < runs_.size() && !runs_[step_]->pieces().empty();
    const Time middle = runs ? Time(runs_[step_]->pieces().front().end.value() / 2) : Time(0);
    return std::clamp(selection().moment().value_or(middle), Time(0), whole().end);
}

void TorusView::goTo(Time moment) {
    selection().setMoment(std::clamp(moment, Time(0), whole().end));
}

void TorusView::goToEvent(bool next) {
    setPlaying(false);
    std::optional<Time> nearest;
    for (const std::size_t step : stepsShown()) {
        const bool chunks = shows_ == TorusShows::chunks;
        const auto at = chunks ? (next ? fed_[step].after(moment()) : fed_[step].before(moment()))
                        : next ? eventAfter(*runs_[step], moment())
                               : eventBefore(*runs_[step], moment());
        if (at) {
            nearest = !nearest ? *at : next ? std::min(*nearest, *at) : std::max(*nearest, *at);
        }
    }
    if (nearest) {
        goTo(*nearest);
    }
}

double TorusView::speed() const {
    return speeds[static_cast<std::size_t>(speeds_->currentIndex())];
}

void TorusView::changeSpeed(int by) {
    speeds_->setCurrentIndex(
        std::clamp(speeds_->currentIndex() + by, 0, static_cast<int>(speeds.size()) - 1));
}

void TorusView::setPlaying(bool playing) {
    playing = playing && sentence().isEmpty();
    const QSignalBlocker quiet(play_);
    play_->setChecked(playing);
    play_->setText(playing ? tr("Stop") : tr("Play"));
    if (playing == clock_.isActive()) {
        return;
    }
    if (playing) {
        if (moment() >= whole().end) {
            goTo(Time(0));
        }
        rest_ = 0;
        since_.start();
        clock_.start();
    } else {
        clock_.stop();
    }
}

void TorusView::tick() {
    const double passed = static_cast<double>(since_.nsecsElapsed()) * 1e-6 / playing_ms;
    since_.start();
    rest_ += passed * speed() * static_cast<double>(length(range()).value());
    const Time by(static_cast<std::int64_t>(rest_));
    rest_ -= static_cast<double>(by.value());
    goTo(moment() + by);
    if (moment() >= whole().end) {
        setPlaying(false);
    }
}

void TorusView::setShows(TorusShows shows) {
    shows_ = shows;
    what_->setCurrentIndex(static_cast<int>(shows));
    const bool chunks = shows == TorusShows::chunks;
    back_->setToolTip(chunks ? tr("Back to where a chunk had been made, completed or sent (,)")
                             : tr("Back to the event before (,)"));
    forward_->setToolTip(chunks ? tr("On to where the next chunk has been made, completed or sent (.)")
                                : tr("On to the next event (.)"));
    changed();
}

void TorusView::setStep(std::size_t step) {
    if (step < runs_.size()) {
        step_ = step;
        both_ = false;
        difference_ = false;
        fillSteps();
        takeHeight();
        changed();
    }
}

void TorusView::setBoth(bool both) {
    both_ = both;
    difference_ = false;
    fillSteps();
    takeHeight();
    changed();
}

void TorusView::setDifference(bool difference) {
    both_ = both_ || difference;
    difference_ = difference;
    if (difference && atMoment(shows_)) {
        shows_ = TorusShows::load; // at one moment there is nothing to subtract
        what_->setCurrentIndex(static_cast<int>(shows_));
    }
    fillSteps();
    takeHeight();
    changed();
}

bool TorusView::hasDifference() const {
    return results() && results()->reference && runs_.size() == 2 && !runs_[0]->chip_rows().empty() &&
           !runs_[1]->chip_rows().empty() && runs_[0]->torus() == runs_[1]->torus();
}

bool TorusView::showsDifference() const {
    return showsBoth() && difference_ && hasDifference() && !atMoment(shows_);
}

void TorusView::changed() {
    pictures_.clear();
    ask();
    if (!isVisible()) {
        return; // of many chips it is long, and nobody looks
    }
    renewControls();
    if (sentence().isEmpty() && !isPlaying()) {
        QStringList titles;
        for (const TorusPicture& one : pictures()) {
            titles << one.title;
        }
        setAccessibleDescription(titles.join(QStringLiteral(". ")));
    }
    update();
}

void TorusView::renewControls() {
    controls_->setVisible(sentence().isEmpty());
    space_->setVisible(
        std::ranges::any_of(stepsShown(), [this](std::size_t step) { return hasThreeAxes(step); }));
    const QSignalBlocker quiet(slider_);
    const Time end = whole().end;
    slider_->setValue(end > Time(0) ? static_cast<int>(std::lround(ratio(moment(), end) * slider_steps)) : 0);
    placeControls();
}

void TorusView::placeControls() {
    controls_->setGeometry(0, 0, width(), controls_->sizeHint().height());
}

void TorusView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    placeControls();
    pictures_.clear();
}

void TorusView::showEvent(QShowEvent* event) {
    PaintedView::showEvent(event);
    changed();
}

void TorusView::hideEvent(QHideEvent* event) {
    // It goes on where it is only moved to another place, which shows it again.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!isVisible()) {
                setPlaying(false);
            }
        },
        Qt::QueuedConnection);
    PaintedView::hideEvent(event);
    slack_.cancelUnlessAwaited();
    measures_.cancelUnlessAwaited();
    setUpdating(slack_.asked() || measures_.asked());
}

double TorusView::leastHeight(double width) const {
    constexpr double least_cell = 15; // a core and its links are seen as such
    constexpr double around = 150;    // controls, title, legend
    const bool there = step_ < runs_.size() && !runs_[step_]->chip_rows().empty();
    const Torus torus = there ? runs_[step_]->torus() : Torus();
    const int rows = torus.size(Axis::vertical);
    const bool grid = !turn() && torus.axis_count() > 1 && rows <= most_rows_to_scroll;
    // A tall mesh of two axes stands in blocks next to each other, as many as there is room for.
    const double each = least_cell * torus.size(Axis::horizontal) + TorusGrid::block_gap;
    const double room = width / static_cast<double>(std::max<std::size_t>(1, stepsShown().size()));
    const int blocks =
        torus.axis_count() == 2 ? std::max(1, static_cast<int>((room - torus_side_margins) / each)) : 1;
    return grid ? around + least_cell * ((rows + blocks - 1) / blocks) : 0;
}

QRectF TorusView::pictureArea() const {
    const QRectF all(QPointF(0, 0), pictureSize());
    return all.adjusted(0, toPicture(QSize(0, controls_->sizeHint().height())).height(), 0, 0);
}

const std::vector<TorusPicture>& TorusView::pictures() const {
    if (pictures_.empty()) {
        pictures_ = makePictures(pictureArea());
    }
    return pictures_;
}

/// Next to each other, or in a high and narrow area one below the other.
std::vector<TorusPicture> TorusView::makePictures(const QRectF& area) const {
    const bool difference = showsDifference();
    const std::vector<std::size_t> steps = difference ? std::vector<std::size_t>{0} : stepsShown();
    const auto count = static_cast<double>(steps.size());
    const QRectF room = area.adjusted(0, figureTitleHeight(steps.size()), 0, 0);
    const bool across = room.width() >= room.height();
    // Below each other, the last one has the legend of both below it: without it all are as large.
    double legend = 0;
    if (!across && steps.size() > 1) {
        TorusContent last;
        last.shows = shows_;
        last.fed = &fed_[steps.back()];
        legend = makeTorusPicture(*runs_[steps.back()], frameAt(*runs_[steps.back()], steps.back(), moment()),
                                  last, room, turn(steps.back()))
                     .legend_area.height();
    }
    const QSizeF each(across ? room.width() / count : room.width(),
                      across ? room.height() : (room.height() - legend) / count);
    TorusContent content;
    content.shows = shows_;
    if (shows_ == TorusShows::slack && slack_.answered() == wantedSlack()) {
        content.refusal = slack_.refusal();
    }
    std::vector<TorusPicture> made;
    for (const std::size_t step : steps) {
        const auto place = static_cast<double>(made.size());
        const QRectF own(QPointF(room.left() + (across ? place * each.width() : 0),
                                 room.top() + (across ? 0 : place * each.height())),
                         each + QSizeF(0, step == steps.back() ? legend : 0));
        content.measure = measureNow(step);
        content.fed = step < fed_.size() ? &fed_[step] : nullptr;
        if (difference) {
            const TorusMeasure* of_a = measureNow(1);
            differences_ =
                of_a != nullptr && content.measure != nullptr
                    ? std::optional(differenceOf(*of_a, *content.measure, runs_[step]->chip_rows()))
                    : std::nullopt;
            content.measure = differences_ ? &*differences_ : nullptr;
        }
        content.name = steps.size() > 1 ? stepTitle(runs_[step]->step()) : QString();
        content.legend = across || step == steps.back(); // below each other, the last one's is of both
        made.push_back(
            makeTorusPicture(*runs_[step], frameAt(*runs_[step], step, moment()), content, own, turn(step)));
    }
    return made;
}

void TorusView::paintContent(QPainter& painter) {
    painter.fillRect(QRect(QPoint(0, 0), pictureSize()), color(Role::background, theme()));
    for (const TorusPicture& one : pictures()) {
        paint(painter, one, theme());
        if (const auto part = selectedPart(one.step())) {
            paintFramed(painter, one, *part, theme());
        }
    }
}

void TorusView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme)); // a drawing has no paper
    const QRectF all(QPointF(0, 0), size);
    const std::vector<TorusPicture> made = makePictures(all);
    for (const TorusPicture& one : made) {
        paint(painter, one, theme);
    }
    if (const double height = figureTitleHeight(made.size()); height > 0) {
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(8, 0, all.width() - 16, height), Qt::AlignLeft | Qt::AlignVCenter,
                   lettering(Lettering::title, true), *figureTitle());
    }
}

Table TorusView::makeTable() const {
    if (shows_ == TorusShows::chunks && step_ < fed_.size()) {
        return chunksTable(runs_[step_]->torus(), chunksAt(*runs_[step_], fed_[step_], moment()));
    }
    if (tables_.answer() && tables_.answered() == wantedTable()) {
        return *tables_.answer();
    }
    return torusTable(*runs_[step_], frameAt(*runs_[step_], step_, moment()), loadRange(step_),
                      slackNow(step_));
}

} // namespace meshslice::ui
