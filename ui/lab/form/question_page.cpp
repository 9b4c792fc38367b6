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
#include <QSignalBlocker>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace meshslice::ui {
QuestionPage::QuestionPage(Question question, QWidget* parent)
    : LabPage(parent)
    , question_(std::move(question))
    , form_(new QuestionForm(question_, this))
    , notice_(new QLabel(this))
    , parts_(new QTabBar(this))
    , canvas_(new ChartCanvas(this))
    , drawn_(makeScrolling(canvas_, this))
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
    parts_->setDrawBase(false);
    parts_->setExpanding(false);
    parts_->setAccessibleName(tr("What the answer shows"));
    layOut();
    connect(parts_, &QTabBar::currentChanged, this, &QuestionPage::showPart);
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
    all->addWidget(parts_);
    all->addWidget(drawn_, 1);
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
    std::vector<Table> tables;
    for (const NamedTable& one : found->tables) {
        Result<Table> table = whole_table(one);
        if (!table) {
            return refuse(table.error());
        }
        tables.push_back(*std::move(table));
    }
    tables_ = std::move(tables);
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
    listParts();
    showPart();
}

void QuestionPage::listParts() {
    QStringList names;
    if (answer_->charts.size() > 1) {
        for (const NamedChart& one : answer_->charts) {
            names += words(one.tab);
        }
        for (const NamedTable& one : answer_->tables) {
            names += words(one.title);
        }
    }
    const QSignalBlocker quiet(parts_);
    while (parts_->count() > names.size()) {
        parts_->removeTab(parts_->count() - 1);
    }
    for (int k = 0; k < names.size(); ++k) {
        if (k < parts_->count()) {
            parts_->setTabText(k, names[k]);
        } else {
            parts_->addTab(names[k]);
        }
    }
    parts_->setVisible(!names.isEmpty());
}

void QuestionPage::showPart() {
    const std::size_t part = static_cast<std::size_t>(std::max(parts_->currentIndex(), 0));
    const bool drawn = part < answer_->charts.size();
    if (drawn) {
        canvas_->show(answer_->charts[part].chart, {});
    } else {
        rows_->setTable(table());
    }
    drawn_->setVisible(drawn);
    listed_->setVisible(!drawn);
}

Table QuestionPage::table() const {
    if (!answer_ || tables_.empty()) {
        return {};
    }
    const std::size_t part = static_cast<std::size_t>(std::max(parts_->currentIndex(), 0));
    const std::size_t charts = answer_->charts.size();
    return tables_[charts > 0 && part >= charts ? part - charts : 0];
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
