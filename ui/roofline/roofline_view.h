#pragma once

#include "ui/roofline/roofline_picture.h"
#include "ui/view/painted_view.h"

#include <QStringList>

#include <optional>

namespace meshslice::ui {

/// What bounds each product: the chip's roofline beside the links' one, a mark for each product. Hover
/// explains a mark, a click selects its product; the Left and Right keys step through the products.
class RooflineView : public PaintedView {
    Q_OBJECT
  public:
    explicit RooflineView(Session* session, QWidget* parent = nullptr);

    /// What stands at a point, line by line; empty where there is nothing.
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;
    /// Where the marks are, for whoever wants to point at one: the chip's panel, then the links' one.
    [[nodiscard]] const std::vector<RooflinePanel>& panels() const { return picture().panels; }

    [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 240}; }

  protected:
    void resultsChanged() override;
    void paintContent(QPainter& painter) override;
    void paintForFile(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString nothingToShow() const override;

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Hit {
        std::size_t panel = 0;
        std::size_t dot = 0;
        bool operator==(const Hit&) const = default;
    };
    [[nodiscard]] std::optional<Hit> hit(const QPoint& point) const;
    [[nodiscard]] QStringList lines(const RooflinePanel& panel, const RooflineDot& dot) const;
    const RooflinePicture& picture() const;
    void describeSelection();

    Roofline chip_;
    Roofline links_;
    mutable std::optional<RooflinePicture> picture_; ///< derived; empty until asked for
    std::optional<Hit> hovered_;
};

} // namespace meshslice::ui
