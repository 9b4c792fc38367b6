#include "ui/lineup/lineup_view.h"

#include "core/scenario/choices.h"
#include "ui/lineup/chip_box.h"
#include "ui/lineup/lineup_text.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>

namespace meshslice::ui {

LineupView::LineupView(Selection* selection, QWidget* parent)
    : PaintedView(selection, parent)
    , runner_(new LineupRunner(this))
    , products_(new QComboBox(this))
    , chips_(new ChipBox(this))
    , orders_(new QComboBox(this))
    , scroll_(new QScrollBar(Qt::Vertical, this)) {
    setMouseTracking(true);
    setAccessibleName(tr("Algorithms"));
    makeControls();
    connect(scroll_, &QScrollBar::valueChanged, this, &LineupView::changed);
    connect(selection, &Selection::selectedChanged, this, [this] {
        renewControls();
        renew();
    });
    connect(runner_, &LineupRunner::finished, this, &LineupView::showLineup);
    connect(runner_, &LineupRunner::failed, this, &LineupView::fail);
    renewControls();
}

void LineupView::makeControls() {
    products_->setAccessibleName(tr("Product"));
    products_->setToolTip(tr("The product that every algorithm runs"));
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
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setAccessibleName(tr("Algorithms from top to bottom"));
}

void LineupView::renewControls() {
    const bool there = results() && state() != ViewState::failed;
    const QStringList titles = there ? productTitles() : QStringList();
    for (QWidget* control : {static_cast<QWidget*>(chips_), static_cast<QWidget*>(orders_)}) {
        control->setVisible(there);
    }
    products_->setVisible(titles.size() > 1);
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
        products_->setCurrentIndex(static_cast<int>(wanted()->gemm));
        const Torus torus = results()->scenario.torus().value_or(Torus());
        chips_->setTorus(torus);
        chips_->setValue(chosen_chip_.value_or(tellingChip(torus)));
        chip_ = chips_->value();
    }
    placeControls();
}

void LineupView::placeControls() {
    const QRect line = layoutLineup(size(), LineupRoom{}).subtitle;
    int x = 10;
    for (QWidget* control :
         {static_cast<QWidget*>(products_), static_cast<QWidget*>(chips_), static_cast<QWidget*>(orders_)}) {
        if (control->isHidden()) {
            continue;
        }
        const QSize hint = control->sizeHint();
        const int height = std::min(hint.height(), line.height() - 4);
        control->setGeometry(x, line.top() + (line.height() - height) / 2, hint.width(), height);
        x += hint.width() + 8;
    }
    about_left_ = x;
    const int hidden = lineup_ ? layoutLineup(size(), room()).hidden : 0;
    const LineupLayout layout = layoutLineup(size(), lineup_ ? room() : LineupRoom{});
    const int width = scroll_->sizeHint().width();
    scroll_->setGeometry(size().width() - width, layout.body.top(), width, layout.body.height());
    scroll_->setRange(0, hidden);
    scroll_->setPageStep(std::max(1, layout.body.height()));
    scroll_->setSingleStep(std::max(1, layout.rowHeight));
    scroll_->setVisible(hidden > 0 && sentence().isEmpty());
}

QStringList LineupView::productTitles() const {
    QStringList titles;
    if (!results()->steps.empty()) {
        for (const GemmResult& gemm : results()->steps.front().gemms) {
            titles += words(gemm.title());
        }
        return titles;
    }
    const auto all = products(results()->scenario, results()->scenario.algorithm);
    for (const Gemm& gemm : all ? *all : std::vector<Gemm>()) {
        GemmResult named;
        named.gemm = gemm;
        titles += words(named.title());
    }
    return titles;
}

std::optional<LineupRequest> LineupView::wanted() const {
    if (!results()) {
        return std::nullopt;
    }
    LineupRequest request{results()->scenario, 0};
    // All algorithms run, whichever is compared elsewhere: choosing another one asks for nothing new. (The
    // scenario's own decides which dataflow the product has.)
    request.scenario.compare.clear();
    const std::optional<Selected>& selected = selection().selected();
    if (selected && selected->gemm < static_cast<std::size_t>(productTitles().size())) {
        request.gemm = selected->gemm;
    }
    return request;
}

void LineupView::renew() {
    const std::optional<LineupRequest> request = wanted();
    if (!request || scenario_runs_ || state() == ViewState::failed) {
        return;
    }
    if (request == shown_) {
        if (asked_) { // back to what is there, before the answer to another question
            runner_->cancel();
            asked_.reset();
            PaintedView::showResults(results());
        }
        return;
    }
    if (request == asked_) {
        return;
    }
    runner_->cancel();
    asked_.reset();
    if (isVisible()) {
        asked_ = request;
        PaintedView::showState(ViewState::computing, {});
        runner_->request(*request);
    }
}

void LineupView::complete() {
    const std::optional<LineupRequest> request = wanted();
    if (request && request != shown_) {
        asked_ = request;
        runner_->answerNow(*request);
    }
}

void LineupView::resultsChanged() {
    scenario_runs_ = false;
    if (!results()) {
        runner_->cancel();
        asked_.reset();
        shown_.reset();
        lineup_.reset();
        failure_.clear();
    }
    renew();
    renewControls();
    changed();
}

void LineupView::showState(ViewState state, const QString& sentence) {
    runner_->cancel();
    asked_.reset();
    scenario_runs_ = state == ViewState::computing;
    PaintedView::showState(state, sentence);
    renewControls();
}

void LineupView::showLineup(const LineupPtr& lineup) {
    runner_->cancel();
    shown_ = asked_ ? asked_ : wanted();
    asked_.reset();
    failure_.clear();
    // Who has zoomed in stays there; who has not sees the new line-up as it opens.
    const bool zoomedIn = lineup_ && range_ != openingRange(*lineup_) && range_ != lineup_->model.whole();
    lineup_ = lineup;
    range_ = zoomedIn ? within(range_, lineup_->model.whole()) : openingRange(*lineup_);
    press_.reset();
    setAccessibleDescription(lineupFinding(*lineup_));
    PaintedView::showResults(results()); // the picture is of these again
}

void LineupView::fail(const QString& sentence) {
    shown_ = asked_;
    asked_.reset();
    lineup_.reset();
    failure_ = sentence;
    setAccessibleDescription(sentence);
    PaintedView::showResults(results());
}

QString LineupView::nothingToShow() const {
    if (!failure_.isEmpty()) {
        return failure_;
    }
    if (!lineup_) {
        return tr("Running every algorithm on this product …");
    }
    return lineup_->model.mostRows() > 0 ? QString()
                                         : tr("%1. Another mesh may suit them.").arg(lineupFinding(*lineup_));
}

LineupWindow LineupView::window() const {
    return {within(range_, lineup_->model.whole()), chip_, order_};
}

LineupRoom LineupView::room() const {
    LineupRoom room = lineupRoom(*lineup_, window(), size());
    room.scrollBar = scroll_->sizeHint().width();
    room.scrolled = scroll_->value();
    return room;
}

const LineupPicture& LineupView::picture() const {
    if (!picture_ && lineup_) {
        picture_ = makeLineupPicture(lineup_, window(), size(), room());
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
    const double ratio = devicePixelRatioF();
    if (base_.isNull() || base_.devicePixelRatio() != ratio) {
        base_ = QPixmap(size() * ratio);
        base_.setDevicePixelRatio(ratio);
        QPainter basePainter(&base_);
        paint(basePainter, picture(), theme());
    }
    painter.drawPixmap(0, 0, base_);
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

void LineupView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    const bool answered = !results() || shown_ == wanted();
    const QString words = answered ? sentence() : tr("The algorithms have not been run on this product yet.");
    if (!words.isEmpty()) {
        painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
        paintSentence(painter, QRectF(QPointF(0, 0), size), words, theme);
        return;
    }
    LineupRoom room = lineupRoom(*lineup_, window(), size);
    room.controls = false;
    LineupPicture shown = makeLineupPicture(lineup_, window(), size, room);
    shown.about = aboutLineup(*lineup_, chip_);
    paint(painter, shown, theme);
}

Table LineupView::table() const {
    return lineupTable(lineup_ && shown_ == wanted() ? *lineup_ : Lineup());
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

void LineupView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    placeControls();
    changed();
}

void LineupView::showEvent(QShowEvent* event) {
    PaintedView::showEvent(event);
    renew();
}

void LineupView::hideEvent(QHideEvent* event) {
    PaintedView::hideEvent(event);
    if (asked_) {
        runner_->cancel();
        asked_.reset();
    }
}

} // namespace meshslice::ui
