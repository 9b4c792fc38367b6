#pragma once

#include <QObject>
#include <QPointer>

namespace meshslice::ui {

class MainWindow;
class WelcomeDialog;

/// Opens the welcome next to the window, and does what is chosen there.
class Welcome : public QObject {
    Q_OBJECT
  public:
    /// `remembers`: whether the settings and the recent files are read and written.
    Welcome(MainWindow* window, bool remembers);

    void open();
    /// At the start of the program, where it is wanted and there is nothing else to work on.
    void openAtStart(bool with_a_file = false);
    /// Null while it is not open.
    [[nodiscard]] WelcomeDialog* dialog() const;

  private:
    MainWindow* window_;
    bool remembers_;
    QPointer<WelcomeDialog> dialog_;
};

} // namespace meshslice::ui
