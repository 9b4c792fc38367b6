#pragma once

#include "ui/editor/scenario_group.h"

#include <string>

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
    void addOptions();
    void refreshSlices();
    /// The fields of what only some algorithms let one choose.
    void refreshOptions();
    /// Greys out the algorithms that do not run on this scenario; their tooltips say why.
    void refreshAlgorithms();
    void chooseAlgorithm(QComboBox* choice, int index, Field field, std::string Scenario::*place);

    QComboBox* algorithm_;
    QComboBox* compare_;
    QComboBox* stationary_;
    QComboBox* slices_;
    WholeField* block_;
    QComboBox* packets_;
    QComboBox* decomposed_;
    QComboBox* prefetch_;
    QComboBox* ring_;
    QComboBox* type_;
};

} // namespace meshslice::ui
