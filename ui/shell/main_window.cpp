#include "ui/shell/main_window.h"

#include "core/base/text.h"
#include "ui/breakdown/breakdown_view.h"
#include "ui/commands/export_commands.h"
#include "ui/commands/file_commands.h"
#include "ui/details/details_panel.h"
#include "ui/document/autosave.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_panel.h"
#include "ui/lineup/lineup_view.h"
#include "ui/look/words.h"
#include "ui/products/products_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/session/explainer.h"
#include "ui/session/runner.h"
#include "ui/session/selection.h"
#include "ui/settings/appearance.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/headline_bar.h"
#include "ui/shell/menus.h"
#include "ui/shell/run_status.h"
#include "ui/studies/studies_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuner/tuner_view.h"
#include "ui/view/picture_area.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>

namespace meshslice::ui {
namespace {

/// Narrower windows give the picture the room of the details, which then share the place of the scenario.
constexpr int room_for_details = 1500;

/// A runner that runs what is edited. It is told before anybody else: while the fields and the pictures
/// follow the edit, the run has begun.
Runner* followerOf(Document* document, QObject* parent) {
    auto* runner = new Runner(parent);
    QObject::connect(document, &Document::scenarioChanged, runner,
                     [runner, document] { runner->request(document->scenario()); });
    return runner;
}

} // namespace

MainWindow::MainWindow(Memory memory)
    : memory_(memory)
    , document_(new Document(this))
    , selection_(new Selection(this))
    , runner_(followerOf(document_, this))
    , explainer_(new Explainer(this))
    , appearance_(new Appearance(this))
    , files_(new FileCommands(document_, this))
    , headline_(new HeadlineBar(this))
    , status_(new RunStatus(this))
    , panel_(new ScenarioPanel(document_, this))
    , details_(new DetailsPanel(selection_, this)) {
    setObjectName(QStringLiteral("explorer"));
    if (memory_ == Memory::keep) {
        restoreAppearance(*appearance_);
        autosave_ = new Autosave(document_, Autosave::standardFolder(), this);
    }
    addToolBar(Qt::TopToolBarArea, headline_);
    makeViews();
    makeDocks();
    statusBar()->addPermanentWidget(status_);
    statusBar()->setSizeGripEnabled(false);
    exports_ = new ExportCommands(views_, pictures_, this);
    connect(exports_, &ExportCommands::told, this,
            [this](const QString& sentence) { statusBar()->showMessage(sentence); });
    connect(selection_, &Selection::selectedChanged, this, [this] {
        raiseDetailsOnce();
        tellSelection();
    });
    connectDocument();
    connectRunner();
    new Menus(this); // owned by the window

    resize(firstSize(QGuiApplication::primaryScreen()->availableSize()));
    arranged_ = memory_ == Memory::keep && restoreWindow(*this);
    renewTitle();
    runner_->request(document_->scenario());
}

// The runner and the explainer first: they may still be at work, and nothing may hear of its end. The docks
// are deleted after this class' members; they would tell of their going to a window that is half gone.
MainWindow::~MainWindow() {
    for (QDockWidget* dock : {scenario_dock_, details_dock_}) {
        dock->disconnect(this);
    }
    selection_->disconnect(this);
    document_->disconnect(this);
    runner_->disconnect(this);
    delete runner_;
    delete explainer_;
}

void MainWindow::makeViews() {
    auto* timeline = new TimelineView(selection_, this);
    connect(timeline, &TimelineView::faultWanted, this, [this](const Fault& wanted) {
        Scenario next = document_->scenario();
        std::erase_if(next.faults.parts, [&](const Fault& one) { return one.part == wanted.part; });
        if (wanted.speed < 1) {
            next.faults.parts.push_back(wanted);
        }
        (void)document_->edit(next, "faults.parts"); // a refusal is shown by the panel
        document_->endEdit();
    });
    connect(explainer_, &Explainer::finished, timeline, &TimelineView::showReasons);
    auto* tuner = new TunerView(selection_, this);
    connect(tuner, &TunerView::chosen, this, [this](const TunerChoice& choice) {
        Scenario next = document_->scenario();
        const bool other = next.algorithm != choice.algorithm;
        next.algorithm = choice.algorithm;
        next.mesh = choice.mesh;
        next.slices = choice.slices;
        document_->endEdit(); // each choice is an undo step of its own
        (void)document_->edit(next, other ? "algorithm" : "mesh");
        document_->endEdit();
    });
    lineup_ = new LineupView(selection_, this);
    views_ = {timeline,
              new RooflineView(selection_, this),
              new BreakdownView(selection_, this),
              new ProductsView(selection_, this),
              lineup_,
              tuner,
              new StudiesView(this)};
    pictures_ = new PictureArea(views_, this);
    setCentralWidget(pictures_);
}

void MainWindow::makeDocks() {
    const auto dock = [this](const QString& title, const char* name, QWidget* widget) {
        auto* made = new QDockWidget(title, this);
        made->setObjectName(QLatin1String(name));
        made->setWidget(widget);
        made->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
        return made;
    };
    scenario_dock_ = dock(tr("Scenario"), "scenario", panel_);
    details_dock_ = dock(tr("Details"), "details", details_);
    for (QDockWidget* made : {scenario_dock_, details_dock_}) {
        connect(made, &QDockWidget::dockLocationChanged, this, &MainWindow::renewDockTitles,
                Qt::QueuedConnection);
        connect(made, &QDockWidget::visibilityChanged, this, &MainWindow::renewDockTitles,
                Qt::QueuedConnection);
        connect(made, &QDockWidget::visibilityChanged, this, [this, made](bool visible) {
            if (visible) {
                in_front_.insert(made);
            } else {
                in_front_.erase(made);
            }
            tellSelection();
        });
    }
    addDockWidget(Qt::LeftDockWidgetArea, scenario_dock_);
    addDockWidget(Qt::RightDockWidgetArea, details_dock_);
    setTabPosition(Qt::LeftDockWidgetArea, QTabWidget::North);
}

void MainWindow::renewDockTitles() {
    for (QDockWidget* dock : {scenario_dock_, details_dock_}) {
        const bool tabbed = !tabifiedDockWidgets(dock).isEmpty();
        if (tabbed == (dock->titleBarWidget() != nullptr)) {
            continue;
        }
        delete dock->titleBarWidget();
        dock->setTitleBarWidget(tabbed ? new QWidget(dock) : nullptr);
    }
}

void MainWindow::toggleDock(QDockWidget* dock) {
    if (!in_front_.contains(dock)) {
        dock->show();
        dock->raise();
    } else if (const auto tabs = tabifiedDockWidgets(dock); !tabs.isEmpty()) {
        tabs.front()->raise();
    } else {
        dock->hide();
    }
}

void MainWindow::raiseDetailsOnce() {
    if (details_raised_ || !selection_->selected() || !isVisible()) {
        return;
    }
    details_raised_ = true;
    if (!tabifiedDockWidgets(details_dock_).isEmpty()) {
        details_dock_->raise(); // moves no focus: the keys go on stepping through the picture
    }
}

void MainWindow::resetLayout() {
    for (QDockWidget* dock : {scenario_dock_, details_dock_}) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    addDockWidget(Qt::LeftDockWidgetArea, scenario_dock_);
    scenario_dock_->show();
    if (width() >= room_for_details) {
        addDockWidget(Qt::RightDockWidgetArea, details_dock_);
        details_dock_->show();
    } else {
        addDockWidget(Qt::LeftDockWidgetArea, details_dock_);
        details_dock_->show();
        tabifyDockWidget(scenario_dock_, details_dock_);
        scenario_dock_->raise();
    }
    resizeDocks({scenario_dock_}, {panel_->sizeHint().width()}, Qt::Horizontal);
    if (dockWidgetArea(details_dock_) == Qt::RightDockWidgetArea) {
        resizeDocks({details_dock_}, {details_->sizeHint().width()}, Qt::Horizontal);
    }
    arranged_ = true;
}

void MainWindow::connectDocument() {
    connect(document_, &Document::modifiedChanged, this, &MainWindow::renewTitle);
    connect(document_, &Document::pathChanged, this, &MainWindow::renewTitle);
}

void MainWindow::connectRunner() {
    connect(explainer_, &Explainer::finished, details_, &DetailsPanel::showReasons);
    connect(runner_, &Runner::started, this, [this] {
        explainer_->cancel(); // what it looks into is about to be of the past
        status_->begin();
        tellState(ViewState::computing, tr("Computing …"));
    });
    connect(runner_, &Runner::progressed, status_, &RunStatus::setShare);
    connect(runner_, &Runner::planned, status_, &RunStatus::setPlanned);
    connect(runner_, &Runner::finished, this, &MainWindow::takeResults);
    connect(runner_, &Runner::failed, this, [this](const QString& sentence) {
        status_->finish(tr("The run failed"));
        panel_->showRunFailure(sentence);
        tellState(ViewState::failed, sentence);
        // The other algorithms may run all the same.
        auto refused = std::make_shared<Results>();
        refused->scenario = document_->scenario();
        lineup_->showResults(refused);
    });
    connect(runner_, &Runner::cancelled, this, [this] {
        status_->finish(tr("Cancelled"));
        tellState(ViewState::failed,
                  tr("The run was cancelled. F5 starts it again, Ctrl+Z takes the last change back."));
    });
    connect(status_->cancelButton(), &QPushButton::clicked, runner_, &Runner::cancel);
}

void MainWindow::tellState(ViewState state, const QString& sentence) {
    if (state == ViewState::failed) {
        statusBar()->clearMessage(); // what it says is of a picture that is not shown any more
        details_->showNoResult();
    }
    headline_->showState(state, sentence);
    for (View* view : views_) {
        view->showState(state, sentence);
    }
}

void MainWindow::takeResults(const ResultsPtr& results) {
    // What was selected may not be there any more; a product by its place still is what the user was reading.
    if (auto selected = selection_->selected()) {
        const bool there = selected->step < results->steps.size() &&
                           selected->gemm < results->steps[selected->step].gemms.size();
        selected->row.reset();
        selected->interval.reset();
        selection_->select(there ? selected : std::nullopt);
    }
    results_ = results;
    status_->finish(results);
    headline_->showResults(results);
    panel_->showRunFailure({});
    for (View* view : views_) {
        view->showResults(results);
    }
    details_->showResults(results);
    exports_->setResults(results);
    explainer_->request(results);
    tellSelection(); // The same product may take another time now.
}

void MainWindow::tellSelection() {
    const auto& selected = selection_->selected();
    if (!selected || !results_ || in_front_.contains(details_dock_) ||
        selected->step >= results_->steps.size() ||
        selected->gemm >= results_->steps[selected->step].gemms.size()) {
        statusBar()->clearMessage();
        return;
    }
    const GemmResult& product = results_->steps[selected->step].gemms[selected->gemm];
    statusBar()->showMessage(
        tr("%1: %2. F4 shows why.").arg(words(product.title()), words(text(product.time))));
}

void MainWindow::renewTitle() {
    setWindowTitle(QStringLiteral("%1[*] – %2").arg(document_->name(), tr("MeshSlice Explorer")));
    setWindowModified(document_->isModified());
}

void MainWindow::offerLostWork() {
    for (const LostWork& work : Autosave::lostWork(Autosave::standardFolder())) {
        const QString name = work.document.isEmpty() ? tr("an untitled scenario") : work.document;
        const auto answer =
            QMessageBox::question(this, tr("Work that was not saved"),
                                  tr("The program ended before %1 was saved. There is a copy of %2.\n\nOpen "
                                     "the copy? Otherwise it is thrown away.")
                                      .arg(name, QLocale().toString(work.when, QLocale::ShortFormat)),
                                  QMessageBox::Yes | QMessageBox::No | QMessageBox::Cancel, QMessageBox::Yes);
        if (answer == QMessageBox::Cancel) {
            return; // asked again next time
        }
        if (answer == QMessageBox::Yes) {
            document_->restore(work.scenario, work.document);
            autosave_->saveNow(); // this session's copy takes the place of the lost one
            Autosave::discard(work);
            return;
        }
        Autosave::discard(work);
    }
}

void MainWindow::showEvent(QShowEvent* event) {
    if (!arranged_) {
        resetLayout();
    }
    QMainWindow::showEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    pictures_->setSideBySide(event->size().width() >= PictureArea::wide_window);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (memory_ == Memory::keep) {
        if (!files_->mayDiscard()) {
            event->ignore();
            return;
        }
        autosave_->removeCopy();
        rememberWindow(*this);
        rememberAppearance(*appearance_);
    }
    runner_->cancel();
    event->accept();
}

} // namespace meshslice::ui
