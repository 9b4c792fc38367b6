#include "ui/view/readable.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPainter>
#include <QPointer>
#include <QWidget>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace meshslice::ui {
namespace {

/// A part as a screen reader sees it. It holds no copy: what is under its number may be another one soon.
class PartInterface : public QAccessibleInterface {
  public:
    PartInterface(QWidget* picture, std::size_t number) : picture_(picture), number_(number) {}

    [[nodiscard]] bool isValid() const override { return part().has_value(); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(picture_);
    }
    [[nodiscard]] QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }

    [[nodiscard]] QString text(QAccessible::Text which) const override {
        const std::optional<ReadablePart> now = part();
        return !now                                ? QString()
               : which == QAccessible::Name        ? now->name
               : which == QAccessible::Description ? now->text
                                                   : QString();
    }
    void setText(QAccessible::Text /*which*/, const QString& /*text*/) override {}
    [[nodiscard]] QRect rect() const override {
        const std::optional<ReadablePart> now = part();
        return now ? QRect(picture_->mapToGlobal(now->area.topLeft()), now->area.size()) : QRect();
    }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state;
        const std::optional<ReadablePart> now = part();
        state.selectable = true;
        state.readOnly = true;
        state.selected = now && now->selected;
        state.invisible = !now || !picture_->isVisible();
        state.offscreen = now && !picture_->visibleRegion().intersects(now->area);
        return state;
    }

  private:
    [[nodiscard]] std::optional<ReadablePart> part() const {
        const auto* readable = dynamic_cast<const Readable*>(picture_.data());
        if (readable == nullptr) {
            return std::nullopt;
        }
        std::vector<ReadablePart> parts = readable->readableParts();
        return number_ < parts.size() ? std::optional(std::move(parts[number_])) : std::nullopt;
    }

    QPointer<QWidget> picture_;
    std::size_t number_;
};

/// A painted widget: its own widgets first, then the parts of its picture.
class PictureInterface : public QAccessibleWidget {
  public:
    explicit PictureInterface(QWidget* picture) : QAccessibleWidget(picture, QAccessible::Chart) {}

    [[nodiscard]] QString text(QAccessible::Text which) const override {
        const auto* readable = dynamic_cast<const Readable*>(widget());
        return which == QAccessible::Description && readable != nullptr ? readable->readAloud()
                                                                        : QAccessibleWidget::text(which);
    }
    [[nodiscard]] int childCount() const override {
        return QAccessibleWidget::childCount() + static_cast<int>(partCount());
    }
    [[nodiscard]] QAccessibleInterface* child(int index) const override {
        const int widgets = QAccessibleWidget::childCount();
        if (index < widgets) {
            return QAccessibleWidget::child(index);
        }
        const auto number = static_cast<std::size_t>(index - widgets);
        if (number >= partCount()) {
            return nullptr;
        }
        while (parts_.size() <= number) {
            parts_.push_back(
                QAccessible::registerAccessibleInterface(new PartInterface(widget(), parts_.size())));
        }
        return QAccessible::accessibleInterface(parts_[number]);
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
        for (std::size_t number = 0; number < parts_.size(); ++number) {
            if (QAccessible::accessibleInterface(parts_[number]) == child) {
                return QAccessibleWidget::childCount() + static_cast<int>(number);
            }
        }
        return QAccessibleWidget::indexOfChild(child);
    }

  protected:
    ~PictureInterface() override {
        for (const QAccessible::Id part : parts_) {
            QAccessible::deleteAccessibleInterface(part);
        }
    }

  private:
    [[nodiscard]] std::size_t partCount() const {
        const auto* readable = dynamic_cast<const Readable*>(widget());
        return readable != nullptr ? readable->readableParts().size() : 0;
    }

    mutable std::vector<QAccessible::Id> parts_; ///< those that somebody has asked for
};

QAccessibleInterface* interfaceOf(const QString& /*type*/, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    return dynamic_cast<Readable*>(widget) != nullptr ? new PictureInterface(widget) : nullptr;
}

} // namespace

ReadablePart readablePart(const QStringList& lines, const QRect& area, bool selected) {
    return {lines.value(0), lines.mid(1).join(QStringLiteral("; ")), area, selected};
}

void letReadablesBeRead() {
    static const bool installed = [] {
        QAccessible::installFactory(interfaceOf);
        return true;
    }();
    (void)installed;
}

void paintFocusFrame(QPainter& painter, const QWidget& widget) {
    if (widget.hasFocus()) {
        constexpr int width = 2;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(widget.palette().color(QPalette::Highlight), width, Qt::SolidLine, Qt::SquareCap,
                            Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(widget.rect().adjusted(1, 1, -1, -1));
        painter.restore();
    }
}

} // namespace meshslice::ui
