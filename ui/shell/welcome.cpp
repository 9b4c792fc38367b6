#include "ui/shell/welcome.h"

#include "ui/commands/file_commands.h"
#include "ui/commands/welcome_dialog.h"
#include "ui/document/document.h"
#include "ui/document/recent_files.h"
#include "ui/editor/scenario_panel.h"
#include "ui/editor/workload_group.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/lessons.h"
#include "ui/shell/main_window.h"

namespace meshslice::ui {

Welcome::Welcome(MainWindow* window, bool remembers)
    : QObject(window), window_(window), remembers_(remembers) {}

WelcomeDialog* Welcome::dialog() const {
    return dialog_;
}

void Welcome::open() {
    if (dialog_) {
        dialog_->raise();
        return;
    }
    dialog_ = new WelcomeDialog(remembers_ ? recentFiles() : QStringList(), remembers_ && restoredWelcome(),
                                window_, window_->lessons()->offered());
    connect(dialog_, &WelcomeDialog::lessonAsked, window_->lessons(), &Lessons::beginOffered);
    connect(dialog_, &WelcomeDialog::exampleAsked, window_->files(), &FileCommands::beginWith);
    connect(dialog_, &WelcomeDialog::fileAsked, window_->files(), &FileCommands::askAndOpen);
    connect(dialog_, &WelcomeDialog::openAsked, window_->files(), &FileCommands::open);
    connect(dialog_, &WelcomeDialog::modelAsked, window_->scenarioPanel()->workload(),
            &WorkloadGroup::askForModel);
    if (remembers_) {
        connect(dialog_, &WelcomeDialog::atStartChanged, this, &rememberWelcome);
    }
    dialog_->show();
}

void Welcome::openAtStart(bool with_a_file) {
    const Document& document = *window_->document();
    if (!with_a_file && remembers_ && restoredWelcome() && document.path().isEmpty() &&
        !document.isModified()) {
        open();
    }
}

} // namespace meshslice::ui
