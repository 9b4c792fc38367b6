#include "ui/planner/selected_plan_page.h"

#include "core/plan/search/plan_explanation.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/look/words.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr int least_table = 160; ///< pixels

} // namespace

SelectedPlanPage::SelectedPlanPage(QWidget* parent)
    : QWidget(parent)
    , parts_(new TableModel(this))
    , table_(makeTableView(parts_, tr("Parts of the selected plan"), this))
    , explanation_(new QLabel)
    , inquiry_([](const ChosenPlan& chosen, const RunControl&) { return plan_explanation(chosen); },
               [this] { showAnswer(); }) {
    explanation_->setWordWrap(true);
    explanation_->setTextFormat(Qt::PlainText);
    explanation_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    explanation_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    explanation_->setContentsMargins(12, 6, 12, 6);
    explanation_->setAccessibleName(tr("What bounds the selected plan, and what it hides"));
    explanation_->setToolTip(tr("Each change by itself, with the plan as it is; shares of the time of a "
                                "sample. Hidden communication takes no time of the step."));
    auto* halves = new QHBoxLayout(this);
    halves->setContentsMargins(0, 0, 0, 0);
    halves->setSpacing(0);
    halves->addWidget(table_, 2);
    halves->addWidget(makeScrolling(explanation_, this), 1);
    const auto fit = [this] { // what its columns do not need is the words'
        table_->setMaximumWidth(std::max(table_->horizontalHeader()->length(), least_table) +
                                table_->verticalScrollBar()->sizeHint().width());
    };
    connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this, fit);
    fit();
}

void SelectedPlanPage::follow(const std::optional<ChosenPlan>& chosen, const Table& parts) {
    parts_->setTable(parts);
    chosen_ = chosen;
    renew();
}

void SelectedPlanPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    renew();
}

void SelectedPlanPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    inquiry_.cancel();
}

void SelectedPlanPage::renew() {
    if (!chosen_) {
        inquiry_.clear();
    } else if (isVisible()) {
        inquiry_.ask(*chosen_);
    } else if (inquiry_.asked() != chosen_) {
        inquiry_.cancel();
    }
    showAnswer();
}

void SelectedPlanPage::showAnswer() {
    QStringList paragraphs;
    if (chosen_ && inquiry_.answered() == chosen_) {
        for (const std::string& paragraph : inquiry_.answer().value_or(std::vector<std::string>())) {
            paragraphs += words(paragraph);
        }
        if (paragraphs.isEmpty()) {
            paragraphs += inquiry_.refusal();
        }
    } else if (chosen_) {
        paragraphs += tr("Computing…");
    }
    explanation_->setText(paragraphs.join(QStringLiteral("\n\n")));
}

} // namespace meshslice::ui
