#pragma once

#include "ui/session/task.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <cstddef>
#include <vector>

namespace meshslice::ui {

class MainWindow;
class WelcomeDialog;
class WelcomePictures;
struct WelcomeQuestion;

/// Opens the welcome next to the window, and does what is chosen there.
class Welcome : public QObject {
    Q_OBJECT
  public:
    /// `remembers`: whether the settings and the recent files are read and written.
    Welcome(MainWindow* window, bool remembers);

    void open();
    /// At the first start of the program, where there is nothing else to work on.
    void openAtStart(bool with_a_file = false);
    /// Null while it is not open.
    [[nodiscard]] WelcomeDialog* dialog() const;
    /// Null likewise.
    [[nodiscard]] WelcomePictures* pictures() const;

  private:
    /// Where an answer is seen, and where the keyboard goes.
    struct Way {
        QString title, about;
        Task task;
        const char* view;  ///< its name
        const char* field; ///< of the scenario, which is edited first; empty for the view itself
        const char* lesson = "";
        const char* example = ""; ///< that it begins with; empty: a new scenario
    };
    [[nodiscard]] static std::vector<Way> ways();
    /// Where nothing but what these questions begin with is open, what this one begins with.
    void begin(const Way& way);
    [[nodiscard]] static std::vector<WelcomeQuestion> questions(WelcomePictures* pictures);
    void go(std::size_t question);

    MainWindow* window_;
    bool remembers_;
    QPointer<WelcomeDialog> dialog_;
    QPointer<WelcomePictures> pictures_;
};

} // namespace meshslice::ui
