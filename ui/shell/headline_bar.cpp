#include "ui/shell/headline_bar.h"

#include "core/base/text.h"
#include "ui/document/words.h"
#include "ui/view/finding.h"
#include "ui/widgets/elided_label.h"

#include <QCoreApplication>
#include <QPainter>
#include <QVBoxLayout>

namespace meshslice::ui {

HeadlineBar::HeadlineBar(QWidget* parent)
    : QToolBar(parent), line_(new ElidedLabel(this)), second_(new ElidedLabel(this)) {
    setObjectName(QStringLiteral("headline"));
    setWindowTitle(tr("Headline"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    toggleViewAction()->setVisible(false);

    QFont bold = line_->font();
    bold.setBold(true);
    line_->setFont(bold);
    second_->setForegroundRole(QPalette::PlaceholderText);

    auto* lines = new QWidget(this);
    lines->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(lines);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(0);
    column->addWidget(line_);
    column->addWidget(second_);
    addWidget(lines);
    line_->setText(tr("Computing the first result …"));
}

void HeadlineBar::showResults(const ResultsPtr& results) {
    if (results->steps.empty()) {
        return;
    }
    line_->setText(words(headline(results->steps.front())));
    second_->setText(comparisonText(*results));
    second_->setVisible(!second_->text().isEmpty());
}

void HeadlineBar::showState(ViewState state, const QString& sentence) {
    if (state == ViewState::computing) {
        return; // the old line stays until there is a new one; the status bar says that a run goes on
    }
    const bool failed = state == ViewState::failed;
    line_->setText(failed ? tr("There is no result for this scenario.") : sentence);
    second_->setText(failed ? sentence : QString());
    second_->setVisible(failed);
}

// A plain strip with a thin line below it: styles paint toolbars as raised boxes.
void HeadlineBar::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

QString HeadlineBar::text() const {
    return line_->text();
}
QString HeadlineBar::comparison() const {
    return second_->text();
}

QString comparisonText(const Results& results) {
    const auto tr = [](const char* text) {
        return QCoreApplication::translate("meshslice::ui::HeadlineBar", text);
    };
    if (!results.objection.empty()) {
        return tr("%1 does not run here: %2")
            .arg(algorithmTitle(results.scenario.compare), words(results.objection));
    }
    if (results.steps.size() < 2) {
        return {};
    }
    const TrainingStep& own = results.steps[0];
    const TrainingStep& other = results.steps[1];
    const bool faster = own.time <= other.time;
    const QString relation =
        own.time == other.time
            ? tr("both take the same time")
            : (faster ? tr("%1 takes %2 less time") : tr("%1 takes %2 more time"))
                  .arg(algorithmTitle(own.algorithm),
                       words(percent_text(
                           ratio(faster ? other.time - own.time : own.time - other.time, other.time))));
    return tr("%1. So %2.").arg(words(headline(other)), relation);
}

} // namespace meshslice::ui
