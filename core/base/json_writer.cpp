#include "core/base/json_writer.h"

#include <nlohmann/json.hpp>

namespace meshslice {

std::string json_file(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace meshslice
