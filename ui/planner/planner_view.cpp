#include "ui/planner/planner_view.h"

#include "core/base/language.h"
#include "core/report/plan_charts.h"
#include "core/report/plan_lines.h"
#include "core/report/plan_table.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/tab_order.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/look/figure_style.h"
#include "ui/look/words.h"
#include "ui/planner/cluster_pane.h"
#include "ui/planner/loaded_plan_bar.h"
#include "ui/planner/machine_line.h"
#include "ui/planner/pipeline_pane.h"
#include "ui/planner/scaling_pane.h"
#include "ui/planner/selected_plan_page.h"

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
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::size_t ranked_plans = 12; ///< as many bars as are read
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
    , tokens_(new QLineEdit(this))
    , refusal_(new QLabel(this))
    , machine_(new MachineLine(this))
    , frontier_(new ChartCanvas(this))
    , pages_(new QTabWidget(this))
    , pipeline_(new PipelinePane(this))
    , places_(new ClusterPane(this))
    , scaling_(new ScalingPane(groups_, this))
    , tables_(new QTabWidget(this))
    , rows_(new TableModel(this))
    , selected_page_(new SelectedPlanPage(this))
    , bar_(new LoadedPlanBar(this))
    , inquiry_(
          [groups = groups_](const PlanQuestion& question, const RunControl& control) {
              return answer(question, ranked_plans, control, groups);
          },
          [this] {
              showAnswer();
              emit answered();
          })
    , loaded_([groups = groups_](const ChosenPlan& chosen,
                                 const RunControl&) { return read_chosen_plan(chosen, groups); },
              [this] {
                  showAnswer();
                  emit answered();
              })
    , of_a_(
          [groups = groups_](const AskedPlans& asked, const RunControl& control) {
              return answer(asked, ranked_plans, control, groups);
          },
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
    tokens_->disconnect(this);
}

TableModel* PlannerView::parts() {
    return selected_page_->parts();
}

void PlannerView::layOut() {
    refusal_->setContentsMargins(12, 0, 12, 4);

    auto* page = new QWidget(this);
    charts_ = new QBoxLayout(QBoxLayout::TopToBottom, page);
    charts_->setContentsMargins(0, 0, 0, 0);
    charts_->setSpacing(0);
    charts_->addWidget(canvas(), bars_share);
    charts_->addWidget(frontier_, 100 - bars_share);
    tabInOrder({cluster_, chips_, strategy_, tokens_, canvas(), frontier_});

    table_ = makeTableView(rows_, tr("The plans"));
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) { select(index.row()); });
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        select(index.row());
        useSelected();
    });
    connect(machine_, &MachineLine::meshAsked, this, [this] {
        session().edit([](Scenario& scenario) { scenario.planning.chips.reset(); }, "planning.chips");
    });
    connect(bar_, &LoadedPlanBar::useAsked, this, &PlannerView::useSelected);
    connect(bar_, &LoadedPlanBar::releaseAsked, this,
            [this] { session().edit([](Scenario& scenario) { scenario.plan.loaded.reset(); }, plan_field); });
    connect(bar_, &LoadedPlanBar::groupAsked, this, &PlannerView::openGroup);
    tables_->setDocumentMode(true);
    tables_->addTab(table_, tr("Plans"));
    tables_->addTab(selected_page_, tr("Selected plan"));
    tables_->setCornerWidget(bar_->buttons(), Qt::TopRightCorner);

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
    all->addLayout(layOutControls());
    all->addLayout(sentenceRow(refusal_));
    all->addWidget(machine_);
    auto* below = new QWidget(this);
    auto* lines = new QVBoxLayout(below);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(bar_);
    lines->addWidget(tables_, 1);
    all->addWidget(makeStack(pages_, below), 1);
    setFocusProxy(cluster_);
}

std::vector<PlanPane*> PlannerView::panes() const {
    return {pipeline_, places_, scaling_};
}

PlanPane* PlannerView::shownPane() const {
    const int page = pages_->currentIndex();
    return page > 0 ? panes()[static_cast<std::size_t>(page - 1)] : nullptr;
}

QStringList PlannerView::pages() const {
    return {QStringLiteral("ranked"), QStringLiteral("pipeline"), QStringLiteral("cluster"),
            QStringLiteral("chips")};
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

void PlannerView::showAnswer() {
    setUpdating(false);
    const bool current = isFound();
    if (current && shown_ == wantedShown()) {
        return;
    }
    const bool same_plans = current && shown_ && shown_->own.question == inquiry_.answered();
    shown_ = current ? wantedShown() : std::nullopt;
    answer_ = current ? *inquiry_.answer() : PlanAnswer();
    answer_.loaded = current && shown_->own.loaded ? loaded_.answer() : std::nullopt;
    plans_ = current ? answer_.plans() : std::vector<RankedPlan>();
    std::optional<PlansOfA> of_a;
    if (current && shown_->of_a && of_a_.answer()) {
        of_a = PlansOfA{shown_->name_of_a, *of_a_.answer()};
    }
    canvas()->show(current ? std::optional(plan_bars(answer_, of_a)) : std::nullopt, sentence());
    frontier_->show(current ? std::optional(plan_frontier_chart(answer_, of_a)) : std::nullopt, {});
    frontier_->setVisible(current);
    tables_->setVisible(current);
    if (!current) {
        bar_->tell({}, false);
    }
    rows_->setTable(current ? shown_plan_table(answer_) : Table());
    selected_page_->follow(std::nullopt, Table());
    for (PlanPane* pane : panes()) {
        if (!current) {
            pane->follow(std::nullopt);
            pane->explainLack(sentence());
        }
    }
    setAccessibleDescription(current ? words(canvas()->surface()->chart()->title) : sentence());
    if (current) {
        select(static_cast<int>(answer_.place_of_loaded().value_or(0)));
        if (!same_plans) {
            fitColumns();
        }
    }
}

void PlannerView::showBar() {
    if (!isFound() || selectedPlan() == nullptr) {
        return;
    }
    const Scenario& scenario = session().state().scenario;
    if (!scenario.plan.loaded) {
        bar_->tell({}, false);
    } else if (answer_.loaded) {
        bar_->tell(words(loaded_finding(answer_)), !answer_.loaded->reading.fits);
    } else {
        bar_->tell(tr("The loaded plan, %1, does not fit this scenario, so the search chooses. %2")
                       .arg(words(plan_name(*scenario.plan.loaded)), loaded_.refusal()),
                   true);
    }
    const Plan& plan = selectedPlan()->plan;
    bar_->offer(scenario.plan.loaded != plan, words(why_no_tensor_group(scenario.hardware, plan)));
}

const RankedPlan* PlannerView::selectedPlan() const {
    const auto at = static_cast<std::size_t>(selected_);
    return at < plans_.size() ? &plans_[at] : nullptr;
}

void PlannerView::useSelected() {
    if (const RankedPlan* chosen = selectedPlan(); chosen != nullptr && isFound()) {
        session().edit([plan = chosen->plan](Scenario& scenario) { scenario.plan.loaded = plan; },
                       plan_field);
    }
}

void PlannerView::openGroup() {
    const RankedPlan* chosen = selectedPlan();
    if (chosen == nullptr || !isFound()) {
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
    const RankedPlan& chosen = *selectedPlan();
    selected_page_->follow(ChosenPlan{answer_.question, chosen.plan}, plan_parts_table(chosen));
    for (PlanPane* pane : panes()) {
        pane->follow(ChosenPlan{answer_.question, chosen.plan});
    }
    selected_page_->table()->resizeColumnsToContents();
    showBar();
    // When the bar has its room.
    QTimer::singleShot(0, table_, [this] { table_->scrollTo(table_->currentIndex()); });
}

void PlannerView::fitColumns() {
    for (QTableView* view : {table_, selected_page_->table()}) {
        view->resizeColumnsToContents();
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            view->setColumnWidth(
                column, std::min(widest_plan_column, view->columnWidth(column) + plan_column_padding));
        }
        // In a low window too a row is seen, and half of the next one.
        view->setMinimumHeight(view->horizontalHeader()->sizeHint().height() +
                               view->verticalHeader()->defaultSectionSize() * 3 / 2 +
                               view->horizontalScrollBar()->sizeHint().height());
    }
}

std::vector<KeyHelp> PlannerView::keys() const {
    std::vector<KeyHelp> all = ChartJobView::keys();
    all.push_back({tr("Enter or click in a chart"), tr("Select a plan and show its parts")});
    all.push_back({tr("Enter or double click in the table"), tr("Load the plan into the scenario")});
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
    bar_->fitButtons(width() - tables_->tabBar()->sizeHint().width());
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
    return shownPane() != nullptr ? shownPane()->table() : plan_table(answer_);
}

QString PlannerView::pictured() const {
    const PlanQuestion& question = answer_.question;
    const QString run = tr("%1, batch %2 x %3 tokens; plans for %4 chips: %5")
                            .arg(words(question.model.title))
                            .arg(question.batch)
                            .arg(question.sequence)
                            .arg(question.chips)
                            .arg(words(question.machine.title));
    const PlanPane* pane = shownPane();
    return pane == pipeline_ || pane == places_
               ? QString(run + QStringLiteral("; ") + words(plan_name(selectedPlan()->plan)))
               : run;
}

} // namespace meshslice::ui
