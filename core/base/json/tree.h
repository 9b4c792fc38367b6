#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace meshslice {

/// Named values in order: what an answer holds, a program reads as JSON, and a lesson, a sweep or a
/// comparison addresses by a path such as "sizes/3/time_in_s". A name carries its unit, as a table's column
/// does.
///
/// Written as JSON looks: `Tree{{"chips", 16}, {"rings", {true, false}}}`; a list of pairs that each begin
/// with a text is an object. Beware: `Tree{tree}` is a list of one, `Tree(tree)` a copy.
class Tree {
  public:
    Tree() = default; ///< no value: "null"
    Tree(std::nullptr_t) {}
    template <class T>
    requires std::integral<T> || std::floating_point<T> Tree(T number) : value_(scalar(number)) {}
    template <class T>
    requires std::convertible_to<const T&, std::string_view> Tree(const T& words)
        : value_(std::string(std::string_view(words))) {}
    template <class T>
    Tree(const std::optional<T>& some) : Tree(some ? Tree(*some) : Tree()) {}
    template <class List>
    requires(!std::convertible_to<const List&, std::string_view>) && requires(const List& list) {
        list.begin();
        list.end();
    }
    Tree(const List& list) : Tree(array()) {
        for (const auto& one : list) {
            push_back(Tree(one));
        }
    }
    Tree(std::initializer_list<Tree> items);

    /// Empty ones.
    [[nodiscard]] static Tree array();
    [[nodiscard]] static Tree array(std::initializer_list<Tree> items);
    [[nodiscard]] static Tree object();

    [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
    [[nodiscard]] bool is_list() const { return shape() == Shape::list; }
    [[nodiscard]] bool is_object() const { return shape() == Shape::object; }
    /// A number; of a flag, a text, a list or an object none.
    [[nodiscard]] std::optional<double> number() const;

    /// Of a list or an object.
    [[nodiscard]] std::size_t size() const { return items_.size(); }
    [[nodiscard]] const std::vector<Tree>& items() const { return items_; }
    [[nodiscard]] std::vector<Tree>& items() { return items_; }
    [[nodiscard]] bool empty() const { return items_.empty(); }
    /// Of one that is not empty.
    [[nodiscard]] Tree& front() { return items_.front(); }
    [[nodiscard]] Tree& back() { return items_.back(); }
    /// Of an object, item by item.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
    /// Null where there is none of that name.
    [[nodiscard]] const Tree* find(std::string_view name) const;
    /// By a path, names and places with "/" between them; an object in a list also by the text that it begins
    /// with. Null where there is none.
    [[nodiscard]] const Tree* at(std::string_view path) const;

    /// The value of that name, made where there is none; what has no value becomes an object.
    Tree& operator[](std::string_view name);
    /// One item more; what has no value becomes a list.
    void push_back(Tree item);
    /// Of an object, without the value of that name.
    void erase(std::string_view name);
    /// Takes over what another object has.
    void update(const Tree& other);

    enum class Shape : std::uint8_t { list, object };
    using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Shape>;
    [[nodiscard]] const Value& value() const { return value_; }

    bool operator==(const Tree&) const = default;

  private:
    template <class T>
    static Value scalar(T number) {
        if constexpr (std::same_as<T, bool>) {
            return number;
        } else if constexpr (std::integral<T>) {
            return static_cast<std::int64_t>(number);
        } else {
            return static_cast<double>(number);
        }
    }
    [[nodiscard]] std::optional<Shape> shape() const;

    Value value_;
    std::vector<std::string> names_; ///< of an object
    std::vector<Tree> items_;
};

/// The number at a path; none where there is nothing, or nothing that is a number.
[[nodiscard]] std::optional<double> number_at(const Tree& tree, std::string_view path);
/// Every value that is neither a list nor an object, with its path, in order.
void each_value(const Tree& tree,
                const std::function<void(const std::string& path, const Tree& value)>& take);
/// The paths of its numbers.
[[nodiscard]] std::vector<std::string> number_paths(const Tree& tree);
/// "s" of "latency_in_s", "B/s", "FLOP", ...: the unit that a name carries; empty for a count or a share.
[[nodiscard]] std::string_view unit_of(std::string_view name);
/// For people who see the unit with the value: "transfer" of "transfer_s".
[[nodiscard]] std::string words_of_name(std::string_view name);

} // namespace meshslice
