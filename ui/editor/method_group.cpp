#include "ui/editor/method_group.h"

#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"
#include "core/scenario/examples.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QStandardItemModel>

#include <utility>

namespace meshslice::ui {
MethodFindings methodFindings(const Scenario& scenario) {
    MethodFindings found;
    for (const Algorithm& known : all_algorithms()) {
        found.objections[std::string(known.id)] = objection(scenario, std::string(known.id));
    }
    found.slices = slice_choices(scenario);
    return found;
}

MethodGroup::MethodGroup(Document* document, QWidget* parent)
    : ScenarioGroup(method_group, document, parent) {
    makeFields();
}

bool MethodGroup::makeSpecial(const Row& row) {
    if (row.key != "slices") {
        return false;
    }
    makeList(row); // of what the engine finds
    return true;
}

void MethodGroup::refresh() {
    ScenarioGroup::refresh();
    showObjections("algorithm");
    showObjections("compare");
    showSlices();
    ask();
}

void MethodGroup::ask() {
    if (asked_ == scenario()) {
        return;
    }
    asked_ = scenario();
    job_.start([this, find = find_, asked = *asked_](const RunControl& control) -> LatestJob::Tell {
        auto found = withoutExceptions([&]() -> Result<MethodFindings> {
            return control.stop.stop_requested() ? MethodFindings{} : find(asked);
        });
        return [this, found = std::move(found)] {
            if (found) {
                take(*found);
            }
        };
    });
}

void MethodGroup::take(MethodFindings found) {
    found_ = std::move(found);
    showObjections("algorithm");
    showObjections("compare");
    showSlices();
}

void MethodGroup::showObjections(const char* field) {
    QComboBox* choice = list(field);
    const auto& choices = scenario_field(field).choices;
    choice->setToolTip(tipParagraph(choice->accessibleDescription()));
    auto* items = qobject_cast<QStandardItemModel*>(choice->model());
    for (const FieldChoice& known : choices) {
        const auto found = found_.objections.find(known.word);
        const std::string sentence = found == found_.objections.end() ? std::string() : found->second;
        const QString why = sentence.empty()
                                ? QString()
                                : QStringLiteral("<p><b>%1</b> %2</p>")
                                      .arg(tr("Does not run here:"), words(sentence).toHtmlEscaped());
        QString tip = why;
        for (const std::string& note : known.notes) {
            tip += tipParagraph(translated(note));
        }
        const int index = choice->findData(words(known.word));
        choice->setItemData(index, tip, Qt::ToolTipRole);
        items->item(index)->setEnabled(sentence.empty());
        if (index == choice->currentIndex()) {
            choice->setToolTip(why + tipParagraph(choice->accessibleDescription()));
        }
    }
    showReference();
}

void MethodGroup::showReference() {
    const Variant* reference = document_->reference();
    QComboBox* compare = list("compare");
    compare->setEnabled(reference == nullptr);
    if (reference != nullptr) {
        compare->setToolTip(
            tipParagraph(tr("No effect: this variant is compared with A, “%1”. Unpin A in the menu Variants "
                            "to compare with an algorithm.")
                             .arg(words(shown_name(reference->name)))) +
            compare->toolTip());
    }
}

void MethodGroup::showSlices() {
    QComboBox* slices = list("slices");
    std::vector<FieldChoice> choices;
    bool listed = !scenario().plan.slices;
    for (const std::int64_t count : found_.slices) {
        choices.push_back({std::to_string(count), {}});
        listed = listed || count == scenario().plan.slices;
    }
    if (found_.slices != offered_) { // not in front of a user who is choosing
        offered_ = found_.slices;
        fillList(slices, scenario_field("slices"), choices);
    }
    const auto known = algorithm(scenario().plan.algorithm);
    if (listed || asked_ != scenario() || job_.isBusy()) {
        return;
    }
    const bool at_most = known && takes_at_most(**known, OptionId::slices);
    slices->setItemText(slices->currentIndex(),
                        (at_most ? tr("%1 at most") : tr("%1 (does not fit)")).arg(*scenario().plan.slices));
}

} // namespace meshslice::ui
