#pragma once

#include "core/question/question.h"
#include "ui/charts/chart_job_view.h"
#include "ui/serve/serve_request.h"

#include <QString>
#include <QStringList>

#include <optional>

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace meshslice::ui {

class QuestionForm;
class RunPane;
class TableModel;

/// Serving a model: its fields; how fast it answers, whether it fits, what bounds it and how far to trust
/// that; what a step of prefill and of decode consists of, the memory of a chip, and the frontier of tokens
/// per second of a chip and of a user, and servers and their requests over time, each a page; with the tables
/// below. Model, machine and fields are the scenario's: choosing others here is an edit of it. Where it is
/// compared with another variant, the answers stand next to each other.
class ServeView : public ChartJobView {
    Q_OBJECT
  public:
    /// Its pages.
    enum Page : int { steps, memory, frontier, timeline, batches, cache, layouts, schedules };

    explicit ServeView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] bool isCurrent() const override { return shown() && inquiry_.answered() == wanted(); }
    [[nodiscard]] QStringList pages() const override;
    [[nodiscard]] int page() const override { return page_; }
    void turnTo(int page) override;
    void complete(const Completed& completed) override { inquiry_.ask(wanted(), completed); }
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }

    [[nodiscard]] QuestionForm* form() { return form_; }
    [[nodiscard]] RunPane* pane() { return pane_; }
    [[nodiscard]] ServeRequests wanted() const;
    /// The answer in large letters, and what is to be known about it.
    [[nodiscard]] QLabel* answerLine() { return answer_line_; }
    [[nodiscard]] QLabel* about() { return about_; }
    [[nodiscard]] double pictureHeight(double width) const override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    /// The newest answer; null where there is none.
    [[nodiscard]] const Answer* shown() const {
        return inquiry_.answer() ? &inquiry_.answer()->own : nullptr;
    }
    /// That of the variant that it is compared with; null where there is none.
    [[nodiscard]] const Answer* reference() const;

  protected:
    void renew() override;
    void cancel(bool awaited) override { awaited ? inquiry_.cancel() : inquiry_.cancelUnlessAwaited(); }
    void takeScenario() override;
    void paintCurrent(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void layOut();
    /// A field has changed: the scenario where it is the model's or the machine's.
    void edited();
    /// What is typed into the form's own fields becomes the scenario's.
    void editFields();
    [[nodiscard]] ServeRequest requestOf(const Scenario& scenario) const;
    /// How this variant and the other one are called: "B, two chips".
    [[nodiscard]] std::string nameOfOwn() const;
    [[nodiscard]] std::string nameOfReference() const;
    [[nodiscard]] std::optional<NamedTable> comparison() const;
    /// Makes the list show what the scenario has, also where it is edited or a file's.
    void follow(const char* key);
    /// Whether the list has another entry than the scenario.
    [[nodiscard]] bool differs(const char* key) const;
    [[nodiscard]] Result<void> chooseInScenario(const char* key);
    void showRun();
    [[nodiscard]] std::optional<Chart> chartOfPage() const;
    void showAnswer();
    void showTables();
    /// Leaves the tables what a low picture does not need, until the user has divided them.
    void divideStack();

    Question question_;
    QuestionForm* form_;
    QLabel* answer_line_;
    QLabel* about_;
    QLabel* notice_;
    QTabWidget* tables_;
    RunPane* pane_;
    QStackedWidget* pictures_; ///< the chart, or the runs
    QSplitter* stack_ = nullptr;
    bool divided_ = false; ///< by the user
    int page_ = steps;
    std::string edited_; ///< the field that is typed into
    QString not_chosen_; ///< why the scenario does not take what was chosen
    Inquiry<ServeRequests, ServeAnswers> inquiry_;
};

} // namespace meshslice::ui
