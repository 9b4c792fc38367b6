#include "ui/editor/scenario_panel.h"

#include "ui/document/document.h"
#include "ui/editor/hardware_group.h"
#include "ui/editor/machine_group.h"
#include "ui/editor/method_group.h"
#include "ui/editor/workload_group.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace meshslice::ui {
namespace {

QFrame* separator(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Mid);
    line->setFrameShadow(QFrame::Plain);
    return line;
}

} // namespace

ScenarioPanel::ScenarioPanel(Document* document, QWidget* parent) : QScrollArea(parent) {
    auto* page = new QWidget(this);
    workload_ = new WorkloadGroup(document, page);
    machine_ = new MachineGroup(document, page);
    hardware_ = new HardwareGroup(document, page);
    method_ = new MethodGroup(document, page);
    training_ = new ScenarioGroup(training_group, document, page);
    training_->makeFields();
    auto* faults = new ScenarioGroup(what_if_group, document, page);
    faults->makeFields();
    groups_ = {workload_, machine_, hardware_, method_, training_, faults};
    edited_ = machine_;

    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    for (ScenarioGroup* group : groups_) {
        if (group != groups_.front() && group != hardware_) { // which goes on with the machine
            separators_[group] = separator(page);
            column->addWidget(separators_[group]);
        }
        column->addWidget(group);
        connect(group, &ScenarioGroup::touched, this, [this, group] { edited_ = group; });
        connect(group, &ScenarioGroup::sweepAsked, this, &ScenarioPanel::sweepAsked);
        connect(group, &ScenarioGroup::manualAsked, this, &ScenarioPanel::manualAsked);
        connect(group, &FieldGroup::expandedChanged, this, &ScenarioPanel::alignColumns);
        connect(group, &FieldGroup::sentenceChanged, this, [this, group] { reveal(group); });
    }
    column->addStretch();

    setWidget(page);
    setTask(Task::block);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Scenario"));

    connect(document, &Document::scenarioChanged, this, [this] {
        for (ScenarioGroup* group : groups_) {
            group->showSentence({});
            group->refresh();
        }
    });
    connect(document, &Document::refused, this, &ScenarioPanel::showSentence);
}

void ScenarioPanel::setTask(Task task) {
    for (ScenarioGroup* group : groups_) {
        group->setTask(task);
        group->setVisible(group->isNeeded());
        if (const auto above = separators_.find(group); above != separators_.end()) {
            above->second->setVisible(group->isNeeded());
        }
    }
    alignColumns();
}

void ScenarioPanel::showSentence(const QString& field, const QString& sentence) {
    for (ScenarioGroup* group : groups_) {
        if (group->owns(field.toStdString())) {
            edited_ = group;
            group->sayAbout(field.toStdString(), sentence);
        }
    }
}

void ScenarioPanel::showRunFailure(const QString& sentence) {
    // A sentence about a field that is being edited is the user's business now; a run that ends leaves it
    // alone.
    for (ScenarioGroup* group : groups_) {
        if (!run_failure_.isEmpty() && group->sentence() == run_failure_) {
            group->showSentence({});
        }
    }
    run_failure_ = sentence;
    if (!sentence.isEmpty() && edited_->sentence().isEmpty()) {
        edited_->sayAboutLast(sentence);
    }
}

void ScenarioPanel::reveal(const ScenarioGroup* group) {
    if (!group->sentence().isEmpty()) {
        // It has its place when the fields below have made room.
        QTimer::singleShot(0, this, [this, group] {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            ensureWidgetVisible(group->sentenceLabel(), 0, 8);
        });
    }
}

bool ScenarioPanel::shows(std::string_view field) const {
    return std::ranges::any_of(
        groups_, [field](const ScenarioGroup* group) { return group->owns(field) && group->shows(field); });
}

void ScenarioPanel::scrollTo(QWidget* field) {
    // It has its place when the fields above are unfolded.
    QTimer::singleShot(0, field, [this, field] {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        ensureWidgetVisible(field, 0, 24);
    });
}

QWidget* ScenarioPanel::find(std::string_view field) {
    for (ScenarioGroup* group : groups_) {
        QWidget* widget = group->owns(field) ? group->find(field) : nullptr;
        if (widget != nullptr) {
            scrollTo(widget);
            return widget;
        }
    }
    return nullptr;
}

void ScenarioPanel::goTo(std::string_view field) {
    for (ScenarioGroup* group : groups_) {
        QWidget* widget = group->owns(field) ? group->goTo(field) : nullptr;
        if (widget != nullptr) {
            scrollTo(widget);
        }
    }
}

QString ScenarioPanel::sentence() const {
    QString shown = edited_->sentence();
    for (const ScenarioGroup* group : groups_) {
        shown = shown.isEmpty() ? group->sentence() : shown;
    }
    return shown;
}

void ScenarioPanel::alignColumns() {
    int label = 0;
    int unit = 0;
    for (const ScenarioGroup* group : groups_) {
        label = qMax(label, group->labelWidth());
        unit = qMax(unit, group->unitWidth());
    }
    for (ScenarioGroup* group : groups_) {
        group->setColumnWidths(label, unit);
    }
    widget()->layout()->activate();
    updateGeometry();
}

void ScenarioPanel::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange && widget() != nullptr) {
        // The labels hear of the new font after this.
        QMetaObject::invokeMethod(this, &ScenarioPanel::alignColumns, Qt::QueuedConnection);
    }
}

bool ScenarioPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool handled = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        updateGeometry(); // the fields ask for another width
    }
    return handled;
}

QSize ScenarioPanel::sizeHint() const {
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), 600};
}

// Wide enough that nothing is cut, up to where a large font would take the room of the picture.
QSize ScenarioPanel::minimumSizeHint() const {
    return {qMin(sizeHint().width(), 420), 160};
}

} // namespace meshslice::ui
