#include "core/scenario/fields.h"

#include "core/scenario/rows/field_rows.h"

#include <cassert>
#include <iterator>

namespace meshslice {

const std::vector<Field<Scenario>>& scenario_fields() {
    static const std::vector<Field<Scenario>> table = [] {
        std::vector<Field<Scenario>> all;
        for (auto* rows : {work_rows, machine_rows, tokens_rows, gemm_rows, algorithm_rows, schedule_rows,
                           fault_rows, hardware_rows, planning_rows}) {
            std::vector<Field<Scenario>> part = rows();
            std::move(part.begin(), part.end(), std::back_inserter(all));
        }
        all.push_back(serving_row());
        return all;
    }();
    return table;
}

const Field<Scenario>& scenario_field(std::string_view key) {
    const Field<Scenario>* field = field_of(scenario_fields(), key);
    assert(field != nullptr && "a key of the table");
    return *field;
}

} // namespace meshslice
