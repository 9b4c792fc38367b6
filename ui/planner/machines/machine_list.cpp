#include "ui/planner/machines/machine_list.h"

#include "core/machine/catalogue.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QSignalBlocker>

namespace meshslice::ui {
namespace {

struct MachineWords {
    Q_DECLARE_TR_FUNCTIONS(MachineWords)
};

/// "A100, domains of 4 chips" of "a100-nvs4"; "TPU v5p, torus of 3 axes".
QString machineText(const Machine& machine) {
    if (!is_torus(machine)) {
        const Level* domain = switched_domain(machine.network);
        const QString chip = words(machine.name.substr(0, machine.name.find('-'))).toUpper();
        return domain != nullptr && meshslice::machine_preset(machine.name)
                   ? MachineWords::tr("%1, domains of %2 chips").arg(chip).arg(domain->units.value)
                   : words(machine.title); // of a file, with levels of its own
    }
    return MachineWords::tr("%1, torus of %2 axes")
        .arg(words(machine.title))
        .arg(machine.network.torus_axes());
}

} // namespace

void fillMachines(QComboBox* list) {
    bool torus = false;
    for (const Machine& machine : presets_that(trains_by_plan)) {
        if (list->count() > 0 && is_torus(machine) != torus) {
            list->insertSeparator(list->count());
        }
        torus = is_torus(machine);
        list->addItem(machineText(machine), words(machine.name));
        list->setItemData(list->count() - 1, words(machine.name), Qt::ToolTipRole);
    }
}

void chooseMachine(QComboBox* list, const Machine& machine) {
    const QSignalBlocker quiet(list);
    for (int k = list->count(); k-- > 0;) { // An edited machine that was there before is not a preset.
        const std::string name = list->itemData(k).toString().toStdString();
        if (!name.empty() && name != machine.name && !meshslice::machine_preset(name)) {
            list->removeItem(k);
        }
    }
    if (list->findData(words(machine.name)) < 0) {
        list->addItem(machineText(machine), words(machine.name));
    }
    list->setCurrentIndex(list->findData(words(machine.name)));
}

} // namespace meshslice::ui
