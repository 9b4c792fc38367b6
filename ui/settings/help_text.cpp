#include "ui/settings/help_text.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QStringList>

#include <utility>

namespace meshslice::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("meshslice::ui::Help", text);
}

QString line(const QString& keys, const QString& act) {
    return QStringLiteral(
               "<tr><td style='padding: 2px 24px 2px 0'>%1</td><td style='padding: 2px 0'>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), act.toHtmlEscaped());
}

/// An action with its keys, or those of its submenu.
QString linesOf(const QAction& action) {
    QString rows;
    if (action.menu() != nullptr) {
        for (const QAction* entry : action.menu()->actions()) {
            rows += linesOf(*entry);
        }
    } else if (!action.shortcut().isEmpty()) {
        QStringList keys;
        for (const QKeySequence& sequence : action.shortcuts()) {
            keys << sequence.toString(QKeySequence::NativeText);
        }
        // Undo says what it undoes; the list of keys is about the key.
        QString text = action.data().isValid() ? action.data().toString() : action.text();
        text.remove(QLatin1Char('&'));
        text.remove(QStringLiteral("…"));
        rows = line(keys.join(tr(" or ")), text);
    }
    return rows;
}

} // namespace

QString keysText(const QMenuBar& menus) {
    QString rows;
    for (const QAction* action : menus.actions()) {
        rows += linesOf(*action);
    }
    // The keys of a picture are handled by the picture, and only while it has the focus: a letter typed into
    // a field is a letter.
    const std::pair<QString, QString> keys[] = {
        {tr("W, S"), tr("Zoom in and out at the cursor")},
        {tr("A, D"), tr("Move left and right in time")},
        {tr("Up, Down, Page Up, Page Down"), tr("Scroll the rows")},
        {tr("F"), tr("Fit the selection; again: the whole run")},
        {tr("Home"), tr("The whole run")},
        {tr(". and ,"), tr("Next and previous bar of the row")},
        {tr("C"), tr("Mark the critical path, or not")},
        {tr("Drag"), tr("Mark a stretch of time")},
        {tr("Enter"), tr("Zoom to the marked stretch")},
        {tr("Escape"), tr("Clear mark and selection")},
        {tr("Wheel, Ctrl+wheel, Shift+wheel"), tr("Scroll the rows, zoom, move in time")},
        {tr("Shift+drag or middle button"), tr("Move in time")},
        {tr("Double click"), tr("Zoom to a bar")},
    };
    const std::pair<QString, QString> tuner_keys[] = {
        {tr("Arrows"), tr("From cell to cell")},
        {tr("Enter or click"), tr("Load the cell's mesh and slice count into the scenario")},
        {tr("Escape"), tr("Back to the scenario's own cell")},
    };
    QString view_rows;
    for (const auto& [key, act] : keys) {
        view_rows += line(key, act);
    }
    QString tuner_rows;
    for (const auto& [key, act] : tuner_keys) {
        tuner_rows += line(key, act);
    }
    return QStringLiteral("<h3>%1</h3><table>%2</table><h3>%3</h3><p>%4</p><table>%5</table>"
                          "<h3>%6</h3><table>%7</table>")
        .arg(tr("Everywhere"), rows, tr("In the timeline"), tr("Click it first, or reach it with Tab."),
             view_rows, tr("In the tuner"), tuner_rows);
}

QString aboutText() {
    return QStringLiteral("<h3>MeshSlice Explorer %1</h3><p>%2</p><p>%3</p><p>%4</p>")
        .arg(QCoreApplication::applicationVersion().toHtmlEscaped(),
             tr("Shows when each core multiplies and each link moves in distributed matrix multiplication on "
                "a torus of "
                "accelerators."),
             tr("The model of time follows the MeshSlice paper; every preset names its sources."),
             tr("Free software under the GNU General Public License, version 3 or later."));
}

} // namespace meshslice::ui
