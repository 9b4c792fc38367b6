#include "ui/shell/bars/headline_bar.h"

#include "core/base/text.h"
#include "core/report/plan/plan_headline.h"
#include "core/report/words/block_words.h"
#include "core/report/words/comparison_words.h"
#include "core/report/words/glossary.h"
#include "core/report/words/headline.h"
#include "core/report/words/machine_words.h"
#include "core/report/words/why_words.h"
#include "core/scenario/examples.h"
#include "core/step/roofline.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/low_window.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"
#include "ui/session/plans.h"
#include "ui/session/subject.h"
#include "ui/view/finding.h"
#include "ui/view/veil.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace meshslice::ui {
namespace {

constexpr int most_headline_lines = 3;

} // namespace

HeadlineBar::HeadlineBar(Session* session, QWidget* parent)
    : QToolBar(parent)
    , session_(session)
    , veil_(new Veil(this, Veil::Note::right))
    , about_(new ElidedLabel(this))
    , line_(new ElidedLabel(this, most_headline_lines))
    , second_(new ElidedLabel(this)) {
    setObjectName(QStringLiteral("headline"));
    setWindowTitle(tr("Headline"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    toggleViewAction()->setVisible(false);

    QFont bold = line_->font();
    bold.setBold(true);
    line_->setFont(bold);
    line_->setForegroundRole(QPalette::WindowText); // which warn() colours
    about_->setForegroundRole(QPalette::PlaceholderText);
    second_->setForegroundRole(QPalette::PlaceholderText);

    auto* lines = new QWidget(this);
    lines->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(lines);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(0);
    column->addWidget(about_);
    column->addWidget(line_);
    column->addWidget(second_);
    addWidget(lines);
    parent->installEventFilter(this);
    connect(session_, &Session::changed, this, &HeadlineBar::follow);
    connect(session_->document(), &Document::projectChanged, this, &HeadlineBar::follow);
    connect(session_->plans(), &Plans::changed, this, &HeadlineBar::follow);
    connect(session_, &Session::taskChanged, this, [this] {
        told_.reset();
        follow();
    });
    follow();
}

void HeadlineBar::follow() {
    const bool planned = session_->task() == Task::training;
    session_->plans()->want(this, planned);
    if (planned) {
        followPlans();
    } else {
        followStep();
    }
}

/// Of the training run: the plan that is loaded or the best one, and how it compares with A's.
void HeadlineBar::followPlans() {
    const Plans& plans = *session_->plans();
    const FoundPlansPtr found = plans.shown();
    veil_->setOn(plans.state().kind == Plans::Kind::computing && session_->state().late && found);
    about_->setText(trainingSubject(session_->state().scenario));
    const PlansState& state = plans.state();
    const bool computing = state.kind == Plans::Kind::computing || state.kind == Plans::Kind::empty;
    QString line = computing ? tr("Computing the first plans…") : state.sentence;
    QString second;
    bool fits = true;
    if (found) {
        PlanHeadline headline = plan_headline(found->answer, found->of_a, found->expectedOfChosen());
        second = words(fmt::format("{}", fmt::join(std::exchange(headline.findings, {}), " ")));
        line = words(meshslice::text(headline));
        fits = headline.fits;
    }
    line_->setText(line);
    warn(!fits);
    const QString tip = tipParagraph(about_->text()) + tipParagraph(line) + tipParagraph(second);
    for (ElidedLabel* label : {about_, line_, second_}) {
        label->setMore(tip);
    }
    second_->setText(second);
    second_->setVisible(!second.isEmpty());
}

void HeadlineBar::followStep() {
    veil_->setOn(session_->state().late && session_->previous());
    const ResultsPtr results = session_->shown();
    const bool another = isAnother(told_, results);
    told_ = results;
    if (results && !results->steps.empty()) {
        if (another) {
            about_->setText(subject(results->scenario));
            const QString tip = tipParagraph(about_->text()) + headlineTip(*results);
            for (ElidedLabel* line : {about_, line_, second_}) {
                line->setMore(tip);
            }
        }
        // What bounds a run with faults is known a moment later.
        const ReasonsPtr reasons = session_->reasons();
        line_->setText(headlineText(results->steps.front(), reasons ? reasons->of(0) : nullptr));
        const bool ignores = !results->not_simulated(0).empty() && !results->scenario.assume.faults.none();
        warn(ignores || !results->steps.front().fits());
        tellComparison(*results); // which variant is pinned need not change the results
        return;
    }
    if (results && !another) {
        return;
    }
    // Why stands in the panel and in the picture; the empty line stays, so that nothing jumps.
    const SessionState& state = session_->state();
    const bool failed = state.kind == Session::Kind::failed || (!state.late && !state.sentence.isEmpty());
    line_->setText(failed ? tr("There is no result for this scenario.") : tr("Computing the first result…"));
    line_->setMore({});
    about_->setText(subject(session_->state().scenario));
    about_->setMore({});
    second_->setText({});
}

void HeadlineBar::warn(bool on) {
    warned_ = on;
    QPalette colours = palette();
    if (on) {
        colours.setColor(QPalette::WindowText, warningText(themeOf(palette())));
    }
    line_->setPalette(colours);
}

void HeadlineBar::tellComparison(const Results& results) {
    const ReasonsPtr reasons = session_->reasons();
    const QStringList said = {pinnedAloneText(session_->document()->project(), results),
                              comparisonText(results, reasons ? reasons->of(1) : nullptr)};
    second_->setText(said.join(QLatin1Char(' ')).trimmed());
    second_->setVisible(!second_->text().isEmpty());
}

void HeadlineBar::fold() {
    about_->setVisible(!isLow(*this));
}

bool HeadlineBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window() && event->type() == QEvent::Resize) {
        fold();
    }
    return QToolBar::eventFilter(watched, event);
}

void HeadlineBar::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fold();
    }
    if (event->type() == QEvent::PaletteChange && line_ != nullptr) {
        warn(warned_);
    }
}

// A plain strip with a thin line below it: styles paint toolbars as raised boxes.
void HeadlineBar::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

void HeadlineBar::addButton(QAction* action, const QString& text) {
    auto* button = new QToolButton(this);
    button->setText(text);
    const auto follow = [button, action] { button->setEnabled(action->isEnabled()); };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    follow();
    button->setToolTip(tipParagraph(action->toolTip()));
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    addWidget(button);
}

QString HeadlineBar::about() const {
    return about_->text();
}
QString HeadlineBar::text() const {
    return line_->text();
}
QStringList HeadlineBar::lines() const {
    return line_->lines();
}
QString HeadlineBar::comparison() const {
    return second_->text();
}

QString headlineText(const TrainingStep& step, const StepWhy* why) {
    const std::string bound = why != nullptr ? bound_by(step, *why) : std::string();
    const QString line = words(headline(step, SaidEdits::nearby, bound)); // edits: by the subject
    const bool estimated = !step.gemms.empty() && step.gemms.front().timeline == nullptr;
    return estimated ? QCoreApplication::translate("meshslice::ui::HeadlineBar", "Estimate: %1").arg(line)
                     : line;
}

QString headlineTip(const Results& results) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("meshslice::ui", text); };
    QStringList sentences;
    for (const char* word : {"hidden", "exposed", "of peak", "bound by", "slice"}) {
        if (const GlossaryEntry* entry = glossary_entry(word)) {
            QString name = words(entry->word);
            name.front() = name.front().toUpper();
            sentences << name + translated(": ") + words(entry->text);
        }
    }
    for (const TrainingStep& step : results.steps) {
        if (step.blocks > 0) {
            sentences << tr("%1, one block after the other: %2")
                             .arg(stepTitle(step), words(all_blocks_words(step)));
        }
    }
    if (const std::string left_out = left_out_words(results.steps.front()); !left_out.empty()) {
        sentences << words(left_out);
    }
    for (const TrainingStep& step : results.steps) {
        sentences << tr("Memory of a chip with %1: %2; %3.")
                         .arg(stepTitle(step), words(memory_parts_text(step)), words(fit_words(step)));
    }
    if (const std::string scope = memory_scope_words(results.steps.front()); !scope.empty()) {
        sentences << words(scope);
    }
    for (std::size_t step = 0; step < results.steps.size(); ++step) {
        if (const std::string because = results.not_simulated(step); !because.empty()) {
            sentences << tr("%1 is estimated by the closed form. %2")
                             .arg(stepTitle(results.steps[step]), words(because));
        }
    }
    for (std::size_t k = 0; k < results.steps.size(); ++k) {
        const TrainingStep& step = results.steps[k];
        if (const std::string note = memory_note(step, results.scenario_of(k)); !note.empty()) {
            sentences << stepTitle(step) + translated(": ") + words(note);
        }
    }
    for (const std::string& note : {edited_note(results.scenario.hardware), ring_note(results.scenario),
                                    assumed_note(results.scenario.hardware)}) {
        if (!note.empty()) {
            sentences << words(note);
        }
    }
    QString tip;
    for (const QString& sentence : sentences) {
        tip += QStringLiteral("<p>%1</p>").arg(sentence.toHtmlEscaped());
    }
    return tip;
}

QString comparisonText(const Results& results, const StepWhy* why) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("meshslice::ui", text); };
    if (!results.objection.empty()) {
        return results.reference
                   ? tr("A (%1) does not run: %2")
                         .arg(words(shown_name(results.reference->name)), words(results.objection))
                   : tr("%1 does not run here: %2")
                         .arg(algorithmTitle(results.scenario.compare), words(results.objection));
    }
    if (results.steps.size() < 2) {
        return results.steps.empty() ? QString() : words(all_blocks_words(results.steps.front()));
    }
    const TrainingStep& own = results.steps[0];
    const TrainingStep& other = results.steps[1];
    // The difference first: a narrow window cuts the end.
    return tr("%1. %2.").arg(words(comparison_words(own, other, results.slicing)), headlineText(other, why));
}

QString pinnedAloneText(const Project& project, const Results& results) {
    if (project.pinned != project.current || project.variants.size() < 2 || results.reference) {
        return {};
    }
    return QCoreApplication::translate("meshslice::ui::HeadlineBar",
                                       "This is A itself: show another variant to compare it with A.");
}

} // namespace meshslice::ui
