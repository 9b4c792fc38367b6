#pragma once

#include "ui/editor/scenario_group.h"

class QLineEdit;

namespace meshslice::ui {

/// What if: cores and links that are slow or dead, and synchronisations that are late by chance.
class FaultsGroup : public ScenarioGroup {
    Q_OBJECT
  public:
    FaultsGroup(Document* document, QWidget* parent);

    void refresh() override;
    [[nodiscard]] bool owns(Field field) const override { return field == Field::faults; }

  private:
    void readParts();

    QLineEdit* parts_;
    WholeField* jitter_;
    WholeField* seed_;
};

/// "3,5 east 50%; 0,0 core 80%".
[[nodiscard]] QString faultsText(const Faults& faults);

} // namespace meshslice::ui
