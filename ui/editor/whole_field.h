#pragma once

#include <QAbstractSpinBox>

#include <cstdint>

namespace meshslice::ui {

/// A field for a whole number of up to 64 bits. What is typed counts at once, so that the picture follows the
/// typing; what is not a whole number is said and changes nothing.
class WholeField : public QAbstractSpinBox {
    Q_OBJECT
  public:
    /// What the arrows do: add and subtract one, or double and halve, as suits sizes that are powers of two.
    enum class Arrows : std::uint8_t { by_one, by_two };

    explicit WholeField(Arrows arrows, QWidget* parent = nullptr);

    [[nodiscard]] std::int64_t value() const { return value_; }
    /// Shows a value that came from elsewhere. Text being typed that already says it is left alone.
    void show(std::int64_t value);
    /// Shows the value again over whatever was typed.
    void revert();

    void stepBy(int steps) override;
    QValidator::State validate(QString& input, int& position) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void edited(qint64 value);
    void garbled(const QString& sentence);
    /// The user has left the field or pressed Enter.
    void left();

  protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;
    bool event(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    /// The wheel scrolls the panel; it never changes a number.
    void wheelEvent(QWheelEvent* event) override;

  private:
    void readText(const QString& text);

    Arrows arrows_;
    std::int64_t value_ = 1;
};

} // namespace meshslice::ui
