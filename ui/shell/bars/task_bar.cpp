#include "ui/shell/bars/task_bar.h"

#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/shell/views.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

namespace meshslice::ui {

TaskBar::TaskBar(Session* session, QWidget* parent)
    : QWidget(parent), session_(session), buttons_(new QButtonGroup(this)) {
    setAccessibleName(tr("Task"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(0);
    for (const Task task : allTasks()) {
        auto* button = new QToolButton(this);
        button->setText(titleOf(task));
        button->setToolTip(tipParagraph(
            QStringLiteral("%1 (%2)").arg(tipOf(task), keyOf(task).toString(QKeySequence::NativeText))));
        button->setAccessibleName(titleOf(task));
        button->setAccessibleDescription(tipOf(task));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        buttons_->addButton(button, static_cast<int>(task));
        row->addWidget(button);
    }
    connect(buttons_, &QButtonGroup::idClicked, this, [this](int id) {
        session_->setTask(static_cast<Task>(id));
        follow(); // also where nothing has changed
    });
    connect(session_, &Session::taskChanged, this, &TaskBar::follow);
    fit();
    follow();
}

void TaskBar::fit() {
    for (QAbstractButton* button : buttons_->buttons()) {
        button->setFixedHeight(fontMetrics().height() + 4);
    }
}

void TaskBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fit();
    }
}

void TaskBar::follow() {
    buttons_->button(static_cast<int>(session_->task()))->setChecked(true);
}

} // namespace meshslice::ui
