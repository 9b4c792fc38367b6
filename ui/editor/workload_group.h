#pragma once

#include "ui/editor/scenario_group.h"

namespace meshslice::ui {

/// What is computed: the training step of a model, or one product by itself.
class WorkloadGroup : public ScenarioGroup {
    Q_OBJECT
  public:
    WorkloadGroup(Document* document, QWidget* parent);

    void refresh() override;
    [[nodiscard]] bool owns(Field field) const override;

    /// Asks for a config.json and takes the model from it.
    void askForModel();
    /// Takes the model from a file; says beside the fields why it cannot.
    void importModel(const QString& path);

  private:
    void addModelFields();
    void addProductFields();
    void switchTo(bool single);
    void showFacts();

    QComboBox* task_; ///< a training step, or one product
    QComboBox* model_;
    WholeField* batch_;
    WholeField* sequence_;
    WholeField* m_;
    WholeField* n_;
    WholeField* k_;
    QComboBox* dataflow_;
};

} // namespace meshslice::ui
