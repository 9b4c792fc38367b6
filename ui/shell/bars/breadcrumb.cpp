#include "ui/shell/bars/breadcrumb.h"

#include "core/simulate/record/timeline.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/shell/views.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <utility>

namespace meshslice::ui {

Breadcrumb::Breadcrumb(Session* session, QWidget* parent)
    : QWidget(parent), session_(session), row_(new QHBoxLayout(this)) {
    setAccessibleName(tr("Scale"));
    row_->setContentsMargins(6, 0, 0, 0);
    row_->setSpacing(2);
    connect(session_, &Session::taskChanged, this, &Breadcrumb::follow);
    connect(session_, &Session::changed, this, &Breadcrumb::follow);
    connect(session_->selection(), &Selection::selectedChanged, this, &Breadcrumb::follow);
    follow();
}

std::vector<Breadcrumb::Crumb> Breadcrumb::made() const {
    const Task task = session_->task();
    if (!has(of_scenario, task)) {
        return {{titleOf(task), [] {}}};
    }
    std::vector<Crumb> all;
    if (task != Task::gemm) {
        all.push_back({titleOf(Task::training), [this] { session_->setTask(Task::training); }});
    }
    if (task == Task::training) {
        return all;
    }
    Selection* selection = session_->selection();
    if (task == Task::block) {
        all.push_back({titleOf(Task::block), [selection] { selection->select(std::nullopt); }});
    }
    const ResultsPtr results = session_->shown();
    const std::optional<Selected>& selected = selection->selected();
    if (!results || !selected || selected->step >= results->steps.size() ||
        selected->gemm >= results->steps[selected->step].gemms.size()) {
        if (task == Task::gemm) {
            all.push_back({titleOf(Task::gemm), [] {}});
        }
        return all;
    }
    const GemmResult& product = results->steps[selected->step].gemms[selected->gemm];
    Selected whole;
    whole.step = selected->step;
    whole.gemm = selected->gemm;
    all.push_back({words(product.title()), [selection, whole] { selection->select(whole); }});
    if (selected->row && product.timeline && *selected->row < product.timeline->rows_with_memory().size()) {
        const Row& row = product.timeline->rows_with_memory()[*selected->row];
        all.push_back({words(row_name(product.timeline->torus(), row)).simplified(), [] {}});
    }
    return all;
}

QStringList Breadcrumb::crumbs() const {
    QStringList names;
    for (const Crumb& crumb : made()) {
        names << crumb.text;
    }
    return names;
}

void Breadcrumb::follow() {
    const QStringList now = crumbs() + QStringList(note_);
    if (std::exchange(shown_, now) == now) {
        return;
    }
    while (QLayoutItem* item = row_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // its click may have brought us here
        delete item;
    }
    const std::vector<Crumb> all = made();
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (k > 0) {
            row_->addWidget(new QLabel(QStringLiteral("›"), this));
        }
        if (k + 1 == all.size()) {
            row_->addWidget(new QLabel(all[k].text, this));
            continue;
        }
        auto* button = new QToolButton(this);
        button->setText(all[k].text);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(tr("Out to: %1").arg(all[k].text));
        button->setToolTip(tipParagraph(button->accessibleName()));
        connect(button, &QToolButton::clicked, this, all[k].go);
        row_->addWidget(button);
    }
    if (!note_.isEmpty()) {
        auto* note = new QLabel(QStringLiteral("(%1)").arg(note_), this);
        note->setForegroundRole(QPalette::PlaceholderText);
        row_->addWidget(note);
    }
}

void Breadcrumb::setNote(const QString& note) {
    note_ = note;
    follow();
}

void Breadcrumb::goOut() {
    const std::vector<Crumb> all = made();
    if (all.size() > 1) {
        all[all.size() - 2].go();
    }
}

void Breadcrumb::goIn() {
    if (session_->task() == Task::training) {
        session_->setTask(Task::block);
        return;
    }
    const ResultsPtr results = session_->shown();
    if (!results || results->steps.empty() || !has(on_a_mesh, session_->task())) {
        return;
    }
    Selection* selection = session_->selection();
    Selected next = selection->selected().value_or(Selected{});
    if (selection->selected() && !next.row) {
        next.row = 0;
        next.interval = 0;
    }
    selection->goTo(next);
}

} // namespace meshslice::ui
