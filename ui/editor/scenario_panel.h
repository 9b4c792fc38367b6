#pragma once

#include "ui/session/task.h"

#include <QScrollArea>

#include <map>
#include <string_view>
#include <vector>

class QLabel;

namespace meshslice::ui {

class Document;
class HardwareGroup;
class MachineGroup;
class MethodGroup;
class ScenarioGroup;
class WorkloadGroup;

/// All that a user can edit, in one narrow column: work, machine and its numbers, method, what
/// if.
class ScenarioPanel : public QScrollArea {
    Q_OBJECT
  public:
    explicit ScenarioPanel(Document* document, QWidget* parent = nullptr);

    /// Shows what matters for the task.
    void setTask(Task task);

    /// Says next to the field edited last why the scenario does not run; an empty sentence takes it back.
    void showRunFailure(const QString& sentence);

    [[nodiscard]] WorkloadGroup* workload() { return workload_; }
    /// What stands below a field: why an edit was refused or the scenario does not run.
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] MachineGroup* machine() { return machine_; }
    [[nodiscard]] HardwareGroup* hardware() { return hardware_; }
    [[nodiscard]] MethodGroup* method() { return method_; }

    /// Whether a field of the scenario's table, by its key, can be seen here, perhaps after unfolding.
    [[nodiscard]] bool shows(std::string_view field) const;
    /// Scrolls to the field, which may have to be unfolded. Its widget; null where it is not shown.
    QWidget* find(std::string_view field);
    /// The same, and brings the keyboard there.
    void goTo(std::string_view field);

    /// Labels, fields and units of all groups stand below each other; again where their font has changed.
    void alignColumns();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    /// See ScenarioGroup.
    void sweepAsked(const QString& field);
    void manualAsked(const QString& word);

  protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void showSentence(const QString& field, const QString& sentence);
    void scrollTo(QWidget* field);
    /// Scrolls to what a group has to say.
    void reveal(const ScenarioGroup* group);

    WorkloadGroup* workload_;
    MachineGroup* machine_;
    HardwareGroup* hardware_;
    MethodGroup* method_;
    ScenarioGroup* training_;
    std::vector<ScenarioGroup*> groups_;
    std::map<const ScenarioGroup*, QWidget*> separators_; ///< above a group
    ScenarioGroup* edited_;                               ///< the group where the user was last
    QString run_failure_;
};

} // namespace meshslice::ui
