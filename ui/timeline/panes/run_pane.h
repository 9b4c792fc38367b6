#pragma once

#include "core/run/run_key.h"
#include "ui/session/inquiry.h"
#include "ui/timeline/run_browser.h"
#include "ui/timeline/run_layout.h"
#include "ui/view/readable.h"
#include "ui/view/view.h"

#include <QString>
#include <QWidget>

#include <cstddef>
#include <memory>
#include <vector>

namespace meshslice::ui {

/// Runs in a widget of their own, one below the other, whose bars open: what RunBrowser knows, painted, with
/// keys, mouse, tips, and for screen readers. What is inside a bar is made off the UI thread.
class RunPane : public QWidget, public Readable {
    Q_OBJECT
  public:
    explicit RunPane(QWidget* parent = nullptr);

    void show(RunWindow window);
    /// Nothing, and why.
    void explain(const QString& sentence);

    [[nodiscard]] const RunBrowser& browser() const { return browser_; }
    /// What opens bars, for tests.
    [[nodiscard]] LatestJob* opens() { return opening_.job(); }
    [[nodiscard]] static std::vector<KeyHelp> keys();
    void cancel() { opening_.cancel(); }
    /// Of what is seen, for a file; nothing where there is nothing.
    void paintFor(QPainter& painter, const QSize& size, Theme theme) const;
    [[nodiscard]] double leastHeight() const;

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
    void browsed();
    void opened();
    [[nodiscard]] RunLayout layoutNow() const;

    QString sentence_;
    RunBrowser browser_;
    std::shared_ptr<OpenedRuns> opened_runs_;
    Inquiry<Opening, RunPtr> opening_;
};

} // namespace meshslice::ui
