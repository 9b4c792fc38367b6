#include "ui/planner/planner_view.h"

#include "core/base/language.h"
#include "core/plan/search/fixed_parts.h"
#include "core/report/plan/plan_charts.h"
#include "core/report/plan/plan_headline.h"
#include "core/report/plan/plan_lines.h"
#include "core/report/plan/plan_table.h"
#include "core/report/summary/expected_words.h"
#include "core/scenario/fields.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/tab_order.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/look/figure_style.h"
#include "ui/look/words.h"
#include "ui/planner/cluster/cluster_pane.h"
#include "ui/planner/limits_pane.h"
#include "ui/planner/loaded_plan_bar.h"
#include "ui/planner/machines/machine_line.h"
#include "ui/planner/pipeline_pane.h"
#include "ui/planner/plan_table_model.h"
#include "ui/planner/scaling_pane.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::string_view plan_field = "plan";
/// Two charts side by side; the bars, which have the plans' names, get more of it.
constexpr int wide_enough = 900;
constexpr int bars_share = 58; ///< percent
constexpr int plan_column_padding = 10;
constexpr int widest_plan_column = 320;

} // namespace

PlannerView::PlannerView(Session* session, QWidget* parent)
    : ChartJobView(session, parent)
    , cluster_(new QComboBox(this))
    , chips_(new QLineEdit(this))
    , strategy_(new QComboBox(this))
    , rank_(new QComboBox(this))
    , tokens_(new QLineEdit(this))
    , refusal_(new QLabel(this))
    , machine_(new MachineLine(this))
    , frontier_(new ChartCanvas(this))
    , pages_(new QTabWidget(this))
    , pipeline_(new PipelinePane(this))
    , places_(new ClusterPane(this))
    , scaling_(new ScalingPane(session->plans()->groups(), this))
    , limits_(new LimitsPane(this))
    , rows_(new PlanTableModel(this))
    , bar_(new LoadedPlanBar(this)) {
    setAccessibleName(tr("Plan"));
    canvas()->setAccessibleName(tr("Ranked plans, their time by part"));
    frontier_->setAccessibleName(tr("Time of the plans against their memory"));
    makeControls();
    layOut();
    takeScenario();
    connect(session->plans(), &Plans::changed, this, &PlannerView::plansChanged);
    connect(session->plans(), &Plans::selectionChanged, this, &PlannerView::showSelected);
    for (ChartCanvas* one : {canvas(), frontier_}) {
        connect(one->surface(), &ChartSurface::picked, this, [this](std::optional<int> item) {
            if (item) {
                select(*item);
            }
        });
    }
}

// A line with the focus says that it is left when its view is destroyed, and there is nothing to ask any
// more.
PlannerView::~PlannerView() {
    chips_->disconnect(this);
    tokens_->disconnect(this);
}

void PlannerView::layOut() {
    refusal_->setContentsMargins(12, 0, 12, 4);

    auto* page = new QWidget(this);
    charts_ = new QBoxLayout(QBoxLayout::TopToBottom, page);
    charts_->setContentsMargins(0, 0, 0, 0);
    charts_->setSpacing(0);
    charts_->addWidget(canvas(), bars_share);
    charts_->addWidget(frontier_, 100 - bars_share);
    tabInOrder({cluster_, chips_, strategy_, rank_, tokens_, canvas(), frontier_});

    table_ = makeTableView(rows_, tr("The plans"));
    connect(table_, &QTableView::clicked, this,
            [this](const QModelIndex& index) { select(planOf(index.row())); });
    connect(table_, &QTableView::activated, this, &PlannerView::actOn);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    table_->setItemDelegate(new PlanCellEditor(table_));
    connect(rows_, &PlanTableModel::editAsked, this,
            [this](const QString& field, const QString& text) { editPart(field.toStdString(), text); });
    connect(machine_, &MachineLine::meshAsked, this, [this] {
        session().edit([](Scenario& scenario) { scenario.planning.chips.reset(); }, "planning.chips");
    });
    connect(bar_, &LoadedPlanBar::useAsked, this, &PlannerView::useSelected);
    connect(bar_, &LoadedPlanBar::releaseAsked, this, &PlannerView::release);
    connect(bar_, &LoadedPlanBar::groupAsked, this, &PlannerView::openGroup);
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
    add(limits_, tr("Parts"), tr("What the selected plan takes its time and its memory for"));

    pages_->tabBar()->setFocusPolicy(Qt::NoFocus); // the frame turns them
    pages_->tabBar()->setFixedHeight(0);
    connect(pages_, &QTabWidget::currentChanged, this, &View::pageTurned);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(layOutControls());
    all->addLayout(sentenceRow(refusal_));
    all->addWidget(machine_);
    auto* below = new QWidget(this);
    auto* lines = new QVBoxLayout(below);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    auto* above = new QHBoxLayout;
    above->setContentsMargins(0, 4, 0, 0);
    above->addWidget(bar_, 1);
    above->addStretch();
    above->addWidget(bar_->buttons());
    lines->addLayout(above);
    lines->addWidget(table_, 1);
    all->addWidget(makeStack(pages_, below), 1);
    setFocusProxy(cluster_);
}

std::vector<PlanPane*> PlannerView::panes() const {
    return {pipeline_, places_, scaling_, limits_};
}

PlanPane* PlannerView::shownPane() const {
    const int page = pages_->currentIndex();
    return page > 0 ? panes()[static_cast<std::size_t>(page - 1)] : nullptr;
}

QStringList PlannerView::pages() const {
    return {QStringLiteral("ranked"), QStringLiteral("pipeline"), QStringLiteral("cluster"),
            QStringLiteral("chips"), QStringLiteral("limits")};
}

int PlannerView::page() const {
    return pages_->currentIndex();
}

void PlannerView::turnTo(int page) {
    pages_->setCurrentIndex(page);
}

/// Plans do not wait for the run, which they have nothing to do with.
void PlannerView::stateChanged() {
    takeScenario();
    renew();
}

void PlannerView::plansChanged() {
    if (isVisible()) {
        showPlans();
    }
    if (session().plans()->state().kind != Plans::Kind::computing) {
        emit answered();
    }
}

void PlannerView::showPlans() {
    if (session().plans()->state().kind != Plans::Kind::computing) {
        showAnswer();
    } else if (shown_) {
        setUpdating(true); // the old picture stays, under a veil
    }
}

void PlannerView::showAnswer() {
    setUpdating(false);
    const FoundPlansPtr found = session().plans()->current();
    if (found && shown_ == found) {
        return;
    }
    const bool same_plans = found && shown_ && shown_->of.own.question == found->of.own.question;
    shown_ = found;
    frontier_->show(found ? std::optional(plan_frontier_chart(found->answer, found->of_a)) : std::nullopt,
                    {});
    frontier_->setVisible(found != nullptr);
    table_->setVisible(found != nullptr);
    bar_->buttons()->setVisible(found != nullptr);
    showOrder();
    showFixed();
    if (!found) {
        const QString fixed = words(fixed_words(session().state().scenario.plan.split));
        bar_->tell(fixed.isEmpty() ? fixed : tr("Fixed: %1.").arg(fixed), true);
        bar_->release()->setVisible(!fixed.isEmpty());
        for (PlanPane* pane : panes()) {
            pane->follow(std::nullopt);
            pane->explainLack(sentence());
        }
        setAccessibleDescription(sentence());
        return;
    }
    setAccessibleDescription(words(
        (found->of_a ? plan_difference(found->answer, *found->of_a, found->expectedOfChosen()) + said(" ")
                     : std::string()) +
        plan_finding(found->answer, found->expectedOf(found->answer.best().plan))));
    showSelected();
    if (!same_plans) {
        fitColumns();
    }
}

void PlannerView::showOrder() {
    order_.clear();
    if (!shown_) {
        canvas()->show(std::nullopt, sentence());
        rows_->setTable({});
        return;
    }
    if (ranksByExpected()) {
        order_ = by_expected_time(shown_->plans, shown_->expected);
    } else {
        order_.resize(shown_->plans.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    canvas()->show(plan_bars(shown_->answer, shown_->of_a, order_, shown_->expected), {});
    rows_->setTable(shown_plan_table(shown_->answer, shown_->expected, order_));
    QStringList said;
    for (const std::size_t place : order_) {
        said << words(expected_lines(shown_->expected[place])).trimmed();
    }
    rows_->setExpected(said);
}

bool PlannerView::ranksByExpected() const {
    return shown_ && !shown_->answer.search.expected_splits.empty();
}

int PlannerView::rowOf(int plan) const {
    return static_cast<int>(std::ranges::find(order_, static_cast<std::size_t>(plan)) - order_.begin());
}

int PlannerView::planOf(int row) const {
    return static_cast<int>(order_[static_cast<std::size_t>(row)]);
}

void PlannerView::showBar() {
    const Scenario& scenario = session().state().scenario;
    const PlanAnswer& answer = shown_->answer;
    const QString fixed = words(fixed_words(scenario.plan.split));
    const QString tied =
        ranksByExpected()
            ? words(by_expected_time_words(shown_->plans, shown_->expected, answer.search.expected_splits))
            : words(ideal_order_words(answer.question));
    if (!scenario.plan.loaded) {
        const QString chosen =
            fixed.isEmpty() ? fixed : tr("Fixed: %1. The search chooses the rest.").arg(fixed);
        bar_->tell(QStringList({chosen, tied}).join(QLatin1Char(' ')).trimmed(), false);
    } else if (answer.loaded) {
        bar_->tell(QStringList({words(loaded_finding(answer, shown_->expectedOfChosen(),
                                                     shown_->expectedOf(answer.best().plan))),
                                tied})
                       .join(QLatin1Char(' '))
                       .trimmed(),
                   !answer.loaded->reading.fits);
    } else {
        bar_->tell(tr("The pinned plan, %1, does not fit this scenario, so the search chooses. %2")
                       .arg(words(plan_name(*scenario.plan.loaded)), shown_->why_not_loaded),
                   true);
    }
    bar_->release()->setVisible(scenario.plan.loaded || !fixed.isEmpty());
    const Plan& plan = selectedPlan()->plan;
    bar_->offer(scenario.plan.loaded != plan, words(why_no_tensor_group(scenario.hardware, plan)));
}

void PlannerView::useSelected() {
    if (const RankedPlan* chosen = selectedPlan()) {
        session().edit([plan = chosen->plan](Scenario& scenario) { scenario.plan.loaded = plan; },
                       plan_field);
    }
}

void PlannerView::release() {
    session().edit(
        [](Scenario& scenario) {
            scenario.plan.loaded.reset();
            scenario.plan.split = freed(scenario.plan.split);
        },
        plan_field);
}

void PlannerView::actOn(const QModelIndex& cell) {
    select(planOf(cell.row()));
    if (rows_->fieldOf(cell.column()).empty()) {
        useSelected();
    } else {
        table_->edit(rows_->index(cell.row(), cell.column()));
    }
}

void PlannerView::showFixed() {
    const Scenario usual = default_scenario();
    const Scenario& scenario = session().state().scenario;
    std::set<std::string, std::less<>> fixed;
    for (const std::string_view field : fixed_part_fields) {
        const Field<Scenario>& row = scenario_field(field);
        if (row.get(scenario) != row.get(usual)) {
            fixed.emplace(field);
        }
    }
    rows_->setFixed(std::move(fixed));
}

void PlannerView::openGroup() {
    const RankedPlan* chosen = selectedPlan();
    if (chosen == nullptr) {
        return;
    }
    const Result<Scenario> group = tensor_group_scenario(session().document()->scenario(), chosen->plan);
    const auto name = [&] { // stored in the file, the same in every language
        const InEnglish for_files;
        return plan_name(chosen->plan);
    };
    const Result<void> added = group
                                   ? session().document()->add(name(), *group, Document::Compared::with_none)
                                   : refuse(group.error());
    if (added) {
        emit timelineAsked();
    } else {
        bar_->offer(bar_->use()->isEnabled(), words(added.error().sentence));
    }
}

void PlannerView::showSelected() {
    if (!isFound()) {
        return; // until their pictures are there
    }
    const int plan = selected();
    canvas()->surface()->select(plan);
    frontier_->surface()->select(plan);
    // The cell stays that the keyboard is on.
    const QModelIndex row = rows_->index(rowOf(plan), std::max(table_->currentIndex().column(), 0));
    table_->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                       QItemSelectionModel::Rows);
    const RankedPlan& chosen = *selectedPlan();
    const ChosenPlan looked_into{shown_->answer.question, chosen.plan};
    compareWithA(chosen);
    for (PlanPane* pane : panes()) {
        pane->follow(looked_into);
    }
    showBar();
    // When the bar has its room.
    QTimer::singleShot(0, table_, [this] { table_->scrollTo(table_->currentIndex()); });
}

void PlannerView::compareWithA(const RankedPlan& chosen) {
    const std::optional<PlansOfA>& of_a = shown_->of_a;
    if (!of_a) {
        pipeline_->compareWith(std::nullopt, {});
        return;
    }
    const RankedPlan& its = of_a->answer.chosen();
    QStringList parts;
    for (const std::string& part : part_differences(chosen, its)) {
        parts << words(part);
    }
    PlanAnswer selected = shown_->answer;
    selected.loaded = chosen;
    QString difference = words(plan_difference(selected, *of_a, shown_->expectedOf(chosen.plan)));
    if (!parts.isEmpty()) {
        difference += QLatin1Char(' ') + tr("B has %1.").arg(parts.join(QStringLiteral(", ")));
    }
    pipeline_->compareWith(ChosenPlan{of_a->answer.question, its.plan}, difference);
}

void PlannerView::fitColumns() {
    table_->resizeColumnsToContents();
    for (int column = 0; column < rows_->columnCount(); ++column) {
        const int wanted = table_->columnWidth(column) + plan_column_padding;
        // Why a plan loses is never cut.
        table_->setColumnWidth(
            column, column == rows_->columnNamed("note") ? wanted : std::min(widest_plan_column, wanted));
    }
    // In a low window too a row is seen, and half of the next one.
    table_->setMinimumHeight(table_->horizontalHeader()->sizeHint().height() +
                             table_->verticalHeader()->defaultSectionSize() * 3 / 2 +
                             table_->horizontalScrollBar()->sizeHint().height());
}

std::vector<KeyHelp> PlannerView::keys() const {
    std::vector<KeyHelp> all = ChartJobView::keys();
    all.push_back({tr("Enter or click in a chart"), tr("Select a plan")});
    all.push_back({tr("Enter, F2 or double click on dp, pp, tp, micro-batch, schedule, recompute or ZeRO"),
                   tr("Fix this part of the plan; auto leaves it to the search")});
    all.push_back({tr("Enter or double click on another cell"), tr("Pin the plan")});
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
        QTimer::singleShot(0, this, [this] { // when the tables have the new font
            fitColumns();
            fitButtons();
        });
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
    fitButtons();
}

void PlannerView::fitButtons() {
    bar_->fitButtons(width() / 2);
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
    // It has one each; what stands above all of the picture is that of the bars.
    const bool untitled = hasNoTitle() && !titleStandsAbove();
    const FigureStyle own_title(untitled ? figureTitle() : std::nullopt, pictureFamily());
    std::as_const(*frontier_).surface()->paintPicture(painter, points, theme);
    painter.restore();
}

Table PlannerView::makeTable() const {
    return shownPane() != nullptr ? shownPane()->table() : plan_table(shown_->answer);
}

QString PlannerView::pictured() const {
    const PlanQuestion& question = shown_->answer.question;
    const QString run = tr("%1, batch %2 x %3 tokens; plans for %4 chips: %5")
                            .arg(words(question.model.title))
                            .arg(question.batch)
                            .arg(question.sequence)
                            .arg(question.chips)
                            .arg(words(question.machine.title));
    const PlanPane* pane = shownPane();
    return pane == pipeline_ || pane == places_ || pane == limits_
               ? QString(run + QStringLiteral("; ") + words(plan_name(selectedPlan()->plan)))
               : run;
}

} // namespace meshslice::ui
