#include "ui/details/why_text.h"

#include "core/report/words/resource_words.h"
#include "core/report/words/why_words.h"
#include "ui/details/rich_text.h"
#include "ui/details/variant_text.h"
#include "ui/look/words.h"
#include "ui/view/finding.h"

#include <QCoreApplication>

namespace meshslice::ui {
namespace {

QString whyTr(const char* text) {
    return QCoreApplication::translate("meshslice::ui", text);
}

QString activityWords(Place place, Activity activity) {
    switch (activity) {
    case Activity::compute: return whyTr("slower chips multiply");
    case Activity::launch:
        return place == Place::core ? whyTr("the multiplication's launch") : whyTr("launch");
    case Activity::sync: return whyTr("synchronization");
    case Activity::copy: return whyTr("copying slices");
    case Activity::transfer: break;
    }
    return whyTr("transfer");
}

/// "vertical links", without the article of a sentence.
QString resourceName(Place place, const Torus& torus) {
    QString name = words(place == Place::core ? said("core") : resource_words(place, torus));
    if (name.startsWith(QStringLiteral("the "))) {
        name.remove(0, 4);
    }
    return name;
}

/// One line for each cause that exposes anything in any of the columns; of two variants with how much more
/// the second one exposes.
void addCauses(Lines& lines, const std::vector<PhaseTimes>& exposed, const std::vector<Time>& whole_times,
               const Torus& torus, bool differs = false) {
    for (std::size_t place = 0; place < resource_count; ++place) {
        for (std::size_t activity = 0; activity < activity_count; ++activity) {
            QStringList cells{resourceName(static_cast<Place>(place), torus) + translated(": ") +
                              activityWords(static_cast<Place>(place), static_cast<Activity>(activity))};
            bool any = false;
            for (std::size_t column = 0; column < exposed.size(); ++column) {
                const Time time = all_phases(exposed[column]).times[place][activity];
                any = any || time > Time(0);
                cells << (time > Time(0) ? shown(time) : QStringLiteral("–"));
                if (exposed.size() == 1) {
                    cells << words(percent_text(ratio(time, whole_times[column])));
                }
            }
            if (any && differs) {
                cells << moreText(all_phases(exposed[0]).times[place][activity],
                                  all_phases(exposed[1]).times[place][activity]);
            }
            if (any) {
                lines.add(cells);
            }
        }
    }
}

QString slackText(const CriticalPath& path, const Torus& torus) {
    Lines lines;
    for (std::size_t place = 0; place < resource_count; ++place) {
        if (const std::optional<Time>& slack = path.slack[place]) {
            lines.add({resourceName(static_cast<Place>(place), torus),
                       *slack == Time(0) ? whyTr("none: it sets the pace") : shown(*slack)});
        }
    }
    return heading(whyTr("Slack in the steady state")) + lines.html() +
           paragraph(whyTr("How much longer any one of its activities could take without delaying the end."));
}

/// With faults the chips of the path wait less than others, or more.
QString waitsHeading(const Results& results) {
    return heading(results.scenario.assume.faults.none() ? whyTr("What the core waits for")
                                                         : whyTr("What cores wait for on the critical path"));
}

} // namespace

QString productWhyText(const ReasonsPtr& reasons, std::size_t step, std::size_t gemm) {
    const ProductWhy* why = reasons ? reasons->of(step, gemm) : nullptr;
    if (!why) {
        return {};
    }
    const GemmResult& result = reasons->results->steps[step].gemms[gemm];
    const Torus& torus = result.program->torus;
    QString text =
        paragraph(QStringLiteral("<b>%1</b>")
                      .arg(whole(words(why_sentence(result, *why, reasons->results->steps[step].faults)))
                               .toHtmlEscaped()));
    if (all_phases(why->path->exposed).total() > Time(0)) {
        Lines lines;
        addCauses(lines, {why->path->exposed}, {result.timeline->end()}, torus);
        text += waitsHeading(*reasons->results) + lines.html();
    }
    return why->path->events.empty() ? text : text + slackText(*why->path, torus);
}

QString stepWhyText(const ReasonsPtr& reasons) {
    if (!reasons) {
        return {};
    }
    QString text;
    QStringList head{QString()};
    std::vector<PhaseTimes> exposed;
    std::vector<Time> times;
    const Torus* torus = nullptr;
    for (const std::size_t k : columnsOf(*reasons->results)) {
        const TrainingStep& step = reasons->results->steps[k];
        if (step.gemms.empty() || !step.gemms.front().timeline) {
            continue; // that it was only estimated is said elsewhere
        }
        if (!reasons->steps[k]) {
            text += paragraph(words(reasons->steps[k].error().sentence).toHtmlEscaped());
            continue;
        }
        text += paragraph(QStringLiteral("<b>%1</b>: %2")
                              .arg(stepTitle(step).toHtmlEscaped(),
                                   whole(words(why_sentence(step, *reasons->steps[k]))).toHtmlEscaped()));
        head << stepName(*reasons->results, k);
        exposed.push_back(reasons->steps[k]->exposed);
        times.push_back(step.time);
        // Where one of them runs on a ring, the other one's axes name the links.
        torus = torus && torus->axis_count() >= step.torus.axis_count() ? torus : &step.torus;
    }
    if (exposed.empty()) {
        return text.isEmpty() ? text : heading(whyTr("Why it takes this long")) + text;
    }
    Lines lines;
    const bool differs = exposed.size() == 2 && comparesVariants(*reasons->results);
    if (differs) {
        head << differenceTitle();
    }
    if (exposed.size() > 1) {
        lines.head(head);
    }
    addCauses(lines, exposed, times, *torus, differs);
    const bool waits =
        std::ranges::any_of(exposed, [](const PhaseTimes& one) { return all_phases(one).total() > Time(0); });
    if (!waits) {
        return heading(whyTr("Why it takes this long")) + text;
    }
    return heading(whyTr("Why it takes this long")) + text + waitsHeading(*reasons->results) + lines.html();
}

} // namespace meshslice::ui
