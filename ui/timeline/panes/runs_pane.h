#pragma once

#include "ui/session/inquiry.h"
#include "ui/timeline/run_browser.h"
#include "ui/view/readable.h"
#include "ui/view/view.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <vector>

namespace meshslice::ui {

/// A picture of runs on one axis of time, to be browsed with keys, wheel and mouse; or a sentence in its
/// place. Bars that have something inside open off the UI thread.
class RunsPane : public QWidget, public Readable {
    Q_OBJECT
  public:
    explicit RunsPane(QWidget* parent = nullptr);

    void show(RunWindow window);
    /// Shows a sentence instead.
    void say(const QString& sentence);
    using QWidget::show;

    [[nodiscard]] std::vector<KeyHelp> keys() const;
    [[nodiscard]] const RunBrowser& browser() const { return browser_; }
    [[nodiscard]] RunLayout layoutNow() const;
    void paintFor(QPainter& painter, const QSize& size, Theme theme) const;
    /// Gives up what is being opened.
    void cancel() { opening_.cancel(); }
    /// What opens bars, for tests.
    [[nodiscard]] LatestJob* opens() { return opening_.job(); }

    [[nodiscard]] QString readAloud() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    [[nodiscard]] QSize sizeHint() const override { return {900, 420}; }

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    /// A bar to be opened: where one is, and which.
    struct Opening {
        std::size_t depth = 0;
        RunKey key;

        bool operator==(const Opening& other) const {
            return depth == other.depth && key.key == other.key.key && key.title == other.key.title;
        }
    };
    void changed();
    void opened();

    QString sentence_;
    std::shared_ptr<OpenedRuns> opened_runs_;
    RunBrowser browser_;
    Inquiry<Opening, RunPtr> opening_;
};

} // namespace meshslice::ui
