#include "ui/document/document.h"

#include "core/base/json/json_reader.h"
#include "core/scenario/examples.h"
#include "core/scenario/fields.h"
#include "ui/document/whole_file.h"
#include "ui/look/words.h"

#include <QFile>
#include <QFileInfo>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace meshslice::ui {

namespace {

enum CommandId : int { edit_command = 1, rearrange_command = 2 };

} // namespace

/// Holds the scenario before and after: a small value, and undo is then exact whatever the edit was. The
/// variant's place is the one it has at this point of the stack.
class Document::Edit : public QUndoCommand {
  public:
    /// In place: the variant that is shown stays; else the edited one is shown.
    Edit(Document* document, Scenario after, std::string_view field,
         std::optional<std::size_t> in_place = std::nullopt)
        : QUndoCommand(tr("change of the %1").arg(translated(scenario_field(field).name)))
        , document_(document)
        , variant_(in_place.value_or(document->project_.current))
        , in_place_(in_place.has_value())
        , before_(document->project_.variants[variant_].scenario)
        , after_(std::move(after))
        , field_(field)
        , sitting_(document->sitting_) {}

    void undo() override { show(before_); }
    void redo() override { show(after_); }

    [[nodiscard]] int id() const override { return edit_command; }

    [[nodiscard]] const Scenario& before() const { return before_; }
    [[nodiscard]] bool continues(std::string_view field) const {
        return field_ == field && sitting_ == document_->sitting_ && variant_ == document_->project_.current;
    }

    bool mergeWith(const QUndoCommand* command) override {
        const auto* next = static_cast<const Edit*>(command); // of the same id
        if (next->field_ != field_ || next->sitting_ != sitting_ || next->variant_ != variant_ ||
            next->in_place_ != in_place_) {
            return false;
        }
        after_ = next->after_;
        setObsolete(after_ == before_);
        return true;
    }

  private:
    void show(const Scenario& scenario) {
        if (!in_place_) {
            document_->project_.current = variant_;
        }
        document_->project_.variants[variant_].scenario = scenario;
        if (variant_ == document_->project_.current || variant_ == document_->project_.pinned) {
            emit document_->scenarioChanged();
        }
        emit document_->projectChanged();
    }

    Document* document_;
    std::size_t variant_;
    bool in_place_;
    Scenario before_;
    Scenario after_;
    std::string field_;
    int sitting_;
};

/// Variants come, go or change places and names: the project before and after.
class Document::Rearrange : public QUndoCommand {
  public:
    Rearrange(Document* document, const QString& what, Project after)
        : QUndoCommand(what), document_(document), before_(document->project_), after_(std::move(after)) {}

    void undo() override { document_->take(before_); }
    void redo() override { document_->take(after_); }

    [[nodiscard]] int id() const override { return rearrange_command; }

  private:
    Document* document_;
    Project before_;
    Project after_;
};

Document::Document(QObject* parent) : QObject(parent) {
    connect(&undo_, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
}

// A stack that is destroyed is emptied first, and says so; that is not an edit anybody should hear of.
Document::~Document() {
    undo_.disconnect(this);
}

QString Document::absolute(const QString& path) {
    return path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
}

QString Document::name() const {
    return path_.isEmpty() ? tr("Untitled") : QFileInfo(path_).fileName();
}

bool Document::isExample() const {
    QFile file(path_);
    return !path_.isEmpty() && file.open(QIODevice::ReadOnly) &&
           is_example(QFileInfo(path_).fileName().toStdString(), file.readAll().toStdString());
}

Result<void> Document::edit(const Scenario& next, std::string_view field) {
    const auto valid = checked(next);
    if (!valid) {
        refuseEdit(field, words(valid.error().sentence));
        return refuse(valid.error());
    }
    if (*valid != scenario()) {
        undo_.push(new Edit(this, *valid, field));
    }
    return {};
}

Result<void> Document::editInPlace(std::size_t variant, const Scenario& next, std::string_view field) {
    if (variant >= project_.variants.size()) {
        return {};
    }
    const auto valid = checked(next);
    if (!valid) {
        return refuse(valid.error());
    }
    endEdit();
    if (*valid != project_.variants[variant].scenario) {
        undo_.push(new Edit(this, *valid, field, variant));
    }
    endEdit();
    return {};
}

void Document::refuseEdit(std::string_view field, const QString& sentence) {
    takeBack(field);
    emit refused(words(field), sentence);
}

const Document::Edit* Document::lastEdit() const {
    const QUndoCommand* last = undo_.index() > 0 ? undo_.command(undo_.index() - 1) : nullptr;
    return last != nullptr && last->id() == edit_command ? static_cast<const Edit*>(last) : nullptr;
}

void Document::takeBack(std::string_view field) {
    if (const Edit* last = lastEdit(); last != nullptr && last->continues(field)) {
        undo_.push(new Edit(this, last->before(), field)); // merges to nothing
    }
}

void Document::endEdit() {
    ++sitting_;
}

const Variant* Document::reference() const {
    return project_.pinned && *project_.pinned != project_.current ? &project_.variants[*project_.pinned]
                                                                   : nullptr;
}

void Document::show(std::size_t variant) {
    if (variant < project_.variants.size() && variant != project_.current) {
        endEdit();
        project_.current = variant;
        emit scenarioChanged();
        emit projectChanged();
    }
}

void Document::take(const Project& project) {
    // Its name too: results are called by it.
    const bool other = project.variants[project.current] != project_.variants[project_.current];
    const Variant* was = reference();
    const std::optional<Variant> before = was != nullptr ? std::optional(*was) : std::nullopt;
    const ProjectTask task = project_.task; // what is asked is not undone
    project_ = project;
    project_.task = task;
    const Variant* now = reference();
    if (other || before != (now != nullptr ? std::optional(*now) : std::nullopt)) {
        emit scenarioChanged();
    }
    emit projectChanged();
}

void Document::rearrange(const QString& what, const std::function<void(Project&)>& change) {
    Project next = project_;
    change(next);
    endEdit();
    if (next != project_) {
        undo_.push(new Rearrange(this, what, std::move(next)));
    }
}

Result<void> Document::roomForOneMore() const {
    if (project_.variants.size() < Project::most_variants) {
        return {};
    }
    return refuse(tr("A project holds at most %1 variants; delete one first.")
                      .arg(Project::most_variants)
                      .toStdString());
}

Result<void> Document::duplicate(std::size_t variant) {
    if (const auto room = roomForOneMore(); !room || variant >= project_.variants.size()) {
        return room;
    }
    rearrange(tr("new variant"), [variant](Project& project) {
        const auto after = project.variants.begin() + static_cast<std::ptrdiff_t>(variant) + 1;
        Variant copy{project.free_name(), project.variants[variant].scenario};
        if (project.variants.size() == 1) {
            project.pinned = 0;
        } else if (project.pinned && *project.pinned > variant) {
            ++*project.pinned;
        }
        project.variants.insert(after, std::move(copy));
        project.current = variant + 1;
    });
    return {};
}

Result<void> Document::add(const std::string& name, const Scenario& scenario, Compared compared) {
    const auto room = roomForOneMore();
    if (!room) {
        return room;
    }
    const auto valid = checked(scenario);
    if (!valid) {
        return refuse(valid.error());
    }
    rearrange(tr("new variant"), [&](Project& project) {
        const bool taken =
            std::ranges::find(project.variants, name, &Variant::name) != project.variants.end();
        if (project.variants.size() == 1 && compared == Compared::with_the_first) {
            project.pinned = 0;
        }
        project.variants.push_back({taken || name.empty() ? project.free_name() : name, *valid});
        project.current = project.variants.size() - 1;
    });
    return {};
}

Result<void> Document::rename(std::size_t variant, const std::string& name) {
    if (variant >= project_.variants.size()) {
        return {};
    }
    Project next = project_;
    next.variants[variant].name = name;
    if (const auto valid = checked(next); !valid) {
        return refuse(valid.error());
    }
    rearrange(tr("name of a variant"), [&](Project& project) { project = next; });
    return {};
}

void Document::move(std::size_t variant, std::size_t to) {
    if (variant >= project_.variants.size() || to >= project_.variants.size()) {
        return;
    }
    rearrange(tr("order of the variants"), [&](Project& project) {
        const std::string current = project.variants[project.current].name;
        const std::string pinned = project.pinned ? project.variants[*project.pinned].name : std::string();
        Variant moved = std::move(project.variants[variant]);
        project.variants.erase(project.variants.begin() + static_cast<std::ptrdiff_t>(variant));
        project.variants.insert(project.variants.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
        const auto place = [&](const std::string& name) {
            return static_cast<std::size_t>(std::ranges::find(project.variants, name, &Variant::name) -
                                            project.variants.begin());
        };
        project.current = place(current);
        if (project.pinned) {
            project.pinned = place(pinned);
        }
    });
}

void Document::remove(std::size_t variant) {
    if (project_.variants.size() < 2 || variant >= project_.variants.size()) {
        return;
    }
    rearrange(tr("deletion of a variant"), [variant](Project& project) {
        project.variants.erase(project.variants.begin() + static_cast<std::ptrdiff_t>(variant));
        const auto follow = [&](std::size_t place) { return place - (place > variant ? 1U : 0U); };
        project.current = std::min(follow(project.current), project.variants.size() - 1);
        if (project.pinned == variant) {
            project.pinned.reset();
        } else if (project.pinned) {
            project.pinned = follow(*project.pinned);
        }
    });
}

void Document::pin(std::optional<std::size_t> variant) {
    if (variant.value_or(0) >= project_.variants.size()) {
        return;
    }
    rearrange(variant ? tr("pinning of a variant") : tr("unpinning of a variant"),
              [variant](Project& project) { project.pinned = variant; });
}

Result<void> Document::setMarks(const std::vector<TimeMark>& marks) {
    Project next = project_;
    next.marks = marks;
    const auto valid = checked(next);
    if (!valid) {
        return refuse(valid.error());
    }
    rearrange(marks.size() > project_.marks.size()   ? tr("new mark")
              : marks.size() < project_.marks.size() ? tr("deletion of a mark")
                                                     : tr("change of a mark"),
              [&](Project& project) { project.marks = valid->marks; });
    return {};
}

void Document::reset() {
    beginWith(Project());
}

void Document::beginWith(const Project& project) {
    replace(project, {});
}

Result<void> Document::open(const QString& path) {
    const auto text = read_text_file(QFile::encodeName(path).toStdString());
    if (!text) {
        return refuse(text.error());
    }
    const auto project = read_project(*text, QFileInfo(path).fileName().toStdString());
    if (!project) {
        return refuse(project.error());
    }
    replace(*project, path);
    return {};
}

Result<void> Document::save(const QString& path) {
    const QByteArray bytes = QByteArray::fromStdString(write_project(project_));
    if (const auto written = writeWhole(path, bytes); !written) {
        return refuse(
            tr("%1 The old file, if any, is untouched.").arg(words(written.error().sentence)).toStdString());
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

void Document::restore(const Project& project, const QString& path) {
    replace(project, path);
    undo_.resetClean(); // no state of this stack is what the file holds
}

bool Document::changedOnDisk() const {
    const QFileInfo info(path_);
    return !path_.isEmpty() && written_ && info.exists() && info.lastModified() != *written_;
}

void Document::replace(const Project& project, const QString& path) {
    // First of all: who hears that nothing is unsaved now asks whose file it is.
    project_ = project;
    path_ = absolute(path);
    rememberFile();
    undo_.clear();
    undo_.setClean();
    endEdit();
    emit pathChanged();
    emit scenarioChanged();
    emit projectChanged();
    emit replaced();
}

void Document::setTask(ProjectTask task) {
    if (std::exchange(project_.task, task) != task) {
        emit projectChanged();
    }
}

void Document::rememberFile() {
    const QFileInfo info(path_);
    written_ = !path_.isEmpty() && info.exists() ? std::optional(info.lastModified()) : std::nullopt;
}

} // namespace meshslice::ui
