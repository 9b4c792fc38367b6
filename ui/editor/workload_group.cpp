#include "ui/editor/workload_group.h"

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "ui/controls/more_button.h"
#include "ui/editor/facts.h"
#include "ui/editor/facts_dialog.h"
#include "ui/editor/whole_field.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QSignalBlocker>

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr std::array all_dataflows = {Dataflow::OS, Dataflow::LS, Dataflow::RS};

/// A product of the size of the paper's largest layers, until the user says another.
constexpr SingleGemm first_product{{262'144, 49'152, 12'288}, Dataflow::OS};

} // namespace

WorkloadGroup::WorkloadGroup(Document* document, QWidget* parent)
    : ScenarioGroup(tr("Work"), document, parent), task_(makeChoice(this)) {
    task_->addItem(tr("training step"));
    task_->addItem(tr("one product"));
    addChoice(tr("&Task"), task_, nullptr,
              tr("The matrix products of one transformer block in a training step, or one product by itself "
                 "with a size "
                 "of your own."));
    connect(task_, &QComboBox::activated, this, [this](int index) { switchTo(index == 1); });
    addModelFields();
    addProductFields();
    refresh();
}

void WorkloadGroup::addModelFields() {
    model_ = makeChoice(this);
    auto* more = new MoreButton(tr("More about the model"), this);
    more->addEntry(tr("Layers and sources…"), [this] { showFacts(); });
    more->addEntry(tr("Open config.json…"), [this] { askForModel(); });
    addChoice(tr("&Model"), model_, more,
              tr("The transformer whose fully connected layers are multiplied. The button beside it shows "
                 "where each "
                 "number comes from, and opens the config.json of another model."));
    connect(model_, &QComboBox::activated, this, [this](int index) {
        if (const auto preset = model_preset(model_->itemData(index).toString().toStdString())) {
            choose(Field::model, [&](Scenario& next) { next.model = *preset; });
        }
    });
    batch_ = addWhole(
        tr("&Batch"), Field::batch, true, tr("sequences"),
        tr("Sequences in one training step, over all chips. Batch times sequence length is the number "
           "of tokens."),
        [](Scenario& next, std::int64_t value) { next.batch = value; });
    sequence_ = addWhole(tr("Se&quence"), Field::sequence, true, tr("tokens"), tr("Tokens in one sequence."),
                         [](Scenario& next, std::int64_t value) { next.sequence = value; });
}

void WorkloadGroup::addProductFields() {
    const auto set = [](std::int64_t GemmShape::*dimension) {
        return [dimension](Scenario& next, std::int64_t value) {
            if (next.gemm) {
                next.gemm->shape.*dimension = value;
            }
        };
    };
    m_ =
        addWhole(tr("M"), Field::product, true, tr("rows"), tr("Rows of the product C."), set(&GemmShape::m));
    n_ = addWhole(tr("N"), Field::product, true, tr("columns"), tr("Columns of the product C."),
                  set(&GemmShape::n));
    k_ = addWhole(tr("K"), Field::product, true, tr("terms"),
                  tr("The dimension that is summed over: terms in each element of C."), set(&GemmShape::k));
    dataflow_ = makeChoice(this);
    dataflow_->addItem(tr("OS: C = A B"));
    dataflow_->addItem(tr("LS: C = A Bᵀ"));
    dataflow_->addItem(tr("RS: C = Aᵀ B"));
    addChoice(tr("Dataf&low"), dataflow_, nullptr,
              tr("Which matrix never leaves its chip. OS, output stationary: C stays. LS, left stationary: A "
                 "stays. "
                 "RS, right stationary: B stays."));
    connect(dataflow_, &QComboBox::activated, this, [this](int index) {
        choose(Field::product, [index](Scenario& next) {
            if (next.gemm) {
                next.gemm->dataflow = all_dataflows[static_cast<std::size_t>(index)];
            }
        });
    });
}

void WorkloadGroup::switchTo(bool single) {
    choose(Field::workload, [single](Scenario& next) {
        if (single && !next.gemm) {
            next.gemm = first_product;
        } else if (!single) {
            next.gemm.reset();
        }
    });
}

void WorkloadGroup::refresh() {
    const Scenario& shown = scenario();
    const bool single = shown.gemm.has_value();
    task_->setCurrentIndex(single ? 1 : 0);
    for (QWidget* field :
         {static_cast<QWidget*>(model_), static_cast<QWidget*>(batch_), static_cast<QWidget*>(sequence_)}) {
        setFieldVisible(field, !single);
    }
    for (QWidget* field : {static_cast<QWidget*>(m_), static_cast<QWidget*>(n_), static_cast<QWidget*>(k_),
                           static_cast<QWidget*>(dataflow_)}) {
        setFieldVisible(field, single);
    }

    const QSignalBlocker quiet(model_);
    model_->clear();
    int current = -1;
    for (const Transformer& preset : model_presets()) {
        current = preset == shown.model ? model_->count() : current;
        model_->addItem(words(preset.title), words(preset.name));
    }
    if (current < 0) {
        model_->insertItem(0, words(shown.model.title.empty() ? shown.model.name : shown.model.title));
        current = 0;
    }
    model_->setCurrentIndex(current);
    batch_->show(shown.batch);
    sequence_->show(shown.sequence);
    if (single) {
        m_->show(shown.gemm->shape.m);
        n_->show(shown.gemm->shape.n);
        k_->show(shown.gemm->shape.k);
        dataflow_->setCurrentIndex(
            static_cast<int>(std::ranges::find(all_dataflows, shown.gemm->dataflow) - all_dataflows.begin()));
    }
}

bool WorkloadGroup::owns(Field field) const {
    return field == Field::model || field == Field::batch || field == Field::sequence ||
           field == Field::workload || field == Field::product;
}

void WorkloadGroup::askForModel() {
    const QString path =
        QFileDialog::getOpenFileName(window(), tr("Open a model"), {}, tr("Model configuration (*.json)"));
    if (!path.isEmpty()) {
        importModel(path);
    }
}

void WorkloadGroup::importModel(const QString& path) {
    const auto refusal = [this](const Error& error) {
        emit document_->refused(Field::model, words(error.sentence));
    };
    const auto text = read_text_file(QFile::encodeName(path).toStdString());
    if (!text) {
        return refusal(text.error());
    }
    const auto model = read_any_model(*text, QFileInfo(path).fileName().toStdString());
    if (!model) {
        return refusal(model.error());
    }
    choose(Field::model, [&](Scenario& next) {
        next.model = *model;
        next.gemm.reset();
    });
}

void WorkloadGroup::showFacts() {
    auto* dialog = new FactsDialog(words(scenario().model.title),
                                   modelFacts(scenario().model, scenario().tokens()), window());
    dialog->show();
}

} // namespace meshslice::ui
