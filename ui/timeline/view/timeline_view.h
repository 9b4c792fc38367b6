#pragma once

#include "ui/timeline/bars/bar_finder.h"
#include "ui/timeline/bars/bar_links.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/row_list.h"
#include "ui/timeline/strip/overview.h"
#include "ui/timeline/view/time_keys.h"
#include "ui/timeline/view/timeline_notes.h"
#include "ui/timeline/view/timeline_picture.h"
#include "ui/view/painted_view.h"

#include <QPixmap>
#include <QPoint>

#include <memory>
#include <optional>
#include <vector>

class QMenu;
class QScrollBar;

namespace meshslice::ui {

class SearchBar;

/// When each core multiplies and each link moves: one painted widget, as large as what is seen, for all rows
/// of one or two algorithms on one time axis. The rectangles are rebuilt only when range, rows, size or
/// results change; hover and selection are drawn on top of the finished picture.
///
/// Keys: W S zoom and A D pan at the cursor, Up Down PgUp PgDn scroll the rows, F fits the selection (again:
/// the whole run), Home the whole run, `.` `,` the next and previous bar of the row, Enter zooms to the
/// marked stretch, C marks the critical path or not, / searches, [ and ] go along what bars wait for, M marks
/// a moment or not, N puts a note on a bar or a moment, 1 to 9 go to one, G aligns both runs at a GEMM,
/// Escape clears. Wheel: rows; with Ctrl zoom, with Shift pan. Drag marks a stretch of time; the middle
/// button or Shift drag pans; a double click zooms to a bar; a click on the name of a chip or a group folds
/// it.
class TimelineView : public PaintedView {
    Q_OBJECT
  public:
    explicit TimelineView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    /// Waits for the critical path where it is marked.
    void complete(const Completed& completed) override;
    void giveUp() override { waiting_.clear(); }
    /// Of very many bars the table has the first ones.
    [[nodiscard]] QString whatTableLacks() const override;

    [[nodiscard]] RowHeight rowHeight() const { return row_height_; }
    void setRowHeight(RowHeight height);
    [[nodiscard]] bool marksCriticalPath() const { return mark_critical_; }
    void setMarksCriticalPath(bool mark);
    /// Scrolls to the row where the critical path is in the middle of what is seen: under faults it may be on
    /// any chip. Of the first algorithm that is in the picture then.
    void scrollToCriticalPath();

    /// Zooms to the selected bar or marked stretch; to the whole run if it is there already, or nothing is
    /// selected.
    void fitSelection();
    void showWholeRun();
    /// Which rows are shown, and how they are grouped.
    [[nodiscard]] const RowChoice& rowChoice() const { return rows_; }
    void setRowGroups(RowGroups groups);
    /// Moves the second run so that both begin a GEMM together; none: both begin at 0.
    void alignAt(std::optional<std::size_t> gemm);
    [[nodiscard]] std::optional<std::size_t> alignedGemm() const { return aligned_; }
    /// Asks for the words of a note: on the selected bar, else on the bar or at the moment under the cursor.
    void askForNote();
    /// Keeps a row on top, or puts it back.
    void pin(std::size_t step, std::size_t row, bool pinned);
    void pinPart(const FaultyPart& part, bool pinned);
    [[nodiscard]] SearchBar* searchBar() { return search_; }
    /// What searches, for tests.
    [[nodiscard]] LatestJob* searchJob() { return finder_.job(); }

    /// The stretch that was dragged, and what it says.
    [[nodiscard]] std::optional<TimeRange> marked() const;
    [[nodiscard]] QString readOut() const;
    /// What stands at a point of the picture, line by line; empty where there is nothing.
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;

    /// What is seen, ready to be painted.
    [[nodiscard]] const TimelinePicture& picture() const;
    /// The rows that are seen.
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    /// The menu of the selected row.
    QString offer(QMenu& menu) override;

    [[nodiscard]] QSize sizeHint() const override { return {960, 560}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 200}; }

  protected:
    void resultsChanged() override;
    void stateChanged() override;
    void paintContent(QPainter& painter) override;
    void paintForFile(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] std::function<Table()> makeTableLater() const override;
    [[nodiscard]] QString nothingToShow() const override;
    [[nodiscard]] QString atAGlance() const override;
    void looksChanged() override;

    [[nodiscard]] QStringList tipAt(const QPoint& point) const override;
    bool handleKey(int key, bool act) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    /// What is at a point of the picture.
    struct Hit {
        std::size_t step = 0;
        std::optional<std::size_t> row;
        std::optional<std::size_t> gemm;
        bool band = false; ///< on a GEMM's name
        BarAt there;       ///< in the row
    };
    /// A stretch of time marked by dragging, and in which row.
    struct Mark {
        TimeRange range;
        std::optional<std::size_t> step;
        std::optional<std::size_t> row;
    };
    enum class Drag : std::uint8_t { none, pressed, mark, pan, overview };

    [[nodiscard]] std::vector<ReadablePart> makeReadableParts() const;
    [[nodiscard]] TimelineChoice choice() const;
    /// In the window.
    [[nodiscard]] TimelineChoice choiceHere() const;
    void changed(); ///< what is looked at: the rectangles are built again
    void layoutScrollBar();
    void scrollToNewFault();
    /// Scrolls so that a row of a step is in the middle.
    void scrollToRow(std::size_t step, std::size_t row);
    void rowsChanged(); ///< others, or in another order
    void placeSearch();

    void openSearch();
    void search();
    /// Takes over what was found, or that it is still looked for.
    void showFound();
    void closeSearch();
    void goToMatch(bool forward);
    /// The name left of a row, or of a group, at a point: its group.
    struct Name {
        std::size_t step = 0;
        RowLine line;
        std::int64_t group = 0;
    };
    [[nodiscard]] std::optional<Name> nameAt(const QPoint& point) const;
    void fold(std::int64_t group);
    /// The menu of a row, and of the moment at a pixel position.
    void fillMenu(QMenu& menu, const std::optional<Name>& name, double x);
    void addRowEntries(QMenu& menu, const std::optional<Name>& name);

    [[nodiscard]] bool inData(const QPoint& point) const;
    [[nodiscard]] std::optional<Hit> hit(const QPoint& point) const;
    [[nodiscard]] double cursorX() const;
    /// `x`: where it zooms.
    void move(const TimeStep& step, double x);
    void scrollRows(int rows);
    void step(bool next);
    /// To what the selected bar waited for, or to what waited for it, as soon as that is known.
    void goAlong(bool later);
    /// Marks the moment at a pixel position, or forgets the mark that is there.
    void toggleMark(double x);
    void setMarks(const std::vector<TimeMark>& marks);
    void goToMark(std::size_t number);
    /// Asks for another name.
    void renameMark(std::size_t number);
    void addMarkEntries(QMenu& menu, double x);
    [[nodiscard]] NoteTarget noteTarget() const;
    void askForNote(const NoteTarget& target);
    /// The GEMM that is selected, else the one at the cursor of the first run.
    [[nodiscard]] std::optional<std::size_t> gemmToAlign() const;
    void takeRuns();
    void selectionChanged();
    void linksFound();
    void reveal(const Selected& selected);
    void zoomTo(const Hit& hit);
    void describeSelection();
    void clearMark();

    void paintOverlay(QPainter& painter);
    void paintSelected(QPainter& painter);
    void paintLinks(QPainter& painter);
    void paintMark(QPainter& painter);
    void paintMoment(QPainter& painter);
    void paintCursor(QPainter& painter);

    StepRuns runs_; ///< as they are shown
    std::optional<std::size_t> aligned_;
    std::vector<Time> shifts_;    ///< of each run
    bool own_groups_ = false;     ///< the user has grouped or folded the rows
    TimeRange last_whole_;        ///< of the newest results that there were
    bool critical_known_ = false; ///< the picture has been built with the reasons
    std::vector<Completed> waiting_;
    bool mark_critical_ = true;
    RowHeight row_height_ = RowHeight::normal;
    QScrollBar* scroll_;
    SearchBar* search_;
    BarFinder finder_;
    std::optional<bool> go_; ///< forwards or not: where to go once the search is over
    RowChoice rows_;
    std::shared_ptr<const std::vector<RowList>> lists_;      ///< of `rows_`, by step
    mutable GroupSummaries summaries_;                       ///< of the last picture
    mutable std::optional<TimelinePicture> picture_;         ///< derived; empty until asked for
    mutable std::optional<std::vector<ReadablePart>> parts_; ///< the same
    QPixmap base_; ///< the painted picture without hover and selection

    BarLinks links_;              ///< of the selected bar
    std::vector<TimeMark> marks_; ///< the document's, as they are painted
    std::optional<bool> follow_;  ///< where to go once they are found: to what is later, or earlier
    QString note_;                ///< in place of the read-out, until something else is selected

    std::vector<Fault> faults_; ///< of the newest results that had bars
    std::optional<QPoint> cursor_;
    std::optional<Mark> mark_;
    Drag drag_ = Drag::none;
    OverviewDrag overview_drag_;
    QPoint press_;
    TimeRange press_range_;
    int press_scroll_ = 0;
};

} // namespace meshslice::ui
