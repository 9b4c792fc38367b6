#include "ui/lab/lab_view.h"

#include "core/base/text.h"
#include "core/question/catalogue/network/shard.h"
#include "ui/charts/chart_canvas.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/lab/form/question_page.h"
#include "ui/lab/lab_canvas.h"
#include "ui/lab/stepper/stepper_page.h"
#include "ui/look/words.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_view.h"
#include "ui/view/painted_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int typing_ms = 250; ///< after the last key the plans are found again

} // namespace

LabView::LabView(Session* session, QWidget* parent, Questions questions)
    : View(session, parent)
    , mesh_(new QLineEdit(this))
    , sizes_(new QLineEdit(this))
    , hardware_(new QComboBox(this))
    , copy_(new QPushButton(tr("Copy JAX code"), this))
    , left_(new QComboBox(this))
    , right_(new QComboBox(this))
    , result_(new QComboBox(this))
    , type_(new QComboBox(this))
    , notice_(new QLabel(this))
    , back_(new QToolButton(this))
    , forward_(new QToolButton(this))
    , progress_(new QLabel(this))
    , canvas_(new LabCanvas(this))
    , plans_(new TableModel(this))
    , table_(makeTableView(plans_, tr("Plans, the best first"), this))
    , inquiry_(
          [](const LabQuestion& question, const RunControl& control) {
              return timed_sharded_plans(question.gemm, question.mesh, question.sizes, question.kind,
                                         question.hardware, control);
          },
          [this] { take(); })
    , run_(runOfPlan, [this] { takeRun(); })
    , own_document_(new Document(this))
    , plan_session_(new LabSession(own_document_, this))
    , timeline_(new TimelineView(plan_session_, this))
    , torus_(new TorusView(plan_session_, this))
    , tabs_(new QTabWidget(this))
    , split_(new QSplitter(Qt::Vertical, this))
    , stepper_(new StepperPage(this))
    , pages_(new QTabWidget(this)) {
    setAccessibleName(tr("Sharding lab"));
    makeFields();
    for (Question& question : questions) {
        if (!question.page.empty()) {
            question_pages_.push_back(new QuestionPage(std::move(question), this));
        }
    }
    layOut();
    typing_.setSingleShot(true);
    typing_.setInterval(typing_ms);
    connect(&typing_, &QTimer::timeout, this, &LabView::ask);
    connect(canvas_, &LabCanvas::stepped, this, &LabView::renewButtons);
    connect(canvas_, &LabCanvas::sharded, this, [this](Operand which, const QString& array) {
        setText(which == Operand::left    ? LabField::left
                : which == Operand::right ? LabField::right
                                          : LabField::result,
                array);
    });
    connect(back_, &QToolButton::clicked, this, [this] { canvas_->setDone(canvas_->done() - 1); });
    connect(forward_, &QToolButton::clicked, this, [this] { canvas_->setDone(canvas_->done() + 1); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid()) {
                    select(row.row());
                }
            });
    connect(copy_, &QPushButton::clicked, this, [this] {
        if (!canvas_->isReady()) {
            return;
        }
        const LabShown shown = canvas_->shown();
        QGuiApplication::clipboard()->setText(
            words(shard_map_text(shown.plan->plan, shown.question->gemm, shown.question->mesh)));
    });
    ask();
    renewButtons();
}

LabView::~LabView() {
    delete tabs_;
}

QLineEdit* LabView::lineOf(LabField field) const {
    switch (field) {
    case LabField::mesh: return mesh_;
    case LabField::sizes: return sizes_;
    case LabField::left: return left_->lineEdit();
    case LabField::right: return right_->lineEdit();
    case LabField::result: return result_->lineEdit();
    case LabField::hardware:
    case LabField::type: return nullptr;
    }
    return nullptr;
}

QComboBox* LabView::listOf(LabField field) const {
    return field == LabField::hardware ? hardware_ : field == LabField::type ? type_ : nullptr;
}

QWidget* LabView::field(LabField field) const {
    QComboBox* list = listOf(field);
    return list != nullptr ? static_cast<QWidget*>(list) : lineOf(field);
}

QString LabView::text(LabField field) const {
    const QComboBox* list = listOf(field);
    return list != nullptr ? list->currentData().toString() : lineOf(field)->text();
}

void LabView::put(LabField field, const QString& text) {
    if (QComboBox* list = listOf(field)) {
        list->setCurrentIndex(list->findData(text));
    } else {
        lineOf(field)->setText(text);
    }
}

void LabView::setText(LabField field, const QString& text) {
    put(field, text);
    ask();
}

void LabView::setTexts(const LabTexts& texts) {
    for (const LabField one : lab_fields) {
        put(one, texts[static_cast<std::size_t>(one)]);
    }
    ask();
}

LabTexts LabView::texts() const {
    LabTexts typed;
    for (const LabField one : lab_fields) {
        typed[static_cast<std::size_t>(one)] = text(one);
    }
    return typed;
}

void LabView::fillChoices() {
    for (QComboBox* box : {left_, right_, result_}) {
        const QStringList choices = labShardings(mesh_->text(), box->currentText());
        QStringList there;
        for (int k = 0; k < box->count(); ++k) {
            there << box->itemText(k);
        }
        if (choices.isEmpty() || choices == there) {
            continue;
        }
        const QSignalBlocker quiet(box);
        const QString typed = box->currentText();
        const int cursor = box->lineEdit()->cursorPosition();
        box->clear();
        box->addItems(choices);
        box->setEditText(typed);
        box->lineEdit()->setCursorPosition(cursor);
    }
}

void LabView::ask() {
    typing_.stop();
    wanted_.reset();
    fillChoices();
    const auto question = readLab(texts());
    if (!question) {
        inquiry_.clear();
        say(question.error());
        return;
    }
    notice_->clear();
    notice_->hide();
    if (!inquiry_.ask(*question) && !canvas_->isReady()) { // else the same is shown, at the step it is at
        take();
    }
}

void LabView::say(const LabRefusal& refusal) {
    const QString typed = text(refusal.field);
    QString quoted;
    if (refusal.length > 0) {
        const QString wrong = typed.mid(refusal.begin, refusal.length);
        quoted = QStringLiteral("%1<u><b>%2</b></u>%3&nbsp;: ")
                     .arg(typed.left(refusal.begin).toHtmlEscaped(),
                          wrong.isEmpty() ? QStringLiteral("&nbsp;&nbsp;") : wrong.toHtmlEscaped(),
                          typed.mid(refusal.begin + refusal.length).toHtmlEscaped());
    }
    notice_->setText(
        QStringLiteral("<span style=\"color:%1\">%2%3</span>")
            .arg(warningText(themeOf(palette())).name(), quoted, refusal.sentence.toHtmlEscaped()));
    notice_->show();
    plans_->setTable({});
    run_.clear();
    plan_session_->fail(refusal.sentence);
    canvas_->show(std::nullopt, std::nullopt, 0, 0, refusal.sentence);
}

void LabView::take() {
    selected_ = 0;
    if (!inquiry_.refusal().isEmpty()) {
        say({LabField::hardware, inquiry_.refusal(), 0, 0});
        return;
    }
    if (!inquiry_.answer()) {
        return;
    }
    notice_->clear();
    notice_->hide();
    const QSignalBlocker quiet(table_->selectionModel());
    plans_->setTable(
        sharded_plan_table(*inquiry_.answer(), inquiry_.answered()->gemm, inquiry_.answered()->mesh));
    table_->resizeColumnsToContents();
    table_->selectRow(0);
    showPlan();
    selectWanted();
}

void LabView::select(int plan) {
    if (inquiry_.answer() && plan >= 0 && plan < static_cast<int>(inquiry_.answer()->plans.size()) &&
        plan != selected_) {
        selected_ = plan;
        table_->selectRow(plan);
        showPlan();
    }
}

void LabView::showPlan() {
    const ShardedPlans& plans = *inquiry_.answer();
    canvas_->show(inquiry_.answered(), plans.plans[static_cast<std::size_t>(selected_)], selected_ + 1,
                  static_cast<int>(plans.plans.size()), {});
    const LabRunQuestion asked{*inquiry_.answered(), plans.plans[static_cast<std::size_t>(selected_)].plan};
    if (run_.ask(asked)) {
        plan_session_->compute();
    } else {
        takeRun(); // it is known
    }
}

void LabView::takeRun() {
    if (!canvas_->isReady()) {
        return;
    }
    if (!run_.answer()) {
        plan_session_->fail(run_.refusal());
        canvas_->setSimulated(tr("Not simulated: %1").arg(run_.refusal()));
        return;
    }
    const CostedPlan& plan = *canvas_->shown().plan;
    const SimulatedPlan& run = **run_.answer();
    plan_session_->show(run.run, run.density);
    canvas_->setSimulated(tr("Simulated: %1. By formula %2 with the exchange hidden, %3 without.")
                              .arg(words(seconds_text(run.seconds())), words(seconds_text(plan.least_s())),
                                   words(seconds_text(plan.most_s()))));
}

void LabView::renewButtons() {
    const bool ready = canvas_->isReady();
    back_->setEnabled(ready && canvas_->done() > 0);
    forward_->setEnabled(ready && canvas_->done() < canvas_->steps());
    progress_->setText(ready ? tr("step %1 of %2")
                                   .arg(static_cast<int>(canvas_->done()))
                                   .arg(static_cast<int>(canvas_->steps()))
                             : QString());
    const LabShown shown = ready ? canvas_->shown() : LabShown{};
    copy_->setEnabled(ready &&
                      !shard_map_text(shown.plan->plan, shown.question->gemm, shown.question->mesh).empty());
    setAccessibleDescription(canvas_->accessibleDescription());
}

QStringList LabView::pages() const {
    QStringList all = {QStringLiteral("sharding"), QStringLiteral("stepper")};
    for (const QuestionPage* page : question_pages_) {
        all << words(page->question().page);
    }
    return all;
}

QuestionPage* LabView::questionPage(std::string_view name) const {
    const auto found = std::ranges::find_if(
        question_pages_, [&](const QuestionPage* one) { return one->question().page == name; });
    return found == question_pages_.end() ? nullptr : *found;
}

int LabView::page() const {
    return pages_->currentIndex();
}

LabPage* LabView::other() const {
    return qobject_cast<LabPage*>(pages_->currentWidget());
}

void LabView::turnTo(int page) {
    pages_->setCurrentIndex(page);
}

bool LabView::isCurrent() const {
    if (const LabPage* page = other()) {
        return page->isCurrent();
    }
    return canvas_->isReady() && !inquiry_.asked() && !run_.asked() && !typing_.isActive();
}

void LabView::complete(const Completed& completed) {
    if (LabPage* page = other()) {
        page->complete(completed);
    } else if (inquiry_.asked()) {
        inquiry_.ask(*inquiry_.asked(), completed);
    } else if (run_.asked()) {
        run_.ask(*run_.asked(), completed);
    } else {
        completed(canvas_->isReady() ? Result<void>() : refuse(canvas_->sentence().toStdString()));
    }
}

std::vector<KeyHelp> LabView::keys() const {
    std::vector<KeyHelp> both = LabCanvas::keys();
    for (const KeyHelp& one : StepperCanvas::keys()) {
        both.push_back(one);
    }
    if (!question_pages_.empty()) {
        for (const KeyHelp& one : question_pages_.front()->canvas()->keys()) {
            both.push_back(one);
        }
    }
    return both;
}

void LabView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    paintEnlarged(painter, size, theme, [&](const QSize& laid_out) {
        const LabPage* page = other();
        page != nullptr ? page->paintFor(painter, laid_out, theme)
                        : canvas_->paintFor(painter, laid_out, theme);
    });
}

Table LabView::makeTable() const {
    if (const LabPage* page = other()) {
        return page->table();
    }
    return plans_->source();
}

QString LabView::pictured() const {
    if (const LabPage* page = other()) {
        return page->pictured();
    }
    if (!canvas_->isReady()) {
        return {};
    }
    const LabShown shown = canvas_->shown();
    return tr("%1 on %2, %3, %4")
        .arg(words(meshslice::text(shown.question->gemm, shown.question->mesh)),
             words(meshslice::text(shown.question->mesh)), words(shown.question->hardware.title),
             words(name(shown.question->kind)));
}

} // namespace meshslice::ui
