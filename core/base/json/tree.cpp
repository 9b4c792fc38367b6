#include "core/base/json/tree.h"

#include "core/base/text/parse.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <utility>

namespace meshslice {
namespace {

bool is_pair_with_name(const Tree& item) {
    return item.is_list() && item.size() == 2 &&
           std::holds_alternative<std::string>(item.items().front().value());
}

void each_value_below(const Tree& tree, const std::string& path,
                      const std::function<void(const std::string& path, const Tree& value)>& take) {
    if (!tree.is_list() && !tree.is_object()) {
        take(path, tree);
        return;
    }
    for (std::size_t k = 0; k < tree.size(); ++k) {
        const std::string name = tree.is_object() ? tree.names()[k] : std::to_string(k);
        each_value_below(tree.items()[k], path.empty() ? name : path + "/" + name, take);
    }
}

} // namespace

Tree::Tree(std::initializer_list<Tree> items) {
    if (!std::ranges::all_of(items, is_pair_with_name)) {
        value_ = Shape::list;
        items_ = items;
        return;
    }
    value_ = Shape::object;
    for (const Tree& pair : items) {
        (*this)[std::get<std::string>(pair.items_[0].value_)] = pair.items_[1];
    }
}

Tree Tree::array() {
    Tree list;
    list.value_ = Shape::list;
    return list;
}

Tree Tree::array(std::initializer_list<Tree> items) {
    Tree list = array();
    list.items_ = items;
    return list;
}

Tree Tree::object() {
    Tree made;
    made.value_ = Shape::object;
    return made;
}

std::optional<Tree::Shape> Tree::shape() const {
    const auto* shape = std::get_if<Shape>(&value_);
    return shape == nullptr ? std::nullopt : std::optional(*shape);
}

std::optional<double> Tree::number() const {
    if (const auto* whole = std::get_if<std::int64_t>(&value_)) {
        return static_cast<double>(*whole);
    }
    const auto* fraction = std::get_if<double>(&value_);
    return fraction == nullptr ? std::nullopt : std::optional(*fraction);
}

const Tree* Tree::find(std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? nullptr : &items_[static_cast<std::size_t>(found - names_.begin())];
}

const Tree* Tree::at(std::string_view path) const {
    const Tree* place = this;
    while (place != nullptr && !path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (place->is_object()) {
            place = place->find(part);
            continue;
        }
        const Result<std::int64_t> at = parse_whole(part);
        const bool within = at && *at >= 0 && static_cast<std::size_t>(*at) < place->size();
        const auto found =
            within ? place->items_.begin() + *at
                   : std::ranges::find_if(place->items_, [part](const Tree& item) {
                         const auto* words =
                             item.empty() ? nullptr : std::get_if<std::string>(&item.items_.front().value_);
                         return words != nullptr && *words == part;
                     });
        place = found == place->items_.end() ? nullptr : &*found;
    }
    return place;
}

Tree& Tree::operator[](std::string_view name) {
    if (is_null()) {
        value_ = Shape::object;
    }
    assert(is_object());
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) {
        return items_[static_cast<std::size_t>(found - names_.begin())];
    }
    names_.emplace_back(name);
    return items_.emplace_back();
}

void Tree::push_back(Tree item) {
    if (is_null()) {
        value_ = Shape::list;
    }
    assert(is_list());
    items_.push_back(std::move(item));
}

void Tree::erase(std::string_view name) {
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) {
        items_.erase(items_.begin() + (found - names_.begin()));
        names_.erase(found);
    }
}

void Tree::update(const Tree& other) {
    for (std::size_t k = 0; k < other.size(); ++k) {
        (*this)[other.names_[k]] = other.items_[k];
    }
}

std::optional<double> number_at(const Tree& tree, std::string_view path) {
    const Tree* const found = tree.at(path);
    return found == nullptr ? std::nullopt : found->number();
}

void each_value(const Tree& tree,
                const std::function<void(const std::string& path, const Tree& value)>& take) {
    each_value_below(tree, {}, take);
}

std::vector<std::string> number_paths(const Tree& tree) {
    std::vector<std::string> paths;
    each_value(tree, [&](const std::string& path, const Tree& value) {
        if (value.number()) {
            paths.push_back(path);
        }
    });
    return paths;
}

namespace {

/// How names end, and the unit that this is.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> unit_endings = {
    {{"flop_per_s", "FLOP/s"},
     {"bytes_per_s", "B/s"},
     {"flop_per_byte", "FLOP/B"},
     {"bytes", "B"},
     {"flop", "FLOP"},
     {"_s", "s"}}};

/// The first that suits: "tokens_per_s" is a number of tokens.
const auto* unit_ending(std::string_view name) {
    return std::ranges::find_if(unit_endings, [name](const auto& one) {
        return name.ends_with(one.first) && !(one.second == "s" && name.ends_with("_per_s"));
    });
}

} // namespace

std::string_view unit_of(std::string_view name) {
    const auto* const found = unit_ending(name);
    return found == unit_endings.end() ? std::string_view() : found->second;
}

std::string words_of_name(std::string_view name) {
    const auto* const found = unit_ending(name);
    std::string words(found == unit_endings.end() ? name : name.substr(0, name.size() - found->first.size()));
    std::ranges::replace(words, '_', ' ');
    while (words.ends_with(' ')) {
        words.pop_back();
    }
    if (words.ends_with(" in")) { // "time_in_s"
        words.erase(words.size() - 3);
    }
    return words.empty() ? std::string(name) : words;
}

} // namespace meshslice
