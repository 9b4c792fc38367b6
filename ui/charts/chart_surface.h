#pragma once

#include "ui/charts/chart_picture.h"
#include "ui/view/readable.h"

#include <QFont>
#include <QObject>
#include <QSize>
#include <QStringList>

#include <optional>

class QHelpEvent;
class QKeyEvent;
class QMouseEvent;
class QWidget;

namespace meshslice::ui {

/// Which keys of its widget a chart takes.
enum class ChartKeys : std::uint8_t {
    all,    ///< digits and, where nothing can be selected, arrows
    digits, ///< the widget has another use for the arrows
    walk    ///< digits and arrows, and Enter, which selects what the arrows have come to
};

/// A chart in a widget: what stands under the pointer says its value, a click selects what it stands for, a
/// click on the legend shows that series alone, and again all; Ctrl+click hides or shows one. Keys: the
/// digits show a series of the legend alone, 0 all; where nothing can be selected the arrows go from value to
/// value. The widget paints it; its events come here first.
class ChartSurface : public QObject {
    Q_OBJECT
  public:
    explicit ChartSurface(QWidget* owner, ChartKeys keys = ChartKeys::all);
    ~ChartSurface() override;

    /// The chart that is shown; none lets the widget's events pass. Series stay hidden while the new chart
    /// has their names.
    void setChart(std::optional<Chart> chart);
    [[nodiscard]] const std::optional<Chart>& chart() const { return chart_; }
    /// Where it stands in the widget's picture; all of it at first.
    void setArea(const QRect& area);
    void select(std::optional<int> item);

    /// The painter is enlarged as pictures are.
    void paint(QPainter& painter);
    /// The same as a picture for a file: with the same series and selection.
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const;

    /// What stands at a point of the widget's picture, line by line; empty where there is nothing.
    [[nodiscard]] QStringList linesAt(const QPoint& point);
    /// What stands for an item.
    [[nodiscard]] QStringList linesOfItem(int item);
    /// Its values, as screen readers read them.
    [[nodiscard]] std::vector<ReadablePart> readableParts();
    [[nodiscard]] const ChartLayout& layout();
    /// From the coordinates of the widget's picture to the chart's.
    [[nodiscard]] QPoint offset() const;
    [[nodiscard]] const std::set<std::string>& hidden() const { return hidden_; }

    /// Shows a series alone, or all again.
    void isolate(const std::string& name);
    void toggle(const std::string& name);

    bool eventFilter(QObject* watched, QEvent* event) override;

  signals:
    /// An item was clicked, or none.
    void picked(std::optional<int> item);
    /// The value under the keys, in words.
    void described(const QString& words);

  private:
    struct Hit {
        std::optional<std::pair<std::size_t, std::size_t>> mark;
        std::optional<std::size_t> entry;
        const ChartRow* row = nullptr;
    };
    [[nodiscard]] Hit hit(const QPoint& point);
    [[nodiscard]] QStringList linesOf(const Hit& at);
    [[nodiscard]] std::set<std::string> names() const;
    [[nodiscard]] bool selects() const;
    bool press(QMouseEvent* event);
    bool key(QKeyEvent* event);
    void move(int turn);
    void mark(const ChartMarks& marks);
    void renew();

    QWidget* owner_;
    ChartKeys keys_;
    std::optional<Chart> chart_;
    std::optional<QRect> area_;
    std::set<std::string> hidden_;
    ChartMarks marks_;
    std::unique_ptr<ChartPicture> picture_; ///< derived; none until asked for
    QSize size_;
    Theme theme_ = Theme::light;

    /// What a picture for a file was laid out for.
    struct Drawn {
        QSize size;
        Theme theme = Theme::light;
        std::optional<QString> title; ///< of the figure's own
        bool stands_above = false;
        QFont font;
        bool notes = true;

        bool operator==(const Drawn&) const = default;
    };
    mutable std::unique_ptr<ChartPicture> drawn_picture_; ///< derived, for files
    mutable Drawn drawn_;
};

} // namespace meshslice::ui
