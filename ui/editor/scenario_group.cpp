#include "ui/editor/scenario_group.h"

#include "core/base/text/parse.h"
#include "core/report/words/glossary.h"
#include "core/search/vary.h"
#include "ui/controls/window_keys.h"
#include "ui/editor/number_field.h"
#include "ui/look/words.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr int choice_role = Qt::UserRole;
/// Marks the entry of a value that is not among the choices, such as a hardware file's.
constexpr int extra_role = Qt::UserRole + 1;

/// The unit in which a form shows a quantity, in the row's own.
double shownScale(const FieldRow& row) {
    return row.form_unit.empty() ? 1.0 : row.form_scale;
}

QString shownUnit(const FieldRow& row) {
    return translated(row.form_unit.empty() ? row.unit : row.form_unit);
}

} // namespace

ScenarioGroup::ScenarioGroup(const char* group, Document* document, QWidget* parent)
    : FieldGroup(translated(group), parent), document_(document), group_(group) {}

void ScenarioGroup::makeFields() {
    std::vector<const Row*> rows;
    for (const Row& row : scenario_fields()) {
        if (!row.label.empty() && row.group == group_) {
            rows.push_back(&row);
        }
    }
    std::ranges::stable_sort(rows, {}, [](const Row* row) { return row->place; });
    for (const Row* row : rows) {
        if (!makeSpecial(*row)) {
            makeField(*row);
        }
    }
    if (std::ranges::any_of(rows, [](const Row* row) { return (row->tags & of_experts) != 0; })) {
        makeMore();
    }
    refresh();
}

void ScenarioGroup::makeMore() {
    more_ = new QToolButton(this);
    more_->setAutoRaise(true);
    more_->setCheckable(true);
    more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    more_->setFocusPolicy(Qt::TabFocus);
    connect(more_, &QToolButton::toggled, this, [this] {
        refresh();
        emit expandedChanged();
    });
    addWide(more_);
}

void ScenarioGroup::showMore() {
    if (more_ == nullptr) {
        return;
    }
    const bool any = std::ranges::any_of(made_, [this](const Made& made) {
        return made.effective &&
               (more_->isChecked() ? (made.row->tags & of_experts) != 0 : isBehind(*made.row));
    });
    more_->setVisible(any);
    more_->setText(more_->isChecked() ? tr("Fewer fields") : tr("More fields"));
    more_->setArrowType(more_->isChecked() ? Qt::UpArrow : Qt::DownArrow);
    more_->setAccessibleName(tr("%1: %2").arg(translated(group_), more_->text()));
    more_->setToolTip(tipParagraph(tr("What most users leave as it is")));
}

bool ScenarioGroup::isBehind(const Row& row) const {
    static const Scenario usual = default_scenario();
    return more_ != nullptr && !more_->isChecked() && (row.tags & of_experts) != 0 &&
           row.get(scenario()) == row.get(usual);
}

bool ScenarioGroup::showsMore() const {
    return more_ != nullptr && more_->isChecked();
}

bool ScenarioGroup::suits(const Row& row) const {
    if (task_ != Task::training) {
        return (row.tags & of_plans) == 0;
    }
    return (row.tags & (of_a_plan | of_plans)) != 0 || row.group == hardware_group;
}

bool ScenarioGroup::isNeeded() const {
    return std::ranges::any_of(made_, &Made::effective);
}

void ScenarioGroup::setTask(Task task) {
    if (std::exchange(task_, task) != task) {
        refresh();
        emit expandedChanged();
    }
}

void ScenarioGroup::refresh() {
    for (Made& made : made_) {
        made.show();
        showEffect(made);
    }
    showMore();
    for (const auto& [row, sweep] : sweeps_) {
        const QString why = words(nothing_to_vary(*row, scenario()));
        sweep->setEnabled(why.isEmpty());
        sweep->setText(why.isEmpty() ? tr("Sweep this field")
                                     : tr("Sweep this field (there is nothing to sweep here)"));
        sweep->setToolTip(why);
    }
}

bool ScenarioGroup::owns(std::string_view field) const {
    return scenario_field(field).group == group_;
}

QString ScenarioGroup::subject(const Row& row) {
    return tr("The %1").arg(translated(row.name));
}

QWidget* ScenarioGroup::widgetOf(std::string_view field) const {
    const auto made =
        std::ranges::find(made_, field, [](const Made& one) { return std::string_view(one.row->key); });
    return made == made_.end() ? nullptr : made->widget;
}

void ScenarioGroup::sayAbout(std::string_view field, const QString& sentence) {
    showSentence(sentence, widgetOf(field));
}

bool ScenarioGroup::shows(std::string_view field) const {
    const auto made =
        std::ranges::find(made_, field, [](const Made& one) { return std::string_view(one.row->key); });
    const QWidget* widget = widgetOf(field);
    return made != made_.end() ? made->effective : widget != nullptr && !widget->isHidden();
}

QWidget* ScenarioGroup::find(std::string_view field) {
    if (!shows(field)) {
        return nullptr;
    }
    if (!isExpanded()) {
        setExpanded(true);
    }
    if (isBehind(scenario_field(field))) {
        more_->setChecked(true);
    }
    return widgetOf(field);
}

QWidget* ScenarioGroup::goTo(std::string_view field) {
    QWidget* widget = find(field);
    if (widget == nullptr) {
        return nullptr;
    }
    widget->setFocus(Qt::ShortcutFocusReason);
    if (auto* line = qobject_cast<QLineEdit*>(widget)) {
        line->selectAll();
    } else if (auto* number = qobject_cast<NumberField*>(widget)) {
        number->selectAll();
    }
    return widget;
}

void ScenarioGroup::edit(std::string_view field, const Change& change) {
    edited_ = field;
    emit touched();
    Scenario next = scenario();
    if (const Result<void> changed = change(next); !changed) {
        document_->refuseEdit(field, words(changed.error().sentence));
        return;
    }
    const QString adapted = adapt(field, next);
    // A refusal is shown by what listens to Document::refused.
    if (document_->edit(next, field) && !adapted.isEmpty()) {
        sayAbout(field, adapted);
    }
}

void ScenarioGroup::choose(std::string_view field, const Change& change) {
    edit(field, change);
    document_->endEdit();
    refresh(); // where the edit was refused, the list shows the old choice again
}

void ScenarioGroup::makeField(const Row& row) {
    switch (row.kind) {
    case FieldKind::whole:
        if (row.choices.empty()) { // typed; the row's word too
            makeNumberField(row);
        } else {
            makeList(row);
        }
        break;
    case FieldKind::quantity: makeNumberField(row); break;
    case FieldKind::choice:
    case FieldKind::part: makeList(row); break;
    case FieldKind::flag: makeCheck(row); break;
    case FieldKind::text:
        if (row.choices.empty()) {
            makeLine(row);
        } else {
            makeList(row);
        }
        break;
    case FieldKind::whole_list:
    case FieldKind::flag_list:
    case FieldKind::text_list: makeLine(row); break;
    }
}

void ScenarioGroup::offerActions(const Row& row, QWidget* field) {
    QLabel* const label = labelOf(field);
    if (can_vary(row)) {
        auto* sweep = new QAction(tr("Sweep this field"), field);
        connect(sweep, &QAction::triggered, this, [this, &row] { emit sweepAsked(words(row.key)); });
        offer(sweep, field, label);
        sweeps_.emplace_back(&row, sweep);
    }
    const QString word = label == nullptr ? QString() : label->text().remove(QLatin1Char('&'));
    if (const GlossaryEntry* const entry = glossary_entry(word.toStdString())) {
        auto* manual = new QAction(tr("What the manual says"), field);
        connect(manual, &QAction::triggered, this,
                [this, heading = words(entry->word)] { emit manualAsked(heading); });
        if (qobject_cast<QLineEdit*>(field) == nullptr || can_vary(row)) {
            offer(manual, field, label);
        } else { // copying and pasting stay in its menu
            offer(manual, label, label);
        }
    }
}

void ScenarioGroup::offer(QAction* action, QWidget* field, QLabel* label) {
    field->addAction(action);
    if (qobject_cast<NumberField*>(field) == nullptr) { // which has a menu of its own
        field->setContextMenuPolicy(Qt::ActionsContextMenu);
    }
    if (label != nullptr) {
        label->addAction(action);
        label->setContextMenuPolicy(Qt::ActionsContextMenu);
    }
}

NumberField* ScenarioGroup::makeNumber(const Row& row,
                                       const std::function<Result<void>(Scenario&, const FieldValue&)>& apply,
                                       bool multiples) {
    const double scale = shownScale(row);
    const auto isMultiple = [&row, multiples](const QString& typed) {
        return multiples && !row.factors && is_factor(typed.toStdString());
    };
    const auto meaning = [this, &row, scale, isMultiple](const QString& typed) -> std::optional<QString> {
        if (isMultiple(typed)) { // What it comes to is in the scenario by now.
            return parse_factor(typed.toStdString())
                       ? std::optional(words(text(row, row.get(scenario()), scale)))
                       : std::nullopt;
        }
        const Result<FieldValue> value = parse(row, typed.trimmed().toStdString(), {}, scale);
        const bool factor = value && std::holds_alternative<Factor>(*value);
        // What a factor comes to is in the scenario by now.
        return value ? std::optional(words(text(row, factor ? row.get(scenario()) : *value, scale)))
                     : std::nullopt;
    };
    auto* number = new NumberField(meaning, row.doubling ? steppedByTwo : steppedByOne, this);
    connect(number, &NumberField::edited, this, [this, &row, scale, apply, isMultiple](const QString& typed) {
        if (typed.isEmpty()) {
            document_->takeBack(row.key); // about to type something else
            showSentence({});
            return;
        }
        const bool multiple = isMultiple(typed);
        if (multiple || (row.factors && is_factor(typed.toStdString()))) {
            document_->takeBack(row.key); // of what was there before the typing, not of its beginning
        }
        edit(row.key, [&](Scenario& next) {
            const std::string who = subject(row).toStdString();
            const Result<FieldValue> read =
                !multiple ? parse(row, typed.toStdString(), who, scale)
                          : parse_factor(typed.toStdString()).and_then([&](double factor) {
                                return multiplied(row, row.get(next), factor, who);
                            });
            return read.and_then([&](const FieldValue& value) { return apply(next, value); });
        });
    });
    connect(number, &NumberField::left, this, [this] {
        document_->endEdit();
        refresh();
    });
    return number;
}

void ScenarioGroup::makeNumberField(const Row& row) {
    NumberField* number = makeNumber(row, row.set, true);
    QString meaning = translated(row.help);
    if (row.doubling) {
        meaning += QLatin1Char(' ') + tr("The arrows double and halve.");
    }
    if (row.kind == FieldKind::whole) {
        meaning +=
            QLatin1Char(' ') + tr("Also takes 8k (8000), 8Ki (8192), 2*64, or x2 for twice what it is now.");
    } else {
        meaning += QLatin1Char(' ') + (row.unit.empty() ? tr("Also takes 1/2.")
                                                        : tr("Also takes another unit, such as %1, or 2*64.")
                                                              .arg(words(example_quantity(row.unit))));
    }
    addNumber(translated(row.label), number, shownUnit(row), meaning);
    offerActions(row, number);
    made_.push_back({&row, number, [this, number, &row] {
                         number->show(words(text(row, row.get(scenario()), shownScale(row))));
                     }});
}

void ScenarioGroup::makeList(const Row& row) {
    QComboBox* list = makeChoice(this);
    addChoice(translated(row.label), list, makeBeside(row), translated(row.help));
    offerActions(row, list);
    fillList(list, row, row.choices);
    connect(list, &QComboBox::activated, this,
            [this, list, &row](int index) { chooseFromList(list, index, row); });
    made_.push_back({&row, list, [this, list, &row] { showInList(list, row); }});
}

void ScenarioGroup::fillList(QComboBox* list, const Row& row, const std::vector<FieldChoice>& choices) {
    const QSignalBlocker quiet(list);
    list->clear();
    for (const FieldChoice& choice : choices) {
        list->addItem(translated(choice.label.empty() ? choice.word : choice.label), words(choice.word));
        QString notes;
        for (const std::string& note : choice.notes) {
            notes += tipParagraph(translated(note));
        }
        if (!notes.isEmpty()) {
            list->setItemData(list->count() - 1, notes, Qt::ToolTipRole);
        }
    }
    if (!row.word.empty()) {
        list->insertItem(row.word_last ? list->count() : 0, translated(row.word_label), words(row.word));
    }
    showInList(list, row);
}

void ScenarioGroup::showInList(QComboBox* list, const Row& row) {
    const QSignalBlocker quiet(list);
    list->removeItem(list->findData(true, extra_role));
    const FieldValue value = row.get(scenario());
    const QString shown = words(text(row, value));
    const bool part = std::holds_alternative<JsonPart>(value);
    const QString other = otherChosen(row);
    int index = !other.isEmpty() ? list->findData(other, choice_role)
                : part           ? -1
                                 : list->findData(shown, choice_role);
    if (index < 0) {
        index = part ? 0 : list->count();
        const QString unit = row.unit.empty() ? QString() : QLatin1Char(' ') + translated(row.unit);
        list->insertItem(index, shown + unit, shown);
        list->setItemData(index, true, extra_role);
    }
    list->setCurrentIndex(index);
}

void ScenarioGroup::chooseFromList(QComboBox* list, int index, const Row& row) {
    const bool enabled = list->model()->flags(list->model()->index(index, 0)).testFlag(Qt::ItemIsEnabled);
    if (!enabled || list->itemData(index, extra_role).toBool()) {
        refresh(); // greyed out, or what the scenario has: the list shows that again
        return;
    }
    const QString word = list->itemData(index, choice_role).toString();
    if (!chooseOther(row, word)) {
        chooseText(row, word.toStdString());
    }
}

void ScenarioGroup::chooseText(const Row& row, const std::string& words) {
    choose(row.key, [&](Scenario& next) { return set_text(row, next, words, subject(row).toStdString()); });
}

std::vector<const ScenarioGroup::Row*> ScenarioGroup::rows() const {
    std::vector<const Row*> all;
    for (const Made& made : made_) {
        all.push_back(made.row);
    }
    return all;
}

void ScenarioGroup::makeCheck(const Row& row) {
    auto* check = new QCheckBox(translated(row.unit), this);
    addChoice(translated(row.label), check, nullptr, translated(row.help));
    offerActions(row, check);
    connect(check, &QCheckBox::clicked, this,
            [this, &row](bool on) { choose(row.key, [&](Scenario& next) { return row.set(next, on); }); });
    made_.push_back({&row, check, [this, check, &row] {
                         const QSignalBlocker quiet(check);
                         check->setChecked(std::get<bool>(row.get(scenario())));
                     }});
}

void ScenarioGroup::makeLine(const Row& row) {
    auto* line = new QLineEdit(this);
    line->setPlaceholderText(translated(row.word_label));
    line->setClearButtonEnabled(true);
    for (auto* clear : line->findChildren<QToolButton*>()) {
        clear->setAccessibleName(tr("Clear"));
        clear->setToolTip(tipParagraph(tr("Clear")));
    }
    leaveKeysToWindow(line);
    addChoice(translated(row.label), line, nullptr, translated(row.help));
    // What was refused is not what stands there any more.
    connect(line, &QLineEdit::textEdited, this, [this] { showSentence({}); });
    connect(line, &QLineEdit::editingFinished, this, [this, line, &row] {
        if (line->text() == words(text(row, row.get(scenario())))) {
            return; // nothing has been typed, or it has been taken back
        }
        edit(row.key, [&](Scenario& next) {
            return set_text(row, next, line->text().toStdString(), subject(row).toStdString());
        });
        document_->endEdit();
    });
    made_.push_back({&row, line, [this, line, &row] {
                         line->setText(words(text(row, row.get(scenario()))));
                         line->setCursorPosition(0);
                     }});
}

void ScenarioGroup::showEffect(Made& made) {
    const std::string objection = made.row->objection ? made.row->objection(scenario()) : std::string();
    const QString more = objection.empty() || made.row->greyed ? moreAbout(*made.row) : QString();
    const bool absent = made.row->absent && made.row->absent(scenario());
    made.effective = suits(*made.row) && (made.row->greyed ? !absent : objection.empty());
    setFieldVisible(made.widget, made.effective && !isBehind(*made.row));
    if (!made.row->greyed) {
        if (more.isEmpty()) {
            return;
        }
    }
    made.widget->setEnabled(objection.empty() || !made.row->greyed);
    const QString why =
        objection.empty() ? QString() : tipParagraph(tr("No effect: %1").arg(words(objection)));
    made.widget->setToolTip(why + tipParagraph(made.widget->accessibleDescription()) + more);
}

QComboBox* ScenarioGroup::list(std::string_view field) const {
    return qobject_cast<QComboBox*>(widgetOf(field));
}

} // namespace meshslice::ui
