#pragma once

#include "core/plan/search/chosen_plan.h"
#include "ui/look/palette.h"
#include "ui/session/inquiry.h"
#include "ui/view/view.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace meshslice::ui {

/// One page of the plan view that looks into the selected plan, or beyond it. It computes off the UI thread,
/// and only while it is seen or a file waits for it.
class PlanPane : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

    /// What it is about from now on; none while there are no plans.
    virtual void follow(const std::optional<ChosenPlan>& chosen) = 0;
    /// It shows what it is about.
    [[nodiscard]] virtual bool isReady() const = 0;
    /// What stands in the place of the picture; empty where there is one.
    [[nodiscard]] virtual QString sentence() const = 0;
    virtual void complete(const Completed& completed) = 0;
    [[nodiscard]] virtual double progress() const = 0;
    /// Asks for what is wanted, if it is seen and not there yet.
    virtual void renew() = 0;
    /// Gives up what is under way; without `awaited`, unless a file waits for it.
    virtual void cancel(bool awaited) = 0;
    [[nodiscard]] virtual LatestJob* job() = 0;
    [[nodiscard]] virtual std::vector<KeyHelp> keys() const = 0;
    /// For a file; it is ready.
    virtual void paintFor(QPainter& painter, const QSize& size, Theme theme) const = 0;
    /// The data behind the picture; it is ready.
    [[nodiscard]] virtual Table table() const = 0;

    /// What there is to say while there are no plans; empty: nothing but that.
    void explainLack(const QString& sentence) {
        if (std::exchange(lack_, sentence) != sentence) {
            renew();
        }
    }

  signals:
    void answered();

  protected:
    [[nodiscard]] QString lackOfPlans() const {
        return lack_.isEmpty() ? tr("Plans are searched first.") : lack_;
    }

  private:
    QString lack_;
};

/// The part of a pane that asks: a Request made of the chosen plan, answered by an Answer.
template <class Request, class Answer>
class AskingPane : public PlanPane {
  public:
    [[nodiscard]] bool isReady() const override {
        return wanted_ && inquiry_.answer() && inquiry_.answered() == wanted_;
    }
    [[nodiscard]] QString sentence() const override {
        if (isReady()) {
            return {};
        }
        if (!wanted_) {
            return lackOfPlans();
        }
        if (inquiry_.asked()) {
            return PlanPane::tr("Computing…");
        }
        return inquiry_.answered() == wanted_ && !inquiry_.refusal().isEmpty()
                   ? inquiry_.refusal()
                   : PlanPane::tr("This is computed when it is opened.");
    }
    void complete(const Completed& completed) override {
        if (wanted_) {
            inquiry_.ask(*wanted_, completed);
        } else {
            completed(refuse(sentence().toStdString()));
        }
    }
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }
    void renew() override {
        if (!wanted_) {
            inquiry_.clear();
        } else if (isVisible()) {
            inquiry_.ask(*wanted_);
        } else if (inquiry_.asked() != wanted_) {
            inquiry_.cancelUnlessAwaited();
        }
        showAnswer();
    }
    void cancel(bool awaited) override { awaited ? inquiry_.cancel() : inquiry_.cancelUnlessAwaited(); }
    [[nodiscard]] LatestJob* job() override { return inquiry_.job(); }

  protected:
    AskingPane(typename Inquiry<Request, Answer>::Compute compute, QWidget* parent)
        : PlanPane(parent), inquiry_(std::move(compute), [this] {
            showAnswer();
            emit answered();
        }) {}

    /// Shows the answer where isReady(), else the sentence.
    virtual void showAnswer() = 0;
    [[nodiscard]] const Answer* answer() const { return isReady() ? &*inquiry_.answer() : nullptr; }

    void want(std::optional<Request> wanted) {
        if (wanted == wanted_) {
            return;
        }
        wanted_ = std::move(wanted);
        renew();
    }
    void showEvent(QShowEvent* event) override {
        PlanPane::showEvent(event);
        renew();
    }
    void hideEvent(QHideEvent* event) override {
        PlanPane::hideEvent(event);
        cancel(false);
    }

  private:
    std::optional<Request> wanted_;
    Inquiry<Request, Answer> inquiry_;
};

} // namespace meshslice::ui
