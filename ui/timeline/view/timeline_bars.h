#pragma once

#include "core/run/run.h"
#include "ui/look/palette.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QRect>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// Plain rectangles for one visible range, grouped by colour so that painting is a replay. Knows no painter.
struct Bars {
    struct Group {
        Role role = Role::compute;
        std::vector<QRect> rects;
        std::vector<std::uint32_t> merged; ///< how many bars each rectangle stands for
        /// Hairlines over the rectangles, where two bars of this colour touch that are wide enough to be seen
        /// apart: the first pixel of the later one.
        std::vector<QRect> seams;
    };

    std::vector<Group> groups;
    std::vector<QRect> waits; ///< the core has nothing to multiply: communication that is exposed

    [[nodiscard]] std::size_t count() const;
};

/// Turns the bars of one row into rectangles, from left to right. A bar at least a pixel wide keeps a
/// rectangle of its own, from the pixel edge nearest its start to the one nearest its end, and as high as its
/// role is drawn; such rectangles never overlap. Narrower bars are collected pixel column by pixel column,
/// and the column is filled from the bottom by the share of its time that goes to each role: a link that is
/// idle half the time does not look busy from afar, and one that spends half its time on synchronization
/// shows that. Equal neighbours join.
class RowMerger {
  public:
    /// Rectangles go to `bars`, at `top` and `height`, cut to [left, right).
    RowMerger(Bars& bars, int left, int right, int top, int height);

    /// The next bar, in pixels; not before the end of the one before.
    void add(double start, double end, Role role);
    /// `count` bars of a role that all lie within pixel `column` and fill `busy` of it.
    void addMany(int column, std::uint32_t count, double busy, Role role);
    /// After the last bar.
    void finish();

  private:
    static constexpr std::size_t roles = bar_roles;
    struct Column {
        int at = 0;
        std::array<double, roles> busy{};
        std::array<std::uint32_t, roles> count{};
    };
    /// A rectangle that the next column may lengthen.
    struct Open {
        std::size_t group = 0;
        int right = 0; ///< where it ends; 0 where there is none
        int top = 0;
        int height = 0;
    };

    Column& column(int at);
    void closeColumn(int nextBar);
    void emitColumn(const Column& filled);
    void emitSeam(Role role, int from, int end);
    /// As high as its role is drawn.
    [[nodiscard]] QRect barRect(Role role, int from, int end) const;
    void emitRect(Role role, const QRect& rect, std::uint32_t merged, Open* joins);

    Bars& bars_;
    int left_;
    int right_;
    int top_;
    int height_;
    bool open_ = false; ///< there is a column being filled
    Column column_;
    int bar_begin_ = 0;
    int bar_end_;      ///< columns left of it belong to a bar that keeps its own rectangle
    double spill_ = 0; ///< what that bar covers of the column at `bar_end_`
    Role spill_role_ = Role::compute;
    /// Where the layers of the last merged column ended, in steps from the bottom, and which column it was.
    std::array<int, roles> layers_{};
    int layers_at_;
    std::array<Open, roles> last_;
};

/// Adds the rectangles of a row whose bars are in the order of time; they may be those of several lanes.
/// Where it does nothing within `exposed`, it waits. `end`: of the run.
void buildRow(Bars& bars, std::span<const RunSlice> slices, std::span<const Stretch> exposed, Time end,
              const TimeScale& scale, const QRect& row);
void paintBars(QPainter& painter, const Bars& bars, Theme theme);
/// In one colour; in a drawing as one shape, which keeps its file small.
void fillRects(QPainter& painter, const std::vector<QRect>& rects, const QColor& fill);

/// How far the mark of a selected bar reaches beyond it: a gap of a pixel and a frame of 2. A bar that is too
/// narrow for a frame has a pointer above it and a line instead.
inline constexpr int selection_frame = 3;
inline constexpr int least_framed = 3; ///< pixels wide
void paintSelection(QPainter& painter, const QRect& bar, Theme theme);

} // namespace meshslice::ui
