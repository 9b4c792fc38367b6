#pragma once

#include <QWidget>

namespace meshslice::ui {

/// One line of text that is cut with an ellipsis where there is no room, and is then whole in its tooltip. It
/// never forces a window to be wide.
class ElidedLabel : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

    void setText(const QString& text);
    /// What the tooltip says below the text, as rich text.
    void setMore(const QString& more);
    [[nodiscard]] const QString& text() const { return text_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void renewTip();

    QString text_;
    QString more_;
};

} // namespace meshslice::ui
