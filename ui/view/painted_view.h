#pragma once

#include "ui/look/picture_scale.h"
#include "ui/view/readable.h"
#include "ui/view/view.h"

#include <QPixmap>

#include <functional>
#include <vector>

namespace meshslice::ui {

/// A view that paints itself, and the sentence where it has no picture.
class PaintedView : public View, public Readable {
    Q_OBJECT
  public:
    PaintedView(Session* session, QWidget* parent);

    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const final;
    [[nodiscard]] double pictureHeight(double width) const override;

    /// The size that the picture in the widget is laid out for.
    [[nodiscard]] QSize pictureSize() const { return toPicture(size()); }

    [[nodiscard]] QString readAloud() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override { return {}; }

  protected:
    [[nodiscard]] Theme theme() const { return themeOf(palette()); }

    void stateChanged() override;
    /// What the picture says, where the accessible description is only about what is selected.
    [[nodiscard]] virtual QString atAGlance() const { return {}; }
    /// How high the picture has to be at this width to be read, in the pixels it is laid out in. Where the
    /// window has less room it scrolls.
    [[nodiscard]] virtual double leastHeight(double /*width*/) const { return 0; }
    /// Paints the picture into the widget, in the pixels it is laid out in; there is one.
    virtual void paintContent(QPainter& painter) = 0;
    /// Paints the picture for a file; there is a current one.
    virtual void paintForFile(QPainter& painter, const QSize& size, Theme theme) const = 0;

    /// What is said about a point of the widget, line by line; empty where there is nothing to say.
    [[nodiscard]] virtual QStringList tipAt(const QPoint& /*point*/) const { return {}; }
    /// Whether a key is the picture's: without Ctrl, Alt and the like, while it has the focus, and whatever
    /// shortcuts the window has. `act`: does it.
    virtual bool handleKey(int /*key*/, bool /*act*/) { return false; }

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    /// The theme or the size of the letters has changed; the next paint is with others.
    virtual void looksChanged() {}

    /// After `leastHeight` has changed. To know it a picture is laid out, so a view that is hidden asks when
    /// it is shown.
    void takeHeight();

    /// Paints with `paintBase` into a pixmap of the widget's size unless it is there, and the pixmap.
    void paintBuffered(QPainter& painter, QPixmap& base,
                       const std::function<void(QPainter& painter)>& paintBase) const;

  private:
    QString painted_; ///< the sentence that was painted last
    bool height_is_due_ = false;
};

/// Calls `paint` with a painter that is enlarged as pictures are, and the size that the picture is laid out
/// for.
void paintEnlarged(QPainter& painter, const QSize& size, Theme theme,
                   const std::function<void(const QSize& size)>& paint);

/// Paints a sentence into the middle of `area`, wrapped.
void paintSentence(QPainter& painter, const QRectF& area, const QString& sentence, Theme theme);

} // namespace meshslice::ui
