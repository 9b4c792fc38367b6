#include "tests/core/support/json_of.h"

#include "core/base/json/json_writer.h"

#include <nlohmann/json.hpp>

namespace meshslice {

nlohmann::json json_of(const Tree& values) {
    return nlohmann::json::parse(json_file(values));
}

} // namespace meshslice
