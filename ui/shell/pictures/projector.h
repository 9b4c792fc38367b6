#pragma once

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QSize>

#include <utility>
#include <vector>

class QAction;
class QDockWidget;
class QKeyEvent;
class QMenu;
class QSplitter;

namespace meshslice::ui {

class LessonCard;
class MainWindow;

/// The window for a room: one picture that fills the screen, its letters as large as those of a slide, and
/// below it the lesson, where one is open, as a card of three lines. All else is away, and comes back as it
/// was.
///
/// The arrow keys, Page Up and Page Down, which presenters' remote controls send, go through the lesson; the
/// number keys answer what it asks to predict. Escape leaves.
class Projector : public QObject {
    Q_OBJECT
  public:
    explicit Projector(MainWindow* window);

    /// Adds its entry.
    void fill(QMenu* menu);
    [[nodiscard]] bool isOn() const { return on_; }
    void setOn(bool on);
    /// Null while it is off, or no lesson is open.
    [[nodiscard]] LessonCard* card() const;

    /// The size of the text, in percent of `letter` pixels, that has a slide's proportions on a screen so
    /// large: 14 points on 254 x 143 mm. From the last row that can still be read.
    [[nodiscard]] static int percentFor(const QSize& screen, double letter);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// What the window was like.
    struct Before {
        QByteArray docks;
        Qt::WindowStates state = Qt::WindowNoState;
        int text = 100;
        std::vector<std::pair<QPointer<QSplitter>, QByteArray>> splitters;
    };
    void enter();
    void leave();
    void putAway(QWidget* part);
    /// Everything around the picture that is in front.
    void clearAround();
    void bringBack();
    void fitText();
    void followLesson();
    [[nodiscard]] bool isTabOutside(const QObject* watched) const;
    [[nodiscard]] bool takeKey(const QKeyEvent& key);

    MainWindow* window_;
    QPointer<QAction> action_;
    bool on_ = false;
    Before before_;
    std::vector<QPointer<QWidget>> away_; ///< that were seen, and are to be seen again
    QPointer<QDockWidget> card_dock_;
};

} // namespace meshslice::ui
