#include "ui/settings/help_text.h"

#include "ui/view/view.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QStringList>

namespace meshslice::ui {
namespace {

QString helpTr(const char* text) {
    return QCoreApplication::translate("meshslice::ui", text);
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
        rows = line(keys.join(helpTr(" or ")), text);
    }
    return rows;
}

} // namespace

QString keysText(const QMenuBar& menus, const std::vector<View*>& views) {
    const auto table = [](const QString& heading, const QString& note, const QString& rows) {
        return QStringLiteral("<h3>%1</h3>%2<table>%3</table>").arg(heading, note, rows);
    };
    QString everywhere;
    for (const QAction* action : menus.actions()) {
        everywhere += linesOf(*action);
    }
    QString text = table(helpTr("Everywhere"), {}, everywhere);
    // The keys of a view are handled by the view, and only while it has the focus: a letter typed into a
    // field is a letter.
    const QString note =
        QStringLiteral("<p>%1</p>").arg(helpTr("Click the view first, or reach it with Tab."));
    for (const View* view : views) {
        QString rows;
        for (const KeyHelp& key : view->keys()) {
            rows += line(key.keys, key.act);
        }
        if (!rows.isEmpty()) {
            text += table(view->title(), note, rows);
        }
    }
    return text;
}

QString aboutText() {
    return QStringLiteral("<h3>MeshSlice Explorer %1</h3><p>%2</p><p>%3</p><p>%4</p>")
        .arg(
            QCoreApplication::applicationVersion().toHtmlEscaped(),
            helpTr(
                "Shows when each core multiplies and each link moves in distributed matrix multiplication on "
                "a torus of accelerators."),
            helpTr("The model of time follows the MeshSlice paper; every preset names its sources."),
            helpTr("Free software under the GNU General Public License, version 3 or later."));
}

} // namespace meshslice::ui
