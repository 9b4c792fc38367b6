#include "ui/editor/facts.h"

#include "core/machine/fields.h"
#include "core/work/layers.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice::ui {
namespace {

QString factsTr(const char* text) {
    return QCoreApplication::translate("meshslice::ui", text);
}

/// Digits in groups of three, apart by thin spaces: 12 288.
QString grouped(std::int64_t value) {
    QLocale locale = QLocale::c();
    return locale.toString(static_cast<qlonglong>(value)).replace(QLatin1Char(','), QChar(0x2009));
}

QString cell(const QString& text, bool number = false) {
    return QStringLiteral("<td align='%1' style='padding: 2px 12px 2px 0'>%2</td>")
        .arg(number ? QStringLiteral("right") : QStringLiteral("left"), text);
}

QString headings(const QStringList& names) {
    QString row;
    for (const QString& name : names) {
        row += QStringLiteral("<th align='left' style='padding: 2px 12px 2px 0'>%1</th>").arg(name);
    }
    return QStringLiteral("<tr>%1</tr>").arg(row);
}

QString layersTable(const Transformer& model, std::int64_t tokens) {
    const auto layers = fully_connected_layers(model, tokens);
    if (!layers) {
        return QStringLiteral("<p>%1</p>").arg(words(layers.error().sentence).toHtmlEscaped());
    }
    QString rows = headings(
        {factsTr("Layer Y = X W"), factsTr("tokens"), factsTr("in"), factsTr("out"), factsTr("copies")});
    for (const FullyConnectedLayer& layer : *layers) {
        rows += QStringLiteral("<tr>%1</tr>")
                    .arg(cell(words(layer.name)) + cell(grouped(layer.tokens), true) +
                         cell(grouped(layer.in), true) + cell(grouped(layer.out), true) +
                         cell(grouped(layer.copies), true));
    }
    return QStringLiteral("<table>%1</table>").arg(rows);
}

} // namespace

QString modelFacts(const Transformer& model, std::int64_t tokens) {
    const std::pair<const char*, std::int64_t> numbers[] = {
        {"layers", model.layers},
        {"hidden", model.hidden},
        {"heads", model.heads},
        {"kv_heads", model.kv_heads},
        {"head_size", model.head_size},
        {"feed_forward", model.feed_forward},
        {"gated", model.gated ? 1 : 0},
        {"experts", model.experts},
        {"experts_per_token", model.experts_per_token},
        {"vocabulary", model.vocabulary},
        {"tied_embeddings", model.tied_embeddings ? 1 : 0},
        {"sequence", model.sequence},
        {"causal", model.causal ? 1 : 0},
    };
    const QLatin1String flags[] = {QLatin1String("gated"), QLatin1String("tied_embeddings"),
                                   QLatin1String("causal")};
    QString rows = headings({factsTr("Number"), factsTr("Value"), factsTr("Where it comes from")});
    for (const auto& [field, value] : numbers) {
        const auto source = model.sources.find(field);
        const QLatin1String key(field);
        const bool is_flag = std::ranges::find(flags, key) != std::end(flags);
        const QString shown = is_flag ? (value != 0 ? factsTr("yes") : factsTr("no")) : grouped(value);
        rows += QStringLiteral("<tr>%1</tr>")
                    .arg(cell(QString::fromLatin1(field).replace(QLatin1Char('_'), QLatin1Char(' '))) +
                         cell(shown, true) +
                         cell(source == model.sources.end() ? factsTr("by default")
                                                            : words(source->second).toHtmlEscaped()));
    }
    return QStringLiteral("<h3>%1</h3><p>%2</p>%3<h4>%4</h4><table>%5</table>")
        .arg(
            words(model.title).toHtmlEscaped(),
            factsTr(
                "The fully connected layers of one transformer block. Every one is multiplied three times in "
                "a "
                "training step: forward, backward for the data and backward for the weights."),
            layersTable(model, tokens), factsTr("Numbers of the model"), rows);
}

QString hardwareFacts(const Machine& hardware) {
    QString rows = headings({factsTr("Number"), factsTr("Value"), factsTr("Where it comes from")});
    for (const MachineFact& fact : facts(hardware)) {
        const QString label = translated(fact.label).toHtmlEscaped();
        const QString help = translated(fact.help).toHtmlEscaped();
        rows += QStringLiteral("<tr>%1</tr>")
                    .arg(cell(help.isEmpty() ? label
                                             : QStringLiteral("%1<br><small>%2</small>").arg(label, help)) +
                         cell(fact.preset.empty() ? words(fact.value).toHtmlEscaped()
                                                  : factsTr("<b>%1</b><br><small>preset: %2</small>")
                                                        .arg(words(fact.value).toHtmlEscaped(),
                                                             words(fact.preset).toHtmlEscaped()),
                              true) +
                         cell(words(fact.source).toHtmlEscaped()));
    }
    return QStringLiteral("<h3>%1</h3><table>%2</table>").arg(words(hardware.title).toHtmlEscaped(), rows);
}

} // namespace meshslice::ui
