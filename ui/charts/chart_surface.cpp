#include "ui/charts/chart_surface.h"

#include "ui/controls/tip.h"
#include "ui/look/figure_style.h"
#include "ui/look/glossary.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWidget>

#include <algorithm>

namespace meshslice::ui {

ChartSurface::ChartSurface(QWidget* owner, ChartKeys keys) : QObject(owner), owner_(owner), keys_(keys) {
    owner->setMouseTracking(true);
    owner->installEventFilter(this);
}

ChartSurface::~ChartSurface() = default;

void ChartSurface::setChart(std::optional<Chart> chart) {
    if (chart == chart_) {
        return;
    }
    chart_ = std::move(chart);
    const std::set<std::string> known = names();
    if (!std::ranges::includes(known, hidden_) || known == hidden_) {
        hidden_.clear();
    }
    marks_.current.reset();
    marks_.entry.reset();
    renew();
}

void ChartSurface::setArea(const QRect& area) {
    if (area_ != area) {
        area_ = area;
        renew();
    }
}

void ChartSurface::select(std::optional<int> item) {
    ChartMarks marks = marks_;
    marks.selected = item;
    mark(marks);
}

void ChartSurface::mark(const ChartMarks& marks) {
    if (marks != marks_) {
        marks_ = marks;
        owner_->update();
    }
}

void ChartSurface::renew() {
    picture_.reset();
    drawn_picture_.reset();
    owner_->update();
}

QPoint ChartSurface::offset() const {
    return area_ ? area_->topLeft() : QPoint();
}

const ChartLayout& ChartSurface::layout() {
    static const ChartLayout none;
    if (!chart_) {
        return none;
    }
    const QSize size = area_ ? area_->size() : toPicture(owner_->size());
    const Theme theme = themeOf(owner_->palette());
    if (!picture_ || size != size_ || theme != theme_) {
        size_ = size;
        theme_ = theme;
        picture_ = std::make_unique<ChartPicture>(layoutChart(*chart_, size, hidden_), theme);
    }
    return picture_->layout();
}

void ChartSurface::paint(QPainter& painter) {
    (void)layout();
    if (picture_) {
        painter.save();
        painter.translate(offset());
        picture_->paint(painter, marks_);
        painter.restore();
    }
}

void ChartSurface::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    if (!chart_) {
        return;
    }
    // A file asks for its title first, and one picture goes into several files.
    const Drawn asked{size,      theme, figureTitle(), titleStandsAbove(), lettering(Lettering::small),
                      hasNotes()};
    if (!drawn_picture_ || drawn_ != asked) {
        drawn_picture_ = std::make_unique<ChartPicture>(layoutChart(*chart_, size, hidden_), theme);
        drawn_ = asked;
    } else {
        (void)pictureTitle(words(chart_->title)); // says what its layout said when it was made
    }
    drawn_picture_->paint(painter, {marks_.selected, {}, {}});
}

std::set<std::string> ChartSurface::names() const {
    std::set<std::string> all;
    for (const ChartPanel& panel : chart_ ? chart_->panels : std::vector<ChartPanel>()) {
        for (const ChartSeries& one : panel.series) {
            if (one.kind != SeriesKind::rule) {
                all.insert(one.name);
            }
        }
    }
    return all;
}

void ChartSurface::isolate(const std::string& name) {
    std::set<std::string> others = names();
    others.erase(name);
    hidden_ = hidden_ == others ? std::set<std::string>() : others;
    renew();
}

void ChartSurface::toggle(const std::string& name) {
    if (!hidden_.erase(name)) {
        hidden_.insert(name);
    }
    if (hidden_ == names()) {
        hidden_.clear();
    }
    renew();
}

ChartSurface::Hit ChartSurface::hit(const QPoint& point) {
    Hit found;
    if (!chart_) {
        return found;
    }
    const ChartLayout& now = layout();
    const QPointF at = point - offset();
    for (std::size_t k = 0; k < now.legend.size(); ++k) {
        if (now.legend[k].area.contains(at)) {
            found.entry = k;
            return found;
        }
    }
    constexpr double near = 4;
    double least = 1e9;
    for (std::size_t p = 0; p < now.panels.size(); ++p) {
        const PanelLayout& panel = now.panels[p];
        for (std::size_t m = 0; m < panel.marks.size(); ++m) {
            const QRectF& area = panel.marks[m].area;
            const bool bar = now.chart.panels[p].series[panel.marks[m].series].kind == SeriesKind::stack;
            const double distance = QLineF(area.center(), at).length();
            const bool inside = bar ? area.contains(at) : distance <= area.width() / 2 + near;
            if (inside && distance < least) {
                least = distance;
                found.mark = std::pair(p, m);
            }
        }
        for (const ChartRow& row : panel.rows) {
            found.row = row.area.contains(at) ? &row : found.row;
        }
    }
    return found;
}

QStringList ChartSurface::linesOf(const Hit& at) {
    const ChartLayout& now = layout();
    if (at.entry) {
        const QString name = words(now.legend[*at.entry].name);
        return QStringList{tr("%1: click to show it alone, or all again").arg(name),
                           tr("Ctrl+click to hide or show it")} +
               glossaryLines(name).mid(1);
    }
    if (at.mark) {
        const ChartPanel& panel = now.chart.panels[at.mark->first];
        const ChartMark& mark = now.panels[at.mark->first].marks[at.mark->second];
        return words(mark_text(panel, panel.series[mark.series], mark.point)).split(QLatin1Char('\n'));
    }
    return at.row != nullptr && !at.row->words.isEmpty() ? at.row->words.split(QLatin1Char('\n'))
                                                         : QStringList();
}

QStringList ChartSurface::linesAt(const QPoint& point) {
    return linesOf(hit(point));
}

QStringList ChartSurface::linesOfItem(int item) {
    const ChartLayout& now = layout();
    Hit at;
    for (std::size_t p = 0; p < now.panels.size(); ++p) {
        for (const ChartRow& row : now.panels[p].rows) {
            at.row = row.item == item ? &row : at.row;
        }
        for (std::size_t m = 0; m < now.panels[p].marks.size() && at.row == nullptr; ++m) {
            if (now.panels[p].marks[m].point.item == item) {
                at.mark = std::pair(p, m);
            }
        }
    }
    if (at.row != nullptr) {
        at.mark.reset();
    }
    return linesOf(at);
}

std::vector<ReadablePart> ChartSurface::readableParts() {
    std::vector<ReadablePart> parts;
    const ChartLayout& now = layout();
    for (std::size_t p = 0; p < now.panels.size(); ++p) {
        for (std::size_t m = 0; m < now.panels[p].marks.size(); ++m) {
            const ChartMark& mark = now.panels[p].marks[m];
            const bool selected = mark.point.item >= 0 && marks_.selected == mark.point.item;
            if (parts.size() == most_readable_parts && selected) {
                parts.pop_back(); // what is selected is always one of them
            }
            if (parts.size() == most_readable_parts) {
                continue;
            }
            Hit at;
            at.mark = std::pair(p, m);
            const QRect area = fromPicture(mark.area.toAlignedRect().translated(offset()));
            parts.push_back(readablePart(linesOf(at), area, selected));
        }
    }
    return parts;
}

bool ChartSurface::selects() const {
    return chart_ && std::ranges::any_of(chart_->panels, [](const ChartPanel& panel) {
               return !panel.categories().items.empty() ||
                      std::ranges::any_of(panel.series, [](const ChartSeries& one) {
                          return std::ranges::any_of(one.points,
                                                     [](const ChartPoint& point) { return point.item >= 0; });
                      });
           });
}

bool ChartSurface::press(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        return false;
    }
    const QPoint point = toPicture(event->pos());
    if (area_ && !area_->contains(point)) {
        return false;
    }
    const Hit at = hit(point);
    if (at.entry) {
        const std::string name = layout().legend[*at.entry].name;
        event->modifiers() & Qt::ControlModifier ? toggle(name) : isolate(name);
        return true;
    }
    int item = at.row != nullptr ? at.row->item : -1;
    if (at.mark) {
        ChartMarks marks = marks_;
        marks.current = at.mark;
        mark(marks);
        item = layout().panels[at.mark->first].marks[at.mark->second].point.item;
    }
    emit picked(item >= 0 ? std::optional(item) : std::nullopt);
    return selects();
}

/// From value to value, in the order in which they are drawn, round and round.
void ChartSurface::move(int turn) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    const ChartLayout& now = layout();
    for (std::size_t p = 0; p < now.panels.size(); ++p) {
        for (std::size_t m = 0; m < now.panels[p].marks.size(); ++m) {
            all.emplace_back(p, m);
        }
    }
    if (all.empty()) {
        return;
    }
    const auto count = std::ssize(all);
    std::ptrdiff_t next = turn > 0 ? 0 : count - 1;
    if (marks_.current) {
        next = (std::ranges::find(all, *marks_.current) - all.begin() + turn + count) % count;
    }
    ChartMarks marks = marks_;
    marks.current = all[static_cast<std::size_t>(next)];
    mark(marks);
    Hit at;
    at.mark = marks.current;
    emit described(linesOf(at).join(QStringLiteral("; ")));
}

bool ChartSurface::key(QKeyEvent* event) {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) {
        return false;
    }
    const int digit = event->key() - Qt::Key_0;
    if (digit == 0) {
        hidden_.clear();
        renew();
        return true;
    }
    if (digit > 0 && digit <= 9) {
        std::vector<std::string> all;
        for (const LegendEntry& entry : layout().legend) {
            if (std::ranges::find(all, entry.name) == all.end()) {
                all.push_back(entry.name);
            }
        }
        if (static_cast<std::size_t>(digit) <= all.size()) {
            isolate(all[static_cast<std::size_t>(digit) - 1]);
        }
        return true;
    }
    const int turn = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (turn != 0 && (keys_ == ChartKeys::walk || (keys_ == ChartKeys::all && !selects()))) {
        move(turn);
        return true;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && keys_ == ChartKeys::walk && marks_.current) {
        const auto [panel, at] = *marks_.current;
        const int item = layout().panels[panel].marks[at].point.item;
        if (item >= 0) {
            emit picked(item);
        }
        return item >= 0;
    }
    return false;
}

bool ChartSurface::eventFilter(QObject* watched, QEvent* event) {
    if (watched != owner_ || !chart_) {
        return QObject::eventFilter(watched, event);
    }
    switch (event->type()) {
    case QEvent::ToolTip: {
        auto* help = static_cast<QHelpEvent*>(event);
        const QPoint point = toPicture(help->pos());
        if (area_ && !area_->contains(point)) {
            return false;
        }
        showTip(help, owner_, linesAt(point));
        return true;
    }
    case QEvent::MouseMove: {
        const Hit at = hit(toPicture(static_cast<QMouseEvent*>(event)->pos()));
        ChartMarks marks = marks_;
        marks.current = at.mark;
        marks.entry = at.entry;
        mark(marks);
        return false;
    }
    case QEvent::Leave: {
        ChartMarks marks = marks_;
        marks.current.reset();
        marks.entry.reset();
        mark(marks);
        return false;
    }
    case QEvent::MouseButtonPress: return press(static_cast<QMouseEvent*>(event));
    case QEvent::KeyPress: return key(static_cast<QKeyEvent*>(event));
    default: return QObject::eventFilter(watched, event);
    }
}

} // namespace meshslice::ui
