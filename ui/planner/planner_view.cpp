#include "ui/planner/planner_view.h"

#include "core/hardware/cluster.h"
#include "core/report/plan_charts.h"
#include "core/report/plan_table.h"
#include "core/scenario/fields.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/window_keys.h"
#include "ui/look/words.h"
#include "ui/planner/cluster_pane.h"
#include "ui/planner/pipeline_pane.h"
#include "ui/planner/scaling_pane.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::size_t ranked_plans = 12; ///< as many bars as are read
constexpr std::string_view cluster_field = "planning.cluster";
constexpr std::string_view chips_field = "planning.chips";
constexpr std::string_view strategy_field = "planning.strategy";
/// Two charts side by side; the bars, which have the plans' names, get more of it.
constexpr int wide_enough = 900;
constexpr int bars_share = 58; ///< percent
constexpr int plan_column_padding = 10;
constexpr int widest_plan_column = 320;

struct ClusterWords {
    Q_DECLARE_TR_FUNCTIONS(ClusterWords)
};

/// "A100, domains of 4 chips" of "a100-nvs4".
QString clusterText(const std::string& name) {
    const Result<Hardware> known = meshslice::cluster(name);
    const SwitchedDomain* domain = known ? switched_domain(known->network) : nullptr;
    const QString chip = words(name.substr(0, name.find('-'))).toUpper();
    return domain != nullptr ? ClusterWords::tr("%1, domains of %2 chips").arg(chip).arg(domain->chips.value)
           : known           ? words(known->title)
                             : words(name);
}

void chooseWord(QComboBox* list, const std::string& word) {
    const QSignalBlocker quiet(list);
    if (list->findData(words(word)) < 0) { // a file's, with domains of another size
        list->addItem(clusterText(word), words(word));
    }
    list->setCurrentIndex(list->findData(words(word)));
}

} // namespace

PlannerView::PlannerView(Session* session, QWidget* parent)
    : ChartJobView(session, parent)
    , cluster_(new QComboBox(this))
    , chips_(new QLineEdit(this))
    , strategy_(new QComboBox(this))
    , refusal_(new QLabel(this))
    , frontier_(new ChartCanvas(this))
    , pages_(new QTabWidget(this))
    , pipeline_(new PipelinePane(this))
    , places_(new ClusterPane(this))
    , scaling_(new ScalingPane(this))
    , tables_(new QTabWidget(this))
    , rows_(new TableModel(this))
    , parts_(new TableModel(this))
    , inquiry_([](const PlanQuestion& question,
                  const RunControl& control) { return answer(question, ranked_plans, control); },
               [this] {
                   showAnswer();
                   emit answered();
               }) {
    setAccessibleName(tr("Plan"));
    canvas()->setAccessibleName(tr("Ranked plans, their time by part"));
    frontier_->setAccessibleName(tr("Time of the plans against their memory"));
    makeControls();
    layOut();
    takeScenario();
    for (ChartCanvas* one : {canvas(), frontier_}) {
        connect(one->surface(), &ChartSurface::picked, this, [this](std::optional<int> item) {
            if (item) {
                select(*item);
                tables_->setCurrentIndex(1);
            }
        });
    }
}

// A line with the focus says that it is left when its view is destroyed, and there is nothing to ask any
// more.
PlannerView::~PlannerView() {
    chips_->disconnect(this);
}

void PlannerView::makeControls() {
    for (const FieldChoice& choice : scenario_field(cluster_field).choices) {
        cluster_->addItem(clusterText(choice.word), words(choice.word));
        cluster_->setItemData(cluster_->count() - 1, words(choice.word), Qt::ToolTipRole);
    }
    for (const FieldChoice& choice : scenario_field(strategy_field).choices) {
        strategy_->addItem(translated(choice.label), words(choice.word));
    }
    cluster_->setAccessibleName(tr("Cluster"));
    cluster_->setToolTip(tr("Chips in fast domains within a slower network"));
    strategy_->setAccessibleName(tr("Strategy"));
    strategy_->setToolTip(tr("How GEMMs are split over the chips of a tensor-parallel group"));
    chips_->setAccessibleName(tr("Number of chips"));
    chips_->setToolTip(tr("Chips that share the run, over all domains"));
    chips_->setMaxLength(9);
    for (QComboBox* list : {cluster_, strategy_}) {
        list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        list->setMinimumContentsLength(10);
    }
    connect(cluster_, &QComboBox::activated, this,
            [this] { edit(cluster_field, cluster_->currentData().toString()); });
    connect(strategy_, &QComboBox::activated, this,
            [this] { edit(strategy_field, strategy_->currentData().toString()); });
    connect(chips_, &QLineEdit::editingFinished, this, [this] { edit(chips_field, chips_->text()); });
    leaveKeysToWindow(chips_);
    refusal_->setWordWrap(true);
    refusal_->setTextFormat(Qt::PlainText);
    refusal_->setAccessibleName(tr("Why this is refused"));
    refusal_->hide();
}

void PlannerView::layOut() {
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(12, 6, 12, 4);
    controls->setSpacing(6);
    controls->addWidget(cluster_, 3);
    controls->addWidget(chips_, 1);
    auto* unit = new QLabel(tr("chips"), this);
    unit->setBuddy(chips_);
    controls->addWidget(unit);
    controls->addWidget(strategy_, 3);
    refusal_->setContentsMargins(12, 0, 12, 4);

    auto* page = new QWidget(this);
    charts_ = new QBoxLayout(QBoxLayout::TopToBottom, page);
    charts_->setContentsMargins(0, 0, 0, 0);
    charts_->setSpacing(0);
    charts_->addWidget(canvas(), bars_share);
    charts_->addWidget(frontier_, 100 - bars_share);

    table_ = makeTableView(rows_, tr("The plans"));
    part_table_ = makeTableView(parts_, tr("Parts of the selected plan"));
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) { select(index.row()); });
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        select(index.row());
        tables_->setCurrentIndex(1);
    });
    tables_->setDocumentMode(true);
    tables_->addTab(table_, tr("Plans"));
    tables_->addTab(part_table_, tr("Selected plan"));

    pages_->setDocumentMode(true);
    pages_->setAccessibleName(tr("Pages of the plan"));
    const auto add = [&](QWidget* shown, const QString& title, const QString& tip) {
        pages_->setTabToolTip(pages_->addTab(shown, title), tip);
    };
    add(makeScrolling(page, this), tr("Ranked plans"), tr("The best plans, and time against memory"));
    add(makeScrolling(pipeline_, this), tr("Pipeline"),
        tr("What the stages of the selected plan do as time goes by, and the memory they hold"));
    add(makeScrolling(places_, this), tr("Cluster"),
        tr("Where the groups of the selected plan stand, and what crosses the slow network"));
    add(scaling_, tr("Number of chips"), tr("The best plan for fewer and for more chips"));

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(controls);
    all->addWidget(refusal_);
    all->addWidget(makeStack(pages_, tables_), 1);
    setFocusProxy(cluster_);
}

std::vector<PlanPane*> PlannerView::panes() const {
    return {pipeline_, places_, scaling_};
}

PlanPane* PlannerView::shownPane() const {
    const int page = pages_->currentIndex();
    return page > 0 ? panes()[static_cast<std::size_t>(page - 1)] : nullptr;
}

void PlannerView::takeScenario() {
    const Planning& planning = session().state().scenario.planning;
    chooseWord(cluster_, planning.cluster);
    chooseWord(strategy_, planning.strategy);
    if (!chips_->hasFocus() || !refusal_->isVisible()) {
        const QSignalBlocker quiet(chips_);
        chips_->setText(QString::number(planning.chips));
        showRefusal({});
    }
}

void PlannerView::edit(std::string_view field, const QString& text) {
    Scenario next = session().document()->scenario();
    const Field<Scenario>& row = scenario_field(field);
    const Result<void> taken = set_text(row, next, text.trimmed().toStdString(), said(row.name));
    const Result<Scenario> sound = taken ? checked(next) : Result<Scenario>(refuse(taken.error()));
    if (!sound) {
        showRefusal(words(sound.error().sentence));
        return;
    }
    showRefusal({});
    if (next != session().document()->scenario()) {
        session().edit([&](Scenario& scenario) { scenario = next; }, field);
    }
}

void PlannerView::showRefusal(const QString& sentence) {
    refusal_->setText(sentence.isEmpty() ? sentence
                                         : tr("%1 The picture is still the last plan.").arg(sentence));
    refusal_->setVisible(!sentence.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, warningText(themeOf(palette())));
    refusal_->setPalette(colours);
}

Result<PlanQuestion> PlannerView::wanted() const {
    return plan_question(session().state().scenario);
}

void PlannerView::renew() {
    const Result<PlanQuestion> question = wanted();
    if (PlanPane* pane = shownPane(); pane != nullptr && isVisible() && isFound() && !pane->isReady()) {
        pane->renew(); // after it was given up
    }
    if (!isVisible() || (question && inquiry_.asked() == *question)) {
        return;
    }
    const bool busy = question && inquiry_.ask(*question);
    if (!question) {
        inquiry_.clear();
    }
    if (busy && shown_) {
        setUpdating(true); // the old picture stays, under a veil
    } else {
        showAnswer();
    }
}

void PlannerView::cancel(bool awaited) {
    awaited ? inquiry_.cancel() : inquiry_.cancelUnlessAwaited();
    for (PlanPane* pane : panes()) {
        pane->cancel(awaited);
    }
    setUpdating(false);
}

/// Plans do not wait for the run, which they have nothing to do with.
void PlannerView::stateChanged() {
    takeScenario();
    renew();
}

bool PlannerView::isCurrent() const {
    const PlanPane* pane = shownPane();
    return isFound() && (pane == nullptr || pane->isReady());
}

bool PlannerView::isFound() const {
    const Result<PlanQuestion> question = wanted();
    return question && inquiry_.answer() && inquiry_.answered() == *question;
}

void PlannerView::complete(const Completed& completed) {
    const Result<PlanQuestion> question = wanted();
    if (question) {
        inquiry_.ask(*question, [this, completed](const Result<void>& outcome) {
            if (PlanPane* pane = shownPane(); outcome && pane != nullptr) {
                pane->complete(completed);
            } else {
                completed(outcome);
            }
        });
    } else {
        completed(refuse(question.error()));
    }
}

double PlannerView::progress() const {
    const PlanPane* pane = shownPane();
    return pane != nullptr && isFound() ? pane->progress() : inquiry_.progress();
}

QString PlannerView::sentence() const {
    const Result<PlanQuestion> question = wanted();
    if (!question) {
        return words(question.error().sentence);
    }
    if (isFound()) {
        return shownPane() != nullptr ? shownPane()->sentence() : QString();
    }
    if (inquiry_.asked()) {
        return tr("Computing…");
    }
    return inquiry_.answered() == *question && !inquiry_.refusal().isEmpty()
               ? inquiry_.refusal()
               : tr("Plans are searched when this view is opened.");
}

void PlannerView::showAnswer() {
    setUpdating(false);
    const bool current = isFound();
    if (current && shown_ == inquiry_.answered()) {
        return;
    }
    shown_ = current ? inquiry_.answered() : std::nullopt;
    const PlanAnswer* found = current ? &*inquiry_.answer() : nullptr;
    canvas()->show(found != nullptr ? std::optional(plan_bars(*found)) : std::nullopt, sentence());
    frontier_->show(found != nullptr ? std::optional(plan_frontier_chart(*found)) : std::nullopt, {});
    frontier_->setVisible(found != nullptr);
    tables_->setVisible(found != nullptr);
    rows_->setTable(found != nullptr ? shown_plan_table(*found) : Table());
    parts_->setTable(Table());
    for (PlanPane* pane : panes()) {
        if (found == nullptr) {
            pane->follow(std::nullopt);
        }
    }
    setAccessibleDescription(found != nullptr ? words(plan_finding(*found)) : sentence());
    if (found != nullptr) {
        select(0);
        fitColumns();
    }
}

void PlannerView::select(int plan) {
    if (!isFound() || plan < 0 || plan >= rows_->rowCount()) {
        return;
    }
    selected_ = plan;
    canvas()->surface()->select(plan);
    frontier_->surface()->select(plan);
    const QModelIndex row = rows_->index(plan, 0);
    table_->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                       QItemSelectionModel::Rows);
    const RankedPlan chosen = inquiry_.answer()->plans()[static_cast<std::size_t>(plan)];
    parts_->setTable(plan_parts_table(chosen));
    for (PlanPane* pane : panes()) {
        pane->follow(ChosenPlan{inquiry_.answer()->question, chosen.plan});
    }
    part_table_->resizeColumnsToContents();
}

void PlannerView::fitColumns() {
    for (QTableView* view : {table_, part_table_}) {
        view->resizeColumnsToContents();
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            view->setColumnWidth(
                column, std::min(widest_plan_column, view->columnWidth(column) + plan_column_padding));
        }
    }
}

std::vector<KeyHelp> PlannerView::keys() const {
    std::vector<KeyHelp> all = ChartJobView::keys();
    all.push_back({tr("Enter or click"), tr("Select a plan and show its parts")});
    for (const PlanPane* pane :
         {static_cast<const PlanPane*>(pipeline_), static_cast<const PlanPane*>(places_)}) {
        for (KeyHelp& key : pane->keys()) {
            all.push_back(std::move(key));
        }
    }
    return all;
}

void PlannerView::changeEvent(QEvent* event) {
    ChartJobView::changeEvent(event);
    if (event->type() == QEvent::FontChange && table_ != nullptr) {
        QTimer::singleShot(0, this, &PlannerView::fitColumns); // when the tables have the new font
    }
    if (event->type() == QEvent::PaletteChange && refusal_->isVisible()) {
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText, warningText(themeOf(palette())));
        refusal_->setPalette(colours);
    }
}

void PlannerView::resizeEvent(QResizeEvent* event) {
    ChartJobView::resizeEvent(event);
    charts_->setDirection(width() >= wide_enough ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void PlannerView::paintCurrent(QPainter& painter, const QSize& size, Theme theme) const {
    if (const PlanPane* pane = shownPane()) {
        pane->paintFor(painter, size, theme);
    } else {
        paintRanking(painter, size, theme);
    }
}

void PlannerView::paintRanking(QPainter& painter, const QSize& size, Theme theme) const {
    const bool side_by_side = size.width() >= wide_enough;
    QSize bars = size;
    QSize points = size;
    QPoint second;
    if (side_by_side) {
        bars.setWidth(size.width() * bars_share / 100);
        points.setWidth(size.width() - bars.width());
        second.setX(bars.width());
    } else {
        bars.setHeight(size.height() * bars_share / 100);
        points.setHeight(size.height() - bars.height());
        second.setY(bars.height());
    }
    canvas()->surface()->paintPicture(painter, bars, theme);
    painter.save();
    painter.translate(second);
    std::as_const(*frontier_).surface()->paintPicture(painter, points, theme);
    painter.restore();
}

Table PlannerView::makeTable() const {
    return shownPane() != nullptr ? shownPane()->table() : plan_table(*inquiry_.answer());
}

QString PlannerView::pictured() const {
    const PlanQuestion& question = *inquiry_.answered();
    const QString run = tr("%1, batch %2 x %3 tokens; plans for %4 chips: %5")
                            .arg(words(question.model.title))
                            .arg(question.batch)
                            .arg(question.sequence)
                            .arg(question.planning.chips)
                            .arg(words(inquiry_.answer()->cluster_title));
    const PlanPane* pane = shownPane();
    return pane == pipeline_ || pane == places_
               ? QString(
                     run + QStringLiteral("; ") +
                     words(plan_name(inquiry_.answer()->plans()[static_cast<std::size_t>(selected_)].plan)))
               : run;
}

} // namespace meshslice::ui
