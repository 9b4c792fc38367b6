#pragma once

#include "ui/editor/scenario_group.h"

namespace meshslice::ui {

/// What is computed: the training step of a model, or one GEMM by itself.
class WorkloadGroup : public ScenarioGroup {
    Q_OBJECT
  public:
    WorkloadGroup(Document* document, QWidget* parent);

    /// Asks for a config.json and takes the model from it.
    void askForModel();
    /// Takes the model from a file; says next to the fields why it cannot.
    void importModel(const QString& path);

  protected:
    bool makeSpecial(const Row& row) override;
    QWidget* makeBeside(const Row& row) override;

  private:
    void showFacts();
};

} // namespace meshslice::ui
