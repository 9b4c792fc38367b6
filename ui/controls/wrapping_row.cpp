#include "ui/controls/wrapping_row.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStyleOptionFrame>

#include <algorithm>
#include <cstddef>

namespace meshslice::ui {
namespace {

constexpr int fewest_letters = 7; // room to type a number into an empty field
constexpr int most_letters_typed = 24;
constexpr int most_letters_chosen = 40;
constexpr int letters_of_a_sentence = 44; // that goes on in the next line
constexpr int room_of_the_cursor = 6;

/// How much of a text of this width a field has to show: a number whole, of a long list its beginning.
int shownWidth(const QFontMetrics& letters, const QString& text, int most_letters) {
    const int letter = letters.averageCharWidth();
    return std::clamp(letters.horizontalAdvance(text), fewest_letters * letter, most_letters * letter);
}

/// What stands in a field; empty of what is none.
QString shownBy(const QWidget* widget) {
    if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
        return line->text().isEmpty() ? line->placeholderText() : line->text();
    }
    const auto* box = qobject_cast<const QComboBox*>(widget);
    return box != nullptr ? box->currentText() : QString();
}

/// Whether a user has changed the field and is still in it. What a program writes there is not typed.
bool isTypedInto(const QWidget* widget) {
    const auto* box = qobject_cast<const QComboBox*>(widget);
    const auto* line = box != nullptr ? box->lineEdit() : qobject_cast<const QLineEdit*>(widget);
    return line != nullptr && line->hasFocus() && line->isModified();
}

int widthFor(const QLineEdit& line, const QString& text) {
    const int width = shownWidth(line.fontMetrics(), text, most_letters_typed) + room_of_the_cursor;
    QStyleOptionFrame option;
    option.initFrom(&line);
    option.lineWidth = line.style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, &line);
    const QSize content(width, line.fontMetrics().height());
    return line.style()->sizeFromContents(QStyle::CT_LineEdit, &option, content, &line).width();
}

int widthFor(const QComboBox& box, const QString& text) {
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.editable = box.isEditable();
    const int width = shownWidth(box.fontMetrics(), text, most_letters_chosen) + room_of_the_cursor;
    const QSize content(width, box.fontMetrics().height());
    return box.style()->sizeFromContents(QStyle::CT_ComboBox, &option, content, &box).width();
}

int widthFor(const QLabel& sentence) {
    const int width = sentence.textFormat() == Qt::RichText
                          ? sentence.sizeHint().width() // its text has marks that are not shown
                          : sentence.fontMetrics().horizontalAdvance(sentence.text());
    return std::min(width, letters_of_a_sentence * sentence.fontMetrics().averageCharWidth());
}

/// What a widget needs to show `text`, if it is a field, or what it has.
int widthFor(QLayoutItem& item, const QString& text) {
    const QWidget* widget = item.widget();
    int wanted = item.minimumSize().width();
    if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
        wanted = std::max(wanted, widthFor(*line, text));
    } else if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
        wanted = std::max(wanted, widthFor(*box, text));
    } else if (const auto* label = qobject_cast<const QLabel*>(widget);
               label != nullptr && label->wordWrap()) {
        wanted = std::max(wanted, widthFor(*label));
    }
    return std::min(wanted, item.maximumSize().width());
}

bool isUnitOf(const QLabel& label, const QLayoutItem& before) {
    return label.buddy() != nullptr && label.buddy() == before.widget();
}

int ownHeight(QLayoutItem& item, int width) {
    return item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height();
}

} // namespace

WrappingRow::WrappingRow(int spacing) {
    setSpacing(spacing);
}

WrappingRow::~WrappingRow() = default;

void WrappingRow::add(QWidget* widget, int stretch) {
    addChildWidget(widget);
    parts_.push_back({std::make_unique<QWidgetItem>(widget), stretch, {}, 0});
    // What is written into a field, with signals or without, is painted again.
    widget->installEventFilter(this);
    if (const auto* box = qobject_cast<const QComboBox*>(widget);
        box != nullptr && box->lineEdit() != nullptr) {
        box->lineEdit()->installEventFilter(this);
    }
    invalidate();
}

void WrappingRow::addItem(QLayoutItem* item) {
    parts_.push_back({std::unique_ptr<QLayoutItem>(item), 0, {}, 0});
    invalidate();
}

void WrappingRow::invalidate() {
    measured_ = false;
    QLayout::invalidate();
}

bool WrappingRow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Paint && measured_) {
        for (const Part& part : parts_) {
            const QWidget* field = part.item->widget();
            if (field != nullptr && (watched == field || watched->parent() == field) && !isTypedInto(field) &&
                shownBy(field) != part.text) {
                invalidate();
                break;
            }
        }
    }
    return QLayout::eventFilter(watched, event);
}

void WrappingRow::measure() const {
    if (measured_) {
        return;
    }
    measured_ = true;
    for (Part& part : parts_) {
        if (const QWidget* field = part.item->widget();
            field != nullptr && (part.wanted == 0 || !isTypedInto(field))) {
            part.text = shownBy(field);
        }
        part.wanted = widthFor(*part.item, part.text);
    }
}

int WrappingRow::count() const {
    return static_cast<int>(parts_.size());
}

QLayoutItem* WrappingRow::itemAt(int index) const {
    const auto at = static_cast<std::size_t>(index);
    return index < 0 || at >= parts_.size() ? nullptr : parts_[at].item.get();
}

QLayoutItem* WrappingRow::takeAt(int index) {
    if (itemAt(index) == nullptr) {
        return nullptr;
    }
    QLayoutItem* taken = parts_[static_cast<std::size_t>(index)].item.release();
    parts_.erase(parts_.begin() + index);
    invalidate();
    return taken;
}

int WrappingRow::wanted(const Parts& parts) const {
    measure();
    int width = spacing() * (static_cast<int>(parts.size()) - 1);
    for (const Part* part : parts) {
        width += part->wanted;
    }
    return width;
}

std::vector<WrappingRow::Parts> WrappingRow::groups() const {
    std::vector<Parts> out;
    bool names_the_next = false;
    for (const Part& part : parts_) {
        if (part.item->isEmpty()) {
            continue;
        }
        const auto* label = qobject_cast<const QLabel*>(part.item->widget());
        const bool alone = label != nullptr && label->buddy() != nullptr && label->buddy()->isHidden();
        const bool unit = label != nullptr && !out.empty() && isUnitOf(*label, *out.back().back()->item);
        if (out.empty() || !(unit || (names_the_next && !alone))) {
            out.emplace_back();
        }
        out.back().push_back(&part);
        names_the_next = label != nullptr && !unit && !alone && !label->wordWrap(); // not a sentence
    }
    return out;
}

std::vector<WrappingRow::Parts> WrappingRow::lines(int room) const {
    std::vector<Parts> out;
    for (const Parts& group : groups()) {
        if (out.empty() || wanted(out.back()) + spacing() + wanted(group) > room) {
            out.push_back(group);
        } else {
            out.back().insert(out.back().end(), group.begin(), group.end());
        }
    }
    return out;
}

std::vector<int> WrappingRow::widths(const Parts& line, int room) const {
    measure();
    std::vector<int> out;
    int left = room - spacing() * (static_cast<int>(line.size()) - 1);
    int shares = 0;
    for (const Part* part : line) {
        out.push_back(part->wanted);
        left -= out.back();
        shares += part->stretch;
    }
    // Those without a share are as wide as they like to be, where there is room for it.
    for (std::size_t k = 0; k < line.size() && left > 0; ++k) {
        if (line[k]->stretch == 0) {
            const int more = std::clamp(line[k]->item->sizeHint().width() - out[k], 0, left);
            out[k] += more;
            left -= more;
        }
    }
    // The others share what they have together; who needs more than its share by itself has that.
    int shared = left;
    std::vector<bool> sharing(line.size());
    for (std::size_t k = 0; k < line.size(); ++k) {
        sharing[k] = line[k]->stretch > 0;
        shared += sharing[k] ? out[k] : 0;
    }
    for (bool again = true; again;) {
        again = false;
        for (std::size_t k = 0; k < line.size(); ++k) {
            if (sharing[k] && out[k] * shares > shared * line[k]->stretch) {
                sharing[k] = false;
                shared -= out[k];
                shares -= line[k]->stretch;
                again = true;
            }
        }
    }
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (sharing[k]) {
            out[k] = std::min(shared * line[k]->stretch / shares, line[k]->item->maximumSize().width());
        }
    }
    // A line that is too narrow for even one of them takes from those that have a share.
    for (std::size_t k = 0; k < line.size() && left < 0; ++k) {
        if (line[k]->stretch > 0) {
            const int less = std::clamp(out[k] - line[k]->item->minimumSize().width(), 0, -left);
            out[k] -= less;
            left += less;
        }
    }
    return out;
}

int WrappingRow::heightOf(const Parts& line, const std::vector<int>& widths) {
    int height = 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
        height = std::max(height, ownHeight(*line[k]->item, widths[k]));
    }
    return height;
}

int WrappingRow::heightAt(int width) const {
    const QMargins around = contentsMargins();
    int height = 0;
    const int room = width - around.left() - around.right();
    for (const Parts& line : lines(room)) {
        height += (height > 0 ? spacing() : 0) + heightOf(line, widths(line, room));
    }
    return height + around.top() + around.bottom();
}

QSize WrappingRow::sizeHint() const {
    Parts all;
    for (const Parts& group : groups()) {
        all.insert(all.end(), group.begin(), group.end());
    }
    const int width = QSize(wanted(all), 0).grownBy(contentsMargins()).width();
    return {width, heightAt(width_ < 0 ? width : width_)};
}

QSize WrappingRow::minimumSize() const {
    int least = 0;
    for (const Parts& group : groups()) {
        int width = spacing() * (static_cast<int>(group.size()) - 1);
        for (const Part* part : group) {
            width += part->item->minimumSize().width();
        }
        least = std::max(least, width);
    }
    least = QSize(least, 0).grownBy(contentsMargins()).width();
    return {least, heightAt(width_ < 0 ? sizeHint().width() : width_)};
}

void WrappingRow::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    if (rect.width() != width_) {
        const bool other_height = width_ < 0 || heightAt(rect.width()) != heightAt(width_);
        width_ = rect.width();
        if (other_height) {
            invalidate();
        }
    }
    const QRect inside = rect.marginsRemoved(contentsMargins());
    int top = inside.top();
    for (const Parts& line : lines(inside.width())) {
        const std::vector<int> wide = widths(line, inside.width());
        const int high = heightOf(line, wide);
        int left = inside.left();
        for (std::size_t k = 0; k < line.size(); ++k) {
            QLayoutItem& item = *line[k]->item;
            const int own = ownHeight(item, wide[k]);
            const QRect place(left, top + (high - own) / 2, wide[k], own);
            item.setGeometry(QStyle::visualRect(parentWidget()->layoutDirection(), inside, place));
            left += wide[k] + spacing();
        }
        top += high + spacing();
    }
}

WrappingRow* sentenceRow(QLabel* sentence) {
    auto* row = new WrappingRow(0);
    row->add(sentence, 1);
    return row;
}

} // namespace meshslice::ui
