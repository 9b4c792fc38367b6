#include "ui/timeline/time_marks.h"

#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

struct TimeMarkWords {
    Q_DECLARE_TR_FUNCTIONS(TimeMarks)
};

constexpr double flag_padding = 4;
constexpr double widest_flag = 160;

} // namespace

std::optional<std::size_t> markAt(const std::vector<TimeMark>& marks, const TimeScale& scale, double x) {
    std::optional<std::size_t> nearest;
    double least = mark_reach;
    for (std::size_t k = 0; k < marks.size(); ++k) {
        const double away = std::abs(scale.x(marks[k].at) - x);
        if (away <= least) {
            nearest = k;
            least = away;
        }
    }
    return nearest;
}

std::string freeMarkName(const std::vector<TimeMark>& marks) {
    for (std::size_t number = 1;; ++number) {
        std::string name = TimeMarkWords::tr("Mark %1").arg(number).toStdString();
        if (std::ranges::find(marks, name, &TimeMark::name) == marks.end()) {
            return name;
        }
    }
}

std::vector<TimeMark> toggled(const std::vector<TimeMark>& marks, const TimeScale& scale, double x) {
    std::vector<TimeMark> next = marks;
    if (const std::optional<std::size_t> there = markAt(marks, scale, x)) {
        next.erase(next.begin() + static_cast<std::ptrdiff_t>(*there));
    } else {
        next.push_back({freeMarkName(marks), std::max(Time(0), scale.time(x))});
    }
    return next;
}

void paintMarks(QPainter& painter, const std::vector<TimeMark>& marks, const TimeScale& scale,
                const QRect& ruler, int bottom, Theme theme) {
    const QFont font = lettering(Lettering::small, true);
    const QColor ink = color(Role::text, theme);
    double free = ruler.left();
    for (const TimeMark& mark : marks) {
        const int x = scale.pixel(mark.at);
        if (mark.at < scale.range.begin || mark.at > scale.range.end || x >= ruler.x() + ruler.width()) {
            continue;
        }
        painter.setPen(QPen(ink, 1, Qt::DashLine));
        painter.drawLine(x, ruler.bottom(), x, bottom);
        const QString name = words(mark.name);
        const double width = std::min(widest_flag, textWidth(font, name) + 2 * flag_padding);
        const QRectF flag(x, ruler.top() + 1, width, ruler.height() - 6);
        painter.fillRect(QRect(x, ruler.top() + 1, 2, ruler.height() - 1), ink);
        if (x < free || flag.right() > ruler.x() + ruler.width()) {
            continue; // its line is there; its name is in the menu
        }
        painter.fillRect(flag, color(Role::background, theme));
        painter.setPen(QPen(ink, 1));
        painter.drawRect(flag);
        drawFitted(painter, flag.adjusted(flag_padding, 0, -flag_padding, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, font, name);
        free = flag.right() + 2;
    }
}

} // namespace meshslice::ui
