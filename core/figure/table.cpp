#include "core/figure/table.h"

#include <algorithm>
#include <cassert>

namespace meshslice {

void name_variants(Table& table, const std::vector<std::string>& variants) {
    assert(variants.size() == table.rows.size());
    if (std::ranges::all_of(variants, &std::string::empty)) {
        return;
    }
    table.columns.insert(table.columns.begin(), "variant");
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        table.rows[row].insert(table.rows[row].begin(), Table::Cell(variants[row]));
    }
}

} // namespace meshslice
