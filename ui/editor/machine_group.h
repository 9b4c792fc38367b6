#pragma once

#include "ui/editor/scenario_group.h"

class QActionGroup;

namespace meshslice::ui {

class MoreButton;

/// Where it is computed: the chip, and how many of them in rows and columns.
class MachineGroup : public ScenarioGroup {
    Q_OBJECT
  public:
    MachineGroup(Document* document, QWidget* parent);

    void refresh() override;
    [[nodiscard]] bool owns(Field field) const override;

    void askForHardware();
    void importHardware(const QString& path);

  private:
    void addMesh();
    void addWraps();
    void addChipModel();
    /// The meshes with as many chips; those on which the algorithm does not run say why and cannot be chosen.
    void fillMeshes();
    /// Other chip counts, where none of the meshes of this count runs.
    void addNearMeshes();
    QAction* addMeshEntry(const std::vector<std::int32_t>& mesh, const QString& text);
    void showFacts();

    QComboBox* hardware_;
    WholeField* rows_;
    WholeField* columns_;
    WholeField* layers_;
    MoreButton* meshes_;
    QComboBox* wraps_;
    QComboBox* chip_;
    QActionGroup* meshes_group_ = nullptr;
};

} // namespace meshslice::ui
