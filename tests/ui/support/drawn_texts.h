#pragma once

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPolygonF>
#include <QString>
#include <QStringList>

#include <cmath>
#include <vector>

namespace meshslice::ui {

/// A page that draws nothing and remembers where the ink of each text would be.
class DrawnTexts : public QPaintDevice {
  public:
    struct Text {
        QPolygonF ink; ///< turned as it is drawn
        QString words;
    };

    explicit DrawnTexts(const QSize& size) : size_(size), engine_(this) {}

    [[nodiscard]] const std::vector<Text>& texts() const { return texts_; }
    /// The texts that stand on others, in words. The same text in the same place is one, with a halo.
    [[nodiscard]] QStringList overlaps() const {
        constexpr double most = 1.0; // of a square pixel: edges that touch
        QStringList found;
        for (std::size_t one = 0; one < texts_.size(); ++one) {
            for (std::size_t other = 0; other < one; ++other) {
                const Text& a = texts_[one];
                const Text& b = texts_[other];
                if (!a.ink.boundingRect().intersects(b.ink.boundingRect()) ||
                    (a.words == b.words && distance(a, b) < 2)) {
                    continue;
                }
                if (area(a.ink.intersected(b.ink)) > most) {
                    found << QStringLiteral("“%1” stands on “%2”").arg(a.words, b.words);
                }
            }
        }
        return found;
    }
    /// The texts that leave the page.
    [[nodiscard]] QStringList outside() const {
        const QRectF page = QRectF(QPointF(0, 0), size_).adjusted(-0.5, -0.5, 0.5, 0.5);
        QStringList found;
        for (const Text& text : texts_) {
            if (!page.contains(text.ink.boundingRect())) {
                found << text.words;
            }
        }
        return found;
    }

    [[nodiscard]] QPaintEngine* paintEngine() const override { return &engine_; }

  protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override {
        constexpr int dots = 96;
        constexpr int colours = 32;
        switch (metric) {
        case PdmWidth: return size_.width();
        case PdmHeight: return size_.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY: return dots;
        case PdmDepth: return colours;
        case PdmDevicePixelRatio: return 1;
        default: return QPaintDevice::metric(metric);
        }
    }

  private:
    class Engine : public QPaintEngine {
      public:
        explicit Engine(DrawnTexts* page) : QPaintEngine(AllFeatures), page_(page) {}
        bool begin(QPaintDevice* /*device*/) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState& state) override {
            if (state.state().testFlag(DirtyTransform)) {
                transform_ = state.transform();
            }
        }
        void drawPixmap(const QRectF& /*to*/, const QPixmap& /*pixmap*/, const QRectF& /*from*/) override {}
        void drawImage(const QRectF& /*to*/, const QImage& /*image*/, const QRectF& /*from*/,
                       Qt::ImageConversionFlags /*flags*/) override {}
        void drawPath(const QPainterPath& /*path*/) override {}
        void drawPolygon(const QPointF* /*points*/, int /*count*/, PolygonDrawMode /*mode*/) override {}
        void drawRects(const QRectF* /*rects*/, int /*count*/) override {}
        void drawLines(const QLineF* /*lines*/, int /*count*/) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            if (item.text().trimmed().isEmpty()) {
                return;
            }
            const QRectF ink = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at);
            page_->texts_.push_back({transform_.map(QPolygonF(ink)), item.text()});
        }
        [[nodiscard]] Type type() const override { return User; }

      private:
        DrawnTexts* page_;
        QTransform transform_;
    };

    [[nodiscard]] static double area(const QPolygonF& polygon) {
        double twice = 0;
        for (qsizetype k = 0; k < polygon.size(); ++k) {
            const QPointF& a = polygon[k];
            const QPointF& b = polygon[(k + 1) % polygon.size()];
            twice += a.x() * b.y() - b.x() * a.y();
        }
        return std::abs(twice) / 2;
    }
    [[nodiscard]] static double distance(const Text& a, const Text& b) {
        const QPointF d = a.ink.boundingRect().center() - b.ink.boundingRect().center();
        return std::hypot(d.x(), d.y());
    }

    QSize size_;
    std::vector<Text> texts_;
    mutable Engine engine_;
};

} // namespace meshslice::ui
