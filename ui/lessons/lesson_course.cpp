#include "ui/lessons/lesson_course.h"

#include "ui/look/words.h"

#include <algorithm>
#include <utility>

namespace meshslice::ui {

LessonCourse::LessonCourse(Document* document, QObject* parent) : QObject(parent), document_(document) {
    connect(document_, &Document::projectChanged, this, &LessonCourse::followDocument);
}

/// Of a variant that is gone there is nothing to show, and nothing is added to what was opened instead.
void LessonCourse::followDocument() {
    if (!isOpen() || name_.empty() || place(name_)) {
        return;
    }
    name_.clear();
    lesson_.reset();
    emit changed();
}

bool LessonCourse::awaitsPrediction() const {
    return isOpen() && !at_end_ && step_ > 0 && current().predict && !revealed_.contains(step_);
}

const LessonStep& LessonCourse::shown() const {
    std::size_t at = step_;
    if (awaitsPrediction()) {
        --at;
    }
    return lesson_->steps[at];
}

void LessonCourse::reveal() {
    if (awaitsPrediction()) {
        revealed_.insert(step_);
        if (put(current().scenario)) {
            emit changed();
        }
    }
}

void LessonCourse::goOn() {
    if (!isOpen() || at_end_) {
        return;
    }
    if (!isLast()) {
        goTo(step_ + 1);
        return;
    }
    at_end_ = true;
    emit changed();
}

void LessonCourse::goBack() {
    if (!isOpen()) {
        return;
    }
    if (std::exchange(at_end_, false)) {
        emit changed();
    } else if (step_ > 0) {
        goTo(step_ - 1);
    }
}

std::optional<std::size_t> LessonCourse::place(const std::string& name) const {
    const std::vector<Variant>& variants = document_->project().variants;
    const auto found = std::ranges::find(variants, name, &Variant::name);
    return name.empty() || found == variants.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - variants.begin()));
}

bool LessonCourse::put(const Scenario& scenario) {
    QUndoStack* const stack = document_->undoStack();
    document_->endEdit();
    if (const auto there = place(name_)) {
        document_->show(*there);
        if (document_->project().variants[*there].scenario != scenario) {
            stack->beginMacro(tr("step of a lesson"));
            (void)document_->editInPlace(*there, scenario, "algorithm"); // the macro names it
            stack->endMacro();
        }
        return true;
    }
    if (document_->project().variants.size() >= Project::most_variants) {
        emit refused(
            tr("A lesson needs a variant of its own, and a project holds at most %1; delete one first.")
                .arg(Project::most_variants));
        return false;
    }
    before_ = document_->project();
    before_index_ = stack->index();
    stack->beginMacro(tr("beginning of a lesson"));
    (void)document_->add(tr("Lesson: %1").arg(words(lesson_->title.text())).toStdString(), scenario,
                         Document::Compared::with_none);
    if (document_->project().pinned) {
        document_->pin(std::nullopt);
    }
    stack->endMacro();
    name_ = document_->project().variants.back().name;
    return true;
}

bool LessonCourse::begin(const LessonPtr& lesson, std::size_t step) {
    leave();
    lesson_ = lesson;
    step_ = step < lesson->steps.size() ? step : 0;
    at_end_ = false;
    revealed_.clear();
    if (!put(shown().scenario)) {
        lesson_.reset();
        return false;
    }
    emit changed();
    return true;
}

void LessonCourse::goTo(std::size_t step) {
    if (isOpen() && step < lesson_->steps.size() && step != step_) {
        const std::size_t was = std::exchange(step_, step);
        at_end_ = false;
        if (!put(shown().scenario)) {
            step_ = was;
            return;
        }
        emit changed();
    }
}

void LessonCourse::show(const Scenario& scenario) {
    if (isOpen()) {
        put(scenario);
    }
}

void LessonCourse::reset() {
    if (isOpen() && put(shown().scenario)) {
        emit changed();
    }
}

void LessonCourse::leave() {
    if (!isOpen()) {
        return;
    }
    lesson_.reset();
    const auto there = place(std::exchange(name_, {}));
    if (there) {
        const Project now = document_->project();
        Project own = now;
        own.variants.erase(own.variants.begin() + static_cast<std::ptrdiff_t>(*there));
        own.current = before_.current;
        own.pinned = before_.pinned;
        QUndoStack* const stack = document_->undoStack();
        const int index = stack->index();
        if (own == before_ && before_index_ <= index) {
            stack->setIndex(before_index_); // as if nothing had been: what was saved is saved
        }
        if (document_->project() != before_) { // the user has done something in between, which stays
            stack->setIndex(index);
            const bool shown = now.current == *there;
            stack->beginMacro(tr("end of a lesson"));
            document_->remove(*there);
            if (shown && before_.current < before_.variants.size()) {
                document_->show(place(before_.variants[before_.current].name).value_or(before_.current));
            }
            if (!now.pinned && before_.pinned) { // by its place where it has another name now
                document_->pin(place(before_.variants[*before_.pinned].name).value_or(*before_.pinned));
            }
            stack->endMacro();
        }
    }
    emit changed();
}

} // namespace meshslice::ui
