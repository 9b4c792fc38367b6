#include "ui/sweeps/sweeps_view.h"

#include "core/report/chart/sweep_chart.h"
#include "core/report/sweep_table.h"
#include "core/scenario/fields.h"
#include "ui/charts/chart_canvas.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/look/words.h"
#include "ui/view/painted_view.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr int growing_every_ms = 150;
constexpr std::string_view first_field = "batch";
constexpr std::string_view first_field_of_a_gemm = "slices";

QString shown(const char* text) {
    return QCoreApplication::translate("meshslice::ui::Fields", text);
}

QString labelOf(const FieldRow& row) {
    QString label = row.label.empty() ? words(row.name) : shown(row.label.c_str());
    return label.remove(QLatin1Char('&'));
}

} // namespace

class SweepsView::Done {
  public:
    /// How many points of this sweep are done; those of another one are forgotten.
    std::size_t begin(const Sweep& sweep) {
        const std::scoped_lock lock(mutex_);
        if (sweep_ != sweep) {
            sweep_ = sweep;
            points_.clear();
        }
        return points_.size();
    }
    void add(const SweepPoint& point) {
        const std::scoped_lock lock(mutex_);
        points_.push_back(point);
    }
    /// Those of this sweep from `from` on.
    [[nodiscard]] std::vector<SweepPoint> of(const Sweep& sweep, std::size_t from = 0) const {
        const std::scoped_lock lock(mutex_);
        return sweep_ == sweep && from < points_.size()
                   ? std::vector<SweepPoint>(points_.begin() + static_cast<std::ptrdiff_t>(from),
                                             points_.end())
                   : std::vector<SweepPoint>();
    }

  private:
    mutable std::mutex mutex_;
    std::optional<Sweep> sweep_;
    std::vector<SweepPoint> points_;
};

SweepsView::SweepsView(Session* session, QWidget* parent)
    : View(session, parent)
    , fields_{new QComboBox(this), new QComboBox(this)}
    , values_{new QLineEdit(this), new QLineEdit(this)}
    , depth_(new QComboBox(this))
    , stop_(new QPushButton(this))
    , canvas_(new ChartCanvas(this))
    , rows_(new TableModel(this))
    , done_(std::make_shared<Done>())
    , inquiry_(
          [done = done_](const Sweep& sweep, const RunControl& control) -> Result<std::vector<SweepPoint>> {
              const std::size_t from = done->begin(sweep);
              const auto add = [&](const SweepPoint& point) { done->add(point); };
              return run_sweep(sweep, add, from, control).map([&] { return done->of(sweep); });
          },
          [this] {
              showPoints();
              emit answered();
          }) {
    setAccessibleName(tr("Sweep"));
    canvas_->setAccessibleName(tr("Chart of the sweep"));
    makeControls();
    layOut();
    growing_.setInterval(growing_every_ms);
    connect(&growing_, &QTimer::timeout, this, &SweepsView::showPoints);
    connect(canvas_->surface(), &ChartSurface::picked, this, [this](std::optional<int> item) {
        if (item) {
            take(static_cast<std::size_t>(*item));
        }
    });
}

void SweepsView::makeControls() {
    const std::array<QString, 2> names = {tr("Field"), tr("Second field")};
    for (std::size_t which = 0; which < fields_.size(); ++which) {
        fields_[which]->setAccessibleName(names[which]);
        fields_[which]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        fields_[which]->setMinimumContentsLength(12);
        values_[which]->setAccessibleName(tr("Values of %1").arg(names[which].toLower()));
        values_[which]->setToolTip(
            tr("<p>A list, such as 8, 16, 32 or x 0.5, x 1, x 2, or a range: 8:512:x2, "
               "8:64:+8. A factor of the hardware's numbers is of the preset, and numbers without "
               "a unit are factors there.</p>"));
        connect(fields_[which], &QComboBox::activated, this, [this, which] {
            picked_ = true;
            suggestValues(which);
            renew();
        });
        connect(values_[which], &QLineEdit::editingFinished, this, &SweepsView::renew);
    }
    depth_->addItems({tr("by estimate"), tr("simulated")});
    depth_->setAccessibleName(tr("Estimated or simulated"));
    connect(depth_, &QComboBox::activated, this, &SweepsView::renew);
    connect(stop_, &QPushButton::clicked, this, &SweepsView::stopOrGoOn);
    fillFields();
    fields_[0]->setCurrentIndex(fields_[0]->findData(words(std::string(first_field))));
    suggestValues(0);
    suggestValues(1);
}

void SweepsView::layOut() {
    auto* controls = new QGridLayout;
    controls->setContentsMargins(12, 6, 12, 4);
    controls->setSpacing(6);
    controls->setColumnStretch(1, 1);
    for (int which = 0; which < 2; ++which) {
        const auto at = static_cast<std::size_t>(which);
        controls->addWidget(fields_[at], which, 0);
        controls->addWidget(values_[at], which, 1);
    }
    controls->addWidget(depth_, 0, 2);
    controls->addWidget(stop_, 1, 2);
    table_ = makeTableView(rows_, tr("The sweep's points"));
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& index) { take(static_cast<std::size_t>(index.row())); });
    auto* stack = new QSplitter(Qt::Vertical, this);
    stack->addWidget(makeScrolling(canvas_, stack));
    stack->addWidget(table_);
    stack->setStretchFactor(0, 3);
    stack->setStretchFactor(1, 1);
    stack->setChildrenCollapsible(false);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(controls);
    all->addWidget(stack, 1);
    setFocusProxy(fields_[0]);
    stack->setSizes({430, 170});
}

void SweepsView::fillFields() {
    const Scenario& scenario = session().state().scenario;
    for (std::size_t which = 0; which < fields_.size(); ++which) {
        QComboBox* list = fields_[which];
        const QSignalBlocker quiet(list);
        const QString chosen = list->currentData().toString();
        list->clear();
        if (which == 1) {
            list->addItem(tr("and no other"), QString());
        }
        for (const Field<Scenario>& field : scenario_fields()) {
            // What somebody chose stays where it has no effect, and says so.
            const bool stays = picked_ && words(field.key) == chosen;
            if (can_vary(field) && !field.label.empty() && (field.applies(scenario) || stays)) {
                list->addItem(labelOf(field), words(field.key));
            }
        }
        list->setCurrentIndex(std::max(0, list->findData(chosen)));
        if (which == 0 && !chosen.isEmpty() && list->currentData().toString() != chosen) {
            list->setCurrentIndex(std::max(0, list->findData(words(std::string(first_field_of_a_gemm)))));
            suggestValues(0);
        }
    }
}

void SweepsView::suggestValues(std::size_t which) {
    const std::string key = fields_[which]->currentData().toString().toStdString();
    values_[which]->setEnabled(!key.empty());
    values_[which]->setText(
        key.empty() ? QString() : words(suggested_values(scenario_field(key), session().state().scenario)));
    values_[which]->setCursorPosition(0);
}

void SweepsView::sweepField(std::string_view key) {
    picked_ = true;
    fillFields();
    fields_[0]->setCurrentIndex(fields_[0]->findData(words(std::string(key))));
    fields_[1]->setCurrentIndex(0);
    suggestValues(0);
    suggestValues(1);
    renew();
}

Result<Sweep> SweepsView::wanted() const {
    Sweep sweep{
        session().state().scenario, {}, depth_->currentIndex() == 0 ? Depth::estimate : Depth::simulate};
    for (std::size_t which = 0; which < fields_.size(); ++which) {
        const std::string key = fields_[which]->currentData().toString().toStdString();
        if (key.empty()) {
            continue;
        }
        const Field<Scenario>& field = scenario_field(key);
        Result<Vary> vary = parse_values(field, values_[which]->text().toStdString());
        if (!vary) {
            return refuse(vary.error());
        }
        sweep.fields.push_back(*std::move(vary));
    }
    if (const Result<void> valid = checked(sweep); !valid) {
        return refuse(valid.error());
    }
    // What varies has no value of its own, so that taking a point over asks no other question.
    sweep.scenario = shared_by_points(sweep);
    return sweep;
}

void SweepsView::stateChanged() {
    if (!session().isComputing()) { // the cores are the run's while there is one
        fillFields();
        renew();
    }
}

void SweepsView::renew() {
    const Result<Sweep> sweep = wanted();
    if (!isVisible() || (sweep && (inquiry_.asked() == *sweep || stopped_ == *sweep))) {
        return;
    }
    stopped_.reset();
    if (sweep) {
        inquiry_.ask(*sweep);
    } else {
        inquiry_.clear();
    }
    showPoints();
}

void SweepsView::stopOrGoOn() {
    if (inquiry_.asked()) {
        stopped_ = inquiry_.asked();
        inquiry_.cancel();
    } else if (const Result<Sweep> sweep = wanted()) {
        stopped_.reset();
        inquiry_.ask(*sweep);
    }
    showPoints();
}

void SweepsView::showPoints() {
    const bool busy = inquiry_.asked().has_value();
    busy ? growing_.start() : growing_.stop();
    stop_->setVisible(busy || stopped_.has_value());
    stop_->setText(busy ? tr("Stop (%1%)").arg(std::lround(100 * inquiry_.progress())) : tr("Go on"));
    const Result<Sweep> sweep = wanted();
    if (!sweep || shown_ != *sweep) {
        shown_ = sweep ? std::optional(*sweep) : std::nullopt;
        points_.clear();
        rows_->setTable(sweep ? sweep_table(*sweep, {}) : Table());
        drawn_.reset();
    }
    if (sweep) {
        const std::vector<SweepPoint> more = done_->of(*sweep, points_.size());
        rows_->addRows(sweep_table(*sweep, more).rows);
        points_.insert(points_.end(), more.begin(), more.end());
    }
    table_->setVisible(!points_.empty());
    drawPoints(sweep, busy);
}

void SweepsView::drawPoints(const Result<Sweep>& sweep, bool busy) {
    // A picture costs as much as it has points: of those that grow there are only so many.
    const bool few_more = drawn_ && points_.size() < *drawn_ + *drawn_ / 4;
    if (busy && !points_.empty() && few_more) {
        return;
    }
    drawn_ = points_.size();
    const QString instead = sentenceOf(sweep);
    const std::string finding = points_.empty() ? std::string() : sweep_finding(*sweep, points_);
    canvas_->show(points_.empty() ? std::nullopt : std::optional(sweep_chart(*sweep, points_, finding)),
                  instead);
    setAccessibleDescription(points_.empty() ? instead : words(finding));
}

bool SweepsView::isCurrent() const {
    const Result<Sweep> sweep = wanted();
    return sweep && inquiry_.answer() && inquiry_.answered() == *sweep;
}

void SweepsView::complete(const Completed& completed) {
    const Result<Sweep> sweep = wanted();
    if (sweep) {
        inquiry_.ask(*sweep, completed);
    } else {
        completed(refuse(sweep.error()));
    }
}

void SweepsView::giveUp() {
    inquiry_.cancel();
    renew(); // what is seen is still asked for
}

QString SweepsView::sentence() const {
    return sentenceOf(wanted());
}

QString SweepsView::sentenceOf(const Result<Sweep>& sweep) const {
    if (!sweep) {
        return words(sweep.error().sentence);
    }
    if (!inquiry_.refusal().isEmpty() && inquiry_.answered() == *sweep) {
        return inquiry_.refusal();
    }
    if (inquiry_.asked()) {
        return tr("Computing…");
    }
    const bool current = inquiry_.answer() && inquiry_.answered() == *sweep;
    return current ? QString() : tr("The sweep starts when this view is opened.");
}

void SweepsView::take(std::size_t point) {
    const Result<Sweep> sweep = wanted();
    if (!sweep || point >= sweep->size()) {
        return;
    }
    const std::string& field = sweep->fields.front().key;
    const Result<Scenario> taken =
        with_values(session().document()->scenario(), sweep->fields, values_at(*sweep, point));
    if (taken) {
        session().edit([&](Scenario& next) { next = *taken; }, field);
    } else {
        session().document()->refuseEdit(field, words(taken.error().sentence));
    }
}

Table SweepsView::makeTable() const {
    return sweep_table(*inquiry_.answered(), *inquiry_.answer());
}

QString SweepsView::pictured() const {
    return words(sweep_title(*inquiry_.answered()));
}

void SweepsView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    paintEnlarged(painter, size, theme, [&](const QSize& laid_out) {
        if (isCurrent()) {
            canvas_->surface()->paintPicture(painter, laid_out, theme);
            return;
        }
        painter.fillRect(QRect(QPoint(0, 0), laid_out), color(Role::background, theme));
        paintSentence(painter, QRectF(QPointF(0, 0), laid_out), sentence(), theme);
    });
}

void SweepsView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    renew();
}

void SweepsView::hideEvent(QHideEvent* event) {
    View::hideEvent(event);
    inquiry_.cancelUnlessAwaited();
    growing_.stop();
}

} // namespace meshslice::ui
