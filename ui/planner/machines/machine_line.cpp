#include "ui/planner/machines/machine_line.h"

#include "core/plan/search/plan_question.h"
#include "ui/controls/wrapping_row.h"
#include "ui/look/words.h"

#include <QLabel>
#include <QPushButton>

namespace meshslice::ui {

MachineLine::MachineLine(QWidget* parent)
    : QWidget(parent)
    , line_(new QLabel(this))
    , plan_for_mesh_(new QPushButton(tr("Plan for the mesh"), this)) {
    line_->setWordWrap(true);
    line_->setTextFormat(Qt::PlainText);
    line_->setAccessibleName(tr("How many chips are planned for"));
    plan_for_mesh_->setAutoDefault(false);
    plan_for_mesh_->setToolTip(tipParagraph(tr("Plans for as many chips as the mesh has")));
    auto* row = new WrappingRow(6);
    setLayout(row);
    row->setContentsMargins(12, 0, 12, 4);
    row->add(line_, 1);
    row->add(plan_for_mesh_);
    connect(plan_for_mesh_, &QPushButton::clicked, this, &MachineLine::meshAsked);
    hide();
}

void MachineLine::follow(const Scenario& scenario) {
    const QString note = words(other_chips_note(scenario));
    line_->setText(note);
    line_->setAccessibleDescription(note);
    setVisible(!note.isEmpty());
    plan_for_mesh_->setVisible(!scenario.is_group()); // One group is not the whole run.
}

} // namespace meshslice::ui
