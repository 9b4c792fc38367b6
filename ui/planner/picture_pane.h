#pragma once

#include "ui/controls/tip.h"
#include "ui/look/picture_scale.h"
#include "ui/planner/plan_pane.h"
#include "ui/view/painted_view.h"
#include "ui/view/readable.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QStringList>

#include <cmath>
#include <optional>
#include <utility>

namespace meshslice::ui {

/// A page that paints what it knows of the selected plan, or the sentence that stands in its place; as high
/// as the picture needs, with a tip for each of its parts, and read by screen readers.
template <class Answer>
class PicturePane : public AskingPane<ChosenPlan, Answer>, public Readable {
  public:
    void follow(const std::optional<ChosenPlan>& chosen) override { this->want(chosen); }
    void paintFor(QPainter& painter, const QSize& size, Theme theme) const override {
        paintNow(painter, size, theme);
    }
    [[nodiscard]] QSize sizeHint() const override { return {900, 420}; }

  protected:
    using Compute = typename Inquiry<ChosenPlan, Answer>::Compute;

    PicturePane(Compute compute, QWidget* parent)
        : AskingPane<ChosenPlan, Answer>(std::move(compute), parent) {
        letReadablesBeRead();
        this->setFocusPolicy(Qt::StrongFocus);
        this->setAttribute(Qt::WA_OpaquePaintEvent);
    }

    /// The following are of the picture, in its pixels, and asked where isReady().
    virtual void paintNow(QPainter& painter, const QSize& size, Theme theme) const = 0;
    /// Over it, in the window alone.
    virtual void paintOver(QPainter& /*painter*/, const QSize& /*size*/, Theme /*theme*/) const {}
    [[nodiscard]] virtual QStringList linesAt(const QPoint& point) const = 0;
    [[nodiscard]] virtual int leastHeight(int width) const = 0;

    /// After anything that it shows has changed.
    void pictureChanged() {
        const int least = this->isReady() ? leastHeight(toPicture(this->size()).width()) : 0;
        this->setMinimumHeight(static_cast<int>(std::ceil(least * pictureScale())));
        this->update();
    }

    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTip) {
            auto* help = static_cast<QHelpEvent*>(event);
            showTip(help, this, this->isReady() ? linesAt(toPicture(help->pos())) : QStringList());
            return true;
        }
        return AskingPane<ChosenPlan, Answer>::event(event);
    }
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.scale(pictureScale(), pictureScale());
        const QSize laid_out = toPicture(this->size());
        const Theme theme = themeOf(this->palette());
        if (this->isReady()) {
            paintNow(painter, laid_out, theme);
            paintOver(painter, laid_out, theme);
        } else {
            painter.fillRect(QRect(QPoint(0, 0), laid_out), color(Role::background, theme));
            paintSentence(painter, QRectF(QPointF(0, 0), laid_out), this->sentence(), theme);
        }
        painter.resetTransform();
        paintFocusFrame(painter, *this);
    }
    void changeEvent(QEvent* event) override {
        if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
            pictureChanged();
        }
        AskingPane<ChosenPlan, Answer>::changeEvent(event);
    }
    void resizeEvent(QResizeEvent* event) override {
        AskingPane<ChosenPlan, Answer>::resizeEvent(event);
        pictureChanged();
    }
};

} // namespace meshslice::ui
