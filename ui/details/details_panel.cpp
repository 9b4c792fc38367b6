#include "ui/details/details_panel.h"

#include "core/base/language.h"
#include "core/plan/search/advice/plan_explanation.h"
#include "ui/controls/table_view.h"
#include "ui/details/details_text.h"
#include "ui/details/plan_text.h"
#include "ui/details/rich_text.h"
#include "ui/details/stretch_text.h"
#include "ui/look/picture_scale.h"
#include "ui/session/plans.h"
#include "ui/view/veil.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTextOption>
#include <QUrl>

#include <algorithm>

namespace meshslice::ui {

DetailsPanel::DetailsPanel(Session* session, QWidget* parent)
    : QTextBrowser(parent)
    , session_(session)
    , veil_(new Veil(viewport(), Veil::Note::below))
    , stretches_(
          [](const StretchRequest& request, const RunControl&) -> Result<std::vector<StepStretch>> {
              return step_stretches(request.results->steps, {request.marked.begin, request.marked.end});
          },
          [this] { renew(); })
    , explanations_(
          [](const ChosenPlan& chosen, const RunControl&) {
              return plan_limits(chosen).map([](PlanLimits limits) { return std::move(limits.explanation); });
          },
          [this] { renew(); }) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Details of the selection"));
    document()->setDocumentMargin(6);       // two variants and their difference just fit
    setWordWrapMode(QTextOption::WordWrap); // a word is never broken
    connect(session_->selection(), &Selection::selectedChanged, this, &DetailsPanel::renew);
    connect(session_->selection(), &Selection::markedChanged, this, [this] {
        renew();
        verticalScrollBar()->setValue(0); // it stands on top
    });
    connect(session_, &Session::changed, this, &DetailsPanel::follow);
    connect(session_, &Session::taskChanged, this, &DetailsPanel::renew);
    connect(session_->plans(), &Plans::changed, this, &DetailsPanel::follow);
    connect(session_->plans(), &Plans::selectionChanged, this, &DetailsPanel::follow);
    connect(this, &QTextBrowser::anchorClicked, this, &DetailsPanel::open);
    renew();
}

/// In a wide window there is room for the columns of two variants and their difference.
QSize DetailsPanel::sizeHint() const {
    const double scale = pictureScale();
    return {qRound(std::clamp(window()->width() / 5.0, 300 * scale, 400 * scale)), 400};
}

QSize DetailsPanel::minimumSizeHint() const {
    return {qRound(240 * pictureScale()), 160};
}

void DetailsPanel::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
}

void DetailsPanel::follow() {
    if (session_->task() == Task::training) {
        renew();
        return;
    }
    const bool failed = session_->state().kind == Session::Kind::failed;
    const bool failed_before = told_kind_ == Session::Kind::failed;
    if (failed != failed_before || isAnother(told_, session_->shown()) ||
        isAnother(told_reasons_, session_->reasons())) {
        renew();
    }
    veil_->setOn(session_->state().late && session_->previous());
}

void DetailsPanel::renewPlan() {
    const Plans& plans = *session_->plans();
    veil_->setOn(plans.state().kind == Plans::Kind::computing && session_->state().late && plans.shown());
    const RankedPlan* selected = plans.selectedPlan();
    if (selected == nullptr) {
        explanations_.cancel();
        if (!plans.shown() || plans.state().kind == Plans::Kind::failed) {
            setHtml(paragraph(plans.state().sentence));
        }
        return;
    }
    const PlanAnswer& answer = plans.current()->answer;
    const ChosenPlan chosen{answer.question, selected->plan};
    explanations_.ask(chosen);
    QStringList why;
    if (explanations_.answered() == chosen && explanations_.answer()) {
        for (const std::string& sentence : *explanations_.answer()) {
            why << words(sentence);
        }
    } else {
        why << (explanations_.answered() == chosen ? explanations_.refusal() : tr("Computing…"));
    }
    setHtml(planText(*plans.current(), *selected, why));
}

void DetailsPanel::renew() {
    if (session_->task() == Task::training) {
        renewPlan();
        return;
    }
    const ResultsPtr results = session_->shown();
    const std::optional<TimeRange>& marked = session_->selection()->marked();
    renewStretch();
    told_ = results;
    told_mark_ = marked;
    told_reasons_ = session_->reasons();
    told_kind_ = session_->state().kind;
    if (told_kind_ == Session::Kind::failed) {
        setHtml(QStringLiteral("<p>%1</p>").arg(tr("There is no result for this scenario.")));
        return;
    }
    const int scrolled = verticalScrollBar()->value();
    setHtml(stretch_ + detailsText(results, session_->selection()->selected(), session_->reasons()));
    verticalScrollBar()->setValue(scrolled); // stepping through the bars keeps the place in the text
}

/// While a stretch of the same run is dragged, what was added up last stays: it says of which stretch it is.
void DetailsPanel::renewStretch() {
    const ResultsPtr results = session_->shown();
    const std::optional<TimeRange>& marked = session_->selection()->marked();
    if (!results || !marked) {
        stretches_.clear();
        stretch_.clear();
        return;
    }
    if (stretches_.answered() && stretches_.answered()->results != results) {
        stretches_.clear(); // it would keep the old run's timelines
    }
    stretches_.ask({results, *marked});
    const auto& known = stretches_.answered();
    if (known && stretches_.answer()) {
        stretch_ = stretchText(*results, known->marked, *stretches_.answer());
    } else {
        stretch_ = stretchHeading(*marked) + stretches_.refusal().toHtmlEscaped();
    }
}

void DetailsPanel::open(const QUrl& link) {
    const auto& known = stretches_.answered();
    if (known && stretches_.answer() && link.toString() == QLatin1String(copy_stretch_link)) {
        const InEnglish for_programs;
        QGuiApplication::clipboard()->setText(tabSeparated(stretch_table(
            known->results->steps, {known->marked.begin, known->marked.end}, *stretches_.answer())));
    }
}

} // namespace meshslice::ui
