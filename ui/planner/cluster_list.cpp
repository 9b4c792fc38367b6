#include "ui/planner/cluster_list.h"

#include "core/machine/catalogue.h"
#include "core/scenario/fields.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QSignalBlocker>

namespace meshslice::ui {
namespace {

struct ClusterWords {
    Q_DECLARE_TR_FUNCTIONS(ClusterWords)
};

bool isTorus(const std::string& name) {
    const Result<Machine> known = meshslice::machine_preset(name);
    return known && known->network.torus_axes() > 0;
}

/// "A100, domains of 4 chips" of "a100-nvs4"; "TPU v5p, torus of 3 axes".
QString clusterText(const std::string& name) {
    const Result<Machine> known = meshslice::machine_preset(name);
    if (!known) {
        return words(name);
    }
    if (const Level* domain = switched_domain(known->network)) {
        const QString chip = words(name.substr(0, name.find('-'))).toUpper();
        return ClusterWords::tr("%1, domains of %2 chips").arg(chip).arg(domain->units.value);
    }
    const int axes = known->network.torus_axes();
    return ClusterWords::tr("%1, torus of %2 axes").arg(words(known->title)).arg(axes);
}

} // namespace

void fillClusters(QComboBox* list) {
    for (const FieldChoice& choice : scenario_field("planning.cluster").choices) {
        if (list->count() > 0 && isTorus(choice.word) &&
            !isTorus(list->itemData(list->count() - 1).toString().toStdString())) {
            list->insertSeparator(list->count());
        }
        list->addItem(clusterText(choice.word), words(choice.word));
        list->setItemData(list->count() - 1, words(choice.word), Qt::ToolTipRole);
    }
}

void chooseCluster(QComboBox* list, const std::string& name) {
    const QSignalBlocker quiet(list);
    if (list->findData(words(name)) < 0) {
        list->addItem(clusterText(name), words(name));
    }
    list->setCurrentIndex(list->findData(words(name)));
}

} // namespace meshslice::ui
