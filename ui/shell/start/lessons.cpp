#include "ui/shell/start/lessons.h"

#include "core/base/json/json_reader.h"
#include "core/scenario/fields.h"
#include "ui/commands/file_commands.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_panel.h"
#include "ui/lab/lab_view.h"
#include "ui/lessons/highlight_frame.h"
#include "ui/lessons/lesson_course.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_words.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/settings/lesson_progress.h"
#include "ui/settings/notices.h"
#include "ui/shell/main_window.h"
#include "ui/variants/variant_strip.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

/// "Slices S", as the form labels it.
QString labelOfField(const std::string& key) {
    return translated(scenario_field(key).label)
        .remove(QRegularExpression(QStringLiteral("\\(&[A-Za-z0-9]\\)")))
        .remove(QLatin1Char('&'));
}

} // namespace

Lessons::Lessons(MainWindow* window)
    : QObject(window)
    , window_(window)
    , course_(new LessonCourse(window->document(), this))
    , panel_(new LessonPanel(course_, window))
    , dock_(new QDockWidget(tr("Lesson"), window)) {
    dock_->setObjectName(QStringLiteral("lesson"));
    dock_->setWidget(panel_);
    dock_->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
    dock_->setTitleBarWidget(new QWidget(dock_)); // the panel's first line is its title
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window->addDockWidget(Qt::BottomDockWidgetArea, dock_);
    dock_->hide();
    connect(course_, &LessonCourse::changed, this, &Lessons::follow);
    connect(course_, &LessonCourse::refused, this,
            [this](const QString& sentence) { say(window_, tr("The lesson was not begun"), sentence); });
    connect(panel_, &LessonPanel::finished, this, &Lessons::finish);
    connect(panel_, &LessonPanel::lastAnswered, this, [this] { remember(true); });
    connect(panel_, &LessonPanel::lookAtAsked, this, &Lessons::goToWhatIsFramed);
    connect(window->files(), &FileCommands::lessonAsked, this, &Lessons::beginFile);
    connect(window->pictures(), &PictureArea::turned, this, &Lessons::tidy);
    connect(window->session(), &Session::taskChanged, this, &Lessons::tidy);
    // A field may be hidden or shown by an edit.
    connect(window->document(), &Document::scenarioChanged, this, [this] {
        if (course_->isOpen() && !frame_ && !course_->awaitsPrediction() && !course_->isAtEnd()) {
            pointAt(course_->current());
        }
    });
}

HighlightFrame* Lessons::frame() const {
    return frame_;
}

void Lessons::fill(QMenu* menu) {
    menu->setToolTipsVisible(true);
    for (const LessonTitle& one : lesson_titles()) {
        QAction* action = menu->addAction(lessonTitle(one).replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setStatusTip(tr("You need: %1").arg(words(one.needs.plain())));
        action->setToolTip(tipParagraph(action->statusTip()));
        action->setCheckable(true); // done
        connect(action, &QAction::triggered, this, [this, id = one.id] { begin(lesson(id)); });
    }
    const QList<QAction*> actions = menu->actions();
    connect(menu, &QMenu::aboutToShow, this, [this, actions] {
        const std::vector<OfferedLesson> known = offered();
        for (std::size_t k = 0; k < known.size(); ++k) {
            QAction* const action = actions[static_cast<qsizetype>(k)];
            const QString title = QString(known[k].title).replace(QLatin1Char('&'), QStringLiteral("&&"));
            action->setText(known[k].done || known[k].note.isEmpty()
                                ? title
                                : QStringLiteral("%1 (%2)").arg(title, known[k].note));
            action->setChecked(known[k].done);
        }
    });
    menu->addSeparator();
    connect(menu->addAction(tr("&Open a lesson's file…")), &QAction::triggered, this, &Lessons::askForFile);
    menu->addSeparator();
    const auto add = [&](const QString& text, const QKeySequence& keys, auto act) {
        QAction* action = menu->addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    add(tr("&Go to the lesson"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), [this] {
        goTo();
    })->setStatusTip(tr("Where none is open, the one that was open last goes on"));
    of_a_lesson_ = {
        add(tr("Step &forward"), QKeySequence(Qt::ALT | Qt::Key_Right),
            [this] { panel_->forward()->click(); }),
        add(tr("Step &back"), QKeySequence(Qt::ALT | Qt::Key_Left), [this] { panel_->back()->click(); }),
        add(tr("&Reset the step"), {}, [this] { panel_->again()->click(); }),
        add(tr("Back to &my project"), {}, [this] { course_->leave(); })};
    for (QAction* action : of_a_lesson_) {
        action->setEnabled(course_->isOpen());
    }
}

std::vector<OfferedLesson> Lessons::offered() const {
    std::vector<OfferedLesson> all;
    for (const LessonTitle& one : lesson_titles()) {
        const LessonProgress progress =
            window_->remembers() ? restoredProgress(words(one.id)) : LessonProgress();
        QString note;
        if (progress.done) {
            note = tr("done");
        } else if (progress.begun && progress.step > 0) {
            note = tr("step %1 of %2").arg(progress.step + 1).arg(static_cast<int>(one.steps));
        }
        all.push_back({lessonTitle(one), note, words(one.needs.plain()), progress.done});
    }
    return all;
}

void Lessons::begin(const LessonPtr& lesson) {
    const LessonProgress progress = window_->remembers() && meshslice::lesson(lesson->id) == lesson
                                        ? restoredProgress(words(lesson->id))
                                        : LessonProgress();
    const std::size_t step = progress.done ? 0 : static_cast<std::size_t>(progress.step);
    panel_->goesOnAt(step);
    if (course_->begin(lesson, step)) {
        panel_->takeKeyboard();
    }
}

void Lessons::beginOffered(std::size_t place) {
    if (place < lesson_titles().size()) {
        begin(lesson(lesson_titles()[place].id));
    }
}

void Lessons::beginNamed(const QString& name) {
    if (const LessonPtr known = meshslice::lesson(name.toStdString())) {
        begin(known);
    } else {
        beginFile(name);
    }
}

bool Lessons::beginFile(const QString& path) {
    const auto text = read_text_file(QFile::encodeName(path).toStdString());
    const auto read = text ? read_lesson(*text, QFileInfo(path).fileName().toStdString())
                           : Result<Lesson>(refuse(text.error()));
    if (!read) {
        say(window_, tr("The lesson was not opened"), words(read.error().sentence));
        return false;
    }
    begin(std::make_shared<const Lesson>(*read));
    return true;
}

void Lessons::askForFile() {
    const QString path =
        QFileDialog::getOpenFileName(window_, tr("Open a lesson"), {}, tr("Lessons (*.json);;All files (*)"));
    if (!path.isEmpty()) {
        beginFile(path);
    }
}

void Lessons::goTo() {
    if (course_->isOpen()) {
        panel_->takeKeyboard();
        return;
    }
    const LessonPtr last = window_->remembers() ? meshslice::lesson(restoredLesson().toStdString()) : nullptr;
    if (last || !lesson_titles().empty()) {
        begin(last ? last : lesson(lesson_titles().front().id));
    }
}

void Lessons::finish() {
    const LessonPtr lesson = course_->lesson();
    if (window_->remembers()) {
        rememberProgress(words(lesson->id), {0, true, true});
    }
    if (const LessonPtr next = nextLesson(*lesson)) {
        begin(next);
    } else {
        course_->leave();
        window_->statusBar()->showMessage(tr("The lesson is done. Your project is shown again."));
    }
}

LabView* Lessons::lab() const {
    for (View* view : window_->views()) {
        if (auto* found = qobject_cast<LabView*>(view)) {
            return found;
        }
    }
    return nullptr;
}

void Lessons::follow() {
    const bool open = course_->isOpen();
    for (QAction* action : of_a_lesson_) {
        action->setEnabled(open);
    }
    delete frame_;
    LabView* const its_lab = lab();
    if (!open) {
        const bool had_keyboard = panel_->isAncestorOf(panel_->focusWidget());
        dock_->hide();
        if (lab_before_ && its_lab != nullptr) {
            its_lab->restore(*lab_before_);
        }
        lab_before_.reset();
        if (const std::optional<Task> before = std::exchange(task_before_, std::nullopt)) {
            // Whether it is a block or a GEMM, the user's own scenario says.
            bringBack(); // what the other task puts aside is all there is
            window_->session()->setTaskAmong(has(on_a_mesh, *before) ? on_a_mesh : only(*before));
            bringBack();
        }
        sights_.reset();
        if (had_keyboard) {
            window_->pictures()->currentView()->setFocus();
        }
        return;
    }
    if (!task_before_) {
        task_before_ = window_->session()->task();
        if (has(of_scenario, *task_before_)) { // else the docks are away for another reason
            QDockWidget* const details = window_->detailsDock();
            sights_ = {!window_->scenarioDock()->isHidden(), !details->isHidden(),
                       window_->tabifiedDockWidgets(window_->scenarioDock()).contains(details) &&
                           !details->visibleRegion().isEmpty()};
        }
    }
    const LessonStep& step = course_->shown();
    const LessonPtr& lesson = course_->lesson();
    if (!projected_ && (!dock_->isVisible() || lesson != has_room_)) {
        dock_->show();
        has_room_ = lesson;
        // Pictures keep the larger part. With the scenario put aside the panel is as wide as the window.
        const bool lab_alone =
            std::ranges::all_of(lesson->steps, [](const LessonStep& one) { return one.lab.has_value(); });
        const int width = lab_alone ? window_->width() : window_->pictures()->width();
        window_->resizeDocks({dock_}, {std::min(panel_->heightForLesson(width), window_->height() * 2 / 5)},
                             Qt::Vertical);
    }
    if (step.lab && its_lab != nullptr) {
        if (!lab_before_) {
            lab_before_ = its_lab->state();
        }
        its_lab->present(*step.lab);
    }
    showView(step);
    tidy();
    if (course_->awaitsPrediction() || course_->isAtEnd()) {
        panel_->setLookAt({});
    } else {
        pointAt(step);
    }
    remember(course_->isAtEnd());
}

void Lessons::setProjected(bool projected) {
    projected_ = projected;
    if (projected) {
        bringBack();
        return;
    }
    tidy();
    dock_->setVisible(course_->isOpen());
}

bool Lessons::needsForm(const LessonStep& step) {
    return step.highlight.kind == LessonHighlight::Kind::field ||
           (step.question && step.question->answer.of.another);
}

void Lessons::showView(const LessonStep& step) {
    for (View* view : window_->views()) {
        if (view->id() == words(step.view)) {
            window_->pictures()->show(view);
        }
    }
}

void Lessons::tidy() {
    const View* const seen = window_->pictures()->currentView();
    if (!course_->isOpen() || projected_ || !sights_ || seen == nullptr ||
        !has(of_scenario, window_->session()->task())) {
        return;
    }
    const bool own = seen->id() == words(course_->shown().view);
    window_->variants()->setAside(own);
    window_->detailsDock()->setVisible(!own && sights_->details);
    window_->scenarioDock()->setVisible(own ? needsForm(course_->shown()) : sights_->scenario);
}

void Lessons::bringBack() {
    if (!sights_ || !has(of_scenario, window_->session()->task())) {
        return;
    }
    window_->variants()->setAside(false);
    window_->scenarioDock()->setVisible(sights_->scenario);
    window_->detailsDock()->setVisible(sights_->details);
    if (sights_->details && sights_->details_in_front) {
        window_->detailsDock()->raise();
    }
}

void Lessons::pointAt(const LessonStep& step) {
    QWidget* target = nullptr;
    QString name;
    switch (step.highlight.kind) {
    case LessonHighlight::Kind::none: break;
    case LessonHighlight::Kind::field:
        if (window_->scenarioPanel()->shows(step.highlight.key)) {
            if (!projected_) {
                window_->scenarioDock()->show();
                window_->scenarioDock()->raise();
            }
            target = window_->scenarioPanel()->find(step.highlight.key);
            name = labelOfField(step.highlight.key);
        }
        break;
    case LessonHighlight::Kind::view:
        for (View* view : window_->views()) {
            if (view->id() == words(step.highlight.key)) {
                target = view;
                name = view->title();
            }
        }
        break;
    case LessonHighlight::Kind::lab:
        if (const LabView* its_lab = lab()) {
            target = its_lab->named(step.lab.value_or(LessonLab{"sharding", {}}), step.highlight.key);
            name = target != nullptr ? target->accessibleName() : QString();
        }
        break;
    }
    if (target != nullptr) {
        frame_ = new HighlightFrame(target);
    }
    panel_->setLookAt(name);
}

void Lessons::goToWhatIsFramed() {
    if (!frame_ || !course_->isOpen()) {
        return;
    }
    const LessonHighlight& highlight = course_->current().highlight;
    if (highlight.kind == LessonHighlight::Kind::field) {
        window_->scenarioDock()->show();
        window_->scenarioDock()->raise();
        window_->scenarioPanel()->goTo(highlight.key);
    } else if (frame_->target() != nullptr) {
        if (highlight.kind == LessonHighlight::Kind::view) {
            window_->pictures()->show(qobject_cast<View*>(frame_->target()));
        }
        frame_->target()->setFocus(Qt::ShortcutFocusReason);
    }
}

void Lessons::remember(bool done) const {
    const LessonPtr& lesson = course_->lesson();
    if (!window_->remembers() || meshslice::lesson(lesson->id) != lesson) {
        return; // a file's: its name may be another one's
    }
    const QString id = words(lesson->id);
    rememberLesson(id);
    rememberProgress(id, {static_cast<int>(course_->step()), true, done || restoredProgress(id).done});
}

} // namespace meshslice::ui
