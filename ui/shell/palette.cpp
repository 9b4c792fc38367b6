#include "ui/shell/palette.h"

#include "core/scenario/fields.h"
#include "ui/commands/palette_dialog.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_group.h"
#include "ui/editor/scenario_panel.h"
#include "ui/look/words.h"
#include "ui/shell/main_window.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>

#include <utility>
#include <variant>

namespace meshslice::ui {
namespace {

/// As a sentence has it: without the mark of its key and the dots that announce a question.
QString plainText(QString text) {
    text.remove(QLatin1Char('&'));
    return text.remove(QStringLiteral("…"));
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

std::vector<Palette::Entry> Palette::entries() const {
    std::vector<Entry> all;
    const std::function<void(QMenu*, const QString&)> add = [&](QMenu* menu, const QString& place) {
        emit menu->aboutToShow(); // some are filled then
        for (QAction* action : menu->actions()) {
            if (action->isSeparator() || action->objectName() == QLatin1String(own_action)) {
                continue;
            }
            // What Undo would undo changes; its name does not.
            const QString title =
                plainText(action->data().isValid() ? action->data().toString() : action->text());
            if (action->menu() != nullptr) {
                add(action->menu(), place + QStringLiteral(" > ") + title);
                continue;
            }
            PaletteLine line{title, place, keysOf(*action), action->statusTip(), action->isEnabled()};
            if (action->isChecked() && line.keys.isEmpty()) {
                line.keys = tr("chosen");
            }
            all.push_back({std::move(line), [action = QPointer<QAction>(action)] {
                               if (action) {
                                   action->trigger();
                               }
                           }});
        }
    };
    for (const QAction* action : window_->menuBar()->actions()) {
        if (action->menu() != nullptr) {
            add(action->menu(), plainText(action->text()));
        }
    }
    addFields(all);
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
        const QString value = part ? QString() : words(text(field, now, scale));
        const QString unit = translated(field.form_unit.empty() ? field.unit : field.form_unit);
        PaletteLine line{plainText(translated(field.label)), tr("Scenario > %1").arg(translated(field.group)),
                         field.kind == FieldKind::flag ? value
                                                       : QStringLiteral("%1 %2").arg(value, unit).trimmed(),
                         translated(field.help), field.applies(scenario)};
        line.keys.truncate(24); // of a list of faults, the first
        entries.push_back({std::move(line), [this, key = field.key] {
                               window_->scenarioDock()->show();
                               window_->scenarioDock()->raise();
                               window_->scenarioPanel()->goTo(key);
                           }});
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
