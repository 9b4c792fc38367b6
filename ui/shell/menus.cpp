#include "ui/shell/menus.h"

#include "ui/commands/dialogs/tool_dialog.h"
#include "ui/commands/export_commands.h"
#include "ui/commands/file_commands.h"
#include "ui/document/document.h"
#include "ui/editor/facts_dialog.h"
#include "ui/editor/machine_group.h"
#include "ui/editor/scenario_panel.h"
#include "ui/editor/workload_group.h"
#include "ui/look/words.h"
#include "ui/measured/measured_view.h"
#include "ui/session/session.h"
#include "ui/session/subject.h"
#include "ui/settings/appearance.h"
#include "ui/settings/glossary_dialog.h"
#include "ui/settings/help_text.h"
#include "ui/settings/language.h"
#include "ui/settings/manual_dialog.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/bars/breadcrumb.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette.h"
#include "ui/shell/pictures/projector.h"
#include "ui/shell/pictures/record.h"
#include "ui/shell/start/lessons.h"
#include "ui/shell/start/welcome.h"
#include "ui/shell/views.h"
#include "ui/variants/variant_strip.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QActionGroup>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

#include <algorithm>

namespace meshslice::ui {
namespace {

/// The variant that an offer is for; null where there is none of that name any more.
const Variant* variantOf(const Document& document, const ToolOffer& offer) {
    const auto& variants = document.project().variants;
    const auto found = std::ranges::find(variants, offer.variant, &Variant::name);
    return found == variants.end() ? nullptr : &*found;
}

} // namespace

Menus::Menus(MainWindow* window) : QObject(window), window_(window) {
    addFile();
    addEdit();
    addVariants();
    addView();
    addLessons();
    addHelp();
}

QAction* Menus::add(QMenu* menu, const QString& text, const QKeySequence& keys,
                    const std::function<void()>& act) {
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, window_, act);
    return action;
}

void Menus::addFile() {
    FileCommands* files = window_->files();
    ExportCommands* exports = window_->exports();
    QMenu* menu = window_->menuBar()->addMenu(tr("&File"));
    add(menu, tr("&New"), QKeySequence::New, [files] { files->newDocument(); });
    add(menu, tr("&Open…"), QKeySequence::Open, [files] { files->open(); });
    QMenu* recent = menu->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, files, [files, recent] { files->fillRecent(recent); });
    files->fillExamples(menu->addMenu(tr("E&xamples")));
    add(menu, tr("&Save"), QKeySequence::Save, [files] { files->save(); });
    add(menu, tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [files] { files->saveAs(); });
    add(menu, tr("&Copy as text"), {}, [files] {
        files->copyAsText();
    })->setStatusTip(tr("The scenario as one text for a message, which the command line takes too"));
    add(menu, tr("Paste from the clip&board"), {}, [files] { files->pasteText(); });
    menu->addSeparator();
    ScenarioPanel* panel = window_->scenarioPanel();
    add(menu, tr("Open a &model's config.json…"), {}, [panel] { panel->workload()->askForModel(); });
    add(menu, tr("Open a &hardware file…"), {}, [panel] { panel->machine()->askForHardware(); });
    add(menu, tr("Open a meas&ured trace…"), {}, [this] {
        openTrace();
    })->setStatusTip(tr("What a profiler recorded of a step, next to what the plan says"));
    menu->addSeparator();
    add(menu, tr("&Export this view…"), QKeySequence(Qt::CTRL | Qt::Key_E),
        [exports] { exports->exportCurrent(); });
    add(menu, tr("Export a&ll views…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
        [exports] { exports->exportAll(); });
    add(menu, tr("Export for &Perfetto (Chrome trace)…"), {}, [exports] { exports->exportTrace(); });
    add(menu, tr("Write a repor&t…"), {}, [exports] {
        exports->exportReport();
    })->setStatusTip(tr("For a review: the question, the answer, how far to trust it, what would change it"));
    add(menu, tr("Recor&d for slides…"), {}, [this] { openRecordDialog(window_); });
    menu->addSeparator();
    add(menu, tr("&Quit"), QKeySequence::Quit, [this] { window_->close(); });
}

void Menus::openTrace() {
    for (const ViewPlace& place : window_->pictures()->places()) {
        if (auto* measured = qobject_cast<MeasuredView*>(place.view)) {
            window_->pictures()->show(measured);
            measured->askForFile();
            return;
        }
    }
}

void Menus::addEdit() {
    QMenu* menu = window_->menuBar()->addMenu(tr("&Edit"));
    QUndoStack* stack = window_->document()->undoStack();
    QAction* undo = stack->createUndoAction(menu, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = stack->createRedoAction(menu, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    undo->setData(tr("Undo"));
    redo->setData(tr("Redo"));
    menu->addActions({undo, redo});
    menu->addSeparator();
    Session* session = window_->session();
    add(menu, tr("Run &again"), QKeySequence(Qt::Key_F5), [session] { session->runAgain(); });
    QAction* cancel =
        add(menu, tr("&Cancel the run"), QKeySequence(Qt::Key_Escape), [session] { session->cancelRun(); });
    // Escape means other things in fields and menus, so it is taken only while there is a run to cancel.
    const auto follow = [cancel, session] { cancel->setEnabled(session->isComputing()); };
    connect(session, &Session::changed, cancel, follow);
    follow();
    menu->addSeparator();
    addTools(menu);
}

void Menus::addTools(QMenu* menu) {
    Session* session = window_->session();
    QAction* verify = add(menu, tr("&Verify on real matrices…"), {}, [this, session] {
        const ResultsPtr results = session->current();
        if (results) {
            auto* page = new ToolDialog(
                tr("Verification"), subject(results->scenario),
                [results](const RunControl& control) { return verifiedPage(*results, control); }, window_);
            page->show();
        }
    });
    verify->setStatusTip(tr("Runs every GEMM chip by chip and hop by hop, and compares with the plain one"));
    QAction* dataflow = add(menu, tr("Find the best &dataflow…"), {}, [this, session] {
        const Project& project = session->document()->project();
        std::vector<Variant> variants = {project.variants[project.current]};
        if (const Variant* reference = session->document()->reference()) {
            variants.push_back(*reference);
        }
        auto* page = new ToolDialog(
            tr("Best dataflow"), subject(variants.front().scenario),
            [variants](const RunControl& control) { return dataflowPage(variants, control); }, window_);
        connect(page, &ToolDialog::taken, this,
                [this, page](const ToolOffer& offer) { page->setRemark(takeOffer(offer)); });
        const auto follow = [page, document = session->document()] {
            page->setTaken([document](const ToolOffer& offer) {
                const Variant* variant = variantOf(*document, offer);
                return variant != nullptr && variant->scenario.plan.stationary == offer.stationary;
            });
        };
        connect(page, &ToolDialog::answered, page, follow);
        connect(session->document(), &Document::projectChanged, page, follow);
        page->show();
    });
    dataflow->setStatusTip(tr("Which matrix of each layer should stay on its chip, and what it saves"));
    const auto follow = [verify, session] { verify->setEnabled(session->current() != nullptr); };
    connect(session, &Session::changed, verify, follow);
    follow();
}

/// In the variant that it is for. Says why, and changes nothing, where that is gone or no longer what was
/// searched.
QString Menus::takeOffer(const ToolOffer& offer) {
    Document* document = window_->document();
    const Variant* variant = variantOf(*document, offer);
    if (variant == nullptr) {
        return tr("There is no variant of that name any more.");
    }
    if (variant->scenario != offer.searched) {
        return tr("The scenario has changed since; search again.");
    }
    Scenario next = variant->scenario;
    next.plan.stationary = offer.stationary;
    const auto place = static_cast<std::size_t>(variant - document->project().variants.data());
    const Result<void> taken = document->editInPlace(place, next, "stationary");
    return taken ? QString() : words(taken.error().sentence);
}

void Menus::addVariants() {
    window_->variants()->fill(window_->menuBar()->addMenu(tr("Varia&nts")));
}

void Menus::addView() {
    QMenu* menu = window_->menuBar()->addMenu(tr("&View"));
    addTasks(menu);
    menu->addSeparator();
    addTabs(menu);
    menu->addSeparator();
    QAction* two = add(menu, tr("Two &pictures side by side"), QKeySequence(Qt::CTRL | Qt::Key_Backslash),
                       [this] { window_->pictures()->setSideBySide(!window_->pictures()->isSideBySide()); });
    two->setCheckable(true);
    connect(menu, &QMenu::aboutToShow, two,
            [this, two] { two->setChecked(window_->pictures()->isSideBySide()); });
    add(menu, tr("&Scenario"), Qt::Key_F2, [this] { window_->toggleDock(window_->scenarioDock()); });
    add(menu, tr("&Details"), Qt::Key_F4, [this] { window_->toggleDock(window_->detailsDock()); });
    menu->addSeparator();
    addTheme(menu->addMenu(tr("&Theme")));
    addLanguage(menu->addMenu(tr("Lan&guage")));
    Appearance* look = window_->appearance();
    add(menu, tr("&Larger text"), QKeySequence::ZoomIn, [look] {
        look->setFontPercent(look->fontPercent() + Appearance::step_percent);
    })->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    add(menu, tr("S&maller text"), QKeySequence(Qt::CTRL | Qt::Key_Minus),
        [look] { look->setFontPercent(look->fontPercent() - Appearance::step_percent); });
    add(menu, tr("&Normal text"), QKeySequence(Qt::CTRL | Qt::Key_0), [look] { look->setFontPercent(100); });
    menu->addSeparator();
    (new Projector(window_))->fill(menu);
    addLayouts(menu->addMenu(tr("La&yout")));
}

void Menus::addTasks(QMenu* menu) {
    Session* session = window_->session();
    auto* group = new QActionGroup(menu);
    for (const Task task : allTasks()) {
        QAction* action = add(menu, titleOf(task), keyOf(task), [session, task] { session->setTask(task); });
        action->setStatusTip(tipOf(task));
        action->setCheckable(true);
        group->addAction(action);
        const auto follow = [action, session, task] { action->setChecked(session->task() == task); };
        connect(session, &Session::taskChanged, action, follow);
        follow();
    }
}

/// The tabs of the task by their numbers, and all pages of all tasks by their names.
void Menus::addTabs(QMenu* menu) {
    PictureArea* area = window_->pictures();
    for (const Tab tab : {Tab::summary, Tab::timeline, Tab::map, Tab::limits, Tab::compare}) {
        QAction* action = add(menu, titleOf(tab), keyOf(tab), [area, tab] {
            if (area->show(tab)) {
                area->currentView()->setFocus();
            }
        });
        const auto follow = [action, area, tab, session = window_->session()] {
            action->setEnabled(std::ranges::any_of(area->places(), [&](const ViewPlace& place) {
                return place.tab == tab && has(place.tasks, session->task());
            }));
        };
        connect(window_->session(), &Session::taskChanged, action, follow);
        follow();
    }
    Breadcrumb* scale = window_->breadcrumb();
    add(menu, tr("To a larger scale"), QKeySequence(Qt::CTRL | Qt::Key_Backspace),
        [scale] { scale->goOut(); });
    add(menu, tr("To a smaller scale"), QKeySequence(Qt::CTRL | Qt::Key_Return), [scale] { scale->goIn(); });
    QMenu* pages = menu->addMenu(tr("All pages"));
    for (const ViewPlace& place : area->places()) {
        if (place.title == titleOf(place.tab)) {
            continue; // the tab is it
        }
        add(pages, place.title, {}, [area, place] {
            area->show(place);
            area->currentView()->setFocus();
        });
    }
}

void Menus::addLayouts(QMenu* menu) {
    WindowLayouts* layouts = window_->layouts();
    menu->setToolTipsVisible(true);
    const auto say = [](QAction* action, const QString& tip) {
        action->setStatusTip(tip);
        action->setToolTip(tip);
    };
    const auto offer = [&](const QString& text, const QString& tip, WindowLayout layout) {
        say(add(menu, text, {}, [layouts, layout] { layouts->take(layout); }), tip);
    };
    offer(tr("&Explore"), tr("The scenario, one picture and the details"), WindowLayout::explore);
    offer(tr("&Compare"), tr("Two pictures side by side, with the variants above them"),
          WindowLayout::compare);
    offer(tr("&Teach"), tr("Large letters, the timeline and the torus, and nothing else"),
          WindowLayout::teach);
    offer(tr("T&une"), tr("The tuner and the details"), WindowLayout::tune);
    menu->addSeparator();
    say(add(menu, tr("&Reset the layout"), {}, [layouts] { layouts->reset(); }),
        tr("The window as a new user sees it"));
}

void Menus::addTheme(QMenu* menu) {
    auto* group = new QActionGroup(menu);
    const std::pair<QString, ThemeChoice> choices[] = {{tr("Follow the &system"), ThemeChoice::system},
                                                       {tr("&Light"), ThemeChoice::light},
                                                       {tr("Dar&k"), ThemeChoice::dark}};
    Appearance* look = window_->appearance();
    for (const auto& [text, choice] : choices) {
        QAction* action = add(menu, text, {}, [look, choice = choice] { look->setTheme(choice); });
        action->setCheckable(true);
        action->setChecked(look->theme() == choice);
        group->addAction(action);
    }
}

void Menus::addLanguage(QMenu* menu) {
    auto* group = new QActionGroup(menu);
    std::vector<WindowLanguage> choices = windowLanguages();
    choices.insert(choices.begin(), {QLatin1String(system_language), tr("Follow the &system")});
    const QString now = window_->remembers() ? restoredLanguage() : languageOf(QLocale().name(), {});
    for (const auto& [code, name] : choices) {
        QAction* action = add(menu, name, {}, [this, code = code] {
            if (!window_->remembers() || code == restoredLanguage()) {
                return;
            }
            rememberLanguage(code);
            auto* box =
                new QMessageBox(QMessageBox::Information, tr("Language"),
                                tr("The new language is used after a restart."), QMessageBox::Ok, window_);
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->open();
        });
        action->setCheckable(true);
        action->setChecked(code == now);
        group->addAction(action);
    }
}

void Menus::addLessons() {
    window_->lessons()->fill(window_->menuBar()->addMenu(tr("&Lessons")));
}

void Menus::addHelp() {
    QMenu* menu = window_->menuBar()->addMenu(tr("&Help"));
    Welcome* welcome = window_->welcome();
    add(menu, tr("&Welcome"), {}, [welcome] { welcome->open(); });
    add(menu, tr("&Manual"), {}, [this] { (new ManualDialog(window_))->show(); });
    add(menu, tr("How far to &trust a result"), {},
        [this] { (new ManualDialog(window_, QLatin1String(trust_page)))->show(); });
    Palette* palette = window_->commandPalette();
    add(menu, tr("&Find an action or a field…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [palette] {
        palette->open();
    })->setObjectName(QLatin1String(Palette::own_action));
    add(menu, tr("&Keys"), QKeySequence(Qt::Key_F1), [this] {
        auto* page = new FactsDialog(tr("Keys"), keysText(*window_->menuBar(), window_->views()), window_);
        page->show();
    });
    add(menu, tr("&Glossary"), {}, [this] { (new GlossaryDialog(window_))->show(); });
    add(menu, tr("&About"), {},
        [this] { QMessageBox::about(window_, tr("About MeshSlice Explorer"), aboutText()); });
    add(menu, tr("About &Qt"), {}, [this] { QMessageBox::aboutQt(window_); });
}

} // namespace meshslice::ui
