#include "ui/controls/table_model.h"

#include "core/base/text.h"
#include "core/figure/chart.h"
#include "core/scenario/examples.h"
#include "ui/look/glossary.h"
#include "ui/look/words.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace meshslice::ui {
namespace {

struct Unit {
    std::string_view ending; ///< of the column's name
    std::string_view text;
    double factor; ///< to the SI base unit
};

// Longer endings first: "_flop_per_s" also ends in "_s".
constexpr std::array<Unit, 7> units = {{{"_bytes_per_s", "B/s", 1},
                                        {"_flop_per_s", "FLOP/s", 1},
                                        {"_flop_per_byte", "FLOP/B", 1},
                                        {"_ps", "s", 1e-12},
                                        {"_bytes", "B", 1},
                                        {"_flop", "FLOP", 1},
                                        {"_s", "s", 1}}};

/// Bytes of a text that a column surely has room for.
constexpr std::size_t short_cell = 40;

bool isShare(std::string_view column) {
    return column.ends_with("share") || column.ends_with("utilization") || column.ends_with("fraction");
}

/// How much more something is: with its sign.
bool isDifference(std::string_view column) {
    return column.starts_with(difference_column);
}

/// A title of several words in two lines of nearly equal length: columns are as wide as their cells need.
QString inTwoLines(QString title) {
    qsizetype best = -1;
    const auto longer = [&](qsizetype space) { return std::max(space, title.size() - space - 1); };
    for (qsizetype space = title.indexOf(QLatin1Char(' ')); space >= 0;
         space = title.indexOf(QLatin1Char(' '), space + 1)) {
        best = best < 0 || longer(space) <= longer(best) ? space : best;
    }
    return best < 0 ? title : title.replace(best, 1, QLatin1Char('\n'));
}

const Unit* unitOf(std::string_view column) {
    for (const Unit& unit : units) {
        const bool rate = unit.ending == "_s" && column.ends_with("_per_s"); // "tokens_per_s"
        if (column.ends_with(unit.ending) && !rate) {
            return &unit;
        }
    }
    return nullptr;
}

/// "moved bytes" of "moved_bytes", "time" of "time_s".
std::string englishTitle(std::string_view column) {
    const Unit* unit = unitOf(column);
    std::string title(column.substr(0, column.size() - (unit ? unit->ending.size() : 0)));
    std::ranges::replace(title, '_', ' ');
    return title;
}

} // namespace

QString cellText(const std::string& column, const Table::Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return column == "variant" ? words(shown_name(*text)) : translated(*text);
    }
    const auto* whole = std::get_if<std::int64_t>(&cell);
    const double number = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
    if (isDifference(column)) {
        const QString size = cellText(column.substr(column.find(' ') + 1), std::abs(number));
        return number == 0.0 ? size : (number > 0.0 ? QStringLiteral("+") : QStringLiteral("\u2212")) + size;
    }
    if (isShare(column)) {
        return words(percent_text(number));
    }
    if (column.ends_with("_ratio")) {
        return words(value_text(ChartUnit::ratio, number));
    }
    if (const Unit* unit = unitOf(column)) {
        return words(si_text(number * unit->factor, unit->text));
    }
    return whole != nullptr ? QString::number(*whole) : words(number_text(number));
}

QString columnTitle(const std::string& column) {
    const std::string title = englishTitle(column);
    // "difference time", "MeshSlice time": the words of whom it is stand before those that are translated.
    for (std::size_t begin = 0; begin < title.size(); begin = title.find(' ', begin) + 1) {
        const std::string own = title.substr(begin);
        if (const std::string other = said(own); other != own) {
            const std::string_view before = std::string_view(title).substr(0, begin > 0 ? begin - 1 : 0);
            return words(said(before)) + (begin > 0 ? QStringLiteral(" ") : QString()) + words(other);
        }
        if (title.find(' ', begin) == std::string::npos) {
            break;
        }
    }
    return words(title);
}

void TableModel::setTable(const Table& table) {
    beginResetModel();
    table_ = table;
    endResetModel();
}

void TableModel::addRows(const std::vector<std::vector<Table::Cell>>& rows) {
    if (rows.empty()) {
        return;
    }
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(rows.size()) - 1);
    table_.rows.insert(table_.rows.end(), rows.begin(), rows.end());
    endInsertRows();
}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = static_cast<std::size_t>(index.column());
    if (column >= table_.rows[row].size()) {
        return {};
    }
    const Table::Cell& cell = table_.rows[row][column];
    const bool is_text = std::holds_alternative<std::string>(cell);
    switch (role) {
    case Qt::DisplayRole: return cellText(table_.columns[column], cell);
    case Qt::TextAlignmentRole:
        return static_cast<int>((is_text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole: // A sentence may be longer than its column is wide.
        return is_text && std::get<std::string>(cell).size() > short_cell
                   ? QVariant(words(std::get<std::string>(cell)))
                   : QVariant();
    case sort_role:
        if (is_text) {
            return words(std::get<std::string>(cell));
        }
        if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
            return static_cast<qlonglong>(*whole);
        }
        return std::get<double>(cell);
    default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const std::string& column = table_.columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole: return inTwoLines(columnTitle(column));
    case sort_role: return words(column);
    case Qt::ToolTipRole: {
        const QString meaning = glossaryParagraph(words(englishTitle(column)));
        return meaning.isEmpty() ? words(column) : tipParagraph(words(column)) + meaning;
    }
    case Qt::TextAlignmentRole: { // above its cells
        const bool text = table_.rows.empty() || std::holds_alternative<std::string>(
                                                     table_.rows.back()[static_cast<std::size_t>(section)]);
        return static_cast<int>((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default: return {};
    }
}

} // namespace meshslice::ui
