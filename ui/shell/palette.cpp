#include "ui/shell/palette.h"

#include "core/scenario/fields.h"
#include "core/search/vary.h"
#include "ui/commands/dialogs/palette_dialog.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_group.h"
#include "ui/editor/scenario_panel.h"
#include "ui/look/words.h"
#include "ui/shell/main_window.h"
#include "ui/view/view.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTimer>

#include <utility>
#include <variant>

namespace meshslice::ui {
namespace {

constexpr qsizetype longest_value = 28;

/// As a sentence has it: without the dots that announce a question and the mark of its key, which stands
/// behind Chinese words: "打开(&O)…" is "打开".
QString plainText(QString text) {
    static const QRegularExpression behind(QStringLiteral("\\(&[A-Za-z0-9]\\)"));
    text.remove(behind);
    text.remove(QLatin1Char('&'));
    return text.remove(QStringLiteral("…"));
}

/// As the form says it: a choice by its label, not by the word that files have.
QString valueText(const FieldRow& field, const FieldValue& value, double scale) {
    const std::string word = text(field, value, scale);
    if (std::holds_alternative<std::monostate>(value) && !field.word_label.empty()) {
        return translated(field.word_label);
    }
    for (const FieldChoice& choice : field.choices) {
        if (field.kind == FieldKind::choice && choice.word == word && !choice.label.empty()) {
            return translated(choice.label);
        }
    }
    return words(word);
}

QString keysOf(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& sequence : action.shortcuts()) {
        keys << sequence.toString(QKeySequence::NativeText);
    }
    return keys.join(QStringLiteral(", "));
}

} // namespace

Palette::Palette(MainWindow* window) : QObject(window), window_(window) {}

void Palette::addMenu(std::vector<Entry>& entries, QMenu* menu, const QString& place) {
    emit menu->aboutToShow(); // some are filled then
    for (QAction* action : menu->actions()) {
        if (action->isSeparator() || action->objectName() == QLatin1String(own_action)) {
            continue;
        }
        // What Undo would undo changes; its name does not. Behind a tab stand the keys.
        const QString text = action->data().isValid() ? action->data().toString() : action->text();
        const QString title = plainText(text.section(QLatin1Char('\t'), 0, 0));
        if (action->menu() != nullptr) {
            addMenu(entries, action->menu(), place + QStringLiteral(" > ") + title);
            continue;
        }
        PaletteLine line{title, place, keysOf(*action), action->statusTip(), action->isEnabled()};
        if (line.keys.isEmpty()) {
            line.keys = text.section(QLatin1Char('\t'), 1);
        }
        if (action->isChecked() && line.keys.isEmpty()) {
            line.keys = tr("chosen");
        }
        entries.push_back({std::move(line), [action = QPointer<QAction>(action)] {
                               if (action) {
                                   action->trigger();
                               }
                           }});
    }
}

std::vector<Palette::Entry> Palette::entries() {
    std::vector<Entry> all;
    for (const QAction* action : window_->menuBar()->actions()) {
        if (action->menu() != nullptr) {
            addMenu(all, action->menu(), plainText(action->text()));
        }
    }
    delete offered_;
    offered_ = new QMenu(window_); // until the next time: what is taken is done when the palette is closed
    for (View* view : window_->views()) {
        auto* menu = new QMenu(offered_);
        const QString about = view->offer(*menu);
        addMenu(all, menu,
                about.isEmpty() ? view->title() : view->title() + QStringLiteral(" > ") + about.simplified());
    }
    addFields(all);
    addFinds(all);
    return all;
}

void Palette::addFields(std::vector<Entry>& entries) const {
    const Scenario& scenario = window_->document()->scenario();
    for (const Field<Scenario>& field : scenario_fields()) {
        if (field.label.empty() || !window_->scenarioPanel()->shows(field.key)) {
            continue;
        }
        const double scale = field.form_unit.empty() ? 1.0 : field.form_scale;
        const FieldValue now = field.get(scenario);
        const bool part = std::holds_alternative<JsonPart>(now); // a model of its own: too long to show
        const QString value = part ? QString() : valueText(field, now, scale);
        const QString unit = translated(field.form_unit.empty() ? field.unit : field.form_unit);
        PaletteLine line{plainText(translated(field.label)), tr("Scenario > %1").arg(translated(field.group)),
                         field.kind == FieldKind::flag ? value
                                                       : QStringLiteral("%1 %2").arg(value, unit).trimmed(),
                         translated(field.help), field.applies(scenario)};
        if (line.keys.size() > longest_value) { // of a list of faults, the first
            line.keys = line.keys.left(longest_value).trimmed() + QStringLiteral("…");
        }
        const PaletteLine sweep{tr("Sweep: %1").arg(line.title), line.place, {}, {}, line.enabled};
        entries.push_back({std::move(line), [this, key = field.key] {
                               window_->scenarioDock()->show();
                               window_->scenarioDock()->raise();
                               window_->scenarioPanel()->goTo(key);
                           }});
        if (can_vary(field) && nothing_to_vary(field, scenario).empty()) {
            entries.push_back(
                {sweep, [this, key = field.key] { emit window_->scenarioPanel()->sweepAsked(words(key)); }});
        }
    }
}

PaletteDialog* Palette::dialog() const {
    return dialog_;
}

void Palette::open() {
    if (dialog_) {
        dialog_->raise();
        return;
    }
    std::vector<Entry> all = entries();
    std::vector<PaletteLine> lines;
    for (const Entry& entry : all) {
        lines.push_back(entry.line);
    }
    dialog_ = new PaletteDialog(std::move(lines), recent_, window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &PaletteDialog::taken, this, [this, all = std::move(all)](std::size_t line) {
        recent_ = withRecent(recent_, all[line].line.name());
        // When the dialog has given the focus back.
        QTimer::singleShot(0, this, all[line].act);
    });
    dialog_->open();
}

} // namespace meshslice::ui
