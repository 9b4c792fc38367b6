#include "ui/view/view.h"

#include "core/torus/torus.h"
#include "ui/look/least_heights.h"
#include "ui/look/words.h"
#include "ui/session/subject.h"
#include "ui/view/finding.h"
#include "ui/view/veil.h"

#include <QLayout>

#include <cmath>

namespace meshslice::ui {

View::View(Session* session, QWidget* parent)
    : QWidget(parent), session_(session), veil_(new Veil(this, Veil::Note::below)) {
    patience_.setSingleShot(true);
    patience_.setInterval(Session::patience_ms);
    connect(&patience_, &QTimer::timeout, this, [this] {
        own_late_ = true;
        showVeil();
    });
    connect(session_, &Session::changed, this, &View::follow);
}

QSize View::leastOfLayout(const QSize& least) const {
    return layout() == nullptr ? least : least.expandedTo({0, layout()->totalMinimumSize().height()});
}

void View::follow() {
    const ResultsPtr shown = results();
    if (isAnother(derived_from_, shown)) {
        derived_from_ = shown;
        resultsChanged();
        update();
    }
    stateChanged();
    showVeil();
}

QString View::offer(QMenu& /*menu*/) {
    return {};
}

void View::turnTo(int /*page*/) {}

double View::pictureHeight(double width) const {
    constexpr double of_width = 0.625; // 16:10
    return LeastHeights::asked() ? 0 : std::ceil(of_width * width);
}

QString View::sentence() const {
    return results() ? nothingToShow() : session_->whyNoResults();
}

bool View::isStale() const {
    return (own_late_ || session_->state().late) && sentence().isEmpty();
}

QString View::whyNotCurrent() const {
    const QString why = session_->whyNoResults();
    return isCurrent() || !why.isEmpty() ? why : tr("This has not been computed for the scenario yet.");
}

std::function<Table()> View::tableLater() const {
    return isCurrent() ? makeTableLater() : [] { return Table{}; };
}

std::function<Table()> View::makeTableLater() const {
    return [table = makeTable()] { return table; };
}

QString View::caption() const {
    return isCurrent() && sentence().isEmpty()
               ? tr("%1; MeshSlice Explorer %2").arg(pictured(), QStringLiteral(MESHSLICE_VERSION))
               : QString();
}

QString View::pictured() const {
    const Scenario& scenario = session_->state().scenario;
    const ResultsPtr shown = results();
    if (!shown || shown->steps.empty()) {
        return subject(scenario);
    }
    QStringList algorithms;
    for (const TrainingStep& step : shown->steps) {
        if (shown->reference) {
            const Scenario& of = shown->scenario_of(static_cast<std::size_t>(algorithms.size()));
            algorithms << tr("%1: %2, %3 on %4")
                              .arg(stepTitle(step), subject(of), algorithmTitle(step.algorithm),
                                   words(mesh_text(step.torus)));
            continue;
        }
        algorithms << tr("%1 on %2").arg(stepTitle(step), words(mesh_text(step.torus)));
    }
    return shown->reference ? algorithms.join(QStringLiteral("; "))
                            : tr("%1; %2").arg(subject(scenario), algorithms.join(tr(" and ")));
}

void View::complete(const Completed& completed) {
    completed(isCurrent() ? Result<void>() : refuse(whyNotCurrent().toStdString()));
}

void View::setUpdating(bool updating) {
    if (!updating) {
        patience_.stop();
        own_late_ = false;
    } else if (!own_late_ && !patience_.isActive()) {
        patience_.start();
    }
    showVeil();
}

void View::showVeil() {
    veil_->setOn(isStale());
}

bool View::selectNextProduct(int turn) {
    const ResultsPtr shown = results();
    if (turn == 0 || !shown || !sentence().isEmpty() || shown->steps.empty()) {
        return false;
    }
    const std::optional<Selected>& selected = selection().selected();
    const std::size_t step = selected && selected->step < shown->steps.size() ? selected->step : 0;
    const std::size_t count = shown->steps[step].gemms.size();
    if (count > 0) {
        const std::size_t next = !selected ? 0 : (selected->gemm + (turn > 0 ? 1 : count - 1)) % count;
        selection().select(Selected{step, next, {}, {}});
    }
    return true;
}

bool View::clearSelection() {
    if (!selection().selected()) {
        return false;
    }
    selection().select(std::nullopt);
    return true;
}

} // namespace meshslice::ui
