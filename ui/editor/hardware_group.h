#pragma once

#include "ui/editor/scenario_group.h"

#include <string>
#include <vector>

class QPushButton;
class QToolButton;

namespace meshslice::ui {

/// The numbers of the hardware, folded away until somebody wants them. Each says where it comes from; one
/// that differs from the preset is marked and has a button that takes it back.
class HardwareGroup : public ScenarioGroup {
    Q_OBJECT
  public:
    HardwareGroup(Document* document, QWidget* parent);

    void refresh() override;

  protected:
    [[nodiscard]] QString moreAbout(const Row& row) const override;

  private:
    struct Back {
        const Row* row;
        QToolButton* button;
    };
    void takeAllBack();

    std::vector<Back> backs_;
    QPushButton* all_back_;
};

} // namespace meshslice::ui
