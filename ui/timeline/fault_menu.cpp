#include "ui/timeline/fault_menu.h"

#include "core/torus/faults.h"
#include "ui/session/session.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct FaultWords {
    Q_DECLARE_TR_FUNCTIONS(Faults)
};

} // namespace

void wantFault(Session& session, const Fault& wanted) {
    session.edit(
        [&](Scenario& next) {
            std::erase_if(next.assume.faults.parts,
                          [&](const Fault& one) { return one.part == wanted.part; });
            if (wanted.speed < 1) {
                next.assume.faults.parts.push_back(wanted);
            }
        },
        "faults.parts");
}

void addFaults(QMenu& menu, Session& session, std::size_t step, const Torus& torus, const Row& row) {
    const ResultsPtr results = session.shown();
    const bool other = step > 0 && results && results->reference; // only the current variant is edited
    if (row.memory || !results || other || !results->runs.empty() ||
        static_cast<std::size_t>(torus.axis_count()) != results->scenario.mesh.size()) {
        return; // a ring through the mesh: its places are not the mesh's
    }
    Fault fault{{{}, row.is_core, row.axis, row.direction}, 1};
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        fault.part.chip.push_back(torus.coordinate(row.chip, static_cast<Axis>(axis)));
    }
    Row itself = row;
    itself.round = false; // The link, not what goes round because it is dead.
    // An entry that does nothing: the styles cut a section's title.
    menu.addAction(QString::fromStdString(row_name(torus, itself)))->setEnabled(false);
    const auto add = [&](const QString& text, double speed) {
        fault.speed = speed;
        menu.addAction(text, &session, [&session, fault] { wantFault(session, fault); });
    };
    add(FaultWords::tr("What if it had half its speed?"), 0.5);
    add(FaultWords::tr("What if it had a tenth of its speed?"), 0.1);
    if (!row.is_core) {
        add(FaultWords::tr("What if it were dead?"), 0);
    }
    const auto& faults = results->scenario.assume.faults.parts;
    if (std::ranges::any_of(faults, [&](const Fault& one) { return one.part == fault.part; })) {
        add(FaultWords::tr("Make it healthy again"), 1);
    }
    menu.addSeparator();
}

} // namespace meshslice::ui
