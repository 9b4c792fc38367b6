#pragma once

#include "ui/charts/chart_canvas.h"
#include "ui/view/view.h"

class QSplitter;

namespace meshslice::ui {

/// A view that computes something of its own, apart from the run: a chart with tables below it. It computes
/// off the UI thread and only while it is seen; what is asked, and by which inquiry, is for the view to say.
class ChartJobView : public View {
    Q_OBJECT
  public:
    ChartJobView(Session* session, QWidget* parent);

    /// It has a state of its own: a scenario that does not run leaves it alone.
    [[nodiscard]] bool isStale() const override { return updatesForLong(); }
    [[nodiscard]] std::vector<KeyHelp> keys() const override { return canvas_->keys(); }
    void giveUp() override;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] double pictureHeight(double width) const override;

    [[nodiscard]] ChartCanvas* canvas() const { return canvas_; }
    [[nodiscard]] QSize sizeHint() const override { return {900, 600}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return leastOfLayout({360, 300}); }

  signals:
    /// What was asked is answered, or refused.
    void answered();

  protected:
    /// Asks for what is wanted, unless it is shown or under way.
    virtual void renew() = 0;
    /// Gives up what is under way; without `awaited`, unless a file waits for it.
    virtual void cancel(bool awaited) = 0;
    /// What can be asked has changed with the scenario.
    virtual void takeScenario() {}
    /// Paints the picture for a file; there is a current one.
    virtual void paintCurrent(QPainter& painter, const QSize& size, Theme theme) const;

    void resultsChanged() override {}
    void stateChanged() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

    /// The picture above its tables, three parts to one.
    [[nodiscard]] QSplitter* makeStack(QWidget* picture, QWidget* tables);

  private:
    void leaveRoomForPicture();

    ChartCanvas* canvas_;
    QWidget* stacked_ = nullptr; ///< the picture above its tables, if there are any
};

} // namespace meshslice::ui
