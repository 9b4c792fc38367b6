#include "ui/commands/file_commands.h"

#include "core/base/json/json_reader.h"
#include "core/lesson/lesson.h"
#include "core/scenario/file/shared_text.h"
#include "ui/commands/examples.h"
#include "ui/document/document.h"
#include "ui/document/recent_files.h"
#include "ui/look/words.h"
#include "ui/measured/measured_file.h"
#include "ui/settings/notices.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

#include <string>

namespace meshslice::ui {
namespace {

/// Asks in a box of plain text: what it quotes may look like markup.
QMessageBox::StandardButton ask(QWidget* window, const QString& title, const QString& sentence,
                                QMessageBox::StandardButtons answers, QMessageBox::StandardButton usual) {
    QMessageBox box(QMessageBox::Question, title, sentence, answers, window);
    box.setTextFormat(Qt::PlainText);
    box.setDefaultButton(usual);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

} // namespace

FileCommands::FileCommands(Document* document, QWidget* window)
    : QObject(window), document_(document), window_(window) {}

void FileCommands::newDocument() {
    if (mayDiscard()) {
        document_->reset();
        emit opened();
    }
}

void FileCommands::open() {
    if (!mayDiscard()) {
        return;
    }
    const QString path = QFileDialog::getOpenFileName(window_, tr("Open a scenario"), folder(),
                                                      tr("Scenarios and projects (*.json);;All files (*)"));
    if (!path.isEmpty()) {
        openPath(path);
    }
}

bool FileCommands::openPath(const QString& path) {
    if (const auto text = read_text_file(QFile::encodeName(path).toStdString()); text && is_lesson(*text)) {
        emit lessonAsked(path);
        return true;
    }
    if (measuredFileAt(path) != MeasuredFile::none) {
        emit measuredAsked(path);
        return true;
    }
    if (const auto opened_file = document_->open(path); !opened_file) {
        say(window_, tr("The scenario was not opened"), words(opened_file.error().sentence));
        return false;
    }
    addRecentFile(path);
    emit opened();
    return true;
}

bool FileCommands::save() {
    return document_->path().isEmpty() || document_->isExample() ? saveAs() : saveTo(document_->path());
}

bool FileCommands::saveAs() {
    QString path = QFileDialog::getSaveFileName(window_, tr("Save the scenario"), proposedPath(),
                                                tr("Scenarios and projects (*.json)"));
    if (path.isEmpty()) {
        return false;
    }
    if (QFileInfo(path).suffix().isEmpty()) {
        path += document_->project().plain() ? QStringLiteral(".json") : QStringLiteral(".meshslice.json");
    }
    return saveTo(path);
}

bool FileCommands::saveTo(const QString& path) {
    if (path == document_->path() && document_->changedOnDisk()) {
        const auto answer =
            ask(window_, tr("The file has changed"),
                tr("%1 was changed by another program since it was opened here. Overwrite it?")
                    .arg(document_->name()),
                QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
        if (answer != QMessageBox::Yes) {
            return false;
        }
    }
    if (const auto saved = document_->save(path); !saved) {
        say(window_, tr("The scenario was not saved"), words(saved.error().sentence));
        return false;
    }
    addRecentFile(path);
    return true;
}

void FileCommands::askToReload() {
    if (reload_) {
        return; // asked already
    }
    reload_ =
        new QMessageBox(QMessageBox::Question, tr("The file has changed"),
                        document_->isModified()
                            ? tr("Another program has changed %1, and there are changes here that are not "
                                 "saved. Read the file again and lose them?")
                                  .arg(document_->name())
                            : tr("Another program has changed %1. Read it again?").arg(document_->name()),
                        QMessageBox::NoButton, window_);
    reload_->setAttribute(Qt::WA_DeleteOnClose);
    reload_->setTextFormat(Qt::PlainText);
    const QAbstractButton* read = reload_->addButton(tr("&Read it again"), QMessageBox::AcceptRole);
    QPushButton* keep = reload_->addButton(tr("&Keep what is here"), QMessageBox::RejectRole);
    reload_->setDefaultButton(keep);
    connect(reload_, &QMessageBox::buttonClicked, this, [this, read](const QAbstractButton* clicked) {
        if (clicked == read) {
            openPath(document_->path());
        }
    });
    reload_->open();
}

bool FileCommands::mayDiscard() {
    if (!document_->isModified()) {
        return true;
    }
    const auto answer =
        ask(window_, tr("Save the changes?"), tr("%1 has unsaved changes.").arg(document_->name()),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void FileCommands::beginWith(const Project& project) {
    if (mayDiscard()) {
        document_->beginWith(project);
        emit opened();
    }
}

void FileCommands::askAndOpen(const QString& path) {
    if (mayDiscard()) {
        openPath(path);
    }
}

void FileCommands::copyAsText() {
    QGuiApplication::clipboard()->setText(words(shared_text(document_->project())));
}

void FileCommands::pasteText() {
    const std::string text = QGuiApplication::clipboard()->text().toStdString();
    if (!is_shared_text(text)) {
        say(window_, tr("The scenario was not opened"),
            tr("The clipboard has no scenario; expected a text that begins with meshslice: as \"Copy as "
               "text\" "
               "makes it."));
        return;
    }
    const auto project = read_project(text, tr("the clipboard").toStdString());
    if (!project) {
        say(window_, tr("The scenario was not opened"), words(project.error().sentence));
    } else if (mayDiscard()) {
        document_->restore(*project, {});
        emit opened();
    }
}

void FileCommands::fillRecent(QMenu* menu) {
    menu->clear();
    const QStringList files = recentFiles();
    for (const QString& path : files) {
        QAction* action = menu->addAction(QDir::toNativeSeparators(path));
        connect(action, &QAction::triggered, this, [this, path] { askAndOpen(path); });
    }
    if (files.isEmpty()) {
        menu->addAction(tr("No recent files"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Clear this list")), &QAction::triggered, this, [] { clearRecentFiles(); });
}

void FileCommands::fillExamples(QMenu* menu) {
    menu->setToolTipsVisible(true);
    for (const Example& example : examples()) {
        QAction* open = menu->addAction(example.title);
        open->setToolTip(tipParagraph(example.point));
        open->setStatusTip(example.point);
        connect(open, &QAction::triggered, this, [this, project = example.project] { beginWith(project); });
    }
}

QString FileCommands::proposedPath() const {
    if (document_->isExample()) {
        return QDir(folder()).filePath(document_->name());
    }
    return document_->path().isEmpty() ? QDir(folder()).filePath(proposedFileName(document_->project()))
                                       : document_->path();
}

/// Of the document or of the file used last; else the user's documents. A folder that is not there would
/// stand in the dialog as a file's name, and that of an example is none of the user's.
QString FileCommands::folder() const {
    QStringList folders;
    const QString of_examples =
        document_->isExample() ? QFileInfo(document_->path()).absolutePath() : QString();
    for (const QString& path : QStringList(document_->path()) + recentFiles()) {
        const QString folder = path.isEmpty() ? QString() : QFileInfo(path).absolutePath();
        folders << (folder == of_examples ? QString() : folder);
    }
    folders << QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    for (const QString& folder : folders) {
        if (!folder.isEmpty() && QDir(folder).exists()) {
            return folder;
        }
    }
    return QDir::homePath();
}

} // namespace meshslice::ui
