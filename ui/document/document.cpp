#include "ui/document/document.h"

#include "core/base/json_reader.h"
#include "core/scenario/fields.h"
#include "ui/document/whole_file.h"
#include "ui/look/words.h"

#include <QFile>
#include <QFileInfo>
#include <QUndoCommand>

#include <utility>

namespace meshslice::ui {

/// Holds the scenario before and after: a small value, and undo is then exact whatever the edit was.
class Document::Edit : public QUndoCommand {
  public:
    Edit(Document* document, Scenario after, std::string_view field)
        : QUndoCommand(tr("change of the %1").arg(words(scenario_field(field).name)))
        , document_(document)
        , before_(document->scenario_)
        , after_(std::move(after))
        , field_(field)
        , sitting_(document->sitting_) {}

    void undo() override { show(before_); }
    void redo() override { show(after_); }

    [[nodiscard]] int id() const override { return 1; }

    [[nodiscard]] const Scenario& before() const { return before_; }
    [[nodiscard]] bool continues(std::string_view field) const {
        return field_ == field && sitting_ == document_->sitting_;
    }

    bool mergeWith(const QUndoCommand* command) override {
        const auto* next = static_cast<const Edit*>(command); // all commands of the stack are Edits
        if (next->field_ != field_ || next->sitting_ != sitting_) {
            return false;
        }
        after_ = next->after_;
        setObsolete(after_ == before_);
        return true;
    }

  private:
    void show(const Scenario& scenario) {
        document_->scenario_ = scenario;
        emit document_->scenarioChanged();
    }

    Document* document_;
    Scenario before_;
    Scenario after_;
    std::string field_;
    int sitting_;
};

Document::Document(QObject* parent) : QObject(parent), scenario_(default_scenario()) {
    connect(&undo_, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
}

// A stack that is destroyed is emptied first, and tells so; that is no edit anybody should hear of.
Document::~Document() {
    undo_.disconnect(this);
}

QString Document::absolute(const QString& path) {
    return path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
}

QString Document::name() const {
    return path_.isEmpty() ? tr("Untitled") : QFileInfo(path_).fileName();
}

Result<void> Document::edit(const Scenario& next, std::string_view field) {
    const auto valid = checked(next);
    if (!valid) {
        refuseEdit(field, words(valid.error().sentence));
        return refuse(valid.error());
    }
    if (*valid != scenario_) {
        undo_.push(new Edit(this, *valid, field));
    }
    return {};
}

void Document::refuseEdit(std::string_view field, const QString& sentence) {
    takeBack(field);
    emit refused(words(field), sentence);
}

void Document::takeBack(std::string_view field) {
    const auto* last =
        static_cast<const Edit*>(undo_.index() > 0 ? undo_.command(undo_.index() - 1) : nullptr);
    if (last != nullptr && last->continues(field)) {
        undo_.push(new Edit(this, last->before(), field)); // merges to nothing
    }
}

void Document::endEdit() {
    ++sitting_;
}

void Document::reset() {
    beginWith(default_scenario());
}

void Document::beginWith(const Scenario& scenario) {
    replace(scenario, {});
}

Result<void> Document::open(const QString& path) {
    const auto text = read_text_file(QFile::encodeName(path).toStdString());
    if (!text) {
        return refuse(text.error());
    }
    const auto scenario = read_scenario(*text, QFileInfo(path).fileName().toStdString());
    if (!scenario) {
        return refuse(scenario.error());
    }
    replace(*scenario, path);
    return {};
}

Result<void> Document::save(const QString& path) {
    const QByteArray bytes = QByteArray::fromStdString(write_scenario(scenario_));
    if (const auto written = writeWhole(path, bytes); !written) {
        return refuse(tr("%1 cannot be written: %2. The old file, if any, is untouched.")
                          .arg(path, words(written.error().sentence))
                          .toStdString());
    }
    const bool moved = absolute(path) != path_;
    path_ = absolute(path);
    rememberFile();
    endEdit();
    undo_.setClean();
    if (moved) {
        emit pathChanged();
    }
    return {};
}

void Document::restore(const Scenario& scenario, const QString& path) {
    replace(scenario, path);
    undo_.resetClean(); // no state of this stack is what the file holds
}

bool Document::changedOnDisk() const {
    const QFileInfo info(path_);
    return !path_.isEmpty() && written_ && info.exists() && info.lastModified() != *written_;
}

void Document::replace(const Scenario& scenario, const QString& path) {
    undo_.clear();
    undo_.setClean();
    endEdit();
    scenario_ = scenario;
    path_ = absolute(path);
    rememberFile();
    emit pathChanged();
    emit scenarioChanged();
}

void Document::rememberFile() {
    const QFileInfo info(path_);
    written_ = !path_.isEmpty() && info.exists() ? std::optional(info.lastModified()) : std::nullopt;
}

} // namespace meshslice::ui
