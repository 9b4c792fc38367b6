#include "ui/lab/form/question_form.h"
#include "ui/lab/form/question_page.h"
#include "ui/lab/lab_canvas.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/stepper/stepper_page.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::array<std::pair<std::string_view, LabField>, lab_fields.size()> field_names = {
    {{"mesh", LabField::mesh},
     {"sizes", LabField::sizes},
     {"left", LabField::left},
     {"right", LabField::right},
     {"result", LabField::result},
     {"hardware", LabField::hardware},
     {"type", LabField::type}}};

constexpr std::array<std::pair<std::string_view, StepperField>, 7> stepper_names = {
    {{"program", StepperField::what},
     {"mesh", StepperField::mesh},
     {"dataflow", StepperField::dataflow},
     {"slices", StepperField::slices},
     {"slicing", StepperField::slicing},
     {"links", StepperField::links},
     {"ways", StepperField::ways}}};

template <class Names>
auto of(const Names& names, std::string_view name) {
    return std::ranges::find(names, name, [](const auto& one) { return one.first; });
}

} // namespace

LabView::State LabView::state() const {
    std::vector<QStringList> questions;
    for (const QuestionPage* page : question_pages_) {
        questions.push_back(page->form()->texts());
    }
    return {page(),
            texts(),
            selected_,
            canvas_->done(),
            tabs_->currentIndex(),
            std::move(questions),
            stepper_->hasBegun() ? std::optional(stepper_->example()) : std::nullopt};
}

void LabView::restore(const State& state) {
    for (std::size_t k = 0; k < state.questions.size(); ++k) {
        question_pages_[k]->form()->setTexts(state.questions[k]);
    }
    if (state.stepper) {
        stepper_->choose(*state.stepper);
    }
    setTexts(state.texts);
    wanted_ = WantedPlan{state.plan, {}, state.done};
    selectWanted();
    tabs_->setCurrentIndex(state.below);
    turnTo(state.page);
}

void LabView::present(const LessonLab& lab) {
    if (QuestionPage* const page = questionPage(lab.page)) {
        page->form()->present(lab.fields);
    } else if (lab.page == "stepper") {
        if (const Result<StepperExample> example = stepper_example(lab.fields)) {
            stepper_->choose(*example, static_cast<std::size_t>(words(lab.field("done")).toULongLong()));
        }
    } else {
        LabTexts typed = labExample();
        for (const auto& [name, field] : field_names) {
            if (const std::string said = lab.field(std::string(name)); !said.empty()) {
                typed[static_cast<std::size_t>(field)] = words(said);
            }
        }
        setTexts(typed);
        wanted_ = WantedPlan{0, lab.field("plan"),
                             static_cast<std::size_t>(words(lab.field("done")).toULongLong())};
        selectWanted();
        const std::string below = lab.field("below");
        turnBelowTo(below.empty() ? "blocks" : below);
    }
    turnTo(static_cast<int>(pages().indexOf(words(lab.page))));
}

void LabView::selectWanted() {
    if (!wanted_ || inquiry_.asked() || !inquiry_.answer()) {
        return; // when they are known
    }
    const WantedPlan wanted = *std::exchange(wanted_, std::nullopt);
    int place = wanted.place;
    if (!wanted.steps.empty()) {
        const LabQuestion& question = *inquiry_.answered();
        const auto& plans = inquiry_.answer()->plans;
        const auto found = std::ranges::find(plans, wanted.steps, [&](const CostedPlan& one) {
            return meshslice::text(one.plan, question.gemm, question.mesh);
        });
        place = found == plans.end() ? 0 : static_cast<int>(found - plans.begin());
    }
    select(place);
    canvas_->setDone(wanted.done);
}

void LabView::turnBelowTo(std::string_view name) {
    QWidget* const wanted = name == "timeline" ? static_cast<QWidget*>(timeline_page_)
                            : name == "torus"  ? static_cast<QWidget*>(torus_page_)
                            : name == "plans"  ? static_cast<QWidget*>(table_)
                                               : static_cast<QWidget*>(picture_);
    if (tabs_->indexOf(wanted) >= 0) {
        tabs_->setCurrentWidget(wanted);
    }
}

QWidget* LabView::named(const LessonLab& lab, std::string_view name) const {
    if (const QuestionPage* const page = questionPage(lab.page)) {
        return page->form()->field(name);
    }
    if (lab.page == "stepper") {
        if (name == "done") {
            return stepper_->forward();
        }
        const auto found = of(stepper_names, name);
        return found == stepper_names.end() ? nullptr : stepper_->field(found->second);
    }
    if (name == "plan") {
        return table_;
    }
    if (name == "below") {
        return tabs_->currentWidget();
    }
    if (name == "done") {
        return forward_;
    }
    const auto found = of(field_names, name);
    if (found == field_names.end()) {
        return nullptr;
    }
    QWidget* const field = this->field(found->second);
    auto* const list = qobject_cast<QComboBox*>(field->parentWidget());
    return list != nullptr ? list : field; // of which the line is a part
}

} // namespace meshslice::ui
