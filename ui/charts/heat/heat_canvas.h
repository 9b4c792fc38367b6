#pragma once

#include "ui/charts/heat/heat_picture.h"
#include "ui/view/readable.h"
#include "ui/view/view.h"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// A widget with a heat map alone, or the sentence that stands in its place; in a scroll area it is as high
/// as its cells need. The pointer says what a cell is, a click picks it; the arrows go from cell to cell,
/// Enter picks.
class HeatCanvas : public QWidget, public Readable {
    Q_OBJECT
  public:
    explicit HeatCanvas(QWidget* parent = nullptr);

    void show(std::optional<HeatMap> map, const QString& sentence);
    [[nodiscard]] const std::optional<HeatMap>& map() const { return map_; }
    /// The cell that the keyboard has come to: at first the best.
    [[nodiscard]] std::optional<std::size_t> selected() const;
    [[nodiscard]] std::vector<KeyHelp> keys() const;
    [[nodiscard]] QString readAloud() const override { return accessibleDescription(); }
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    [[nodiscard]] HeatLayout layoutNow() const;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const;

    [[nodiscard]] QSize sizeHint() const override { return {700, 380}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {280, 180}; }

  signals:
    /// The item of a cell was picked.
    void picked(int item);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void takeHeight();
    void pick(std::size_t cell);
    void move(int rows, int columns);

    std::optional<HeatMap> map_;
    std::optional<std::size_t> selected_;
    QString sentence_;
};

} // namespace meshslice::ui
