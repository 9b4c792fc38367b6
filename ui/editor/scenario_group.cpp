#include "ui/editor/scenario_group.h"

#include "ui/editor/whole_field.h"

namespace meshslice::ui {

ScenarioGroup::ScenarioGroup(const QString& heading, Document* document, QWidget* parent)
    : FieldGroup(heading, parent), document_(document) {}

void ScenarioGroup::edit(Field field, const Change& change) {
    emit touched();
    Scenario next = scenario();
    change(next);
    (void)document_->edit(next, field); // a refusal is shown by whoever listens to Document::refused
}

void ScenarioGroup::choose(Field field, const Change& change) {
    edit(field, change);
    document_->endEdit();
    refresh(); // where the edit was refused, the list shows the old choice again
}

WholeField* ScenarioGroup::addWhole(const QString& label, Field field, bool doubling, const QString& unit,
                                    const QString& meaning,
                                    const std::function<void(Scenario&, std::int64_t)>& apply) {
    auto* whole = new WholeField(doubling ? WholeField::Arrows::by_two : WholeField::Arrows::by_one, this);
    addNumber(label, whole, unit,
              doubling ? meaning + QLatin1Char(' ') + tr("The arrows double and halve.") : meaning);
    connectWhole(whole, field, apply);
    return whole;
}

void ScenarioGroup::connectWhole(WholeField* whole, Field field,
                                 const std::function<void(Scenario&, std::int64_t)>& apply) {
    connect(whole, &WholeField::edited, this,
            [this, field, apply](qint64 value) { edit(field, [&](Scenario& next) { apply(next, value); }); });
    connect(whole, &WholeField::garbled, this,
            [this, field](const QString& sentence) { emit document_->refused(field, sentence); });
    connect(whole, &WholeField::left, this, [this] {
        document_->endEdit();
        refresh();
    });
}

} // namespace meshslice::ui
