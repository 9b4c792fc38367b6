#include "ui/editor/workload_group.h"

#include "core/base/json/json_reader.h"
#include "ui/controls/more_button.h"
#include "ui/editor/facts.h"
#include "ui/editor/facts_dialog.h"
#include "ui/look/words.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

namespace meshslice::ui {

WorkloadGroup::WorkloadGroup(Document* document, QWidget* parent)
    : ScenarioGroup(work_group, document, parent) {
    makeFields();
}

bool WorkloadGroup::makeSpecial(const Row& row) {
    return row.key == "task"; // the bar of tasks has it
}

QWidget* WorkloadGroup::makeBeside(const Row& row) {
    if (row.key != "model") {
        return nullptr;
    }
    auto* more = new MoreButton(tr("More about the model"), this);
    more->addEntry(tr("Layers and sources…"), [this] { showFacts(); });
    more->addEntry(tr("Open config.json…"), [this] { askForModel(); });
    return more;
}

void WorkloadGroup::askForModel() {
    const QString path =
        QFileDialog::getOpenFileName(window(), tr("Open a model"), {}, tr("Model configuration (*.json)"));
    if (!path.isEmpty()) {
        importModel(path);
    }
}

void WorkloadGroup::importModel(const QString& path) {
    choose("model", [&](Scenario& next) -> Result<void> {
        const auto text = read_text_file(QFile::encodeName(path).toStdString());
        if (!text) {
            return refuse(text.error());
        }
        next.gemm.reset();
        return scenario_field("model").set(next, JsonPart{*text, QFileInfo(path).fileName().toStdString()});
    });
}

void WorkloadGroup::showFacts() {
    auto* dialog = new FactsDialog(words(scenario().model.title),
                                   modelFacts(scenario().model, scenario().tokens()), window());
    dialog->show();
}

} // namespace meshslice::ui
