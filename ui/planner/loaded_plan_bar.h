#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace meshslice::ui {

/// What can be done with the selected plan: load it into the scenario, or open its tensor-parallel group;
/// and, where a plan is loaded, which one, how it compares, and how to let the search choose again.
class LoadedPlanBar : public QWidget {
    Q_OBJECT
  public:
    explicit LoadedPlanBar(QWidget* parent = nullptr);

    /// What is said of the loaded plan; empty where there is none. A refusal is one that does not suit the
    /// scenario.
    void tell(const QString& sentence, bool refusal);
    /// Whether there is a plan to load that is not loaded, and why its group cannot be opened, empty where it
    /// can.
    void offer(bool usable, const QString& group_objection);

    /// Two buttons, to stand where the plans are chosen.
    [[nodiscard]] QWidget* buttons() { return buttons_; }
    /// Shortens their texts to what has room.
    void fitButtons(int room);

    [[nodiscard]] QLabel* line() { return line_; }
    [[nodiscard]] QPushButton* use() { return use_; }
    [[nodiscard]] QPushButton* release() { return release_; }
    [[nodiscard]] QPushButton* openGroup() { return open_group_; }

  signals:
    void useAsked();
    void releaseAsked();
    void groupAsked();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void colourLine();

    QLabel* line_;
    QPushButton* release_;
    QWidget* buttons_;
    QPushButton* use_;
    QPushButton* open_group_;
    bool refusal_ = false;
};

} // namespace meshslice::ui
