// The line of inputs above the plan view's pages: cluster, number of chips, strategy and tokens of the
// training, each a field of the scenario, and why what is typed is refused. What the view shows is in
// planner_view.cpp.

#include "core/base/language.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/fixed_parts.h"
#include "core/plan/search/space.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"
#include "core/scenario/meshes.h"
#include "ui/controls/window_keys.h"
#include "ui/controls/wrapping_row.h"
#include "ui/look/words.h"
#include "ui/planner/machines/machine_line.h"
#include "ui/planner/machines/machine_list.h"
#include "ui/planner/planner_view.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <cstdint>

namespace meshslice::ui {
namespace {

constexpr std::string_view machine_field = "hardware";
constexpr std::string_view chips_field = "planning.chips";
constexpr std::string_view strategy_field = "planning.strategy";
constexpr std::string_view tokens_field = "planning.tokens";
constexpr std::string_view rank_field = "planning.rank";

/// "1T", "300G"; empty where there is no number.
QString tokensText(const Planning& planning) {
    if (!planning.tokens) {
        return {};
    }
    std::int64_t factor = 1'000'000'000'000;
    for (const char* prefix : {"T", "G", "M", "k"}) {
        if (*planning.tokens % factor == 0) {
            return QString::number(*planning.tokens / factor) + QLatin1String(prefix);
        }
        factor /= 1000;
    }
    return QString::number(*planning.tokens);
}

} // namespace

void PlannerView::makeControls() {
    fillMachines(cluster_);
    for (const FieldChoice& choice : scenario_field(strategy_field).choices) {
        strategy_->addItem(translated(choice.label), words(choice.word));
    }
    cluster_->setAccessibleName(tr("Machine"));
    cluster_->setToolTip(tr("Chips in fast domains within a slower network, or the torus of a TPU"));
    strategy_->setAccessibleName(tr("Strategy"));
    strategy_->setToolTip(tr("How GEMMs are split over the chips of a tensor-parallel group"));
    for (const FieldChoice& choice : scenario_field(rank_field).choices) {
        rank_->addItem(translated(choice.label), words(choice.word));
    }
    rank_->setAccessibleName(tr("Order of the plans"));
    rank_->setToolTip(
        tr("By what measured runs let expect, where that is known, or by what the machine's numbers allow"));
    connect(rank_, &QComboBox::activated, this,
            [this] { edit(rank_field, rank_->currentData().toString()); });
    chips_->setAccessibleName(tr("Number of chips"));
    chips_->setToolTip(tr("Chips that share the run, over all domains"));
    chips_->setMaxLength(9);
    for (QComboBox* list : {cluster_, strategy_, rank_}) {
        list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        list->setMinimumContentsLength(10);
    }
    connect(cluster_, &QComboBox::activated, this,
            [this] { edit(machine_field, cluster_->currentData().toString()); });
    connect(strategy_, &QComboBox::activated, this,
            [this] { edit(strategy_field, strategy_->currentData().toString()); });
    connect(chips_, &QLineEdit::editingFinished, this, [this] {
        const Scenario& scenario = session().state().scenario;
        if (chips_->text() != QString::number(scenario.chips())) {
            const bool of_mesh =
                is_torus(scenario.hardware) && chips_->text() == QString::number(chips_of(scenario.mesh));
            edit(chips_field, of_mesh ? words(scenario_field(chips_field).word) : chips_->text());
        }
    });
    tokens_->setAccessibleName(tr("Tokens of the training"));
    tokens_->setToolTip(tr("Tokens that the whole training sees, such as 1T: the answer says its days"));
    tokens_->setPlaceholderText(tr("such as 1T"));
    tokens_->setMaxLength(16);
    connect(tokens_, &QLineEdit::editingFinished, this, [this] {
        const QString typed = tokens_->text().trimmed();
        if (typed != tokensText(session().state().scenario.planning)) {
            edit(tokens_field, typed.isEmpty() ? words(scenario_field(tokens_field).word) : typed);
        }
    });
    for (QLineEdit* line : {chips_, tokens_}) {
        leaveKeysToWindow(line);
    }
    refusal_->setWordWrap(true);
    refusal_->setTextFormat(Qt::PlainText);
    refusal_->setAccessibleName(tr("Why this is refused"));
    refusal_->hide();
}

QLayout* PlannerView::layOutControls() {
    auto* controls = new WrappingRow(6);
    controls->setContentsMargins(12, 6, 12, 4);
    controls->add(cluster_, 7);
    controls->add(chips_, 2);
    auto* unit = new QLabel(tr("chips"), this);
    unit->setBuddy(chips_);
    controls->add(unit);
    controls->add(strategy_, 6);
    controls->add(rank_, 4);
    controls->add(tokens_, 3);
    auto* trained = new QLabel(tr("tokens"), this);
    trained->setBuddy(tokens_);
    controls->add(trained);
    return controls;
}

void PlannerView::takeScenario() {
    const Scenario& scenario = session().state().scenario;
    chooseMachine(cluster_, scenario.hardware);
    {
        const QSignalBlocker quiet(strategy_);
        strategy_->setCurrentIndex(strategy_->findData(words(scenario.plan.split.strategy)));
        const QSignalBlocker quiet_too(rank_);
        rank_->setCurrentIndex(rank_->findData(words(std::string(name(scenario.plan.split.rank)))));
    }
    machine_->follow(scenario);
    offerStrategies(scenario.hardware);
    // What was refused stays, to be mended where it was typed.
    const bool typed = refusal_->isVisible() && (chips_->hasFocus() || tokens_->hasFocus());
    if (!typed) {
        const QSignalBlocker quiet(chips_);
        chips_->setText(QString::number(scenario.chips()));
        tokens_->setText(tokensText(scenario.planning));
        if (refused_in_ != scenario) {
            showRefusal({});
        }
    }
}

void PlannerView::offerStrategies(const Machine& on) {
    auto* items = qobject_cast<QStandardItemModel*>(strategy_->model());
    for (int k = 0; items != nullptr && k < items->rowCount(); ++k) {
        PlanSpace space;
        const Result<void> runs =
            set_strategies(space, strategy_->itemData(k).toString().toStdString(), is_torus(on));
        items->item(k)->setEnabled(runs.has_value());
        items->item(k)->setToolTip(runs ? QString() : words(runs.error().sentence));
    }
}

void PlannerView::edit(std::string_view field, const QString& text) {
    Scenario next = session().document()->scenario();
    const Field<Scenario>& row = scenario_field(field);
    const std::string typed = text.trimmed().toStdString();
    const Result<void> taken =
        field == machine_field ? row.set(next, typed) : set_text(row, next, typed, said(row.name));
    if (taken && field == machine_field) {
        next.plan.split = runs_on(next.plan.split, next.hardware);
        take_a_mesh(next);
    }
    take(field, taken ? Result<Scenario>(next) : refuse(taken.error()));
}

void PlannerView::editPart(std::string_view field, const QString& text) {
    const Field<Scenario>& row = scenario_field(field);
    std::string typed = text.toStdString();
    if (typed.empty() || typed == "auto" || typed == "any") {
        typed = row.word.empty() ? "any" : row.word;
    }
    Scenario next = session().document()->scenario();
    if (next.plan.loaded) { // what is left of it is fixed
        next.plan.split = fixed_around(next.plan.split, *next.plan.loaded, field);
        next.plan.loaded.reset();
    }
    const auto question = [&]() -> Result<void> {
        const Result<PlanQuestion> asked = plan_question(next);
        return asked ? check_fixed_parts(*asked) : refuse(asked.error());
    };
    const Result<void> taken =
        set_text(row, next, typed, tr("The %1").arg(translated(row.name)).toStdString()).and_then(question);
    take(field, taken ? Result<Scenario>(next) : refuse(taken.error()));
}

void PlannerView::take(std::string_view field, const Result<Scenario>& next) {
    const Result<Scenario> sound = next.and_then([](const Scenario& one) { return checked(one); });
    if (!sound) {
        refused_in_ = session().document()->scenario();
        showRefusal(words(sound.error().sentence));
        return;
    }
    showRefusal({});
    if (*next != session().document()->scenario()) {
        session().edit([&](Scenario& scenario) { scenario = *next; }, field);
    }
}

void PlannerView::showRefusal(const QString& sentence) {
    refusal_->setText(sentence.isEmpty() ? sentence
                                         : tr("%1 The picture is still the last plan.").arg(sentence));
    refusal_->setVisible(!sentence.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, warningText(themeOf(palette())));
    refusal_->setPalette(colours);
}

} // namespace meshslice::ui
