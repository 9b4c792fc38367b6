#pragma once

#include "core/question/question.h"
#include "core/scenario/scenario.h"
#include "ui/lab/lab_page.h"

#include <optional>
#include <vector>

class QLabel;
class QScrollArea;
class QTabBar;
class QTableView;

namespace meshslice::ui {

class ChartCanvas;
class QuestionForm;
class TableModel;

/// A page of the lab that answers a question at every key: its fields, and the chart of the answer, or its
/// first table where it has no chart. Of several charts one is seen, with tabs for the others and for all
/// tables; one of few rows has the next chart below it, or the table. A text that is refused leaves what the
/// last one showed, with a sentence that says what is wrong.
class QuestionPage : public LabPage {
    Q_OBJECT
  public:
    QuestionPage(Question question, QWidget* parent);

    [[nodiscard]] const Question& question() const { return question_; }
    [[nodiscard]] ChartCanvas* canvas();
    [[nodiscard]] const ChartCanvas* canvas() const { return canvas_; }
    [[nodiscard]] QuestionForm* form() { return form_; }
    [[nodiscard]] const QuestionForm* form() const { return form_; }
    [[nodiscard]] QLabel* notice() { return notice_; }
    [[nodiscard]] QTabBar* parts() { return parts_; }
    [[nodiscard]] const ChartCanvas* canvasBelow() const { return next_; }
    [[nodiscard]] const QTableView* listed() const { return listed_; }
    [[nodiscard]] QWidget* picture() override;
    [[nodiscard]] bool isCurrent() const override { return refusal_.isEmpty(); }
    void complete(const Completed& completed) override;
    [[nodiscard]] QString pictured() const override;
    [[nodiscard]] Table table() const override; ///< the one that is seen, else the first
    void paintFor(QPainter& painter, const QSize& laid_out, Theme theme) const override;

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void layOut();
    void ask();
    /// What stands in the fields at first is asked when the page is first looked at: some answers take longer
    /// than all the rest of a window.
    void askAtFirst();
    /// Nothing, or why there is no answer.
    [[nodiscard]] Result<void> answer();
    /// Tabs for what the answer has, if it has several charts.
    void listParts();
    void showPart();
    /// What fits below the chart that is seen.
    void showBelow();

    Question question_;
    Scenario scenario_ = default_scenario(); ///< of a question about one
    QuestionForm* form_;
    QLabel* notice_;
    QTabBar* parts_;
    ChartCanvas* canvas_;
    QScrollArea* drawn_; ///< with the canvas
    ChartCanvas* next_;  ///< the chart after the one that is seen, below it
    TableModel* rows_;
    QTableView* listed_;
    bool listed_of_answer_ = false; ///< whether the rows are those of what is seen
    bool asked_ = false;
    std::optional<Answer> answer_; ///< the last one that there was
    std::vector<Table> tables_;    ///< its own
    QString refusal_;              ///< why what is typed has none
};

} // namespace meshslice::ui
