#pragma once

#include <QWidget>

class QButtonGroup;

namespace meshslice::ui {

class Session;

/// The tasks as a row of buttons, one of which is pressed, at the right end of the menu bar.
class TaskBar : public QWidget {
    Q_OBJECT
  public:
    TaskBar(Session* session, QWidget* parent);

    [[nodiscard]] QButtonGroup* buttons() { return buttons_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void follow();
    /// No higher than the menus next to it.
    void fit();

    Session* session_;
    QButtonGroup* buttons_; ///< by the number of the task
};

} // namespace meshslice::ui
