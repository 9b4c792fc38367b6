#include "ui/lab/form/question_page.h"

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_layout.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/lab/form/field_row.h"
#include "ui/lab/form/question_form.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"

#include <QGraphicsOpacityEffect>
#include <QLabel>
#include <QLayout>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cstddef>
#include <optional>
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
    , next_(new ChartCanvas(this))
    , rows_(new TableModel(this))
    , listed_(makeTableView(rows_, words(question_.title), this)) {
    for (ChartCanvas* canvas : {canvas_, next_}) {
        auto* old = new QGraphicsOpacityEffect(canvas);
        old->setOpacity(0.35);
        old->setEnabled(false);
        canvas->setGraphicsEffect(old);
    }
    next_->hide();
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
    all->addWidget(next_, 1);
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
    for (ChartCanvas* canvas : {canvas_, next_}) { // what is seen is of what was typed before
        canvas->graphicsEffect()->setEnabled(!refusal_.isEmpty());
    }
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
    }
    drawn_->setVisible(drawn);
    if (part + 1 < answer_->charts.size()) {
        next_->show(answer_->charts[part + 1].chart, {});
        next_->setAccessibleName(words(answer_->charts[part + 1].tab));
    }
    listed_of_answer_ = false;
    showBelow();
}

void QuestionPage::resizeEvent(QResizeEvent* event) {
    LabPage::resizeEvent(event);
    if (answer_) {
        showBelow();
    }
}

void QuestionPage::showBelow() {
    constexpr double least_below = 260;
    const std::vector<NamedChart>& charts = answer_->charts;
    const std::size_t part = static_cast<std::size_t>(std::max(parts_->currentIndex(), 0));
    layout()->activate();
    double room = height() - drawn_->y();
    // A chart that cannot grow any more leaves what is below it to the next one, or to the table.
    const auto free_below = [&](QWidget* widget, std::size_t chart, bool more) {
        const std::optional<double> full = fullHeight(charts[chart].chart, width());
        const bool free = more && full && room - *full >= least_below;
        room -= free ? *full : 0;
        widget->setMaximumHeight(free ? static_cast<int>(*full) : QWIDGETSIZE_MAX);
        return free;
    };
    const bool drawn = part < charts.size();
    const bool another = part + 1 < charts.size();
    const bool chart_below = drawn && free_below(drawn_, part, another || !tables_.empty()) && another;
    const bool table_below = drawn && !tables_.empty() &&
                             (chart_below ? free_below(next_, part + 1, true)
                                          : !another && drawn_->maximumHeight() < QWIDGETSIZE_MAX);
    next_->setVisible(chart_below);
    listed_->setVisible(!drawn || table_below);
    if (listed_->isVisibleTo(this) && !listed_of_answer_) {
        rows_->setTable(table());
        listed_->resizeColumnsToContents();
        listed_of_answer_ = true;
    }
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
