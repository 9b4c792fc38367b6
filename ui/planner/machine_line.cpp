#include "ui/planner/machine_line.h"

#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/plan/search/plan_question.h"
#include "core/scenario/meshes.h"
#include "ui/controls/wrapping_row.h"
#include "ui/look/words.h"

#include <QLabel>
#include <QPushButton>

namespace meshslice::ui {
namespace {

/// Nobody edited a number of the chips, which are those of a preset; but their rings close elsewhere, as
/// those of a plan's group do in its larger torus.
bool hasOtherRings(const Machine& hardware) {
    const Result<Machine> preset = machine_preset(hardware.name);
    if (!preset || *preset == hardware) {
        return false;
    }
    Machine with_its_rings = hardware;
    with_its_rings.pod.ring_axis = preset->pod.ring_axis;
    with_its_rings.pod.ring_mesh = preset->pod.ring_mesh;
    return with_its_rings == *preset;
}

} // namespace

MachineLine::MachineLine(QWidget* parent)
    : QWidget(parent), line_(new QLabel(this)), plan_for_own_(new QPushButton(this)) {
    line_->setWordWrap(true);
    line_->setTextFormat(Qt::PlainText);
    line_->setAccessibleName(tr("Which chips are planned for"));
    plan_for_own_->setAutoDefault(false);
    auto* row = new WrappingRow(6);
    setLayout(row);
    row->setContentsMargins(12, 0, 12, 4);
    row->add(line_, 1);
    row->add(plan_for_own_);
    connect(plan_for_own_, &QPushButton::clicked, this, &MachineLine::ownMachineAsked);
    hide();
}

void MachineLine::follow(const Scenario& scenario) {
    const QString note = words(other_machine_note(scenario));
    line_->setText(note);
    line_->setAccessibleDescription(note);
    setVisible(!note.isEmpty());
    // One group of a plan is no machine to plan for.
    plan_for_own_->setVisible(!scenario.planning.batch || !scenario.plan.loaded);
    plan_for_own_->setText(tr("Plan for the headline's chips"));
    plan_for_own_->setAccessibleName(plan_for_own_->text());
    const Result<Planning> own = planning_on_own_machine(scenario);
    plan_for_own_->setEnabled(own.has_value());
    plan_for_own_->setToolTip(tipParagraph(
        own ? tr("Plans for the chips that the headline is about: %1 x %2")
                  .arg(chips_of(scenario.mesh))
                  .arg(words(scenario.hardware.title))
        : hasOtherRings(scenario.hardware) ? tr("Plans are for chips of %1 as they come, and the rings of "
                                                "these close where those of a larger torus do, of which "
                                                "they are one tensor-parallel group.")
                                                 .arg(words(scenario.hardware.title))
                                           : words(own.error().sentence)));
}

} // namespace meshslice::ui
