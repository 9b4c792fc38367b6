#pragma once

#include "ui/breakdown/breakdown_picture.h"
#include "ui/view/painted_view.h"

#include <QStringList>

#include <optional>

namespace meshslice::ui {

/// Where the time of each product goes: multiplication and exposed communication, and below it all
/// communication by cause; both algorithms side by side. Hover explains a bar, a click selects its product;
/// Up and Down step through the products.
class BreakdownView : public PaintedView {
    Q_OBJECT
  public:
    explicit BreakdownView(Session* session, QWidget* parent = nullptr);

    /// What stands at a point, line by line; empty where there is nothing.
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;
    [[nodiscard]] const BreakdownLayout& barLayout() const { return picture().layout; }

    [[nodiscard]] QSize sizeHint() const override { return {800, 520}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 260}; }

  protected:
    void resultsChanged() override;
    void paintContent(QPainter& painter) override;
    void paintForFile(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString nothingToShow() const override;

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// A line of a group, and the group.
    struct Hit {
        const BreakdownGroup* group = nullptr;
        const BreakdownLine* line = nullptr;
    };
    [[nodiscard]] Hit hit(const QPoint& point) const;
    [[nodiscard]] QStringList lines(const BreakdownRow& row) const;
    const BreakdownPicture& picture() const;
    void describeSelection();

    std::vector<BreakdownRow> rows_;
    mutable std::optional<BreakdownPicture> picture_; ///< derived; empty until asked for
};

} // namespace meshslice::ui
