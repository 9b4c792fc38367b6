#pragma once

#include <QPointer>
#include <QWidget>

namespace meshslice::ui {

/// A frame around a widget, which it follows: two pixels in the colour of the text with a gap, as what is
/// selected has. It stands still and takes no clicks.
class HighlightFrame : public QWidget {
    Q_OBJECT
  public:
    /// Becomes a child of what `target` is a child of.
    explicit HighlightFrame(QWidget* target);

    [[nodiscard]] QWidget* target() const { return target_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void follow();

    QPointer<QWidget> target_;
};

} // namespace meshslice::ui
