#pragma once

#include "ui/view/view.h"

namespace meshslice::ui {

/// A view that paints itself, and the sentence where it has no picture.
class PaintedView : public View {
    Q_OBJECT
  public:
    PaintedView(Session* session, QWidget* parent);

    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const final;

  protected:
    [[nodiscard]] Theme theme() const { return themeOf(palette()); }

    void stateChanged() override;
    /// Paints the picture into the widget; there is one.
    virtual void paintContent(QPainter& painter) = 0;
    /// Paints the picture for a file; there is a current one.
    virtual void paintForFile(QPainter& painter, const QSize& size, Theme theme) const = 0;

    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// The theme has changed; the next paint is with other colours.
    virtual void themeChanged() {}

  private:
    QString painted_; ///< the sentence that was painted last
};

/// Paints a sentence into the middle of `area`, wrapped.
void paintSentence(QPainter& painter, const QRectF& area, const QString& sentence, Theme theme);

} // namespace meshslice::ui
