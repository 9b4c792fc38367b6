#include "ui/lineup/lineup_view.h"

#include "core/scenario/choices.h"
#include "ui/lineup/chip_box.h"
#include "ui/lineup/lineup_text.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/session/subject.h"

#include <QComboBox>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace meshslice::ui {

LineupView::LineupView(Session* session, QWidget* parent)
    : PaintedView(session, parent)
    , products_(new QComboBox(this))
    , chips_(new ChipBox(this))
    , orders_(new QComboBox(this))
    , sides_(new QComboBox(this))
    , scroll_(new QScrollBar(Qt::Vertical, this))
    , inquiry_([](const LineupRequest& request,
                  const RunControl& control) { return computeLineup(request, control); },
               [this] { take(); }) {
    setMouseTracking(true);
    setAccessibleName(tr("Algorithms"));
    makeControls();
    connect(scroll_, &QScrollBar::valueChanged, this, &LineupView::changed);
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
    const QRect line = fromPicture(layoutLineup(pictureSize(), lineup_ ? room() : LineupRoom{}).subtitle);
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
    const int hidden = lineup_ ? layoutLineup(pictureSize(), room()).hidden : 0;
    const LineupLayout layout = layoutLineup(pictureSize(), lineup_ ? room() : LineupRoom{});
    const int width = scroll_->sizeHint().width();
    const QRect body = fromPicture(layout.body);
    scroll_->setGeometry(size().width() - width, body.top(), width, body.height());
    scroll_->setRange(0, hidden);
    scroll_->setPageStep(std::max(1, layout.body.height()));
    scroll_->setSingleStep(std::max(1, layout.rowHeight));
    scroll_->setVisible(hidden > 0 && sentence().isEmpty());
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
        const bool zoomedIn = before && range_ != openingRange(*before) && range_ != wholeOf(before->steps);
        range_ = zoomedIn ? within(range_, wholeOf(lineup_->steps)) : openingRange(*lineup_);
        setAccessibleDescription(lineupFinding(*lineup_));
    } else {
        setAccessibleDescription(inquiry_.refusal());
    }
    press_.reset();
    setUpdating(false);
    renewControls();
    changed();
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

LineupWindow LineupView::window() const {
    return {within(range_, wholeOf(lineup_->steps)), chip_, order_};
}

LineupRoom LineupView::room() const {
    LineupRoom room = lineupRoom(*lineup_, window(), pictureSize());
    room.scrollBar = toPicture(scroll_->sizeHint()).width();
    room.scrolled = scroll_->value();
    return room;
}

const LineupPicture& LineupView::picture() const {
    if (!picture_ && lineup_) {
        picture_ = makeLineupPicture(lineup_, window(), pictureSize(), room());
        picture_->aboutLeft = about_left_;
        picture_->about = aboutLineup(*lineup_);
    }
    static const LineupPicture none;
    return picture_ ? *picture_ : none;
}

void LineupView::changed() {
    picture_.reset();
    base_ = {};
    update();
}

void LineupView::paintContent(QPainter& painter) {
    paintBuffered(painter, base_, [&](QPainter& base_painter) { paint(base_painter, picture(), theme()); });
    paintCursor(painter);
}

void LineupView::paintCursor(QPainter& painter) {
    if (!cursor_ || !inData(*cursor_) || press_) {
        return;
    }
    const LineupPicture& shown = picture();
    const QRect ruler = shown.layout.ruler;
    const int x = cursor_->x();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(x, ruler.bottom(), 1, shown.layout.legend.top() - 1 - ruler.bottom()),
                     tint(Role::quietText, theme(), 0.8));
    const QFont font = lettering(Lettering::small, true);
    const QString read = shown.axis.readOut(shown.scale.time(x + 0.5), shown.scale);
    const double width = textWidth(font, read) + 10;
    const double left = std::clamp(x - width / 2, static_cast<double>(ruler.left()),
                                   std::max<double>(ruler.left(), shown.layout.right - width));
    const QRectF place(left, ruler.top() + 2, width, ruler.height() - 6);
    painter.fillRect(place, color(Role::text, theme()));
    painter.setPen(color(Role::background, theme()));
    drawFitted(painter, place, Qt::AlignCenter, font, read);
}

void LineupView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    LineupRoom room = lineupRoom(*lineup_, window(), size);
    room.controls = false;
    LineupPicture shown = makeLineupPicture(lineup_, window(), size, room);
    shown.about = aboutLineup(*lineup_, chip_);
    paint(painter, shown, theme);
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
    changed();
}

void LineupView::setChip(Chip chip) {
    chosen_chip_ = chip;
    chip_ = chip;
    const QSignalBlocker quiet(chips_);
    chips_->setValue(chip);
    changed();
}

void LineupView::looksChanged() {
    changed();
    QMetaObject::invokeMethod(
        this,
        [this] {
            placeControls(); // they hear of another font after this
            changed();
        },
        Qt::QueuedConnection);
}

void LineupView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    placeControls();
    changed();
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
    std::vector<ReadablePart> parts;
    if (!sentence().isEmpty()) {
        return parts;
    }
    const LineupPicture& shown = picture();
    for (std::size_t block = 0; block < shown.layout.blocks.size(); ++block) {
        const LineupRun& run = shown.run(block);
        const QStringList lines = run.step ? runLines(*lineup_, run) : QStringList{run.name(), run.objection};
        parts.push_back(readablePart(lines, fromPicture(shown.layout.blocks[block].area)));
    }
    return parts;
}

} // namespace meshslice::ui
