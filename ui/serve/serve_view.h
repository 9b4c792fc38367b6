#pragma once

#include "core/question/question.h"
#include "ui/charts/chart_job_view.h"

#include <QString>
#include <QStringList>

#include <optional>

class QComboBox;
class QLabel;
class QStackedWidget;
class QTabWidget;

namespace meshslice::ui {

class QuestionForm;
class RunPane;
class TableModel;

/// What is asked: the fields as they are typed, model and machine as the scenario has them, and a file of
/// requests to be read.
struct ServeRequest {
    OwnTexts texts;
    OwnValues own;
    QString arrivals;

    bool operator==(const ServeRequest&) const = default;
};

/// Serving a model: its fields; how fast it answers, whether it fits, what bounds it and how far to trust
/// that; what a step of prefill and of decode consists of, the memory of a chip, and the frontier of tokens
/// per second of a chip and of a user, and servers and their requests over time, each a page; with the tables
/// below. Model and machine are the scenario's: choosing others here is an edit of it.
class ServeView : public ChartJobView {
    Q_OBJECT
  public:
    /// Its pages.
    enum Page : int { steps, memory, frontier, timeline, batches };

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
    [[nodiscard]] ServeRequest wanted() const;
    /// The answer in large letters, and what is to be known about it.
    [[nodiscard]] QLabel* answerLine() { return answer_line_; }
    [[nodiscard]] QLabel* about() { return about_; }
    [[nodiscard]] double pictureHeight(double width) const override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    /// The newest answer; none where there is none.
    [[nodiscard]] const std::optional<Answer>& shown() const { return inquiry_.answer(); }

  protected:
    void renew() override;
    void cancel(bool awaited) override { awaited ? inquiry_.cancel() : inquiry_.cancelUnlessAwaited(); }
    void takeScenario() override;
    void paintCurrent(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;

  private:
    void layOut();
    /// A field has changed: the scenario where it is the model's or the machine's.
    void edited();
    /// Makes the list show what the scenario has, also where it is edited or a file's.
    void follow(const char* key);
    /// Whether the list has another entry than the scenario.
    [[nodiscard]] bool differs(const char* key) const;
    [[nodiscard]] Result<void> chooseInScenario(const char* key);
    void showRun();
    [[nodiscard]] std::optional<Chart> chartOfPage() const;
    void showAnswer();
    void showTables();

    Question question_;
    QuestionForm* form_;
    QLabel* answer_line_;
    QLabel* about_;
    QLabel* notice_;
    QTabWidget* tables_;
    RunPane* pane_;
    QStackedWidget* pictures_; ///< the chart, or the runs
    int page_ = steps;
    QString not_chosen_; ///< why the scenario does not take what was chosen
    Inquiry<ServeRequest, Answer> inquiry_;
};

} // namespace meshslice::ui
