#include "ui/lab/form/question_page.h"

#include "ui/charts/chart_canvas.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/lab/form/field_row.h"
#include "ui/lab/form/question_form.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"

#include <QGraphicsOpacityEffect>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace meshslice::ui {
QuestionPage::QuestionPage(Question question, QWidget* parent)
    : LabPage(parent)
    , question_(std::move(question))
    , form_(new QuestionForm(question_, this))
    , notice_(new QLabel(this))
    , canvas_(new ChartCanvas(this))
    , rows_(new TableModel(this))
    , listed_(makeTableView(rows_, words(question_.title), this))
    , old_(new QGraphicsOpacityEffect(this)) {
    old_->setOpacity(0.35);
    old_->setEnabled(false);
    canvas_->setGraphicsEffect(old_);
    setAccessibleName(words(question_.title));
    canvas_->setAccessibleName(words(question_.title));
    notice_->setTextFormat(Qt::RichText);
    notice_->setWordWrap(true);
    layOut();
    connect(form_, &QuestionForm::changed, this, &QuestionPage::ask);
}

void QuestionPage::showEvent(QShowEvent* event) {
    askAtFirst();
    LabPage::showEvent(event);
}

void QuestionPage::askAtFirst() {
    if (!asked_) {
        ask();
    }
}

ChartCanvas* QuestionPage::canvas() {
    askAtFirst();
    return canvas_;
}

void QuestionPage::layOut() {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(form_);
    all->addLayout(fieldRow({{notice_, 1}}));
    all->addWidget(makeScrolling(canvas_, this), 1);
    all->addWidget(listed_, 1);
}

Result<void> QuestionPage::answer() {
    Result<Asked> asked = asked_of(question_, form_->typed(), Speech::form);
    if (!asked) {
        return refuse(asked.error());
    }
    asked->scenario = question_.uses.none() ? nullptr : &scenario_;
    asked->said.file = !question_.uses.none(); // The scenario says what no field says.
    Result<Answer> found = question_.answer(*asked, {});
    if (!found) {
        return refuse(found.error());
    }
    if (found->charts.empty() && !found->notes.empty()) {
        return refuse(found->notes.front()); // why it cannot be drawn
    }
    const Result<Table> table = found->tables.empty() ? Table() : whole_table(found->tables.front());
    if (!table) {
        return refuse(table.error());
    }
    table_ = *table;
    answer_ = *std::move(found);
    return {};
}

void QuestionPage::ask() {
    asked_ = true;
    const Result<void> answered = answer();
    refusal_ = answered ? QString() : words(answered.error().sentence);
    notice_->setText(QStringLiteral("<span style=\"color:%1\">%2</span>")
                         .arg(warningText(themeOf(palette())).name(), refusal_.toHtmlEscaped()));
    notice_->setVisible(!refusal_.isEmpty());
    old_->setEnabled(!refusal_.isEmpty()); // what is seen is of what was typed before
    if (!answered) {
        return;
    }
    const bool drawn = !answer_->charts.empty();
    if (drawn) {
        canvas_->show(answer_->charts.front().chart, {});
    } else {
        rows_->setTable(table_);
    }
    canvas_->setVisible(drawn);
    listed_->setVisible(!drawn);
}

QString QuestionPage::pictured() const {
    return answer_ ? words(answer_->about) : QString();
}

QWidget* QuestionPage::picture() {
    askAtFirst();
    return canvas_;
}

void QuestionPage::complete(const Completed& completed) {
    askAtFirst();
    completed(isCurrent() ? Result<void>() : refuse(refusal_.toStdString()));
}

void QuestionPage::paintFor(QPainter& painter, const QSize& laid_out, Theme theme) const {
    canvas_->surface()->paintPicture(painter, laid_out, theme);
}

} // namespace meshslice::ui
