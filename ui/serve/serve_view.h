#pragma once

#include "core/question/question.h"
#include "ui/charts/chart_job_view.h"

#include <QString>
#include <QStringList>

#include <optional>

class QLabel;
class QTabWidget;

namespace meshslice::ui {

class QuestionForm;
class TableModel;

/// What is asked: the fields, and whether every batch and split is wanted.
struct ServeRequest {
    OwnTexts texts;
    bool frontier = false;

    bool operator==(const ServeRequest&) const = default;
};

/// Serving a model: its fields; how fast it answers, whether it fits, what bounds it and how far to trust
/// that; what a step of prefill and of decode consists of, the memory of a chip, and the frontier of tokens
/// per second of a chip and of a user, each a page; with the tables below. Model and machine follow the
/// scenario until others are chosen here.
class ServeView : public ChartJobView {
    Q_OBJECT
  public:
    /// Its pages.
    enum Page : int { steps, memory, frontier };

    explicit ServeView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] bool isCurrent() const override { return shown() && inquiry_.answered() == wanted(); }
    [[nodiscard]] QStringList pages() const override;
    [[nodiscard]] int page() const override { return page_; }
    void turnTo(int page) override;
    void complete(const Completed& completed) override { inquiry_.ask(wanted(), completed); }
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }

    [[nodiscard]] QuestionForm* form() { return form_; }
    /// The answer in large letters, and what is to be known about it.
    [[nodiscard]] QLabel* answerLine() { return answer_line_; }
    [[nodiscard]] QLabel* about() { return about_; }
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    /// The newest answer; none where there is none.
    [[nodiscard]] const std::optional<Answer>& shown() const { return inquiry_.answer(); }

  protected:
    void renew() override;
    void cancel(bool awaited) override { awaited ? inquiry_.cancel() : inquiry_.cancelUnlessAwaited(); }
    void takeScenario() override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;

  private:
    void layOut();
    [[nodiscard]] ServeRequest wanted() const;
    [[nodiscard]] std::optional<Chart> chartOfPage() const;
    void showAnswer();
    void showTables();

    Question question_;
    QuestionForm* form_;
    QLabel* answer_line_;
    QLabel* about_;
    QLabel* notice_;
    QTabWidget* tables_;
    int page_ = steps;
    QString model_, machine_; ///< the scenario's, as they were taken over
    QStringList not_taken_;   ///< of these, what is edited or a file of its own
    Inquiry<ServeRequest, Answer> inquiry_;
};

} // namespace meshslice::ui
