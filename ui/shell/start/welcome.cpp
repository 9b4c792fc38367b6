#include "ui/shell/start/welcome.h"

#include "core/scenario/examples.h"
#include "ui/commands/dialogs/welcome_dialog.h"
#include "ui/commands/file_commands.h"
#include "ui/document/document.h"
#include "ui/document/recent_files.h"
#include "ui/editor/scenario_panel.h"
#include "ui/editor/workload_group.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/start/lessons.h"
#include "ui/shell/start/welcome_pictures.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <algorithm>
#include <array>

namespace meshslice::ui {

Welcome::Welcome(MainWindow* window, bool remembers)
    : QObject(window), window_(window), remembers_(remembers) {}

WelcomeDialog* Welcome::dialog() const {
    return dialog_;
}

WelcomePictures* Welcome::pictures() const {
    return pictures_;
}

/// In the order of the pictures.
std::vector<Welcome::Way> Welcome::ways() {
    return {
        {tr("Will my model fit?"), tr("What a chip holds, of what it has"), Task::block, "summary", "model"},
        {tr("How fast should it train?"), tr("Plans for any number of chips"), Task::training, "plan", "", "",
         "train-llama-3-70b.meshslice.json"},
        {tr("Why is it slow?"), tr("When cores multiply, and what they wait for"), Task::block, "timeline",
         "mesh"},
        {tr("How many users can it serve?"), tr("Tokens per second, first token, memory"), Task::serving,
         "serving", "", "", "serve-llama-3-70b.meshslice.json"},
        {tr("Teach me sharding"), tr("Lessons with pictures that move"), Task::lab, "lab", "", "notation"}};
}

std::vector<WelcomeQuestion> Welcome::questions(WelcomePictures* pictures) {
    const std::array paints = {&WelcomePictures::paintMemory, &WelcomePictures::paintTimes,
                               &WelcomePictures::paintTimeline, &WelcomePictures::paintServing,
                               &WelcomePictures::paintTorus};
    std::vector<WelcomeQuestion> made;
    const std::vector<Way> all = ways();
    for (std::size_t k = 0; k < all.size(); ++k) {
        made.push_back({all[k].title, all[k].about,
                        [pictures, paint = paints[k]](QPainter& painter, const QSize& size, Theme theme) {
                            (pictures->*paint)(painter, size, theme);
                        }});
    }
    return made;
}

void Welcome::open() {
    if (dialog_) {
        dialog_->raise();
        return;
    }
    auto* pictures = new WelcomePictures;
    dialog_ = new WelcomeDialog(remembers_ ? recentFiles() : QStringList(), window_,
                                window_->lessons()->offered(), questions(pictures));
    pictures->setParent(dialog_);
    pictures_ = pictures;
    connect(pictures, &WelcomePictures::changed, dialog_, &WelcomeDialog::renewPictures);
    connect(dialog_, &WelcomeDialog::questionAsked, this, &Welcome::go);
    connect(dialog_, &WelcomeDialog::lessonAsked, window_->lessons(), &Lessons::beginOffered);
    connect(dialog_, &WelcomeDialog::exampleAsked, window_->files(), &FileCommands::beginWith);
    connect(dialog_, &WelcomeDialog::fileAsked, window_->files(), &FileCommands::askAndOpen);
    connect(dialog_, &WelcomeDialog::openAsked, window_->files(), &FileCommands::open);
    connect(dialog_, &WelcomeDialog::modelAsked, window_->scenarioPanel()->workload(),
            &WorkloadGroup::askForModel);
    dialog_->show();
    pictures->begin();
}

void Welcome::openAtStart(bool with_a_file) {
    const Document& document = *window_->document();
    if (!with_a_file && remembers_ && restoredWelcome() && document.path().isEmpty() &&
        !document.isModified()) {
        rememberWelcome(false); // who has seen it once finds it in the menu
        open();
    }
}

void Welcome::begin(const Way& way) {
    const auto begins = [](const Way& one) {
        const std::vector<ExampleProject>& all = example_projects();
        const auto example = std::ranges::find(all, one.example, &ExampleProject::file);
        return example == all.end() ? Project() : example->project;
    };
    Document* const document = window_->document();
    const Project& open = document->project();
    const std::vector<Way> all = ways();
    const bool untouched =
        document->path().isEmpty() && open.marks.empty() &&
        std::ranges::any_of(all, [&](const Way& one) { return begins(one).variants == open.variants; });
    const Project wanted = begins(way);
    if (untouched && wanted.variants != open.variants) {
        document->beginWith(wanted);
    }
}

void Welcome::go(std::size_t question) {
    const Way way = ways()[question];
    if (*way.lesson != '\0') {
        window_->lessons()->beginNamed(QLatin1String(way.lesson));
        return;
    }
    begin(way);
    window_->session()->setTask(way.task);
    for (View* view : window_->views()) {
        if (view->id() == QLatin1String(way.view)) {
            window_->pictures()->show(view);
            view->setFocus();
        }
    }
    if (*way.field != '\0') {
        window_->scenarioDock()->show();
        window_->scenarioDock()->raise();
        window_->scenarioPanel()->goTo(way.field);
    }
}

} // namespace meshslice::ui
