#include "ui/summary/summary_picture.h"

#include "core/base/text.h"
#include "ui/look/figure_style.h"
#include "ui/look/hatch.h"
#include "ui/look/lettering.h"
#include "ui/look/textured.h"
#include "ui/look/words.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr double margin = 24;
constexpr double between_columns = 40;
constexpr double two_columns = 860; ///< from this width on
/// At which letters have their usual size, in one column and in two.
constexpr double usual_column = 640, usual_columns = 940;
constexpr double most_enlarged = 1.8;
constexpr double number_pixels = 80, line_pixels = 16, body_pixels = 14, small_pixels = 12;
constexpr double bar_height = 28, row_height = 24;
/// Words on colours are dark or light, whichever is read better.
QColor on(const QColor& fill) {
    return fill.lightnessF() > 0.55 ? QColor(0x1a, 0x1a, 0x1a) : QColor(0xff, 0xff, 0xff);
}

QString bytesWords(double bytes) {
    return words(bytes_text(bytes));
}
QString secondsWords(double seconds) {
    return words(seconds_text(seconds));
}

} // namespace

SummaryPicture::SummaryPicture(SummaryShown shown, double width, Theme theme, bool buttons)
    : shown_(std::move(shown)), width_(width), theme_(theme) {
    const bool wide = width >= two_columns;
    const double inner = width - 2 * margin;
    const double left = wide ? std::floor((inner - between_columns) * 0.5) : inner;
    unit_ = std::clamp(width / (wide ? usual_columns : usual_column), 1.0, most_enlarged);
    Column first{margin, left, margin};
    Column second{margin + left + between_columns, inner - left - between_columns, margin};
    addAnswer(first);
    gap(first, 16);
    addTime(first);
    gap(first, 16);
    addMemory(first);
    gap(first, 16);
    addFindings(first, buttons);
    // What is read comes after what is seen: next to it, or below.
    if (!wide) {
        gap(first, 16);
    }
    Column& read = wide ? second : first;
    addBill(read);
    addTrust(read);
    gap(read, 16);
    addNumbers(read);
    height_ = (wide ? std::max(first.y, second.y) : first.y) + margin;
}

QFont SummaryPicture::font(double pixels, bool bold) const {
    QFont made = lettering(Lettering::normal, bold);
    made.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels * unit_))));
    return made;
}

void SummaryPicture::addLines(Column& column, const QString& text, const QFont& font, const QColor& color) {
    const QFontMetricsF metrics(font);
    // "x 2" stays on one line.
    static const QRegularExpression factor(QStringLiteral("\\b(x) (?=\\d)"));
    QString kept = text;
    kept.replace(factor, QStringLiteral("\\1\u00a0"));
    for (const QString& line : wrapped(font, kept, column.width)) {
        words_.push_back({QRectF(column.left, column.y, column.width, metrics.height()), line, font, color});
        column.y += std::ceil(metrics.height());
    }
}

void SummaryPicture::addHeading(Column& column, const QString& text) {
    addLines(column, text, font(body_pixels, true), ink());
    gap(column, 4);
}

void SummaryPicture::addAnswer(Column& column) {
    const Summary& summary = shown_.summary;
    const QString own = pictureTitle(words(summary.of));
    if (!own.isEmpty()) {
        addLines(column, own, font(line_pixels), quiet());
    }
    if (!summary.fits) {
        addLines(column, words(summary.fit), font(line_pixels + 4, true), warningText(theme_));
    }
    QFont large = font(number_pixels);
    const QString number = words(summary.number);
    while (large.pixelSize() > 24 && textWidth(large, number) > column.width) {
        large.setPixelSize(large.pixelSize() - 4);
    }
    const QFontMetricsF metrics(large);
    const double high = std::ceil(metrics.ascent() + metrics.descent() * 0.6);
    words_.push_back({QRectF(column.left - metrics.averageCharWidth() * 0.06, column.y, column.width, high),
                      number, large, ink()});
    column.y += high;
    if (!summary.expected.empty()) {
        addLines(column, words(summary.expected), font(line_pixels, true), ink());
        addLines(column, words(summary.ideal), font(line_pixels), ink());
        gap(column, 6);
    }
    QString below = words(summary.of_peak);
    if (!summary.bound.empty()) {
        below = tr("%1; %2").arg(below, words(summary.bound));
    }
    addLines(column, below, font(line_pixels), ink());
    if (!shown_.expected.isEmpty()) {
        gap(column, 6);
        addLines(column, shown_.expected, font(body_pixels, true), ink());
    }
}

void SummaryPicture::addBill(Column& column) {
    if (shown_.bill.isEmpty()) {
        return;
    }
    addHeading(column, tr("The whole training"));
    for (const QString& sentence : shown_.bill) {
        addLines(column, sentence, font(small_pixels), ink());
        gap(column, 4);
    }
    gap(column, 12);
}

void SummaryPicture::addTrust(Column& column) {
    const Summary& summary = shown_.summary;
    addHeading(column, tr("How far to trust it"));
    for (const std::string& warning : summary.warnings) {
        addLines(column, words(warning), font(small_pixels), warningText(theme_));
        gap(column, 4);
    }
    for (const QString& sentence : shown_.own) {
        addLines(column, sentence, font(small_pixels), ink());
        gap(column, 4);
    }
    const QFont small = font(small_pixels);
    for (const SummaryShown::NearRun& run : shown_.near) {
        const double top = column.y;
        addLines(column, run.words, small,
                 run.whyNot.isEmpty() ? widgetPalette(theme_).color(QPalette::Link) : ink());
        addLines(column, fitted(small, run.whyNot.isEmpty() ? run.source : run.whyNot, column.width), small,
                 quiet());
        runs_.emplace_back(column.left, top, column.width, column.y - top);
        gap(column, 4);
    }
    if (!shown_.instead_of_near.isEmpty()) {
        addLines(column, shown_.instead_of_near, small, ink());
        gap(column, 4);
    }
    if (!summary.not_counted.empty()) {
        addLines(column, words(summary.not_counted), font(small_pixels), quiet());
    }
}

/// The parts along a bar; what has no room in its part stands below, after its colour.
void SummaryPicture::addBar(Column& column, const std::vector<SummaryPart>& parts, double whole,
                            QString (*amount)(double)) {
    const QFont inside = font(small_pixels);
    const double high = std::round(bar_height * unit_);
    double x = column.left;
    std::vector<std::pair<const SummaryPart*, QString>> below;
    for (const SummaryPart& part : parts) {
        const double wide = whole > 0 ? part.amount / whole * column.width : 0;
        const QRectF area(x, column.y, wide, high);
        const QString share = words(percent_text(part.share));
        parts_.push_back({area, part, tr("%1 %2, %3").arg(words(part.name), amount(part.amount), share)});
        const QString name = words(part.name);
        const QString fitting = firstFitting(inside, {tr("%1 %2").arg(name, share), name}, wide - 2 * 8);
        if (!fitting.isEmpty() && !part.exposed && part.role != Role::sync) {
            words_.push_back({area.adjusted(8, 0, -8, 0), fitting, inside, on(color(part.role, theme_))});
        } else {
            below.emplace_back(&part, tr("%1 %2").arg(name, amount(part.amount)));
        }
        x += wide;
    }
    column.y += high;
    const double line = std::ceil(QFontMetricsF(inside).height());
    const double side = std::round(10 * unit_);
    double at = column.left;
    if (!below.empty()) {
        gap(column, 4);
    }
    for (const auto& [part, text] : below) {
        const double wide = side + 6 + textWidth(inside, text);
        if (at > column.left && at + wide > column.left + column.width) {
            at = column.left;
            column.y += line;
        }
        swatches_.push_back(
            {QRectF(at, column.y + std::round((line - side) / 2), side, side), part->role, part->exposed});
        words_.push_back({QRectF(at + side + 6, column.y, std::min(wide, column.width) - side - 6, line),
                          text, inside, ink()});
        at += wide + 16 * unit_;
    }
    column.y += below.empty() ? 0 : line;
}

void SummaryPicture::addMemory(Column& column) {
    const Summary& summary = shown_.summary;
    double needed = 0;
    for (const SummaryPart& part : summary.memory) {
        needed += part.amount;
    }
    // What does not fit has been said at the top.
    const auto largest = std::ranges::max_element(summary.memory, {}, &SummaryPart::amount);
    addHeading(column, summary.fits || largest == summary.memory.end()
                           ? words(summary.fit)
                           : tr("What the memory is needed for: %1 %2")
                                 .arg(words(largest->name), words(percent_text(largest->share))));
    const double whole = std::max(needed, summary.capacity);
    const double end = column.left + (whole > 0 ? summary.capacity / whole : 1) * column.width;
    const double high = std::round(bar_height * unit_);
    capacity_ = QRectF(column.left, column.y, end - column.left, high);
    addBar(column, summary.memory, whole, bytesWords);
}

void SummaryPicture::addTime(Column& column) {
    const auto& parts = shown_.summary.time;
    const auto largest = std::ranges::max_element(parts, {}, &SummaryPart::amount);
    const QString heading =
        shown_.summary.expected.empty() ? tr("Where the time goes") : tr("Where the expected time goes");
    addHeading(column,
               largest == parts.end()
                   ? heading
                   : tr("%1: %2 %3").arg(heading, words(largest->name), words(percent_text(largest->share))));
    addBar(column, parts, shown_.summary.seconds, secondsWords);
}

void SummaryPicture::addFindings(Column& column, bool buttons) {
    addHeading(column, tr("What would change it most"));
    if (!shown_.findings || shown_.findings->empty()) {
        const QString instead = shown_.findings ? tr("Nothing that was tried is more than 1% better.")
                                                : shown_.instead_of_findings;
        const double top = column.y;
        addLines(column, instead, font(body_pixels), quiet());
        // As high as the findings will be, so that nothing jumps.
        column.y = shown_.findings ? column.y : std::max(column.y, top + 3 * 40 * unit_);
        return;
    }
    const QFont body = font(body_pixels);
    const double line = std::ceil(QFontMetricsF(body).height());
    const double wide = std::ceil(textWidth(body, tr("Make it B")) + 32 * unit_);
    const double left = buttons ? wide + 16 : 0;
    for (const Finding& finding : *shown_.findings) {
        const QStringList lines = wrapped(body, words(finding.offer.sentence), column.width - left);
        const double high = std::max(32 * unit_, static_cast<double>(lines.size()) * line);
        const double top = column.y + (high - static_cast<double>(lines.size()) * line) / 2;
        for (qsizetype k = 0; k < lines.size(); ++k) {
            words_.push_back(
                {QRectF(column.left + left, top + static_cast<double>(k) * line, column.width - left, line),
                 lines[k], body, ink()});
        }
        if (buttons) {
            buttons_.emplace_back(column.left, column.y + (high - 32 * unit_) / 2, wide, 32 * unit_);
        }
        column.y += high;
        gap(column, 8);
    }
}

void SummaryPicture::addNumbers(Column& column) {
    if (!shown_.numbers) {
        addHeading(column, tr("What each number of the machine is worth"));
        addLines(column, shown_.instead_of_numbers, font(body_pixels), quiet());
        column.y += 8 * row_height * unit_;
        return;
    }
    const Sensitivity& numbers = *shown_.numbers;
    addHeading(column, words(sensitivity_finding(numbers)));
    addLines(column, shown_.about_numbers, font(small_pixels), quiet());
    gap(column, 4);
    const QFont small = font(small_pixels);
    double names = 0, ratios = 0, most = 0;
    for (const NumberEffect& one : numbers.ranked) {
        names = std::max(names, textWidth(small, words(one.name)));
        most = std::max(most, weight(one, numbers.now));
        for (const auto& then : {one.twice, one.half}) {
            ratios =
                then ? std::max(ratios, textWidth(small, words(ratio_words(numbers.now, *then)))) : ratios;
        }
    }
    double values = 0;
    for (const NumberEffect& one : numbers.ranked) {
        values = std::max(values, textWidth(small, words(one.value)));
    }
    const bool both = names + 12 + values <= column.width * 0.46;
    names = both ? names + 12 + values : std::min(names, column.width * 0.36);
    const double free = column.width - names - 16;
    const double middle = column.left + names + 16 + std::floor(free / 2);
    const double room = std::max(8.0, free / 2 - ratios - 6);
    const double line = std::ceil(QFontMetricsF(small).height());
    if (!numbers.ranked.empty()) {
        words_.push_back({QRectF(column.left + names + 16, column.y, free / 2 - 8, line), tr("faster"), small,
                          quiet(), Qt::AlignRight | Qt::AlignVCenter});
        words_.push_back({QRectF(middle + 8, column.y, free / 2 - 8, line), tr("slower"), small, quiet()});
        column.y += line;
    }
    const double top = column.y;
    for (std::size_t number = 0; number < numbers.ranked.size(); ++number) {
        addNumber(column, number, names, both, middle, room, most);
    }
    if (!numbers.ranked.empty()) {
        now_ = QLineF(middle, top, middle, column.y);
        gap(column, 8);
    }
    for (const std::string& note : {no_effect_words(numbers), unanswered_words(numbers)}) {
        if (!note.empty()) {
            addLines(column, words(note), small, quiet());
        }
    }
}

void SummaryPicture::addNumber(Column& column, std::size_t number, double names, bool values, double middle,
                               double room, double most) {
    const Sensitivity& numbers = *shown_.numbers;
    const NumberEffect& one = numbers.ranked[number];
    const QFont small = font(small_pixels);
    const double high = std::round(row_height * unit_);
    words_.push_back(
        {QRectF(column.left, column.y, names, high), fitted(small, words(one.name), names), small, ink()});
    if (values) {
        words_.push_back({QRectF(column.left, column.y, names, high), words(one.value), small, quiet(),
                          Qt::AlignRight | Qt::AlignVCenter});
    }
    const auto change = [&](const std::optional<Timed>& then) {
        return then && then->seconds > 0 ? std::log(then->seconds / numbers.now.seconds) : 0.0;
    };
    const bool one_side = change(one.twice) * change(one.half) > 0;
    for (const bool twice : {true, false}) {
        const std::optional<Timed>& then = twice ? one.twice : one.half;
        const double by = change(then);
        if (!then || (std::abs(by) < least_effect && then->fits == numbers.now.fits)) {
            continue;
        }
        const double length = most > 0 ? std::max(1.0, std::abs(by) / most * room) : 1.0;
        const double inset = std::round(4 * unit_);
        const double half = (high - inset) / 2;
        const double y = column.y + (one_side && !twice ? inset / 2 + half : inset / 2);
        const double thick = one_side ? half - 1 : high - inset;
        const QRectF bar(by < 0 ? middle - length : middle, y, length, thick);
        QString text = words(ratio_words(numbers.now, *then));
        if (then->fits != numbers.now.fits) {
            const QString fits = then->fits ? tr("fits") : tr("does not fit");
            text = std::abs(by) < least_effect ? (twice ? tr("× 2 %1") : tr("× 0.5 %1")).arg(fits)
                                               : tr("%1, %2").arg(text, fits);
        }
        const double wide = textWidth(small, text) + 1;
        const QRectF at =
            by < 0 ? QRectF(bar.left() - 6 - wide, y, wide, thick) : QRectF(bar.right() + 6, y, wide, thick);
        bars_.push_back({number, twice, bar.united(at).adjusted(-2, -1, 2, 1), bar, at, text});
    }
    column.y += high;
}

std::vector<QRectF> SummaryPicture::written() const {
    std::vector<QRectF> all;
    for (const Words& one : words_) {
        const double wide = std::min(textWidth(one.font, one.text), one.area.width());
        all.push_back((one.aligned & Qt::AlignRight) != 0
                          ? QRectF(one.area.right() - wide, one.area.top(), wide, one.area.height())
                          : QRectF(one.area.left(), one.area.top(), wide, one.area.height()));
    }
    for (const NumberBar& bar : bars_) {
        all.push_back(bar.words_area);
    }
    return all;
}

QStringList SummaryPicture::linesOf(const NumberBar& bar) const {
    const Sensitivity& numbers = *shown_.numbers;
    const NumberEffect& one = numbers.ranked[bar.number];
    const Timed& then = bar.twice ? *one.twice : *one.half;
    QStringList lines = {
        tr("%1, now %2").arg(words(one.name), words(one.value)),
        (bar.twice ? tr("× 2: %1, %2") : tr("× 0.5: %1, %2")).arg(secondsWords(then.seconds), bar.words),
        tr("now: %1").arg(secondsWords(numbers.now.seconds))};
    if (then.fits != numbers.now.fits) {
        lines << (then.fits ? tr("It then fits into memory.") : tr("It then does not fit into memory."));
    }
    lines << tr("A click makes it variant B.");
    return lines;
}

QStringList SummaryPicture::linesOf(const SummaryShown::NearRun& run) const {
    return {run.words, tr("Source: %1").arg(run.source),
            run.whyNot.isEmpty()
                ? tr("A click loads it: model, machine, chips, split, batch and its measured "
                     "step become the scenario's. Undo takes it back.")
                : tr("It cannot be loaded. %1").arg(run.whyNot)};
}

QStringList SummaryPicture::linesAt(const QPointF& point) const {
    for (const NumberBar& bar : bars_) {
        if (bar.area.contains(point)) {
            return linesOf(bar);
        }
    }
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        if (runs_[k].contains(point)) {
            return linesOf(shown_.near[k]);
        }
    }
    for (const Part& part : parts_) {
        if (part.area.contains(point)) {
            return {part.words};
        }
    }
    return {};
}

void SummaryPicture::paint(QPainter& painter, std::optional<std::size_t> marked) const {
    const QColor grid = color(Role::grid, theme_);
    if (capacity_) {
        painter.fillRect(*capacity_, tint(Role::grid, theme_, 0.6));
    }
    const auto fill = [&](const QRectF& area, Role role, bool exposed) {
        const std::vector<QLineF> hatch = exposed ? hatchLines(area, 6 * unit_) : std::vector<QLineF>();
        paintTextured(painter, area, role, theme_);
        if (exposed) { // over the colour of the way that is waited for
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(color(Role::exposed, theme_), 1.6, Qt::SolidLine, Qt::FlatCap));
            painter.drawLines(hatch.data(), static_cast<int>(hatch.size()));
            painter.restore();
        }
    };
    const QColor gap = color(Role::background, theme_);
    for (const Part& part : parts_) {
        fill(part.area, part.of.role, part.of.exposed);
        if (part.area.width() > 4) {
            painter.setPen(QPen(gap, 1));
            painter.drawLine(part.area.topRight(), part.area.bottomRight());
        }
    }
    if (capacity_) {
        painter.setPen(QPen(ink(), 2));
        painter.drawLine(capacity_->topRight() + QPointF(0, -3), capacity_->bottomRight() + QPointF(0, 3));
    }
    for (const Swatch& swatch : swatches_) {
        fill(swatch.area, swatch.role, swatch.exposed);
    }
    if (now_) {
        painter.setPen(QPen(grid, 1));
        painter.drawLine(*now_);
    }
    for (std::size_t k = 0; k < bars_.size(); ++k) {
        const NumberBar& bar = bars_[k];
        if (bar.twice) {
            painter.fillRect(bar.bar, color(Role::compute, theme_));
        } else {
            painter.fillRect(bar.bar, tint(Role::compute, theme_, 0.25));
            painter.setPen(QPen(color(Role::compute, theme_), 1));
            painter.drawRect(bar.bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        painter.setFont(font(small_pixels));
        painter.setPen(ink());
        painter.drawText(bar.words_area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, bar.words);
        if (marked == k) {
            painter.setPen(QPen(ink(), 2));
            painter.drawRect(bar.area.adjusted(-1, -1, 1, 1));
        }
    }
    if (marked && *marked >= bars_.size() && *marked - bars_.size() < runs_.size()) {
        painter.setPen(QPen(ink(), 2));
        painter.drawRect(runs_[*marked - bars_.size()].adjusted(-4, -1, 4, 1));
    }
    for (const Words& one : words_) {
        painter.setFont(one.font);
        painter.setPen(one.color);
        painter.drawText(one.area, static_cast<int>(one.aligned) | Qt::TextDontClip, one.text);
    }
}

} // namespace meshslice::ui
