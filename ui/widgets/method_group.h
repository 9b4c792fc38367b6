#pragma once

#include "ui/widgets/scenario_group.h"

namespace meshslice::ui {

/// How it is computed: the algorithm and what may be chosen about it.
class MethodGroup : public ScenarioGroup {
    Q_OBJECT
  public:
    MethodGroup(Document* document, QWidget* parent);

    void refresh() override;
    [[nodiscard]] bool owns(Field field) const override;

  private:
    void addAlgorithms();
    void addSlicing();
    void addSchedule();
    void refreshSlices();

    QComboBox* algorithm_;
    QComboBox* compare_;
    QComboBox* stationary_;
    QComboBox* slices_;
    WholeField* block_;
    QComboBox* prefetch_;
    QComboBox* ring_;
    QComboBox* type_;
};

} // namespace meshslice::ui
