#pragma once

#include "core/scenario/choices.h"
#include "ui/editor/own_machines.h"
#include "ui/editor/scenario_group.h"
#include "ui/session/latest_job.h"

#include <functional>
#include <vector>

class QAction;
class QActionGroup;

namespace meshslice::ui {

class MoreButton;

/// What the menu of meshes offers: those of the scenario's chips with the engine's objections, and where none
/// of them runs some of other counts that do.
struct OfferedMeshes {
    std::vector<MeshChoice> same;
    std::vector<std::vector<std::int32_t>> near;
};
[[nodiscard]] OfferedMeshes offeredMeshes(const Scenario& scenario);

/// Where it is computed: the chip, and how many of them in rows and columns.
class MachineGroup : public ScenarioGroup {
    Q_OBJECT
  public:
    using FindMeshes = std::function<OfferedMeshes(const Scenario&)>;

    MachineGroup(Document* document, QWidget* parent);

    void refresh() override;

    void askForHardware();
    /// Keeps the machine among the user's own; asks how it is called.
    void askForName();
    void keepAs(const QString& title);
    void askWhereToExport();
    /// Deletes the one of the user's own machines that the scenario has.
    void removeOwn();
    /// The list has the user's own machines as they are now.
    void listOwnMachines();
    void importHardware(const QString& path);

    /// What looks for meshes in another thread; `offeredMeshes` unless a test says otherwise.
    void setFindMeshes(FindMeshes find) { find_ = std::move(find); }

  protected:
    bool makeSpecial(const Row& row) override;
    bool chooseOther(const Row& row, const QString& word) override;
    [[nodiscard]] QString otherChosen(const Row& row) const override;
    [[nodiscard]] QString adapt(std::string_view field, Scenario& next) const override;
    QWidget* makeBeside(const Row& row) override;
    [[nodiscard]] QWidget* widgetOf(std::string_view field) const override;

  private:
    void makeMesh();
    /// "16x16", typed into the field of one axis, is the mesh; other texts are the field's own.
    void takeWholeMesh(const QString& typed);
    /// Lists the meshes with as many chips at once, and has the engine look which of them run.
    void openMeshes();
    /// Those on which the algorithm does not run say why and cannot be chosen.
    void fillMeshes(const OfferedMeshes& offered);
    QAction* addMeshEntry(const std::vector<std::int32_t>& mesh, const QString& text);
    void showFacts();
    /// The one that the scenario has; null where it has none of them.
    [[nodiscard]] const OwnMachine* ownOfScenario() const;

    std::vector<OwnMachine> own_;
    QAction* remove_ = nullptr;
    NumberField* chips_ = nullptr;
    NumberField* rows_ = nullptr;
    NumberField* columns_ = nullptr;
    NumberField* layers_ = nullptr;
    MoreButton* meshes_ = nullptr;
    QActionGroup* meshes_group_ = nullptr;
    FindMeshes find_ = offeredMeshes;
    LatestJob job_;
};

} // namespace meshslice::ui
