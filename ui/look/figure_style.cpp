#include "ui/look/figure_style.h"

#include <utility>

namespace meshslice::ui {
namespace {

FigureStyle*& styleNow() {
    static FigureStyle* style = nullptr;
    return style;
}

} // namespace

FigureStyle::FigureStyle(std::optional<QString> title, QString family, bool stands_above)
    : title_(std::move(title))
    , family_(std::move(family))
    , stands_above_(stands_above)
    , before_(std::exchange(styleNow(), this))
    , notes_(before_ == nullptr || before_->notes_) {}

FigureStyle::FigureStyle(std::optional<QString> title, QString family, bool stands_above, bool notes)
    : FigureStyle(std::move(title), std::move(family), stands_above) {
    notes_ = notes;
}

FigureStyle::~FigureStyle() {
    styleNow() = before_;
}

QString pictureTitle(const QString& own) {
    FigureStyle* style = styleNow();
    if (style == nullptr) {
        return own;
    }
    if (style->own_.isEmpty()) {
        style->own_ = own;
    }
    return style->title_.value_or(own);
}

std::optional<QString> figureTitle() {
    const FigureStyle* style = styleNow();
    return style == nullptr ? std::nullopt : style->title_;
}

bool hasNoTitle() {
    const std::optional<QString> title = figureTitle();
    return title && title->isEmpty();
}

bool titleStandsAbove() {
    const FigureStyle* style = styleNow();
    return style != nullptr && style->stands_above_;
}

bool hasNotes() {
    const FigureStyle* style = styleNow();
    return style == nullptr || style->notes_;
}

QString pictureFamily() {
    const FigureStyle* style = styleNow();
    return style == nullptr ? QString() : style->family_;
}

} // namespace meshslice::ui
