// What the palette finds besides actions and fields.

#include "core/question/catalogue/study/studies.h"
#include "core/report/words/glossary.h"
#include "core/scenario/fields.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_panel.h"
#include "ui/look/words.h"
#include "ui/settings/glossary_dialog.h"
#include "ui/settings/manual_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette.h"
#include "ui/studies/studies_view.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

/// "Batch" of "&Batch"; Chinese labels have the key behind them: "批次(&B)".
QString withoutKey(QString label) {
    const qsizetype key = label.indexOf(QStringLiteral("(&"));
    return (key >= 0 ? label.left(key) : label).remove(QLatin1Char('&'));
}

} // namespace

void Palette::addFinds(std::vector<Entry>& entries) const {
    addStudies(entries);
    addChoices(entries);
    addReading(entries);
}

/// "Weak scaling, Figure 9".
void Palette::addStudies(std::vector<Entry>& entries) const {
    for (View* view : window_->views()) {
        auto* const gallery = qobject_cast<StudiesView*>(view);
        if (gallery == nullptr) {
            continue;
        }
        for (std::size_t k = 0; k < studies().size(); ++k) {
            const Study& one = studies()[k];
            PaletteLine line{studyTitle(one),
                             QStringLiteral("%1 > %2").arg(view->title(), words(one.publication().citation)),
                             {},
                             translated(one.question)};
            entries.push_back({std::move(line), [this, gallery, k] {
                                   gallery->turnTo(static_cast<int>(k));
                                   window_->pictures()->show(gallery);
                                   gallery->setFocus();
                               }});
        }
    }
}

/// "Model: Llama 3 8B": presets of models and machines, algorithms and all else that is chosen from a list.
void Palette::addChoices(std::vector<Entry>& entries) const {
    const Scenario& scenario = window_->document()->scenario();
    for (const Field<Scenario>& field : scenario_fields()) {
        if (field.label.empty() || field.choices.empty() || !field.applies(scenario) ||
            !window_->scenarioPanel()->shows(field.key)) {
            continue;
        }
        const QString label = withoutKey(translated(field.label));
        for (const FieldChoice& choice : field.choices) {
            const QString says = choice.label.empty() ? words(choice.word) : translated(choice.label);
            PaletteLine line{tr("%1: %2").arg(label, says),
                             tr("Scenario > %1").arg(translated(field.group)),
                             {},
                             words(choice.word)};
            entries.push_back({std::move(line), [this, &field, word = choice.word] {
                                   Scenario next = window_->document()->scenario();
                                   if (const Result<void> set = set_text(field, next, word, {}); set) {
                                       (void)window_->document()->edit(next, field.key);
                                       window_->document()->endEdit();
                                   }
                               }});
        }
    }
}

/// Words of the glossary, with their other names, and pages of the manual.
void Palette::addReading(std::vector<Entry>& entries) const {
    for (const GlossaryEntry& entry : glossary()) {
        QStringList also;
        for (const std::string& name : entry.also) {
            also << words(name);
        }
        const QString word = words(entry.word);
        entries.push_back(
            {{word,
              tr("Help > Glossary"),
              {},
              also.isEmpty() ? words(entry.text)
                             : also.join(QStringLiteral(", ")) + QStringLiteral(". ") + words(entry.text)},
             [this, word] { (new GlossaryDialog(window_, word))->show(); }});
    }
    for (const ManualPage& page : manualPages()) {
        entries.push_back({{page.title, tr("Help > Manual"), {}, page.path},
                           [this, path = page.path] { (new ManualDialog(window_, path))->show(); }});
    }
}

} // namespace meshslice::ui
