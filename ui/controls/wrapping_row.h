#pragma once

#include <QLayout>
#include <QRect>
#include <QSize>
#include <QString>

#include <memory>
#include <vector>

class QLabel;

namespace meshslice::ui {

/// Fields next to each other, in one line where each can show what is in it, else in as many lines as they
/// take: a field that is cut lies about its number. A label stays with the field that it names: with the one
/// before it where that is its buddy, such as a unit, else with the one after it. What is typed moves nothing
/// until the field is left; what a program writes does.
class WrappingRow : public QLayout {
  public:
    /// `spacing`: pixels between fields, and between lines.
    explicit WrappingRow(int spacing);
    ~WrappingRow() override;
    WrappingRow(const WrappingRow&) = delete;
    WrappingRow& operator=(const WrappingRow&) = delete;

    /// `stretch` is the widget's share of the room that is left over in its line: none where it is 0. The
    /// widget belongs to the one that the layout is of.
    void add(QWidget* widget, int stretch = 0);
    void addWidget(QWidget* widget) = delete; ///< add()

    void addItem(QLayoutItem* item) override; ///< takes `item`, with no stretch
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    [[nodiscard]] QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    /// False on purpose: a scroll area gives a page with a height for its width the height that it would like
    /// to have, and scrolls where less is enough. The height is that for the width which the row has.
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;
    void invalidate() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Part {
        std::unique_ptr<QLayoutItem> item;
        int stretch = 0;
        QString text;   ///< of a field, for which it has room
        int wanted = 0; ///< how wide it is to show it
    };
    using Parts = std::vector<const Part*>;

    void measure() const;
    /// With the margins.
    [[nodiscard]] int heightAt(int width) const;
    /// What is shown, in parts that stay on one line.
    [[nodiscard]] std::vector<Parts> groups() const;
    [[nodiscard]] std::vector<Parts> lines(int room) const;
    [[nodiscard]] std::vector<int> widths(const Parts& line, int room) const;
    [[nodiscard]] int wanted(const Parts& parts) const;
    [[nodiscard]] static int heightOf(const Parts& line, const std::vector<int>& widths);

    mutable std::vector<Part> parts_;
    mutable bool measured_ = false; ///< since it was invalidated
    int width_ = -1;                ///< that it has, with the margins; -1 before it has one
};

/// A sentence above a picture that takes as many lines as it needs, and gives no page a height for its width.
[[nodiscard]] WrappingRow* sentenceRow(QLabel* sentence);

} // namespace meshslice::ui
