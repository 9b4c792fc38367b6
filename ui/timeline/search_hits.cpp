#include "ui/timeline/search_hits.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {

std::vector<QRect> searchHits(const TimelinePicture& picture, std::size_t step) {
    std::vector<QRect> hits;
    const Time pixel(static_cast<std::int64_t>(std::ceil(picture.scale.picosecondsPerPixel())));
    for (std::size_t line = 0; line < picture.lines[step].size(); ++line) {
        const RowLine& at = picture.lines[step][line];
        if (at.group) {
            continue;
        }
        const QRect area = picture.lineRect(step, line);
        for (const TimeRange& stretch :
             picture.window.found->stretches(step, at.index, picture.scale.range, pixel)) {
            const int begin = std::max(picture.scale.pixel(stretch.begin), picture.layout.labels);
            const int end =
                std::min(std::max(picture.scale.pixel(stretch.end), begin + 1), picture.layout.right);
            const int from = !hits.empty() && hits.back().top() == area.top()
                                 ? std::max(begin, hits.back().left() + hits.back().width())
                                 : begin;
            if (end > from) {
                hits.emplace_back(from, area.top(), end - from, area.height());
            }
        }
    }
    return hits;
}

void paintSearchHits(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    if (picture.window.found == nullptr || !picture.window.found->hasWords()) {
        return;
    }
    QColor veil = color(Role::background, theme);
    veil.setAlpha(190);
    auto hit = picture.hits[step].begin();
    const auto last = picture.hits[step].end();
    for (std::size_t line = 0; line < picture.lines[step].size(); ++line) {
        if (picture.lines[step][line].group) {
            continue;
        }
        const QRect area = picture.lineRect(step, line);
        int from = area.left();
        for (; hit != last && hit->top() == area.top(); ++hit) {
            painter.fillRect(QRect(from, area.top(), hit->left() - from, area.height()), veil);
            painter.fillRect(QRect(hit->left(), area.top(), hit->width(), 2), color(Role::text, theme));
            from = hit->left() + hit->width();
        }
        painter.fillRect(QRect(from, area.top(), area.left() + area.width() - from, area.height()), veil);
    }
}

} // namespace meshslice::ui
