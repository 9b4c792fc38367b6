#pragma once

#include <QAbstractButton>
#include <QString>

#include <optional>

class QLineEdit;

namespace meshslice::ui {

/// What a card shows of a variant.
struct CardFace {
    QString name;
    QString letter;      ///< "A": pinned, "B": compared with A; else empty
    QString answer;      ///< "61.7 ms, 66%"
    QString difference;  ///< to A: "-27%"
    QString trouble;     ///< "does not fit", "does not run"
    QString tip;         ///< as rich text
    double length = 0;   ///< of the bar: this time over the longest one's
    double computes = 0; ///< share of the time in which the core multiplies
    double waits = 0;    ///< share in which it waits for communication
    bool current = false;

    bool operator==(const CardFace&) const = default;
};

/// A card of the strip: the name and the answer, below a bar of where the time goes and the difference to A.
class VariantCard : public QAbstractButton {
    Q_OBJECT
  public:
    explicit VariantCard(QWidget* parent);

    void setFace(const CardFace& face);
    [[nodiscard]] const CardFace& face() const { return face_; }
    /// Folded, a card is one line: the name, the answer and the difference, without the bar.
    void setFolded(bool folded);
    /// Asks for another name in place.
    void editName();
    /// Leaves the name; `take`: with what was typed.
    void endName(bool take);
    /// Null while no name is asked for.
    [[nodiscard]] QLineEdit* nameField() { return name_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void nameAsked(const QString& name);
    /// Dragged and let go with its middle here, in the parent's pixels.
    void dropped(int x);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void paintBar(QPainter& painter, const QRectF& area) const;
    void paintFolded(QPainter& painter, const QRectF& area) const;
    void placeName();

    CardFace face_;
    bool folded_ = false;
    QLineEdit* name_ = nullptr;
    std::optional<int> grabbed_; ///< where the mouse was pressed
    bool drags_ = false;
};

} // namespace meshslice::ui
