#pragma once

#include "core/lesson/lesson.h"
#include "core/lesson/stepper_example.h"
#include "core/question/catalogue/questions.h"
#include "ui/lab/lab_run.h"
#include "ui/view/view.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSplitter;
class QTabWidget;
class QTableView;
class QToolButton;

namespace meshslice::ui {

class LabCanvas;
class LabPage;
class QuestionPage;
class StepperPage;
class TableModel;
class TimelineView;
class TorusView;

/// Of a view that is seen on a projector, without what one sets there: the field that is kept, or null.
inline constexpr const char* projected_property = "projected";

/// Sharded matrices, hands on: a mesh, how A and B lie on it and how C is wanted are typed or chosen in the
/// scaling book's notation; the picture shows which chip holds which block, the table all plans of the GEMM,
/// the best first, and the buttons go through the steps of the one that is selected. Its program is
/// simulated: the timeline and the torus below show it, with one clock. Another page steps through algorithms
/// and collectives on small matrices; the others are questions that need no scenario.
class LabView : public View {
    Q_OBJECT
  public:
    explicit LabView(Session* session, QWidget* parent = nullptr, Questions questions = all_questions());
    ~LabView() override; ///< the views of the run before their session

    [[nodiscard]] QString sentence() const override { return {}; }
    [[nodiscard]] bool isStale() const override { return false; }
    [[nodiscard]] bool isCurrent() const override;
    /// Whether another key is waited for before what was typed is read.
    [[nodiscard]] bool isTyping() const { return typing_.isActive(); }
    void complete(const Completed& completed) override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] QStringList pages() const override;
    [[nodiscard]] int page() const override;
    void turnTo(int page) override;

    /// What is typed in a field; of the hardware and of the type the name.
    void setText(LabField field, const QString& text);
    [[nodiscard]] QString text(LabField field) const;
    /// All of them at once; refused only as a whole.
    void setTexts(const LabTexts& texts);
    [[nodiscard]] LabTexts texts() const;
    [[nodiscard]] QWidget* field(LabField field) const;

    /// What is typed and chosen, on all pages.
    struct State {
        int page = 0;
        LabTexts texts;
        int plan = 0;
        std::size_t done = 0;                  ///< steps of the plan
        int below = 0;                         ///< the tab below the blocks
        std::vector<QStringList> questions;    ///< what is typed on the page of each
        std::optional<StepperExample> stepper; ///< none: nothing has been stepped through yet
    };
    [[nodiscard]] State state() const;
    void restore(const State& state);
    /// Turns to a page and shows there what a lesson says.
    void present(const LessonLab& lab);
    /// What a lesson calls so on a page; null where there is nothing.
    [[nodiscard]] QWidget* named(const LessonLab& lab, std::string_view field) const;

    /// What is wrong with what is typed, and where; empty where nothing is.
    [[nodiscard]] QLabel* notice() { return notice_; }
    [[nodiscard]] LabCanvas* canvas() { return canvas_; }
    [[nodiscard]] TableModel* plans() { return plans_; }
    [[nodiscard]] QTableView* table() { return table_; }
    [[nodiscard]] QToolButton* back() { return back_; }
    [[nodiscard]] QToolButton* forward() { return forward_; }
    [[nodiscard]] QPushButton* copy() { return copy_; }
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    /// The run of the plan that is selected; null while there is none.
    [[nodiscard]] LabRun run() const { return run_.answer() ? *run_.answer() : nullptr; }
    [[nodiscard]] LatestJob* runJob() { return run_.job(); }
    [[nodiscard]] QTabWidget* tabs() { return tabs_; }
    [[nodiscard]] TimelineView* timeline() { return timeline_; }
    [[nodiscard]] TorusView* torus() { return torus_; }
    [[nodiscard]] StepperPage* stepper() { return stepper_; }
    /// Of a question, by the page's name, "rooflines"; null for another page.
    [[nodiscard]] QuestionPage* questionPage(std::string_view name) const;
    [[nodiscard]] int selected() const { return selected_; }
    void select(int plan);

    [[nodiscard]] QSize sizeHint() const override { return {900, 560}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return leastOfLayout({360, 260}); }

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void resultsChanged() override {}
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;

  private:
    /// The page that is seen; null for that of the plans of a sharded GEMM.
    [[nodiscard]] LabPage* other() const;
    void makeFields();
    /// The picture and what is below it share the height, until the user says how.
    void share();
    void stack();
    void layOut();
    [[nodiscard]] QWidget* layOutPlans();
    void fillChoices();
    /// After anything was typed or chosen.
    void ask();
    void take();
    void takeRun();
    void showPlan();
    void renewButtons();
    void say(const LabRefusal& refusal);
    void put(LabField field, const QString& text);
    /// The plan that is asked for goes to this one, at this step, once it is known.
    void selectWanted();
    void turnBelowTo(std::string_view name);
    [[nodiscard]] QLineEdit* lineOf(LabField field) const;
    /// Of what is chosen, not typed; else null.
    [[nodiscard]] QComboBox* listOf(LabField field) const;

    // Made as they stand, which is how the Tab key goes.
    QLineEdit* mesh_;
    QLineEdit* sizes_;
    QComboBox* hardware_;
    QPushButton* copy_;
    QComboBox* left_;
    QComboBox* right_;
    QComboBox* result_;
    QComboBox* type_;
    QLabel* notice_;
    QToolButton* back_;
    QToolButton* forward_;
    QLabel* progress_;
    LabCanvas* canvas_;
    TableModel* plans_;
    QTableView* table_;
    QTimer typing_;
    int selected_ = 0;
    Inquiry<LabQuestion, ShardedPlans> inquiry_;
    Inquiry<LabRunQuestion, LabRun> run_;
    Document* own_document_; ///< empty; the session of the run needs one
    LabSession* plan_session_;
    TimelineView* timeline_;
    TorusView* torus_;
    QTabWidget* tabs_;
    QSplitter* split_;
    QScrollArea* picture_ = nullptr; ///< of the blocks
    QScrollArea* timeline_page_ = nullptr;
    QScrollArea* torus_page_ = nullptr;
    StepperPage* stepper_;
    std::vector<QuestionPage*> question_pages_; ///< in the order of the tabs
    QTabWidget* pages_;
    bool shared_by_user_ = false;
    /// A plan to show when the plans are known: by its place or by its steps, and how many are done.
    struct WantedPlan {
        int place = 0;
        std::string steps;
        std::size_t done = 0;
    };
    std::optional<WantedPlan> wanted_;
};

} // namespace meshslice::ui
