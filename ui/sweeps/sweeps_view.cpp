#include "ui/sweeps/sweeps_view.h"

#include "core/base/language.h"
#include "core/report/sweep/sweep_table.h"
#include "core/scenario/fields.h"
#include "ui/charts/heat/heat_canvas.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/tab_order.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/window_keys.h"
#include "ui/controls/wrapping_row.h"
#include "ui/look/words.h"
#include "ui/sweeps/done_points.h"

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr int growing_every_ms = 150;
constexpr std::string_view first_field = "batch";
constexpr std::string_view first_field_of_a_gemm = "slices";

QString labelOf(const FieldRow& row) {
    QString label = translated(row.label.empty() ? row.name : row.label);
    return label.remove(QLatin1Char('&'));
}

} // namespace

SweepsView::SweepsView(Session* session, QWidget* parent)
    : ChartJobView(session, parent)
    , fields_{new QComboBox(this), new QComboBox(this)}
    , values_{new QLineEdit(this), new QLineEdit(this)}
    , depth_(new QComboBox(this))
    , stop_(new QPushButton(tr("Go on"), this))
    , as_lines_(new QRadioButton(this))
    , as_heat_map_(new QRadioButton(this))
    , whose_(new QComboBox(this))
    , refusal_(new QLabel(this))
    , pictures_(new QStackedWidget(this))
    , heat_(new HeatCanvas(this))
    , rows_(new TableModel(this))
    , done_(std::make_shared<DonePoints>())
    , inquiry_(
          [done = done_](const Sweep& sweep, const RunControl& control) -> Result<std::vector<SweepPoint>> {
              const std::size_t from = done->begin(sweep);
              const auto add = [&](const SweepPoint& point) { done->add(point); };
              return run_sweep(sweep, add, from, control).map([&] { return done->of(sweep); });
          },
          [this] {
              showPoints();
              emit answered();
          })
    , inquiry_of_a_(
          [](const Sweep& sweep, const RunControl& control) -> Result<std::vector<SweepPoint>> {
              std::vector<SweepPoint> points;
              const auto add = [&](const SweepPoint& point) { points.push_back(point); };
              return run_sweep(sweep, add, 0, control).map([&] { return std::move(points); });
          },
          [this] { showPoints(); }) {
    setAccessibleName(tr("Sweep"));
    canvas()->setAccessibleName(tr("Chart of the sweep"));
    heat_->setAccessibleName(tr("Heat map of the sweep"));
    makeControls();
    layOut();
    growing_.setInterval(growing_every_ms);
    connect(&growing_, &QTimer::timeout, this, &SweepsView::showPoints);
    connect(heat_, &HeatCanvas::picked, this, [this](int item) { pick(static_cast<std::size_t>(item)); });
    connect(canvas()->surface(), &ChartSurface::picked, this, [this](std::optional<int> item) {
        if (item) {
            pick(static_cast<std::size_t>(*item));
        }
    });
}

// A line with the focus says that it is left when its view is destroyed, and there is nothing to ask any
// more.
SweepsView::~SweepsView() {
    for (QLineEdit* line : values_) {
        line->disconnect(this);
    }
}

void SweepsView::makeControls() {
    const std::array<QString, 2> names = {tr("Field"), tr("Second field")};
    for (std::size_t which = 0; which < fields_.size(); ++which) {
        fields_[which]->setAccessibleName(names[which]);
        fields_[which]->setToolTip(which == 0
                                       ? tr("The field of the scenario that takes one value after another")
                                       : tr("Another field, for every pair of values"));
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
        connect(values_[which], &QLineEdit::textChanged, this, &SweepsView::readAgain);
        leaveKeysToWindow(values_[which]);
    }
    depth_->addItems({tr("by estimate"), tr("simulated"), tr("best plans")});
    depth_->setAccessibleName(tr("Estimated, simulated or planned"));
    depth_->setToolTip(tr("By the closed form at once, by simulating every point, which takes longer, or the "
                          "best plan of the whole training run at every point"));
    stop_->setToolTip(tr("Stops after the points that are done, or goes on with the others"));
    connect(depth_, &QComboBox::activated, this, [this] {
        fillFields();
        renew();
    });
    followTask();
    connect(&session(), &Session::taskChanged, this, [this] {
        if (followTask()) {
            fillFields();
            renew();
        }
    });
    connect(stop_, &QPushButton::clicked, this, &SweepsView::stopOrGoOn);
    as_lines_->setText(tr("Lines"));
    as_lines_->setToolTip(tr("A line for each value of the field that has fewer"));
    as_heat_map_->setText(tr("Heat map"));
    as_heat_map_->setToolTip(tr("A cell for each pair of values"));
    auto* shapes = new QButtonGroup(this);
    for (QRadioButton* shape : {as_lines_, as_heat_map_}) {
        shape->setChecked(shape == as_lines_);
        shape->hide();
        shapes->addButton(shape);
        connect(shape, &QRadioButton::toggled, this, [this](bool on) {
            if (on) {
                drawn_.reset();
                showPoints();
            }
        });
    }
    whose_->addItems({tr("of B"), tr("of A"), tr("B against A")});
    whose_->setAccessibleName(tr("Whose points"));
    whose_->setToolTip(tr("The points of one variant, or the time of B against A"));
    whose_->setCurrentIndex(whose_both);
    whose_->hide();
    connect(whose_, &QComboBox::activated, this, [this] {
        drawn_.reset();
        showPoints();
    });
    refusal_->setWordWrap(true);
    refusal_->setTextFormat(Qt::PlainText);
    refusal_->setAccessibleName(tr("Why this is refused"));
    refusal_->hide();
    fillFields();
    fields_[0]->setCurrentIndex(fields_[0]->findData(words(std::string(first_field))));
    suggestValues(0);
    suggestValues(1);
    takeControls();
}

void SweepsView::layOut() {
    auto* controls = new QGridLayout;
    controls->setContentsMargins(12, 6, 12, 4);
    controls->setSpacing(6);
    controls->setColumnStretch(1, 1);
    controls_ = controls;
    leaveRoomForValues();
    for (int which = 0; which < 2; ++which) {
        const auto at = static_cast<std::size_t>(which);
        controls->addWidget(fields_[at], which, 0);
        controls->addWidget(values_[at], which, 1);
    }
    controls->addWidget(depth_, 0, 2);
    auto* shapes = new QHBoxLayout;
    shapes->setSpacing(8);
    shapes->addWidget(as_lines_);
    shapes->addWidget(as_heat_map_);
    shapes->addWidget(whose_);
    shapes->addStretch();
    controls->addLayout(shapes, 1, 2);
    controls->addWidget(stop_, 0, 3);
    tabInOrder({fields_[0], values_[0], depth_, stop_, fields_[1], values_[1], as_lines_, as_heat_map_,
                whose_, canvas()});
    controls->addLayout(sentenceRow(refusal_), 2, 0, 1, 4);
    table_ = makeTableView(rows_, tr("The sweep's points"));
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& index) { take(static_cast<std::size_t>(index.row())); });
    auto* keeps = new QAction(tr("Keep the point as a variant"), table_);
    keeps->setObjectName(QStringLiteral("keep"));
    connect(keeps, &QAction::triggered, this, [this] {
        if (const QModelIndex row = table_->currentIndex(); row.isValid()) {
            keep(static_cast<std::size_t>(row.row()));
        }
    });
    table_->addAction(keeps);
    pictures_->addWidget(makeScrolling(canvas(), pictures_));
    pictures_->addWidget(makeScrolling(heat_, pictures_));
    QSplitter* stack = makeStack(pictures_, table_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(controls);
    all->addWidget(stack, 1);
    setFocusProxy(fields_[0]);
}

/// A training run is planned, also where no block runs. Whether something else is asked than before.
bool SweepsView::followTask() {
    const bool planned = asks() == Asks::plans;
    const bool training = session().task() == Task::training;
    if (planned == training || !has(of_scenario, session().task())) {
        return false;
    }
    depth_->setCurrentIndex(static_cast<int>(training ? Asks::plans : Asks::estimates));
    return true;
}

void SweepsView::fillFields() {
    const Scenario& scenario = session().state().scenario;
    const Question& over = *sweepOver(asks()).over;
    for (std::size_t which = 0; which < fields_.size(); ++which) {
        QComboBox* list = fields_[which];
        const QSignalBlocker quiet(list);
        const QString chosen = list->currentData().toString();
        list->clear();
        if (which == 1) {
            list->addItem(tr("second field: none"), QString());
        }
        for (const Field<Scenario>& field : scenario_fields()) {
            // What somebody chose stays where it has no effect, and says so.
            const bool stays = picked_ && words(field.key) == chosen;
            const bool offered = !field.label.empty() || (field.tags & of_plans) != 0;
            if (offered && uses_field(over, field) && (stays || nothing_to_vary(field, scenario).empty())) {
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
    values_[which]->setPlaceholderText(key.empty() ? QString() : words(values_form(scenario_field(key))));
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
    values_[0]->setFocus(Qt::OtherFocusReason); // the range is what is typed next
    values_[0]->selectAll();
}

std::optional<SweepsView::Chosen> SweepsView::read(Refusal& refusal) const {
    Chosen chosen{{}, asks()};
    for (std::size_t which = 0; which < fields_.size(); ++which) {
        const std::string key = fields_[which]->currentData().toString().toStdString();
        if (key.empty()) {
            continue;
        }
        const Field<Scenario>& field = scenario_field(key);
        Result<Vary> vary =
            parse_values(field, values_[which]->text().toStdString(), labelOf(field).toStdString());
        if (!vary) {
            refusal = {vary.error().sentence, which};
            return std::nullopt;
        }
        chosen.fields.push_back(*std::move(vary));
    }
    if (const Result<Sweep> sweep = sweepOf(chosen); !sweep) {
        refusal = {sweep.error().sentence, std::nullopt};
        return std::nullopt;
    }
    refusal = {};
    return chosen;
}

void SweepsView::takeControls() {
    Refusal refusal;
    if (std::optional<Chosen> chosen = read(refusal)) {
        chosen_ = *std::move(chosen);
    }
    showRefusal(refusal);
}

void SweepsView::readAgain() {
    Refusal refusal;
    if (!refused_.sentence.empty() && read(refusal)) {
        showRefusal({});
    }
}

void SweepsView::showRefusal(const Refusal& refusal) {
    refused_ = refusal;
    const bool refused = !refusal.sentence.empty();
    const bool stays = refused && sweepOf(chosen_).has_value(); // else it stands in the picture's place
    refusal_->setText(stays ? tr("%1 The picture is still the last sweep.").arg(words(refusal.sentence))
                            : QString());
    refusal_->setVisible(stays);
    const Theme theme = themeOf(palette());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, warningText(theme));
    refusal_->setPalette(colours);
    for (std::size_t which = 0; which < values_.size(); ++which) {
        QPalette field = palette();
        field.setColor(QPalette::Base, tint(Role::exposed, theme, 0.2));
        values_[which]->setPalette(refused && refusal.which == which ? field : QPalette());
    }
}

/// "16:512:x2" is read whole.
void SweepsView::leaveRoomForValues() {
    controls_->setColumnMinimumWidth(1, 14 * fontMetrics().averageCharWidth());
}

void SweepsView::changeEvent(QEvent* event) {
    ChartJobView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !refused_.sentence.empty()) {
        showRefusal(Refusal(refused_));
    }
    if (event->type() == QEvent::FontChange && table_ != nullptr) {
        leaveRoomForValues();
        QTimer::singleShot(0, this, &SweepsView::fitColumns); // when the table has the new font
    }
}

std::vector<KeyHelp> SweepsView::keys() const {
    std::vector<KeyHelp> all = showsHeatMap() ? heat_->keys() : ChartJobView::keys();
    if (!showsHeatMap()) {
        all.push_back({tr("Enter or click"), tr("Take the point's values into the scenario")});
    }
    all.push_back({tr("Ctrl+click"), tr("Keep the point as a variant, next to the scenario")});
    return all;
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

void SweepsView::keep(std::size_t point) {
    const Result<Sweep> sweep = wanted();
    if (!sweep || point >= sweep->size()) {
        return;
    }
    const std::string& field = sweep->fields.front().key;
    SweepPoint named;
    named.values = values_at(*sweep, point);
    const auto variant_name = [&] { // stored in the file, the same in every language
        const InEnglish for_files;
        return point_words(*sweep, named);
    };
    Document* document = session().document();
    const Result<void> kept =
        with_values(document->scenario(), sweep->fields, named.values)
            .and_then([&](const Scenario& scenario) { return document->add(variant_name(), scenario); });
    if (!kept) {
        document->refuseEdit(field, words(kept.error().sentence));
    }
}

/// A click takes a point; with Ctrl it is kept as a variant.
void SweepsView::pick(std::size_t point) {
    if (const QModelIndex row = rows_->index(static_cast<int>(point), 0); row.isValid()) {
        table_->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                           QItemSelectionModel::Rows);
    }
    if (QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier)) {
        keep(point);
    } else {
        take(point);
    }
}

} // namespace meshslice::ui
