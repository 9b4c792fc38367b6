#include "core/base/json/json_writer.h"

#include <nlohmann/json.hpp>

#include <type_traits>
#include <variant>

namespace meshslice {
namespace {

nlohmann::ordered_json json_of(const Tree& tree) {
    nlohmann::ordered_json json = tree.is_object() ? nlohmann::ordered_json::object()
                                  : tree.is_list() ? nlohmann::ordered_json::array()
                                                   : nlohmann::ordered_json();
    for (std::size_t k = 0; k < tree.size(); ++k) {
        if (tree.is_object()) {
            json[tree.names()[k]] = json_of(tree.items()[k]);
        } else {
            json.push_back(json_of(tree.items()[k]));
        }
    }
    std::visit(
        [&](const auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (!std::is_same_v<Value, std::monostate> && !std::is_same_v<Value, Tree::Shape>) {
                json = value;
            }
        },
        tree.value());
    return json;
}

Tree tree_of(const nlohmann::ordered_json& json) {
    if (json.is_object()) {
        Tree tree = Tree::object();
        for (const auto& [name, value] : json.items()) {
            tree[name] = tree_of(value);
        }
        return tree;
    }
    if (json.is_array()) {
        Tree tree = Tree::array();
        for (const auto& value : json) {
            tree.push_back(tree_of(value));
        }
        return tree;
    }
    return json.is_string()           ? Tree(json.get<std::string>())
           : json.is_boolean()        ? Tree(json.get<bool>())
           : json.is_number_integer() ? Tree(json.get<std::int64_t>())
           : json.is_number()         ? Tree(json.get<double>())
                                      : Tree();
}

} // namespace

Tree tree_of_json(const std::string& json) {
    return tree_of(nlohmann::ordered_json::parse(json));
}

std::string json_line(const Tree& tree) {
    return json_of(tree).dump();
}

std::string json_file(const Tree& tree) {
    return json_of(tree).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace meshslice
