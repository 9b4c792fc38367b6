#include "ui/timeline/strip/time_marks.h"

#include "core/base/text/parse.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace meshslice::ui {
namespace {

struct TimeMarkWords {
    Q_DECLARE_TR_FUNCTIONS(TimeMarkWords)
};

constexpr double flag_padding = 4;
constexpr double widest_flag = 160;
constexpr std::size_t marks_with_keys = 9;

constexpr std::string_view number_prefix = "Mark ";

/// As a project's file has it, in every language.
std::string numberName(std::size_t mark) {
    return std::string(number_prefix) + std::to_string(mark + 1);
}

bool isUnnamed(const TimeMark& mark) {
    const std::string_view name = mark.name;
    const Result<std::int64_t> number = parse_whole(name.substr(std::min(number_prefix.size(), name.size())));
    return name.starts_with(number_prefix) && number && *number >= 1 &&
           *number <= static_cast<std::int64_t>(Project::most_marks) + 1 &&
           name == numberName(static_cast<std::size_t>(*number - 1));
}

} // namespace

std::optional<std::size_t> markAt(const std::vector<TimeMark>& marks, const TimeScale& scale, double x) {
    std::optional<std::size_t> nearest;
    double least = mark_reach;
    for (std::size_t k = 0; k < marks.size(); ++k) {
        const double away = std::abs(scale.x(marks[k].at) - x);
        if (!marks[k].is_note() && away <= least) {
            nearest = k;
            least = away;
        }
    }
    return nearest;
}

std::vector<TimeMark> numbered(std::vector<TimeMark> marks) {
    std::ranges::stable_sort(marks, {}, &TimeMark::at);
    for (std::size_t k = 0; k < marks.size(); ++k) {
        if (isUnnamed(marks[k])) {
            marks[k].name = numberName(k);
        }
    }
    return marks;
}

QString markName(const std::vector<TimeMark>& marks, std::size_t mark) {
    return isUnnamed(marks[mark]) ? markTitle(marks, mark) : words(marks[mark].name);
}

QString markTitle(const std::vector<TimeMark>& marks, std::size_t mark) {
    return isUnnamed(marks[mark]) ? TimeMarkWords::tr("Mark %1").arg(mark + 1)
                                  : TimeMarkWords::tr("%1: %2").arg(mark + 1).arg(words(marks[mark].name));
}

QStringList markLines(const std::vector<TimeMark>& marks, std::size_t mark, const QString& when) {
    QStringList lines = {markTitle(marks, mark), when};
    if (mark < marks_with_keys) {
        lines << TimeMarkWords::tr("Key %1 goes here: marks are counted from left to right.").arg(mark + 1);
    }
    return lines << TimeMarkWords::tr("M removes it.");
}

std::vector<TimeMark> toggled(const std::vector<TimeMark>& marks, const TimeScale& scale, double x) {
    std::vector<TimeMark> next = marks;
    if (const std::optional<std::size_t> there = markAt(marks, scale, x)) {
        next.erase(next.begin() + static_cast<std::ptrdiff_t>(*there));
    } else {
        next.push_back({numberName(0), std::max(Time(0), scale.time(x))});
    }
    return numbered(std::move(next));
}

std::vector<MarkFlag> markFlags(const std::vector<TimeMark>& marks, const TimeScale& scale,
                                const QRect& ruler) {
    const QFont font = lettering(Lettering::small, true);
    std::vector<MarkFlag> flags;
    double free = ruler.left();
    for (std::size_t k = 0; k < marks.size(); ++k) {
        const int x = scale.pixel(marks[k].at);
        const int right = ruler.x() + ruler.width();
        if (marks[k].is_note() || marks[k].at < scale.range.begin || marks[k].at > scale.range.end ||
            x >= right) {
            continue;
        }
        MarkFlag flag{x, {}, markTitle(marks, k)};
        const double width = std::min(widest_flag, textWidth(font, flag.title) + 2 * flag_padding);
        if (x >= free && x + width <= right) {
            flag.place = QRectF(x, ruler.top() + 1, width, ruler.height() - 6);
            free = flag.place.right() + 2;
        }
        flags.push_back(std::move(flag));
    }
    return flags;
}

void paintMarks(QPainter& painter, const std::vector<MarkFlag>& flags, const QRect& ruler, int bottom,
                const std::vector<QRect>& spared, Theme theme) {
    const QFont font = lettering(Lettering::small, true);
    const QColor ink = color(Role::text, theme);
    for (const MarkFlag& flag : flags) {
        painter.setPen(QPen(ink, 1, Qt::DashLine));
        for (const auto& [from, to] : stretchesOf(flag.x, ruler.bottom(), bottom, spared)) {
            painter.drawLine(flag.x, from, flag.x, to);
        }
        painter.fillRect(QRect(flag.x, ruler.top() + 1, 2, ruler.height() - 1), ink);
        if (flag.place.isEmpty()) {
            continue; // its line is there; its name is in the menu
        }
        painter.fillRect(flag.place, color(Role::background, theme));
        painter.setPen(QPen(ink, 1));
        painter.drawRect(flag.place);
        drawFitted(painter, flag.place.adjusted(flag_padding, 0, -flag_padding, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, font, flag.title);
    }
}

std::vector<std::pair<int, int>> stretchesOf(int x, int top, int bottom, const std::vector<QRect>& places) {
    std::vector<std::pair<int, int>> taken;
    for (const QRect& place : places) {
        if (x >= place.left() && x <= place.right()) {
            taken.emplace_back(place.top(), place.bottom());
        }
    }
    std::ranges::sort(taken);
    std::vector<std::pair<int, int>> free;
    for (const auto& [from, to] : taken) {
        if (from > top) {
            free.emplace_back(top, std::min(from - 1, bottom));
        }
        top = std::max(top, to + 1);
    }
    if (top <= bottom) {
        free.emplace_back(top, bottom);
    }
    return free;
}

double freeOfFlags(double x, double width, const std::vector<MarkFlag>& flags, const QRect& ruler) {
    const double least = ruler.left();
    const double most = std::max(least, ruler.x() + ruler.width() - width);
    const double wanted = std::clamp(x - width / 2, least, most);
    const auto free = [&](double left) {
        return left >= least && left <= most && std::ranges::none_of(flags, [&](const MarkFlag& flag) {
                   return !flag.place.isEmpty() && left < flag.place.right() + flag_padding &&
                          left + width > flag.place.left() - flag_padding;
               });
    };
    if (free(wanted)) {
        return wanted;
    }
    double best = wanted;
    double away = std::numeric_limits<double>::infinity();
    for (const MarkFlag& flag : flags) {
        for (const double left :
             {flag.place.left() - flag_padding - width, flag.place.right() + flag_padding}) {
            if (!flag.place.isEmpty() && free(left) && std::abs(left - wanted) < away) {
                best = left;
                away = std::abs(left - wanted);
            }
        }
    }
    return best;
}

} // namespace meshslice::ui
