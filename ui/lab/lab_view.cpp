#include "ui/lab/lab_view.h"

#include "core/base/text.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/lab/lab_canvas.h"
#include "ui/look/words.h"
#include "ui/timeline/timeline_view.h"
#include "ui/torus/torus_view.h"
#include "ui/view/painted_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr int typing_ms = 250; ///< after the last key the plans are found again

Table planTable(const ShardedPlans& plans, const LabQuestion& question) {
    Table table{"plans",
                {"rank", "time_s", "bound by", "compute_s", "memory_s", "exchange_s", "received_bytes",
                 "held_bytes", "FLOP_flop", "steps"},
                {}};
    for (std::size_t k = 0; k < plans.plans.size(); ++k) {
        const CostedPlan& plan = plans.plans[k];
        table.rows.push_back({static_cast<std::int64_t>(k + 1), plan.least_s(),
                              said(std::string(name(plan.bound))), plan.compute_s, plan.memory_s,
                              plan.exchange_s, plan.received, plan.held, plan.flop,
                              text(plan.plan, question.gemm, question.mesh)});
    }
    return table;
}

} // namespace

LabView::LabView(Session* session, QWidget* parent)
    : View(session, parent)
    , mesh_(new QLineEdit(this))
    , sizes_(new QLineEdit(this))
    , left_(new QComboBox(this))
    , right_(new QComboBox(this))
    , result_(new QComboBox(this))
    , hardware_(new QComboBox(this))
    , notice_(new QLabel(this))
    , back_(new QToolButton(this))
    , forward_(new QToolButton(this))
    , progress_(new QLabel(this))
    , copy_(new QPushButton(tr("Copy JAX code"), this))
    , canvas_(new LabCanvas(this))
    , plans_(new TableModel(this))
    , table_(makeTableView(plans_, tr("Plans, the best first"), this))
    , inquiry_(
          [](const LabQuestion& question, const RunControl&) {
              return sharded_plans(question.gemm, question.mesh, question.sizes, lab_type, question.hardware);
          },
          [this] { take(); })
    , run_(runOfPlan, [this] { takeRun(); })
    , own_document_(new Document(this))
    , plan_session_(new LabSession(own_document_, this))
    , timeline_(new TimelineView(plan_session_, this))
    , torus_(new TorusView(plan_session_, this))
    , tabs_(new QTabWidget(this))
    , split_(new QSplitter(Qt::Vertical, this)) {
    setAccessibleName(tr("Sharding lab"));
    makeFields();
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

void LabView::makeFields() {
    const LabTexts texts = labExample();
    mesh_->setText(texts[0]);
    mesh_->setAccessibleName(tr("Mesh"));
    mesh_->setToolTip(tr("The axes of the mesh of chips, one capital letter each: X=4, Y=2. The first is the "
                         "major one"));
    sizes_->setText(texts[1]);
    sizes_->setAccessibleName(tr("Sizes"));
    sizes_->setToolTip(tr("How long each dimension is: I=4096, J=8Ki"));
    const std::array names = {tr("A, the left matrix"), tr("B, the right matrix"), tr("C, as it is wanted")};
    const std::array boxes = {left_, right_, result_};
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        boxes[k]->setEditable(true);
        boxes[k]->setInsertPolicy(QComboBox::NoInsert);
        boxes[k]->setMinimumContentsLength(10);
        boxes[k]->setAccessibleName(names[k]);
        boxes[k]->setToolTip(tr("%1: type A[I_X, J] for I split over X, with {U_Y} after it for partial sums "
                                "over Y, or choose. Of I_XY, X is the major axis, as in JAX")
                                 .arg(names[k]));
        boxes[k]->lineEdit()->setAccessibleName(names[k]);
        boxes[k]->lineEdit()->setToolTip(boxes[k]->toolTip());
        boxes[k]->setEditText(texts[k + 2]);
        connect(boxes[k], &QComboBox::editTextChanged, &typing_, qOverload<>(&QTimer::start));
    }
    for (const Hardware* one : labHardware()) {
        hardware_->addItem(words(one->title), words(one->name));
    }
    hardware_->setCurrentIndex(hardware_->findData(texts[5]));
    hardware_->setMinimumContentsLength(8);
    hardware_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    hardware_->setAccessibleName(tr("Hardware of the lab"));
    hardware_->setToolTip(tr("The chips of the mesh, whose peak, HBM and links set the times"));
    for (QLineEdit* one : {mesh_, sizes_}) {
        connect(one, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    }
    connect(hardware_, &QComboBox::activated, this, &LabView::ask);
    back_->setText(tr("Previous step"));
    back_->setToolTip(tr("Takes the last step back (Left)"));
    forward_->setText(tr("Next step"));
    forward_->setToolTip(tr("Does the next step of the plan (Right)"));
    copy_->setToolTip(tr("The plan as a function under jax.shard_map"));
    notice_->setWordWrap(true);
    notice_->setTextFormat(Qt::RichText);
    progress_->setTextFormat(Qt::PlainText);
}

void LabView::layOut() {
    const auto row = [](std::initializer_list<std::pair<QWidget*, int>> widgets) {
        auto* out = new QHBoxLayout;
        out->setContentsMargins(12, 6, 12, 0);
        out->setSpacing(8);
        for (const auto& [widget, stretch] : widgets) {
            out->addWidget(widget, stretch);
        }
        return out;
    };
    const auto label = [this](const QString& text) {
        auto* out = new QLabel(text, this);
        out->setTextFormat(Qt::PlainText);
        return out;
    };
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(
        row({{label(tr("Mesh")), 0}, {mesh_, 2}, {label(tr("Sizes")), 0}, {sizes_, 4}, {hardware_, 2}}));
    all->addLayout(row({{left_, 1},
                        {label(QStringLiteral("·")), 0},
                        {right_, 1},
                        {label(QStringLiteral("→")), 0},
                        {result_, 1}}));
    all->addLayout(row({{back_, 0}, {forward_, 0}, {progress_, 0}, {notice_, 1}, {copy_, 0}}));
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Plans and the run of the one that is selected"));
    tabs_->addTab(table_, tr("Plans"));
    tabs_->addTab(timeline_, tr("Timeline"));
    tabs_->addTab(torus_, tr("Torus"));
    tabs_->setTabToolTip(0, tr("All plans of the GEMM, the best first"));
    tabs_->setTabToolTip(1, tr("When each core multiplies and each link moves in the plan that is selected"));
    tabs_->setTabToolTip(2, tr("What every core and link does at a moment, chunk by chunk: Space plays, the "
                               "full stop and the comma go on and back by an event"));
    for (QWidget* page :
         {static_cast<QWidget*>(table_), static_cast<QWidget*>(timeline_), static_cast<QWidget*>(torus_)}) {
        page->setMinimumHeight(table_->horizontalHeader()->sizeHint().height() + 2);
    }
    QScrollArea* const picture = makeScrolling(canvas_, this);
    picture->setMinimumHeight(120);
    split_->setChildrenCollapsible(false);
    split_->addWidget(picture);
    split_->addWidget(tabs_);
    all->addWidget(split_, 1);
    connect(split_, &QSplitter::splitterMoved, this, [this] { shared_by_user_ = true; });
    connect(tabs_, &QTabWidget::currentChanged, this, &LabView::share);
    setFocusProxy(canvas_);
}

void LabView::share() {
    if (shared_by_user_) {
        return;
    }
    // Plans need a few lines; the timeline and the torus are pictures like the one above them.
    const int all = split_->height();
    const int below = tabs_->currentIndex() == 0 ? all / 3 : all * 11 / 20;
    split_->setSizes({all - below, below});
}

void LabView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    share();
}

QLineEdit* LabView::lineOf(LabField field) const {
    switch (field) {
    case LabField::mesh: return mesh_;
    case LabField::sizes: return sizes_;
    case LabField::left: return left_->lineEdit();
    case LabField::right: return right_->lineEdit();
    case LabField::result: return result_->lineEdit();
    case LabField::hardware: return nullptr;
    }
    return nullptr;
}

QWidget* LabView::field(LabField field) const {
    return field == LabField::hardware ? static_cast<QWidget*>(hardware_) : lineOf(field);
}

QString LabView::text(LabField field) const {
    return field == LabField::hardware ? hardware_->currentData().toString() : lineOf(field)->text();
}

void LabView::put(LabField field, const QString& text) {
    if (field == LabField::hardware) {
        hardware_->setCurrentIndex(hardware_->findData(text));
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
    fillChoices();
    const auto question = readLab(texts());
    if (!question) {
        inquiry_.clear();
        say(question.error());
        return;
    }
    notice_->clear();
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
    const QSignalBlocker quiet(table_->selectionModel());
    plans_->setTable(planTable(*inquiry_.answer(), *inquiry_.answered()));
    table_->resizeColumnsToContents();
    table_->selectRow(0);
    showPlan();
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
    plan_session_->show(*run_.answered(), *run_.answer());
    canvas_->setSimulated(
        tr("Simulated: %1. By formula %2 if the GEMM hides the exchange, %3 if nothing is hidden.")
            .arg(words(seconds_text((*run_.answer())->seconds())), words(seconds_text(plan.least_s())),
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

bool LabView::isCurrent() const {
    return canvas_->isReady() && !inquiry_.asked() && !run_.asked() && !typing_.isActive();
}

void LabView::complete(const Completed& completed) {
    if (inquiry_.asked()) {
        inquiry_.ask(*inquiry_.asked(), completed);
    } else if (run_.asked()) {
        run_.ask(*run_.asked(), completed);
    } else {
        completed(canvas_->isReady() ? Result<void>() : refuse(canvas_->sentence().toStdString()));
    }
}

std::vector<KeyHelp> LabView::keys() const {
    return LabCanvas::keys();
}

void LabView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    paintEnlarged(painter, size, theme,
                  [&](const QSize& laid_out) { canvas_->paintFor(painter, laid_out, theme); });
}

Table LabView::makeTable() const {
    return plans_->source();
}

QString LabView::pictured() const {
    if (!canvas_->isReady()) {
        return {};
    }
    const LabShown shown = canvas_->shown();
    return tr("%1 on %2, %3, bf16")
        .arg(words(meshslice::text(shown.question->gemm, shown.question->mesh)),
             words(meshslice::text(shown.question->mesh)), words(shown.question->hardware.title));
}

} // namespace meshslice::ui
