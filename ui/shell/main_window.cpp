#include "ui/shell/main_window.h"

#include "core/base/text.h"
#include "ui/calibration/calibration_view.h"
#include "ui/commands/export_commands.h"
#include "ui/commands/file_commands.h"
#include "ui/controls/list_search.h"
#include "ui/details/details_panel.h"
#include "ui/document/autosave.h"
#include "ui/document/document.h"
#include "ui/document/file_watch.h"
#include "ui/editor/scenario_panel.h"
#include "ui/lessons/lesson_course.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/measured/measured_file.h"
#include "ui/measured/measured_view.h"
#include "ui/path/path_view.h"
#include "ui/planner/planner_view.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/settings/manual_dialog.h"
#include "ui/settings/notices.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/bars/breadcrumb.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/bars/run_status.h"
#include "ui/shell/bars/task_bar.h"
#include "ui/shell/layouts.h"
#include "ui/shell/menus.h"
#include "ui/shell/palette.h"
#include "ui/shell/start/also_open.h"
#include "ui/shell/start/lessons.h"
#include "ui/shell/start/welcome.h"
#include "ui/sweeps/sweeps_view.h"
#include "ui/variants/variant_strip.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QLocale>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QTimer>
#include <QUrl>

#include <utility>

namespace meshslice::ui {
namespace {

/// Of the window's width; where two columns of docks would leave the picture less, the details share the
/// place of the scenario.
constexpr double picture_share = 0.6;

/// Made, and following the document, before anything else is: while the fields and the pictures follow an
/// edit, its run has begun.
Session* sessionOf(Document* document, QObject* parent) {
    auto* session = new Session(document, parent);
    session->follow();
    return session;
}

} // namespace

MainWindow::MainWindow(Memory memory)
    : memory_(memory)
    , document_(new Document(this))
    , session_(sessionOf(document_, this))
    , appearance_(new Appearance(this))
    , files_(new FileCommands(document_, this))
    , entries_(viewRegister())
    , views_(makeViews(entries_, session_, this))
    , pictures_(new PictureArea(placesOf(entries_, views_), session_->task(), this))
    , headline_(new HeadlineBar(session_, this))
    , variants_(new VariantStrip(session_, this))
    , panel_(new ScenarioPanel(document_, this))
    , details_(new DetailsPanel(session_, this))
    , palette_(new Palette(this))
    , layouts_(new WindowLayouts(this))
    , welcome_(new Welcome(this, memory == Memory::keep)) {
    setObjectName(QStringLiteral("explorer"));
    if (memory_ == Memory::keep) {
        restoreAppearance(*appearance_);
        palette_->setRecent(restoredRecentActions());
        layouts_->setTextBefore(restoredTextBeforeTeaching());
        autosave_ = new Autosave(document_, Autosave::standardFolder(), this);
        connect(autosave_, &Autosave::failed, this,
                [this](const QString& sentence) { say(this, tr("Unsaved work"), sentence); });
    }
    addToolBar(Qt::TopToolBarArea, headline_);
    addToolBarBreak(Qt::TopToolBarArea);
    addToolBar(Qt::TopToolBarArea, variants_);
    setCentralWidget(pictures_);
    menuBar()->setCornerWidget(new TaskBar(session_, this), Qt::TopRightCorner);
    connect(pictures_, &PictureArea::taskAsked, session_, &Session::setTaskAmong);
    connect(session_, &Session::taskChanged, this, &MainWindow::followTask);
    makeDocks();
    lessons_ = new Lessons(this);
    run_status_ = new RunStatus(session_, this);
    statusBar()->addPermanentWidget(run_status_);
    breadcrumb_ = new Breadcrumb(session_, this);
    statusBar()->addWidget(breadcrumb_);
    statusBar()->setSizeGripEnabled(false);
    exports_ = new ExportCommands(session_, views_, pictures_, this);
    connect(exports_, &ExportCommands::told, this,
            [this](const QString& sentence) { statusBar()->showMessage(sentence); });
    headline_->addButton(variants_->action("duplicate"), tr("+ Variant"));
    connect(variants_, &VariantStrip::told, this,
            [this](const QString& sentence) { statusBar()->showMessage(sentence); });
    connect(session_->selection(), &Selection::selectedChanged, this, [this] {
        raiseDetailsOnce();
        tellSelection();
    });
    connect(session_->selection(), &Selection::markedChanged, this, &MainWindow::raiseDetailsOnce);
    connect(session_, &Session::changed, this, &MainWindow::followSession);
    connect(panel_, &ScenarioPanel::manualAsked, this, [this](const QString& word) {
        (new ManualDialog(this, QLatin1String(glossary_page), word))->show();
    });
    connect(panel_, &ScenarioPanel::sweepAsked, this, [this](const QString& field) {
        for (View* view : views_) {
            if (auto* sweeps = qobject_cast<SweepsView*>(view)) {
                pictures_->show(sweeps);
                sweeps->sweepField(field.toStdString());
            }
        }
    });
    for (View* view : views_) {
        const auto showTimeline = [this] {
            pictures_->show(views_.front());
            views_.front()->setFocus();
        };
        if (auto* path = qobject_cast<PathView*>(view)) {
            connect(path, &PathView::timelineAsked, this, showTimeline);
        } else if (auto* plans = qobject_cast<PlannerView*>(view)) {
            connect(plans, &PlannerView::timelineAsked, this, showTimeline);
        } else if (auto* measured = qobject_cast<MeasuredView*>(view)) {
            connect(measured, &MeasuredView::collectivesOpened, this, &MainWindow::openMeasured);
        }
    }
    connect(files_, &FileCommands::measuredAsked, this, &MainWindow::openMeasured);
    connect(document_, &Document::modifiedChanged, this, &MainWindow::renewTitle);
    connect(document_, &Document::pathChanged, this, &MainWindow::renewTitle);
    new Menus(this); // owned by the window
    new ListSearch(this);
    setAcceptDrops(true);
    connect(new FileWatch(document_, this), &FileWatch::changedOutside, files_, &FileCommands::askToReload);
    if (memory_ == Memory::keep) {
        new AlsoOpen(this, Autosave::standardFolder() + QStringLiteral("/open"));
    }

    resize(firstSize(QGuiApplication::primaryScreen()->availableSize()));
    arranged_ = memory_ == Memory::keep && restoreWindow(*this);
    lessons_->dock()->hide(); // the one that was open is left
    followTask();
    pictures_->setSideBySide(arranged_ && restoredSideBySide());
    dock_scale_ = pictureScale();
    renewTitle();
}

// Nothing may hear of the end of what is still at work. The docks are deleted after this class' members;
// their signals would reach a window that is half gone.
MainWindow::~MainWindow() {
    for (QDockWidget* dock : {scenario_dock_, details_dock_}) {
        dock->disconnect(this);
    }
    session_->selection()->disconnect(this);
    session_->disconnect();
    document_->disconnect(this);
    delete pictures_; // the views pull from the session, so they go before it
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

void MainWindow::setScenarioAside(bool aside) {
    if (aside == !set_aside_.empty()) {
        return;
    }
    variants_->setAside(aside);
    if (!aside) {
        for (QWidget* one : std::exchange(set_aside_, {})) {
            one->show();
        }
        (details_in_front_ ? details_dock_ : scenario_dock_)->raise();
        return;
    }
    details_in_front_ =
        tabifiedDockWidgets(scenario_dock_).contains(details_dock_) && in_front_.contains(details_dock_);
    for (QWidget* one :
         std::initializer_list<QWidget*>{headline_, run_status_, details_dock_, scenario_dock_}) {
        if (!one->isHidden()) {
            set_aside_.push_back(one);
            one->hide();
        }
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
    const Selection& selection = *session_->selection();
    if (details_raised_ || (!selection.selected() && !selection.marked()) || !isVisible()) {
        return;
    }
    details_raised_ = true;
    if (!tabifiedDockWidgets(details_dock_).isEmpty()) {
        details_dock_->raise(); // moves no focus: the keys go on stepping through the picture
    }
}

void MainWindow::arrange(const Arrangement& arrangement) {
    pictures_->setSideBySide(false); // two and all docks may need more room than there is
    for (QDockWidget* dock : {scenario_dock_, details_dock_}) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    addDockWidget(Qt::LeftDockWidgetArea, scenario_dock_);
    scenario_dock_->setVisible(arrangement.scenario);
    narrow_ = isNarrow();
    placeDetails(narrow_ && arrangement.scenario);
    details_dock_->setVisible(arrangement.details);
    fitDocks();
    pictures_->setSideBySide(arrangement.two_pictures);
    arranged_ = true;
    QTimer::singleShot(0, this, &MainWindow::fitDocks); // again when a new font has its room
}

bool MainWindow::isNarrow() const {
    return panel_->sizeHint().width() + details_->sizeHint().width() > (1 - picture_share) * width();
}

void MainWindow::placeDetails(bool among_tabs) {
    gathered_ = among_tabs;
    if (among_tabs) {
        addDockWidget(Qt::LeftDockWidgetArea, details_dock_);
        tabifyDockWidget(scenario_dock_, details_dock_);
        scenario_dock_->raise();
    } else {
        addDockWidget(Qt::RightDockWidgetArea, details_dock_);
    }
}

void MainWindow::fitDocks() {
    for (const auto& [dock, width] : {std::pair(scenario_dock_, panel_->sizeHint().width()),
                                      std::pair(details_dock_, details_->sizeHint().width())}) {
        if (!dock->isHidden() && !dock->isFloating()) {
            resizeDocks({dock}, {width}, Qt::Horizontal);
        }
    }
}

bool MainWindow::followWidth() {
    if (!arranged_ || !isVisible() || isNarrow() == narrow_) {
        return false;
    }
    narrow_ = !narrow_;
    const bool own_column = !details_dock_->isFloating() && details_dock_->isVisible() &&
                            scenario_dock_->isVisible() && !scenario_dock_->isFloating() &&
                            tabifiedDockWidgets(details_dock_).isEmpty();
    if (!(narrow_ ? own_column : gathered_)) {
        return false;
    }
    placeDetails(narrow_);
    fitDocks();
    return true;
}

void MainWindow::followTask() {
    const Task task = session_->task();
    pictures_->setTask(task);
    panel_->setTask(task);
    tellRunFailure();
    setScenarioAside(!has(of_scenario, task));
    renewTitle();
}

void MainWindow::tellRunFailure() {
    const SessionState& state = session_->state();
    if (!session_->isComputing()) {
        // What runs is a GEMM or a block; a training run may be planned, and a model served, where that
        // cannot be.
        const bool refused =
            state.kind == Session::Kind::failed && !state.cancelled && has(on_a_mesh, session_->task());
        panel_->showRunFailure(refused ? state.sentence : QString());
    }
}

void MainWindow::followSession() {
    const SessionState& state = session_->state();
    tellRunFailure();
    if (state.kind == Session::Kind::failed) {
        statusBar()->clearMessage(); // what it says belongs to a picture that is not shown any more
    } else {
        tellSelection(); // the same GEMM may take another time now
    }
}

void MainWindow::openMeasured(const QString& path) {
    const bool collectives = measuredFileAt(path) == MeasuredFile::collectives;
    for (View* view : views_) {
        if (auto* fit = collectives ? qobject_cast<CalibrationView*>(view) : nullptr) {
            pictures_->show(fit);
            fit->openCollectives(path);
        } else if (auto* measured = collectives ? nullptr : qobject_cast<MeasuredView*>(view)) {
            pictures_->show(measured);
            measured->open(path);
        }
    }
}

void MainWindow::tellSelection() {
    const auto& selected = session_->selection()->selected();
    const ResultsPtr results = session_->shown();
    if (!selected || !results || in_front_.contains(details_dock_) ||
        selected->step >= results->steps.size() ||
        selected->gemm >= results->steps[selected->step].gemms.size()) {
        statusBar()->clearMessage();
        breadcrumb_->setNote({});
        return;
    }
    const GemmResult& product = results->steps[selected->step].gemms[selected->gemm];
    breadcrumb_->setNote(tr("%1; F4 shows why").arg(words(text(product.time))));
}

void MainWindow::renewTitle() {
    setWindowTitle(QStringLiteral("%1[*] – %2").arg(document_->name(), tr("MeshSlice Explorer")));
    setWindowModified(document_->isModified());
}

void MainWindow::keepUnsavedWork() {
    if (autosave_ != nullptr) {
        autosave_->saveNow();
    }
}

/// A file from a file manager; what is not a scenario or project is refused with a sentence when it is
/// dropped.
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    const QString path = event->mimeData()->urls().value(0).toLocalFile();
    // After the drop: a question would hold up the program that the file comes from.
    QTimer::singleShot(0, this, [this, path] {
        if (!path.isEmpty() && (measuredFileAt(path) != MeasuredFile::none || files_->mayDiscard())) {
            files_->openPath(path);
        }
    });
}

void MainWindow::offerLostWork() {
    const LeftBehind left = Autosave::leftBehind(Autosave::standardFolder());
    for (const QString& sentence : left.unreadable) {
        say(this, tr("A copy of unsaved work cannot be read"), sentence);
    }
    for (const LostWork& work : left.work) {
        const QString name = work.document.isEmpty() ? tr("an untitled scenario") : work.document;
        QMessageBox box(QMessageBox::Question, tr("Unsaved work"),
                        tr("The program ended before %1 was saved. There is a copy of %2.")
                            .arg(name, QLocale().toString(work.when, QLocale::ShortFormat)),
                        QMessageBox::NoButton, this);
        box.setTextFormat(Qt::PlainText);
        const QAbstractButton* open = box.addButton(tr("&Open the copy"), QMessageBox::AcceptRole);
        const QAbstractButton* discard = box.addButton(tr("&Delete it"), QMessageBox::DestructiveRole);
        box.setEscapeButton(box.addButton(tr("Ask &later"), QMessageBox::RejectRole));
        box.exec();
        if (box.clickedButton() == open) {
            document_->restore(work.project, work.document);
            autosave_->saveNow(); // this session's copy takes the place of the lost one
            Autosave::discard(work);
            return;
        }
        if (box.clickedButton() != discard) {
            return; // asked again next time
        }
        Autosave::discard(work);
    }
}

void MainWindow::showEvent(QShowEvent* event) {
    if (!arranged_) {
        resetLayout();
    }
    QMainWindow::showEvent(event);
    // A layout that was kept may be of another screen.
    narrow_ = isNarrow();
    gathered_ = gathered_ || (narrow_ && !tabifiedDockWidgets(details_dock_).isEmpty());
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    followWidth();
}

/// Docks grow and shrink with the text: a column that has made room for large letters gives it back.
void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::FontChange || details_dock_ == nullptr) {
        return;
    }
    if (!fits_text_) {
        return; // about to
    }
    fits_text_ = false;
    // When all widgets have heard of the new font.
    QTimer::singleShot(0, this, [this, scenario = scenario_dock_->width(), details = details_dock_->width()] {
        const double grown = pictureScale() / std::exchange(dock_scale_, pictureScale());
        fits_text_ = true;
        const auto take_in = [] { QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); };
        panel_->alignColumns();
        take_in(); // what the panels need now
        if (followWidth()) {
            QTimer::singleShot(0, this, &MainWindow::fitDocks); // to what the columns need where they are now
        } else {
            resizeDocks({scenario_dock_, details_dock_}, {qRound(scenario * grown), qRound(details * grown)},
                        Qt::Horizontal);
        }
    });
}

void MainWindow::closeEvent(QCloseEvent* event) {
    lessons_->course()->leave(); // its variant is not the user's work
    if (memory_ == Memory::keep) {
        if (!files_->mayDiscard()) {
            event->ignore();
            return;
        }
        autosave_->removeCopy();
        setScenarioAside(false); // the next window begins with a scenario
        rememberWindow(*this);
        rememberSideBySide(pictures_->isSideBySide());
        rememberAppearance(*appearance_);
        rememberRecentActions(palette_->recent());
        rememberTextBeforeTeaching(layouts_->textBefore());
    }
    session_->cancelRun();
    event->accept();
}

} // namespace meshslice::ui
