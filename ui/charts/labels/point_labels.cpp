#include "ui/charts/labels/point_labels.h"

#include "ui/charts/labels/label_layout.h"
#include "ui/look/words.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr double label_line = 14;
constexpr double covered = 10; ///< marks nearer than this share a label: they cover each other's middle

/// The numbers of the labels, those that follow each other together: "1–3, 7".
QString joinedNumbers(const std::vector<std::string>& numbered, const std::vector<std::string>& labels) {
    std::vector<std::ptrdiff_t> numbers;
    for (const std::string& label : labels) {
        numbers.push_back(std::ranges::find(numbered, label) - numbered.begin() + 1);
    }
    std::ranges::sort(numbers);
    QStringList parts;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const std::size_t first = k;
        while (k + 1 < numbers.size() && numbers[k + 1] == numbers[k] + 1) {
            ++k;
        }
        parts += first == k ? QString::number(numbers[k])
                            : QStringLiteral("%1\u2013%2").arg(numbers[first]).arg(numbers[k]);
    }
    return parts.join(translated(", "));
}

/// What labels must keep off.
std::vector<QRectF> obstaclesOf(const PanelLayout& out) {
    std::vector<QRectF> obstacles;
    const auto add = [&](const std::vector<QRectF>& more) {
        obstacles.insert(obstacles.end(), more.begin(), more.end());
    };
    for (const ChartRun& run : out.runs) {
        for (std::size_t k = 1; k < run.points.size(); ++k) {
            add(along(QLineF(run.points[k - 1], run.points[k]), 3));
        }
    }
    for (const ChartMark& mark : out.marks) {
        obstacles.push_back(mark.area.adjusted(-1, -1, 1, 1));
    }
    for (const ChartWords& one : out.words) {
        const double width = std::min(one.area.width(), textWidth(lettering(one.size), one.words) + 8);
        if (one.turn == 0) {
            const double left = (one.side & Qt::AlignRight) ? one.area.right() - width : one.area.left();
            obstacles.emplace_back(left, one.area.top(), width, one.area.height());
        } else if (out.plot.contains(one.area.center())) {
            const QPointF half = QLineF::fromPolar(width / 2, -one.turn).p2();
            add(along(QLineF(one.area.center() - half, one.area.center() + half), 9));
        }
    }
    return obstacles;
}

} // namespace

bool placePointLabels(const ChartPanel& panel, PanelLayout& out, const std::vector<std::string>& numbered) {
    std::vector<QPointF> centres;
    std::vector<const ChartMark*> named;
    for (const ChartMark& mark : out.marks) {
        if (panel.series[mark.series].emphasized && !mark.point.label.empty()) {
            centres.push_back(mark.area.center());
            named.push_back(&mark);
        }
    }
    const QFont font = lettering(Lettering::small);
    std::vector<LabelWish> wishes;
    std::vector<QStringList> texts;
    for (const std::vector<std::size_t>& group : closeTogether(centres, covered)) {
        std::vector<std::string> labels;
        double radius = 0;
        for (const std::size_t member : group) {
            labels.push_back(named[member]->point.label);
            radius = std::max(radius, named[member]->area.width() / 2);
        }
        QStringList lines;
        if (numbered.empty()) {
            for (const std::string& label : labels) {
                lines += words(label);
            }
        } else {
            lines += joinedNumbers(numbered, labels);
        }
        double width = 0;
        for (QString& line : lines) {
            line = fitted(font, line, out.plot.width() * 0.6);
            width = std::max(width, textWidth(font, line));
        }
        wishes.push_back({centres[group.front()], radius,
                          QSizeF(width + 4, static_cast<double>(lines.size()) * label_line)});
        texts.push_back(std::move(lines));
    }
    const QRectF bounds = out.plot.adjusted(2, 2, -2, -2);
    const std::vector<QRectF> obstacles = obstaclesOf(out);
    const auto missing = [](const auto& found) {
        return std::count(found.begin(), found.end(), std::nullopt);
    };
    auto places = placeLabels(wishes, bounds, obstacles, LabelCare::strict);
    const bool all = missing(places) == 0;
    if (!all) {
        auto loose = placeLabels(wishes, bounds, obstacles);
        places = missing(loose) < missing(places) ? std::move(loose) : std::move(places);
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (!places[k]) {
            continue;
        }
        const QRectF& place = *places[k];
        const QPointF& anchor = wishes[k].anchor;
        QLineF leader(QPointF(std::clamp(anchor.x(), place.left(), place.right()),
                              std::clamp(anchor.y(), place.top(), place.bottom())),
                      anchor);
        if (leader.length() > wishes[k].radius + nearby_dot) { // where the name had to go away from its mark
            leader.setLength(leader.length() - wishes[k].radius);
            out.leaders.push_back(leader);
        }
        const Qt::Alignment side = place.left() > anchor.x()    ? Qt::AlignLeft
                                   : place.right() < anchor.x() ? Qt::AlignRight
                                                                : Qt::AlignHCenter;
        for (qsizetype line = 0; line < texts[k].size(); ++line) {
            const QRectF area(place.left() + 2, place.top() + static_cast<double>(line) * label_line,
                              place.width() - 3, label_line);
            out.words.push_back({area, texts[k][line], side | Qt::AlignVCenter, Role::text, Lettering::small,
                                 false, 0, true});
        }
    }
    return all;
}

} // namespace meshslice::ui
