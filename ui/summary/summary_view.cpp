#include "ui/summary/summary_view.h"

#include "core/base/text.h"
#include "core/evidence/measured_scenario.h"
#include "core/question/offer.h"
#include "core/report/summary/expected_words.h"
#include "ui/document/document.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/summary/measured_run.h"
#include "ui/view/finding.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

/// A longer name of a variant would not be read in its card.
constexpr std::size_t longest_name = 48;

const StepWhy* whyOf(const Session& session, const ResultsPtr& results) {
    const ReasonsPtr reasons = session.reasons();
    return reasons && reasons->results == results ? reasons->of(0) : nullptr;
}

QString refused(const QString& sentence) {
    return sentence;
}

} // namespace

bool SummaryRequest::operator==(const SummaryRequest& other) const {
    return (plans == nullptr) == (other.plans == nullptr) && scenario == other.scenario &&
           (plans == nullptr || plans->of.own == other.plans->of.own);
}

SummaryView::SummaryView(Session* session, QWidget* parent)
    : PaintedView(session, parent)
    , findings_(
          [groups = session->plans()->groups()](const SummaryRequest& asked,
                                                const RunControl& control) -> Result<Findings> {
              const bool plan = asked.plans != nullptr;
              const Summary summary = plan
                                          ? plan_summary(asked.plans->answer, asked.plans->expectedOfChosen())
                                          : step_summary(asked.results->steps.front(), asked.scenario);
              Findings made;
              made.trust = trust_of(summary, asked.scenario, plan ? &asked.plans->answer : nullptr);
              for (const MeasuredNearby& one : made.trust.near) {
                  const Result<Scenario> its = measured_scenario(*measured_run(one.id), asked.scenario);
                  made.why_not.push_back(its ? std::string() : its.error().sentence);
              }
              auto found = plan ? findings_of_plan(asked.scenario, asked.plans->answer,
                                                   SummaryPicture::most_findings, groups, control)
                                : findings_of_step(asked.scenario, asked.results->steps.front(),
                                                   SummaryPicture::most_findings, control);
              if (!found) {
                  return refuse(found.error());
              }
              made.found = *std::move(found);
              return made;
          },
          [this] {
              forgetPicture();
              renew();
              emit answered();
          })
    , numbers_(
          [](const SummaryRequest& asked, const RunControl& control) {
              return asked.plans ? sensitivity_of_plan(asked.scenario, asked.plans->answer, control)
                                 : sensitivity_of_step(asked.scenario, asked.results->steps.front(), control);
          },
          [this] {
              forgetPicture();
              renew();
              emit answered();
          }) {
    setAccessibleName(tr("Summary"));
    setMouseTracking(true);
    connect(session, &Session::taskChanged, this, &SummaryView::followTask);
    followTask();
    connect(session->plans(), &Plans::changed, this, [this] {
        if (training_) {
            follow();
            forgetPicture();
            renew();
        }
    });
}

void SummaryView::followTask() {
    const bool training = session().task() == Task::training;
    if (training_ == training || !has(of_scenario, session().task())) {
        return;
    }
    training_ = training;
    session().plans()->want(this, training_ && isVisible());
    forgetPicture();
    renew();
}

std::vector<KeyHelp> SummaryView::keys() const {
    return {{tr("Up, Down"), tr("Go from number to number of the machine, and on to the measured runs")},
            {tr("Enter"), tr("Make the marked number variant B, or load the marked run")},
            {tr("Tab"), tr("Go to the buttons of the findings")}};
}

bool SummaryView::hasPicture() const {
    return training_ ? session().plans()->shown() != nullptr
                     : results() != nullptr && !results()->steps.empty();
}

QString SummaryView::sentence() const {
    if (!training_) {
        return PaintedView::sentence();
    }
    return hasPicture() ? QString() : session().plans()->state().sentence;
}

QString SummaryView::nothingToShow() const {
    return hasPicture() ? QString() : tr("There is nothing to sum up.");
}

bool SummaryView::isStale() const {
    return training_ ? hasPicture() && session().plans()->current() == nullptr && updatesForLong()
                     : PaintedView::isStale();
}

std::optional<SummaryRequest> SummaryView::wanted() const {
    if (training_) {
        const FoundPlansPtr plans = session().plans()->current();
        if (!plans) {
            return std::nullopt;
        }
        SummaryRequest request{session().state().scenario, nullptr, plans};
        request.scenario.compare.clear();
        return request;
    }
    const ResultsPtr now = session().current();
    if (!now || now->steps.empty()) {
        return std::nullopt;
    }
    SummaryRequest request{now->scenario, now, nullptr};
    request.scenario.compare.clear();
    return request;
}

bool SummaryView::isComplete() const {
    const std::optional<SummaryRequest> request = wanted();
    return request && findings_.answered() == request && numbers_.answered() == request;
}

bool SummaryView::isCurrent() const {
    return isComplete() && findings_.answer() && numbers_.answer();
}

void SummaryView::renew() {
    const std::optional<SummaryRequest> request = wanted();
    if (!request || !isVisible()) {
        const auto drop = [&](auto& inquiry) {
            if (!request || (inquiry.asked() && inquiry.asked() != request)) {
                inquiry.cancel();
            } else {
                inquiry.cancelUnlessAwaited();
            }
        };
        drop(findings_);
        drop(numbers_);
    } else if (!session().isComputing()) {
        // One after the other: the cores are the user's. What is answered is not asked again, which would
        // give up a file that waits for it.
        if (findings_.answered() != request) {
            findings_.ask(*request);
        } else if (numbers_.answered() != request) {
            numbers_.ask(*request);
        }
    }
    setUpdating(training_ && session().plans()->state().kind == Plans::Kind::computing);
}

void SummaryView::complete(const Completed& completed) {
    const std::optional<SummaryRequest> request = wanted();
    if (!request) {
        if (training_) {
            session().plans()->complete([this, completed](const Result<void>& done) {
                if (done && wanted()) {
                    complete(completed);
                } else {
                    completed(done ? Result<void>(refuse(whyNotCurrent().toStdString())) : done);
                }
            });
        } else {
            PaintedView::complete(completed);
        }
        return;
    }
    findings_.ask(*request, [this, request, completed](const Result<void>& done) {
        if (done) {
            numbers_.ask(*request, completed);
        } else {
            completed(done);
        }
    });
}

double SummaryView::progress() const {
    return findings_.asked()  ? findings_.progress() / 2
           : numbers_.asked() ? 0.5 + numbers_.progress() / 2
                              : 1.0;
}

void SummaryView::giveUp() {
    findings_.cancel();
    numbers_.cancel();
    renew();
}

Summary SummaryView::makeSummary() const {
    if (training_) {
        const FoundPlans& found = *session().plans()->shown();
        return plan_summary(found.answer, found.expectedOfChosen());
    }
    const ResultsPtr now = results();
    return step_summary(now->steps.front(), now->scenario, whyOf(session(), now), now->not_simulated(0));
}

SummaryShown SummaryView::makeShown() const {
    SummaryShown shown;
    shown.summary = makeSummary();
    const std::optional<SummaryRequest> request = wanted();
    const bool found = request && findings_.answered() == request;
    if (found && findings_.answer()) {
        shown.findings = findings_.answer()->found;
        const Trust& trust = findings_.answer()->trust;
        shown.expected = shown.summary.expected.empty()
                             ? words(trust.expected)
                             : words(caveats(session().plans()->shown()->expectedOfChosen())).trimmed();
        for (const std::string& sentence : trust.own) {
            shown.own << words(sentence);
        }
        for (const std::string& sentence : trust.bill) {
            shown.bill << words(sentence);
        }
        for (std::size_t k = 0; k < trust.near.size(); ++k) {
            const MeasuredNearby& one = trust.near[k];
            shown.near.push_back(
                {one.id, words(near_words(one)), words(one.source), words(findings_.answer()->why_not[k])});
        }
        shown.instead_of_near = words(trust.no_near);
    } else if (found) {
        shown.instead_of_findings = refused(findings_.refusal());
    } else {
        shown.instead_of_findings = training_ ? tr("Trying other plans, batches and chips …")
                                              : tr("Trying other meshes, algorithms and batches …");
    }
    const bool ranked = request && numbers_.answered() == request;
    if (ranked && numbers_.answer()) {
        shown.numbers = *numbers_.answer();
        const QString how =
            training_ ? (shown.numbers->now.expected ? tr("The plan stays as it is; expected times.")
                                                     : tr("The plan stays as it is; ideal times."))
            : depth_of_sensitivity(request->scenario, request->results->steps.front()) == Depth::estimate
                ? tr("By estimate.")
                : QString();
        shown.about_numbers =
            tr("One number at a time, filled: × 2, outlined: × 0.5. A click makes it variant B. %1").arg(how);
    } else if (ranked) {
        shown.instead_of_numbers = refused(numbers_.refusal());
    } else {
        shown.instead_of_numbers = tr("Doubling and halving one number after the other …");
    }
    return shown;
}

const SummaryPicture& SummaryView::picture() const {
    const double width = pictureSize().width();
    if (!picture_ || picture_->width() != width) {
        picture_.emplace(makeShown(), width, theme(), true);
    }
    return *picture_;
}

double SummaryView::leastHeight(double width) const {
    if (!hasPicture()) {
        return 0;
    }
    if (!picture_ || picture_->width() != width) {
        picture_.emplace(makeShown(), width, theme(), true);
    }
    return picture_->height();
}

void SummaryView::forgetPicture() {
    picture_.reset();
    marked_.reset();
    takeHeight();
    placeButtons();
    update();
}

void SummaryView::looksChanged() {
    picture_.reset();
    placeButtons();
}

void SummaryView::placeButtons() {
    if (!isVisible()) {
        return; // showEvent() does it
    }
    const std::size_t count = hasPicture() && sentence().isEmpty() ? picture().buttons().size() : 0;
    while (buttons_.size() < count) {
        auto* button = new QPushButton(tr("Make it B"), this);
        const std::size_t place = buttons_.size();
        connect(button, &QPushButton::clicked, this, [this, place] { takeFinding(place); });
        buttons_.push_back(button);
    }
    for (std::size_t k = 0; k < buttons_.size(); ++k) {
        QPushButton* button = buttons_[k];
        button->setVisible(k < count);
        if (k >= count) {
            continue;
        }
        const Finding& finding = (*picture().shown().findings)[k];
        const QString sentence = words(finding.offer.sentence);
        button->setAccessibleName(tr("Make it B: %1").arg(sentence));
        button->setToolTip(tipParagraph(
            tr("A copy of the scenario with this change, shown next to the scenario as it is.")));
        QFont font = lettering(Lettering::normal);
        font.setPixelSize(std::max(1, static_cast<int>(13 * picture().enlarged() * pictureScale())));
        button->setFont(font);
        button->setGeometry(fromPicture(picture().buttons()[k].toRect()));
    }
}

void SummaryView::resultsChanged() {
    picture_.reset(); // stateChanged() follows
    marked_.reset();
}

void SummaryView::stateChanged() {
    picture_.reset(); // the reasons may be there
    renew();
    PaintedView::stateChanged();
    placeButtons();
    update();
}

QString SummaryView::atAGlance() const {
    if (!hasPicture()) {
        return {};
    }
    const Summary& summary = picture().shown().summary;
    const QString number =
        summary.expected.empty()
            ? words(summary.number)
            : tr("%1 %2; %3").arg(words(summary.number), words(summary.expected), words(summary.ideal));
    return tr("%1: %2; %3. %4.").arg(words(summary.of), number, words(summary.of_peak), words(summary.fit));
}

void SummaryView::paintContent(QPainter& painter) {
    painter.fillRect(QRect(QPoint(0, 0), pictureSize()), color(Role::background, theme()));
    picture().paint(painter, hasFocus() ? marked_ : std::nullopt);
}

void SummaryView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    const SummaryPicture drawn(makeShown(), size.width(), theme, false);
    painter.save();
    if (drawn.height() > size.height()) { // All of it, smaller.
        const double scale = size.height() / drawn.height();
        painter.scale(scale, scale);
        const SummaryPicture wider(makeShown(), size.width() / scale, theme, false);
        if (wider.height() * scale > size.height()) {
            painter.scale(size.height() / (wider.height() * scale), size.height() / (wider.height() * scale));
        }
        wider.paint(painter);
    } else {
        drawn.paint(painter);
    }
    painter.restore();
}

Table SummaryView::makeTable() const {
    const SummaryShown shown = makeShown();
    Table table = summary_table(shown.summary);
    const auto add = [&](const char* bar, const std::string& part, double amount, double share) {
        table.rows.push_back({std::string(bar), part, amount, std::string("s"), share});
    };
    for (const Finding& finding : shown.findings.value_or(std::vector<Finding>())) {
        add("finding", finding.offer.sentence, finding.then.seconds, finding.gain);
    }
    if (shown.numbers) {
        const double now = shown.numbers->now.seconds;
        for (const NumberEffect& one : shown.numbers->ranked) {
            if (one.twice) {
                add("x 2", one.name, one.twice->seconds, one.twice->seconds / now);
            }
            if (one.half) {
                add("x 0.5", one.name, one.half->seconds, one.half->seconds / now);
            }
        }
    }
    return table;
}

QString SummaryView::pictured() const {
    return training_ && hasPicture() ? words(makeSummary().of) : PaintedView::pictured();
}

std::vector<ReadablePart> SummaryView::readableParts() const {
    std::vector<ReadablePart> parts;
    if (!hasPicture() || !sentence().isEmpty()) {
        return parts;
    }
    const auto shown = [](const QRectF& area) { return fromPicture(area.toAlignedRect()); };
    for (const SummaryPicture::Part& part : picture().parts()) {
        parts.push_back(readablePart({part.words}, shown(part.area)));
    }
    for (std::size_t k = 0; k < picture().bars().size(); ++k) {
        const NumberBar& bar = picture().bars()[k];
        parts.push_back(readablePart(picture().linesOf(bar), shown(bar.area), marked_ == k));
    }
    for (std::size_t k = 0; k < picture().runs().size(); ++k) {
        parts.push_back(readablePart(picture().linesOf(picture().shown().near[k]), shown(picture().runs()[k]),
                                     marked_ == picture().bars().size() + k));
    }
    return parts;
}

QStringList SummaryView::tipAt(const QPoint& point) const {
    return hasPicture() && sentence().isEmpty() ? picture().linesAt(toPicture(point)) : QStringList();
}

std::size_t SummaryView::marks() const {
    return hasPicture() ? picture().bars().size() + picture().runs().size() : 0;
}

std::optional<std::size_t> SummaryView::markAt(const QPoint& point) const {
    if (!hasPicture() || !sentence().isEmpty()) {
        return std::nullopt;
    }
    const QPointF at = toPicture(point);
    std::size_t mark = 0;
    for (const NumberBar& bar : picture().bars()) {
        if (bar.area.contains(at)) {
            return mark;
        }
        ++mark;
    }
    for (const QRectF& run : picture().runs()) {
        if (run.contains(at)) {
            return mark;
        }
        ++mark;
    }
    return std::nullopt;
}

void SummaryView::take(std::size_t mark) {
    const std::size_t bars = picture().bars().size();
    if (mark < bars) {
        takeBar(mark);
    } else {
        takeRun(mark - bars);
    }
}

bool SummaryView::handleKey(int key, bool act) {
    const std::size_t count = marks();
    const bool moves = key == Qt::Key_Down || key == Qt::Key_Up;
    const bool takes = (key == Qt::Key_Return || key == Qt::Key_Enter) && marked_;
    const bool leaves = key == Qt::Key_Escape && marked_;
    if (count == 0 || (!moves && !takes && !leaves)) {
        return false;
    }
    if (act && takes) {
        take(*marked_);
        return true;
    }
    if (act) {
        marked_ = leaves     ? std::nullopt
                  : !marked_ ? std::optional(key == Qt::Key_Down ? std::size_t{0} : count - 1)
                             : std::optional((*marked_ + (key == Qt::Key_Down ? 1 : count - 1)) % count);
        const std::size_t bars = picture().bars().size();
        setAccessibleDescription(
            !marked_ ? QString()
            : *marked_ < bars
                ? picture().linesOf(picture().bars()[*marked_]).join(QLatin1Char(' '))
                : picture().linesOf(picture().shown().near[*marked_ - bars]).join(QLatin1Char(' ')));
        update();
    }
    return true;
}

void SummaryView::mousePressEvent(QMouseEvent* event) {
    const auto mark = markAt(event->pos());
    if (event->button() == Qt::LeftButton && mark) {
        take(*mark);
        return;
    }
    PaintedView::mousePressEvent(event);
}

void SummaryView::mouseMoveEvent(QMouseEvent* event) {
    setCursor(markAt(event->pos()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    PaintedView::mouseMoveEvent(event);
}

void SummaryView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    placeButtons();
}

void SummaryView::showEvent(QShowEvent* event) {
    PaintedView::showEvent(event);
    session().plans()->want(this, training_);
    renew();
    placeButtons();
}

void SummaryView::hideEvent(QHideEvent* event) {
    PaintedView::hideEvent(event);
    session().plans()->want(this, false);
    renew();
}

void SummaryView::takeFinding(std::size_t finding) {
    const auto& found = picture().shown().findings;
    if (!found || finding >= found->size()) {
        return;
    }
    const std::vector<FieldEdit> edits = (*found)[finding].offer.edits;
    makeVariant(edits, name_of(session().document()->scenario(), edits));
}

void SummaryView::takeBar(std::size_t bar) {
    const auto& numbers = picture().shown().numbers;
    if (!numbers || bar >= picture().bars().size()) {
        return;
    }
    const NumberBar& its = picture().bars()[bar];
    const NumberEffect& effect = numbers->ranked[its.number];
    makeVariant(its.twice ? effect.with_twice : effect.with_half,
                effect.name + (its.twice ? " x 2" : " x 0.5"));
}

void SummaryView::takeRun(std::size_t run) {
    if (run >= picture().shown().near.size()) {
        return;
    }
    loadMeasuredRun(session(), picture().shown().near[run].id);
}

void SummaryView::makeVariant(const std::vector<FieldEdit>& edits, const std::string& name) {
    Document* const document = session().document();
    const Result<Scenario> next = with_edits(document->scenario(), edits);
    const bool room = document->project().variants.size() < Project::most_variants;
    if (!next || !room) {
        const Result<void> why =
            next ? document->duplicate(document->project().current) : Result<void>(refuse(next.error()));
        document->refuseEdit(edits.empty() ? std::string() : edits.front().key,
                             words(why ? std::string() : why.error().sentence));
        return;
    }
    document->undoStack()->beginMacro(tr("new variant"));
    if (document->project().variants.size() > 1 &&
        document->project().pinned != document->project().current) {
        document->pin(document->project().current);
    }
    const Result<void> added = document->add(name.size() <= longest_name ? name : std::string(), *next);
    document->undoStack()->endMacro();
    if (!added) {
        document->refuseEdit(edits.front().key, words(added.error().sentence));
    }
}

} // namespace meshslice::ui
