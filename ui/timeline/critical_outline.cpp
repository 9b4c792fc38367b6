#include "ui/timeline/critical_outline.h"

#include <algorithm>
#include <map>

namespace meshslice::ui {
namespace {

/// The pixels [left, right) of the stay that a row's next event may lengthen.
struct Stay {
    int left = 0;
    int right = 0;
};

} // namespace

std::vector<QRect> outlineCriticalPath(const StepRun& run, const PathOf& pathOf, const TimeScale& scale,
                                       const QRect& area, int rowHeight, std::span<const RowLine> lines) {
    std::vector<QRect> outlines;
    if (scale.width <= 0 || length(scale.range).value() <= 0) {
        return outlines;
    }
    std::map<std::size_t, std::size_t> line_of; // by row
    for (std::size_t line = 0; line < lines.size(); ++line) {
        if (!lines[line].group) {
            line_of[lines[line].index] = line;
        }
    }
    std::map<std::size_t, Stay> open; // by line
    const int end = scale.left + scale.width;
    const auto close = [&](std::size_t line, const Stay& stay) {
        const int left = std::max(stay.left, scale.left);
        const int right = std::min(std::max(stay.right, left + least_outline), end);
        if (right > left) {
            const int top = area.top() + static_cast<int>(line) * rowHeight;
            outlines.emplace_back(left, top, right - left, rowHeight);
        }
    };
    const StepRun::Span pieces = run.pieces_in(scale.range);
    for (std::size_t index = pieces.first; index < pieces.last; ++index) {
        const Piece& piece = run.pieces()[index];
        const CriticalPath* path = piece.timeline ? pathOf(piece.gemm) : nullptr;
        if (!path) {
            continue;
        }
        const auto first = std::ranges::partition_point(path->events, [&](const CriticalEvent& event) {
            return piece.start + event.end <= scale.range.begin;
        });
        for (auto event = first; event != path->events.end() && piece.start + event->start < scale.range.end;
             ++event) {
            const auto line =
                event->row < 0 ? line_of.end() : line_of.find(static_cast<std::size_t>(event->row));
            if (line == line_of.end()) {
                continue;
            }
            const Stay next{scale.pixel(piece.start + event->start), scale.pixel(piece.start + event->end)};
            const auto [stay, fresh] = open.try_emplace(line->second, next);
            if (fresh) {
                continue;
            }
            if (next.left < std::max(stay->second.right, stay->second.left + least_outline) + outline_gap) {
                stay->second.right = std::max(stay->second.right, next.right);
            } else {
                close(line->second, stay->second);
                stay->second = next;
            }
        }
    }
    for (const auto& [line, stay] : open) {
        close(line, stay);
    }
    return outlines;
}

const CriticalEvent* eventAt(const CriticalPath& path, Time time) {
    const auto event =
        std::ranges::partition_point(path.events, [&](const CriticalEvent& one) { return one.end <= time; });
    return event != path.events.end() && event->start <= time ? &*event : nullptr;
}

} // namespace meshslice::ui
