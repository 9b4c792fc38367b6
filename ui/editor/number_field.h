#pragma once

#include <QAbstractSpinBox>

#include <functional>
#include <optional>

namespace meshslice::ui {

/// A field for a number: digits, a quantity with its unit, or an expression such as 2*64. What is typed
/// counts at once, so that the picture follows the typing; a text that is not a number changes nothing, and
/// neither does the part of it that would be one.
class NumberField : public QAbstractSpinBox {
    Q_OBJECT
  public:
    /// The plain form of what a text means ("2*64" is "128"); none where it means no number.
    using Meaning = std::function<std::optional<QString>(const QString& typed)>;
    /// The number that many steps of the arrows away.
    using Step = std::function<QString(const QString& shown, int steps)>;

    NumberField(Meaning meaning, Step step, QWidget* parent = nullptr);

    /// Shows a number, in its plain form, that came from elsewhere. Text being typed that already means it is
    /// left alone.
    void show(const QString& number);

    void stepBy(int steps) override;
    QValidator::State validate(QString& input, int& position) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    /// The whole text after every key; empty where the user is about to type something else.
    void edited(const QString& text);
    /// The user has left the field or pressed Enter.
    void left();

  protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;
    bool event(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    /// What a text can, and the field's own actions.
    void contextMenuEvent(QContextMenuEvent* event) override;
    /// The wheel scrolls the panel; it never changes a number.
    void wheelEvent(QWheelEvent* event) override;

  private:
    void readText(const QString& text);
    void revert();
    /// The plain form of an expression, below the field.
    void showMeaning(const QString& text);

    Meaning meaning_;
    Step step_;
    QString shown_;
    bool reading_ = false; ///< what comes back while a key is handled leaves the typed text alone
};

/// Steps of a whole number from 1 on: by one, or doubling and halving, as suits sizes that are powers of two.
[[nodiscard]] QString steppedByOne(const QString& shown, int steps);
[[nodiscard]] QString steppedByTwo(const QString& shown, int steps);

} // namespace meshslice::ui
