#include "ui/timeline/view/timeline_notes.h"

#include "core/base/text.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/timeline/row_list.h"
#include "ui/timeline/strip/time_marks.h"
#include "ui/timeline/view/timeline_picture.h"

#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr int note_padding = 4;
constexpr int widest_note = 240;
constexpr int note_height = 16;
constexpr int note_sign = 7;
constexpr int reach = 3; ///< pixels around a sign

std::string partName(const StepRun& run, std::size_t row) {
    const Row& one = run.rows()[row];
    return one.memory ? std::string() : text(partOfRow(run.torus(), one));
}

bool isOf(const TimeMark& mark, const std::vector<std::string>& names, std::size_t step) {
    return mark.run.empty() || (step < names.size() && mark.run == names[step]);
}

} // namespace

std::vector<std::string> runNames(const Results& results, const Project& project) {
    std::vector<std::string> names;
    for (std::size_t step = 0; step < results.steps.size(); ++step) {
        names.push_back(!results.reference ? results.steps[step].algorithm
                        : step == 0        ? project.variants[project.current].name
                                           : results.reference->name);
    }
    return names;
}

NoteTarget noteOn(const StepRuns& runs, const std::vector<std::string>& names,
                  const std::vector<TimeMark>& marks, std::size_t step, std::size_t row,
                  const RunSlice& bar) {
    const Time middle(bar.start.value() + (bar.end - bar.start).value() / 2);
    NoteTarget target{middle,
                      partName(*runs[step], row),
                      step < names.size() ? names[step] : std::string(),
                      words(row_name(runs[step]->torus(), runs[step]->rows()[row])),
                      {}};
    for (std::size_t k = 0; k < marks.size(); ++k) {
        if (marks[k].is_note() && marks[k].part == target.part && isOf(marks[k], names, step) &&
            marks[k].at >= bar.start && marks[k].at <= bar.end) {
            target.mark = k;
        }
    }
    return target;
}

std::vector<TimeMark> withNote(std::vector<TimeMark> marks, const NoteTarget& target, const QString& said) {
    const auto there = target.mark && *target.mark < marks.size()
                           ? marks.begin() + static_cast<std::ptrdiff_t>(*target.mark)
                           : marks.end();
    if (said.isEmpty()) {
        if (there != marks.end()) {
            marks.erase(there);
        }
    } else if (there != marks.end()) {
        there->name = said.toStdString();
    } else {
        marks.push_back({said.toStdString(), std::max(Time(0), target.at), target.part, target.run});
    }
    return numbered(std::move(marks));
}

std::vector<NotePlace> notesOf(const StepRuns& runs, const std::vector<std::string>& names,
                               const std::vector<TimeMark>& marks) {
    std::vector<NotePlace> places;
    for (std::size_t mark = 0; mark < marks.size(); ++mark) {
        for (std::size_t step = 0; marks[mark].is_note() && step < runs.size(); ++step) {
            const std::vector<Row>& rows = runs[step]->chip_rows();
            for (std::size_t row = 0; isOf(marks[mark], names, step) && row < rows.size(); ++row) {
                if (partName(*runs[step], row) == marks[mark].part) {
                    places.push_back({mark, step, row});
                    break;
                }
            }
        }
    }
    return places;
}

std::vector<NoteFlag> noteFlags(const StepRuns& runs, const TimelinePicture& picture) {
    const QFont font = lettering(Lettering::small);
    std::vector<NoteFlag> flags;
    for (const NotePlace& note : notesOf(runs, picture.choice.runNames, picture.choice.marks)) {
        const Time at = picture.choice.marks[note.mark].at + picture.choice.shiftOf(note.step);
        const std::optional<QRect> row = picture.placeOf(note.step, note.row);
        if (!row || at < picture.scale.range.begin || at > picture.scale.range.end) {
            continue;
        }
        const QRect area = picture.layout.blocks[note.step].rows;
        const int x = picture.scale.pixel(at);
        NoteFlag flag{note.mark, {x, row->top()}, {}, markTitle(picture.choice.marks, note.mark)};
        const int width = std::min({widest_note, area.width(),
                                    static_cast<int>(textWidth(font, flag.words)) + 2 * note_padding + 1});
        const int left = std::clamp(x, area.left(), area.left() + area.width() - width);
        // Above the row, so that its bar is seen; below it where there is nothing above.
        const int above = row->top() - note_height - 2;
        const QRect box(left, above >= area.top() ? above : row->bottom() + 3, width, note_height);
        const bool free =
            std::ranges::none_of(flags, [&](const NoteFlag& other) { return other.box.intersects(box); });
        flag.box = free ? box : QRect();
        flags.push_back(std::move(flag));
    }
    return flags;
}

void paintNotes(QPainter& painter, const std::vector<NoteFlag>& flags, Theme theme) {
    const QFont font = lettering(Lettering::small);
    const QColor ink = color(Role::text, theme);
    const QColor paper = color(Role::background, theme);
    for (const NoteFlag& flag : flags) {
        const QPointF foot = QPointF(flag.foot) + QPointF(0.5, 0);
        const QPolygonF sign{{foot, foot + QPointF(note_sign / 2.0, -note_sign),
                              foot + QPointF(-note_sign / 2.0, -note_sign)}};
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(paper, 1));
        painter.setBrush(ink);
        painter.drawPolygon(sign);
        painter.restore();
        if (flag.box.isEmpty()) {
            continue; // its words are in its tip and in the menu
        }
        painter.fillRect(flag.box, paper);
        painter.setPen(QPen(ink, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(flag.box.adjusted(0, 0, -1, -1));
        drawFitted(painter, QRectF(flag.box).adjusted(note_padding, 0, -note_padding, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, font, flag.words);
    }
}

std::optional<std::size_t> noteAt(const std::vector<NoteFlag>& flags, const QPoint& point) {
    for (const NoteFlag& flag : flags) {
        const QRect sign(flag.foot.x() - note_sign / 2 - reach, flag.foot.y() - note_sign - reach,
                         note_sign + 2 * reach, note_sign + 2 * reach);
        if (flag.box.contains(point) || sign.contains(point)) {
            return flag.mark;
        }
    }
    return std::nullopt;
}

} // namespace meshslice::ui
