#pragma once

#include <QLayout>
#include <QRect>
#include <QSize>

#include <memory>
#include <vector>

namespace meshslice::ui {

/// Fields next to each other, in one line where each can show what is in it, else in as many lines as they
/// take: a field that is cut lies about its number. A label stays with the field that it names: with the one
/// before it where that is its buddy, such as a unit, else with the one after it.
class WrappingRow : public QLayout {
  public:
    explicit WrappingRow(int spacing);
    ~WrappingRow() override;
    WrappingRow(const WrappingRow&) = delete;
    WrappingRow& operator=(const WrappingRow&) = delete;

    /// `stretch` is the widget's share of the room that is left over in its line: none where it is 0.
    void add(QWidget* widget, int stretch = 0);

    void addItem(QLayoutItem* item) override; ///< takes `item`, with no stretch
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    [[nodiscard]] QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    /// False: what a view is in gives it the height that it would like to have by its width, whether it needs
    /// it or not, and scrolls. The height is that of the width which the row has, and changes with it.
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

  private:
    struct Part {
        std::unique_ptr<QLayoutItem> item;
        int stretch = 0;
    };
    using Parts = std::vector<const Part*>;

    /// With the margins.
    [[nodiscard]] int heightAt(int width) const;

    /// What is shown, in parts that stay on one line.
    [[nodiscard]] std::vector<Parts> groups() const;
    [[nodiscard]] std::vector<Parts> lines(int room) const;
    [[nodiscard]] std::vector<int> widths(const Parts& line, int room) const;
    [[nodiscard]] int wanted(const Parts& parts) const;
    [[nodiscard]] static int heightOf(const Parts& line, const std::vector<int>& widths);

    std::vector<Part> parts_;
    int width_ = -1; ///< that it has, with the margins; -1 before it has one
};

} // namespace meshslice::ui
