#include "ui/lineup/lineup_view.h"

#include "core/scenario/choices.h"
#include "ui/lineup/chip_box.h"
#include "ui/lineup/lineup_window.h"
#include "ui/look/words.h"
#include "ui/session/subject.h"

#include <QComboBox>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int controls_height = 32;
constexpr int rows_per_notch = 3;

} // namespace

LineupView::LineupView(Session* session, QWidget* parent)
    : PaintedView(session, parent)
    , products_(new QComboBox(this))
    , chips_(new ChipBox(this))
    , orders_(new QComboBox(this))
    , sides_(new QComboBox(this))
    , scroll_(new QScrollBar(Qt::Vertical, this))
    , browser_([this] { changed(); })
    , inquiry_([](const LineupRequest& request,
                  const RunControl& control) { return computeLineup(request, control); },
               [this] { take(); }) {
    setMouseTracking(true);
    setAccessibleName(tr("Algorithms"));
    makeControls();
    connect(scroll_, &QScrollBar::valueChanged, this,
            [this](int pixels) { browser_.scrollTo(pixels, pictureSize()); });
    connect(&selection(), &Selection::selectedChanged, this, [this] {
        renewControls();
        renew();
    });
    renewControls();
}

void LineupView::makeControls() {
    products_->setAccessibleName(tr("GEMM"));
    products_->setToolTip(tr("The GEMM that every algorithm runs"));
    products_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(products_, &QComboBox::activated, this, [this](int index) {
        selection().select(Selected{0, static_cast<std::size_t>(index), {}, {}});
    });
    chips_->setAccessibleName(tr("Chip"));
    chips_->setToolTip(tr("The chip whose core and links are shown"));
    connect(chips_, &QSpinBox::valueChanged, this, &LineupView::setChip);
    orders_->setAccessibleName(tr("Order"));
    orders_->setToolTip(tr("The order of the algorithms, from top to bottom"));
    orders_->addItems({tr("in the usual order"), tr("fastest first")});
    connect(orders_, &QComboBox::activated, this,
            [this](int index) { setOrder(index == 1 ? LineupOrder::fastestFirst : LineupOrder::asListed); });
    sides_->setAccessibleName(tr("Whose algorithms are shown"));
    sides_->setToolTip(
        tr("The algorithms on A, on B, or on both next to each other, with what B takes against A"));
    sides_->addItems({QStringLiteral("A"), QStringLiteral("B"), tr("A and B")});
    connect(sides_, &QComboBox::activated, this, [this](int index) { setSide(static_cast<Side>(index)); });
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setAccessibleName(tr("Algorithms from top to bottom"));
}

void LineupView::renewControls() {
    const bool there = mayAsk() || (session().isComputing() && lineup_);
    const QStringList titles = there ? productTitles() : QStringList();
    for (QWidget* control : {static_cast<QWidget*>(chips_), static_cast<QWidget*>(orders_)}) {
        control->setVisible(there);
    }
    products_->setVisible(titles.size() > 1);
    sides_->setVisible(there && reference() != nullptr);
    sides_->setCurrentIndex(static_cast<int>(side_));
    if (there) {
        const QSignalBlocker quietProducts(products_);
        const QSignalBlocker quietChips(chips_);
        QStringList before;
        for (int index = 0; index < products_->count(); ++index) {
            before += products_->itemText(index);
        }
        if (titles != before) {
            products_->clear();
            products_->addItems(titles);
        }
        products_->setCurrentIndex(static_cast<int>(wanted().gemm));
        const Torus torus = shownScenario().torus().value_or(Torus());
        chips_->setTorus(torus);
        chips_->setValue(chosen_chip_.value_or(tellingChip(torus)));
        chip_ = chips_->value();
    }
    placeControls();
}

void LineupView::placeControls() {
    RunWindow none;
    none.controls = controls_height;
    const RunLayout layout = browser_.window() ? layoutNow() : layoutRun(pictureSize(), none);
    const QRect line = fromPicture(layout.about);
    std::vector<QWidget*> controls = {sides_, products_, chips_, orders_};
    std::erase_if(controls, [](const QWidget* control) { return control->isHidden(); });
    int x = 10;
    int excess = 2 * x - width();
    for (const QWidget* control : controls) {
        excess += control->sizeHint().width() + 8;
    }
    for (QWidget* control : controls) {
        const QSize hint = control->sizeHint();
        // What there is no room for, the lists do without: their entries are cut, and whole when they open.
        const int least = control == chips_ ? hint.width() : hint.width() / 2;
        const int wide = std::clamp(hint.width() - std::max(0, excess), least, hint.width());
        excess -= hint.width() - wide;
        const int height = std::min(hint.height(), line.height() - 4);
        control->setGeometry(x, line.top() + (line.height() - height) / 2, wide, height);
        x += wide + 8;
    }
    about_left_ = toPicture(QPoint(x, 0)).x();
}

const Variant* LineupView::reference() const {
    const ResultsPtr shown = results();
    return shown && shown->reference && session().state().kind != Session::Kind::failed ? &*shown->reference
                                                                                        : nullptr;
}

const Scenario& LineupView::shownScenario() const {
    return side_ == Side::a && reference() != nullptr ? reference()->scenario : session().state().scenario;
}

void LineupView::setSide(Side side) {
    side_ = side;
    renewControls();
    renew();
}

QStringList LineupView::productTitles() const {
    const Scenario& scenario = shownScenario();
    QStringList titles;
    const auto all = products(scenario, scenario.plan.algorithm);
    for (const Gemm& gemm : all ? *all : std::vector<Gemm>()) {
        titles += words(meshslice::title(gemm));
    }
    return titles;
}

bool LineupView::mayAsk() const {
    const SessionState& state = session().state();
    return state.kind == Session::Kind::ready || (state.kind == Session::Kind::failed && !state.cancelled);
}

LineupRequest LineupView::wanted() const {
    LineupRequest request{shownScenario(), 0};
    // All algorithms run, whichever is compared elsewhere: choosing another one asks for nothing new. (The
    // scenario's own decides which dataflow the GEMM has.)
    request.scenario.compare.clear();
    if (side_ == Side::both && reference() != nullptr) {
        request.reference = reference()->scenario;
        request.reference->compare.clear();
    } else if (reference() != nullptr) {
        request.side = side_ == Side::a ? "A" : "B";
    }
    const std::optional<Selected>& selected = selection().selected();
    if (selected && selected->gemm < static_cast<std::size_t>(productTitles().size())) {
        request.gemm = selected->gemm;
    }
    return request;
}

void LineupView::renew() {
    if (!mayAsk()) {
        return;
    }
    const LineupRequest request = wanted();
    if (isVisible()) {
        setUpdating(inquiry_.ask(request));
    } else if (inquiry_.asked() != request) {
        inquiry_.cancel();
        setUpdating(false);
    }
}

bool LineupView::isCurrent() const {
    return mayAsk() && inquiry_.answer() && inquiry_.answered() == wanted();
}

void LineupView::complete(const Completed& completed) {
    if (mayAsk()) {
        inquiry_.ask(wanted(), completed);
    } else {
        PaintedView::complete(completed);
    }
}

void LineupView::giveUp() {
    inquiry_.cancel();
    setUpdating(false);
    renew(); // what is seen is still asked for
}

void LineupView::stateChanged() {
    PaintedView::stateChanged();
    if (!mayAsk()) {
        inquiry_.cancel(); // there will be another question soon
        setUpdating(false);
    }
    renew();
    if (isVisible()) {
        renewControls();
    }
}

void LineupView::take() {
    const LineupPtr before = std::exchange(lineup_, lineup());
    if (lineup_) {
        // Who has zoomed in stays there; who has not sees the new line-up as it opens.
        const RunWindow* shown = browser_.window();
        if (shown == nullptr || !before || range() == shown->first() || range() == shown->whole()) {
            browser_.clear();
        }
        setAccessibleDescription(lineupFinding(*lineup_));
    } else {
        setAccessibleDescription(inquiry_.refusal());
    }
    setUpdating(false);
    renewControls();
    renewWindow();
}

QString LineupView::sentence() const {
    const SessionState& state = session().state();
    return mayAsk() || (state.kind == Session::Kind::computing && lineup_) ? nothingToShow()
                                                                           : session().whyNoResults();
}

QString LineupView::nothingToShow() const {
    if (!inquiry_.refusal().isEmpty()) {
        return inquiry_.refusal();
    }
    if (!lineup_) {
        return tr("Running every algorithm on this GEMM…");
    }
    return mostRows(lineup_->steps) > 0 ? QString()
                                        : tr("%1. Another mesh may suit them.").arg(lineupFinding(*lineup_));
}

void LineupView::renewWindow() {
    if (!lineup_) {
        browser_.clear();
        return changed();
    }
    RunWindow next = lineupWindow(lineup_, chip_, order_);
    if (const RunWindow* before = browser_.window()) {
        next.range = within(before->range, next.whole());
        next.scrolled = before->scrolled;
    }
    next.about = aboutLineup(*lineup_);
    next.aboutLeft = about_left_;
    next.controls = controls_height;
    next.scrollBar = toPicture(scroll_->sizeHint()).width();
    browser_.show(std::move(next));
}

RunLayout LineupView::layoutNow() const {
    return layoutRun(pictureSize(), *browser_.window());
}

void LineupView::changed() {
    base_ = {};
    if (browser_.window() != nullptr) {
        const RunLayout layout = layoutNow();
        const QSignalBlocker quiet(scroll_);
        const int width = scroll_->sizeHint().width();
        const QRect body = fromPicture(layout.body);
        scroll_->setGeometry(size().width() - width, body.top(), width, body.height());
        scroll_->setRange(0, layout.hidden);
        scroll_->setPageStep(std::max(1, layout.body.height()));
        scroll_->setSingleStep(std::max(1, layout.row));
        scroll_->setValue(browser_.window()->scrolled);
        scroll_->setVisible(layout.hidden > 0 && sentence().isEmpty());
    }
    update();
}

void LineupView::paintContent(QPainter& painter) {
    paintBuffered(painter, base_, [&](QPainter& base_painter) {
        paintRun(base_painter, pictureSize(), *browser_.window(), theme());
    });
    browser_.paintCursor(painter, pictureSize(), theme());
}

void LineupView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    RunWindow shown = lineupWindow(lineup_, chip_, order_);
    shown.range = browser_.window()->range;
    shown.about = aboutLineup(*lineup_, chip_);
    paintRun(painter, size, shown, theme);
}

double LineupView::pictureHeight(double width) const {
    if (!lineup_) {
        return PaintedView::pictureHeight(width);
    }
    const RunWindow shown = lineupWindow(lineup_, chip_, order_);
    return std::max(PaintedView::pictureHeight(width), static_cast<double>(leastRunHeight(shown)));
}

QString LineupView::pictured() const {
    const QString side = words(wanted().side);
    return side.isEmpty() ? PaintedView::pictured() : side + translated(": ") + subject(shownScenario());
}

Table LineupView::makeTable() const {
    return lineupTable(*lineup_);
}

void LineupView::setOrder(LineupOrder order) {
    order_ = order;
    orders_->setCurrentIndex(order == LineupOrder::fastestFirst ? 1 : 0);
    renewWindow();
}

void LineupView::setChip(Chip chip) {
    chosen_chip_ = chip;
    chip_ = chip;
    const QSignalBlocker quiet(chips_);
    chips_->setValue(chip);
    renewWindow();
}

void LineupView::looksChanged() {
    renewWindow();
    QMetaObject::invokeMethod(
        this,
        [this] {
            placeControls(); // they hear of another font after this
            renewWindow();
        },
        Qt::QueuedConnection);
}

void LineupView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    placeControls();
    renewWindow();
}

void LineupView::showEvent(QShowEvent* event) {
    PaintedView::showEvent(event);
    renew();
    renewControls();
}

void LineupView::hideEvent(QHideEvent* event) {
    PaintedView::hideEvent(event);
    inquiry_.cancelUnlessAwaited();
    setUpdating(inquiry_.asked().has_value());
}

std::vector<ReadablePart> LineupView::readableParts() const {
    return isSeen() ? readableRuns(*browser_.window(), layoutNow()) : std::vector<ReadablePart>();
}

std::vector<KeyHelp> LineupView::keys() const {
    return {
        {tr("W, S"), tr("Zoom in and out at the cursor")},
        {tr("A, D or Left, Right"), tr("Move left and right in time")},
        {tr("Up, Down, Page Up, Page Down"), tr("Scroll the algorithms")},
        {tr("F"), tr("The GEMM as when the view opens; again: the whole time axis")},
        {tr("Home, or double click"), tr("The whole time axis")},
        {tr("Drag"), tr("Move in time")},
        {tr("Wheel, Ctrl+wheel, Shift+wheel"), tr("Scroll the algorithms, zoom, move in time")},
    };
}

QStringList LineupView::linesAt(const QPoint& point) const {
    return isSeen() ? runLinesAt(*browser_.window(), layoutNow(), point) : QStringList();
}

QStringList LineupView::tipAt(const QPoint& point) const {
    return linesAt(toPicture(point));
}

bool LineupView::handleKey(int key, bool act) {
    return lineup_ && browser_.key(key, pictureSize(), act);
}

void LineupView::wheelEvent(QWheelEvent* event) {
    if (!isSeen()) {
        event->ignore();
        return;
    }
    TimeStep step = timeStep(*event);
    step.by *= step.move == TimeMove::rows ? rows_per_notch : 1;
    browser_.move(step, event->position().x() / pictureScale(), pictureSize());
    event->accept();
}

void LineupView::mousePressEvent(QMouseEvent* event) {
    const bool pans = event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton;
    const QPoint at = toPicture(event->pos());
    if (!pans || !isSeen() || !layoutNow().inData(at)) {
        PaintedView::mousePressEvent(event);
        return;
    }
    browser_.press(at);
    setCursor(Qt::ClosedHandCursor);
    update();
}

void LineupView::mouseMoveEvent(QMouseEvent* event) {
    browser_.hover(toPicture(event->pos()));
    browser_.drag(toPicture(event->pos()), pictureSize());
    update();
}

void LineupView::mouseReleaseEvent(QMouseEvent* event) {
    browser_.release(toPicture(event->pos()), pictureSize());
    unsetCursor();
    update();
    PaintedView::mouseReleaseEvent(event);
}

void LineupView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && isSeen()) {
        browser_.doubleClick(toPicture(event->pos()), pictureSize());
    }
}

void LineupView::leaveEvent(QEvent* event) {
    browser_.hover(std::nullopt);
    update();
    PaintedView::leaveEvent(event);
}

} // namespace meshslice::ui
