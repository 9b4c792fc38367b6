#include "ui/details/plan_text.h"

#include "core/report/plan/plan_headline.h"
#include "ui/details/rich_text.h"
#include "ui/look/words.h"

namespace meshslice::ui {

QString planText(const FoundPlans& plans, const RankedPlan& plan, const QStringList& why) {
    QString text;
    QStringList explained = why;
    for (const PlanSection& section :
         plan_sections(plans.answer, plan, plans.of_a, plans.expectedOf(plan.plan))) {
        text += heading(words(section.heading));
        for (const std::string& line : section.lines) {
            text += paragraph(words(line));
        }
        for (const QString& sentence : explained) { // below the first heading, why
            text += paragraph(sentence);
        }
        explained.clear();
    }
    return text;
}

} // namespace meshslice::ui
