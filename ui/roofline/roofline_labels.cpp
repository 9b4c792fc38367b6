#include "ui/roofline/roofline_labels.h"

#include "ui/charts/label_layout.h"
#include "ui/look/lettering.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr double narrow_plot = 400;  ///< where names are shortened
constexpr double covered = 10;       ///< dots nearer than this share a name: they cover each other's middle
constexpr double between_names = 18; ///< columns of the list
constexpr double roof_word_height = 19;

/// Dots that share a name.
struct Group {
    std::vector<std::size_t> dots; ///< of the panel
    QPointF anchor;
    double radius = 0;
};

/// One line for each layer: "FF1 forward, backward data".
QStringList joinedTitles(const Results& results, const RooflinePanel& panel,
                         const std::vector<std::size_t>& dots) {
    QStringList lines;
    std::string layer;
    for (const std::size_t index : dots) {
        const RooflineDot& dot = panel.dots[index];
        const Gemm& gemm = results.steps[dot.step].gemms[dot.gemm].gemm;
        if (!lines.isEmpty() && !gemm.layer.empty() && gemm.layer == layer) {
            lines.back() += QStringLiteral(", ") + QString::fromUtf8(name(gemm.pass).data());
        } else {
            lines += QString::fromStdString(panel.roofline.points[dot.point].title);
        }
        layer = gemm.layer;
    }
    if (panel.plot.width() < narrow_plot) {
        lines.replaceInStrings(QStringLiteral("backward"), QStringLiteral("bwd"));
        lines.replaceInStrings(QStringLiteral("forward"), QStringLiteral("fwd"));
    }
    return lines;
}

/// The dots of the scenario's algorithm; those of the compared one are named by the line that joins them.
std::vector<Group> groupsOf(const RooflinePanel& panel) {
    std::vector<QPointF> centres;
    std::vector<std::size_t> named;
    for (std::size_t dot = 0; dot < panel.dots.size(); ++dot) {
        if (panel.dots[dot].step == 0) {
            centres.push_back(panel.dots[dot].at);
            named.push_back(dot);
        }
    }
    std::vector<Group> groups;
    for (const std::vector<std::size_t>& members : closeTogether(centres, covered)) {
        Group group;
        for (const std::size_t member : members) {
            group.dots.push_back(named[member]);
            group.radius = std::max(group.radius, panel.dots[named[member]].radius);
        }
        group.anchor = panel.dots[group.dots.front()].at;
        groups.push_back(std::move(group));
    }
    return groups;
}

void add(std::vector<QRectF>& obstacles, const std::vector<QRectF>& more) {
    obstacles.insert(obstacles.end(), more.begin(), more.end());
}

/// What the words of a roof cover: right-aligned above a flat one, in the middle above a slanted one.
std::vector<QRectF> wordsOf(const RoofLine& roof) {
    const double width = textWidth(lettering(Lettering::small), roof.words);
    if (roof.flat) {
        return {QRectF(roof.line.p2().x() - width - 10, roof.line.y1() - roof_word_height, width + 10,
                       roof_word_height)};
    }
    // The normal of the line as it is drawn, turned with it: upward and to the left.
    const QLineF normal = roof.line.normalVector().unitVector();
    const QPointF away(normal.dx() * roof_word_height / 2, normal.dy() * roof_word_height / 2);
    const double share = std::min(1.0, width / roof.line.length()) / 2;
    return along(QLineF(roof.line.pointAt(0.5 - share) + away, roof.line.pointAt(0.5 + share) + away),
                 roof_word_height / 2);
}

/// Roofs with their words, ridges, dots, and the lines between compared dots.
std::vector<QRectF> obstaclesOf(const RooflinePanel& panel) {
    std::vector<QRectF> obstacles;
    for (const RoofLine& roof : panel.roofs) {
        add(obstacles, along(roof.line));
        add(obstacles, wordsOf(roof));
    }
    for (const Ridge& ridge : panel.ridges) {
        const QPointF at = panel.pixel(ridge.intensity, ridge.flop_per_s);
        add(obstacles, along(cutTo(panel.plot, at, QPointF(at.x(), panel.plot.bottom())), 3));
    }
    for (const RooflineDot& dot : panel.dots) {
        const double r = dot.radius + 1;
        obstacles.emplace_back(dot.at.x() - r, dot.at.y() - r, 2 * r, 2 * r);
        for (const RooflineDot& other : panel.dots) {
            if (dot.step == 0 && other.step == 1 && dot.gemm == other.gemm) {
                add(obstacles, along(QLineF(dot.at, other.at), 3));
            }
        }
    }
    return obstacles;
}

/// The products' numbers, those that follow each other together: "1-3, 7".
QString joinedNumbers(const RooflinePanel& panel, const std::vector<std::size_t>& dots) {
    QStringList words;
    for (std::size_t k = 0; k < dots.size(); ++k) {
        const auto number = [&](std::size_t which) { return panel.dots[dots[which]].gemm + 1; };
        const std::size_t first = k;
        while (k + 1 < dots.size() && number(k + 1) == number(k) + 1) {
            ++k;
        }
        words += first == k ? QString::number(number(k))
                            : QStringLiteral("%1\u2013%2").arg(number(first)).arg(number(k));
    }
    return words.join(QStringLiteral(", "));
}

/// Forward, backward data and backward weight of a layer stand one below the other.
constexpr std::size_t passes = 3;

} // namespace

void placeLabels(const Results& results, RooflinePanel& panel, Naming naming) {
    const QFont font = lettering(Lettering::small);
    std::vector<LabelWish> wishes;
    std::vector<QStringList> texts;
    for (const Group& group : groupsOf(panel)) {
        QStringList lines = naming == Naming::numbers ? QStringList{joinedNumbers(panel, group.dots)}
                                                      : joinedTitles(results, panel, group.dots);
        double width = 0;
        for (QString& line : lines) {
            line = fitted(font, line, panel.plot.width() * 0.6);
            width = std::max(width, textWidth(font, line));
        }
        wishes.push_back(
            {group.anchor, group.radius, QSizeF(width + 4, static_cast<double>(lines.size()) * label_line)});
        texts.push_back(std::move(lines));
    }
    const QRectF bounds = panel.plot.adjusted(2, 2, -2, -18); // the ridges' words stand at the bottom
    const std::vector<QRectF> obstacles = obstaclesOf(panel);
    const auto missing = [](const auto& found) {
        return std::count(found.begin(), found.end(), std::nullopt);
    };
    auto places = placeLabels(wishes, bounds, obstacles, LabelCare::strict);
    panel.allLabelled = missing(places) == 0;
    if (!panel.allLabelled) {
        auto loose = placeLabels(wishes, bounds, obstacles);
        places = missing(loose) < missing(places) ? std::move(loose) : std::move(places);
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (places[k]) {
            panel.labels.push_back({*places[k], texts[k], wishes[k].anchor, wishes[k].radius});
        }
    }
}

std::vector<NumberedName> listNames(const Results& results, const QRectF& area) {
    std::vector<NumberedName> names;
    if (results.steps.empty()) {
        return names;
    }
    double column = 1;
    for (const GemmResult& product : results.steps.front().gemms) {
        const QString words =
            QStringLiteral("%1  %2").arg(names.size() + 1).arg(QString::fromStdString(product.title()));
        column = std::max(column, textWidth(lettering(Lettering::small), words) + between_names);
        names.push_back({{}, words});
    }
    column = std::min(column, area.width());
    const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(area.width() / column));
    const std::size_t rows = std::max(passes, (names.size() + columns - 1) / columns);
    for (std::size_t k = 0; k < names.size(); ++k) {
        names[k].place = QRectF(area.left() + static_cast<double>(k / rows) * column,
                                area.top() + static_cast<double>(k % rows) * label_line, column, label_line);
    }
    return names;
}

} // namespace meshslice::ui
