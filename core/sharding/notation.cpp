#include "core/sharding/notation.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace meshslice {
namespace {

constexpr std::size_t most_axes = 6;
constexpr std::size_t most_dimensions = 8;
constexpr std::int64_t most_devices = std::int64_t{1} << 20;

/// Goes through a text from letter to letter, past spaces.
class Letters {
  public:
    explicit Letters(std::string_view text) : text_(text) {}

    [[nodiscard]] std::size_t place() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
        return at_;
    }
    [[nodiscard]] bool ended() { return place() == text_.size(); }
    [[nodiscard]] char next() { return ended() ? '\0' : text_[at_]; }
    /// Whether a word stands here; goes past it then.
    bool take(std::string_view word) {
        if (text_.substr(place(), word.size()) != word) {
            return false;
        }
        at_ += word.size();
        return true;
    }
    /// As a capital; a small one is taken for it.
    [[nodiscard]] std::optional<char> take_capital() {
        const char letter = next();
        const bool small = letter >= 'a' && letter <= 'z';
        if (!small && (letter < 'A' || letter > 'Z')) {
            return std::nullopt;
        }
        ++at_;
        return small ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    /// Digits, letters and underscores.
    [[nodiscard]] std::string_view take_word() {
        const std::size_t begin = place();
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
            ++at_;
        }
        return text_.substr(begin, at_ - begin);
    }
    [[nodiscard]] std::string_view take_digits() {
        const std::size_t begin = place();
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
        return text_.substr(begin, at_ - begin);
    }
    /// What is expected here, and what stands here instead.
    [[nodiscard]] tl::unexpected<NotationError> expected(const std::string& what) {
        const std::size_t at = place();
        return tl::unexpected(NotationError{
            ended() ? say("expected {} before the end of the text.", what)
                    : say("expected {}, not \"{}\".", what, shortened(text_.substr(at, bytes_of_letter(at)))),
            at, 1});
    }

  private:
    /// With the bytes that continue it in UTF-8.
    [[nodiscard]] std::size_t bytes_of_letter(std::size_t at) const {
        std::size_t bytes = 1;
        while (at + bytes < text_.size() && (static_cast<unsigned char>(text_[at + bytes]) & 0xc0) == 0x80) {
            ++bytes;
        }
        return bytes;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::string axis_names(const NamedMesh& mesh) {
    std::vector<std::string> names;
    for (const MeshAxis& axis : mesh.axes) {
        names.emplace_back(1, axis.name);
    }
    return listed(names);
}

/// What the axes of one array are used for so far, by their place in the mesh; empty: nothing.
using Uses = std::vector<std::string>;

/// The axis of that name, which from now on is used; `use` says for what: "splits I".
Read<std::size_t> used_axis(char name, std::size_t at, const NamedMesh& mesh, const std::string& use,
                            Uses& uses) {
    const auto found = std::ranges::find(mesh.axes, name, &MeshAxis::name);
    if (found == mesh.axes.end()) {
        return tl::unexpected(NotationError{
            say("The mesh has no axis {}; it has {}.", std::string(1, name), axis_names(mesh)), at, 1});
    }
    const auto axis = static_cast<std::size_t>(found - mesh.axes.begin());
    if (!uses[axis].empty()) {
        std::vector<std::string> free;
        for (std::size_t k = 0; k < uses.size(); ++k) {
            if (uses[k].empty()) {
                free.emplace_back(1, mesh.axes[k].name);
            }
        }
        const std::string first =
            say("Axis {} already {}, and an axis can do that once only.", std::string(1, name), uses[axis]);
        return tl::unexpected(NotationError{
            free.empty() ? first : first + said(" ") + say("Still free: {}.", listed(free)), at, 1});
    }
    uses[axis] = use;
    return axis;
}

/// Axes after an underscore, at least one.
Read<AxisList> axes_of(Letters& letters, const NamedMesh& mesh, const std::string& use, Uses& uses) {
    AxisList axes;
    for (;;) {
        const std::size_t at = letters.place();
        const std::optional<char> name = letters.take_capital();
        if (!name) {
            break;
        }
        const Read<std::size_t> axis = used_axis(*name, at, mesh, use, uses);
        if (!axis) {
            return tl::unexpected(axis.error());
        }
        axes.push_back(*axis);
    }
    if (axes.empty()) {
        return letters.expected(say("an axis of the mesh ({})", axis_names(mesh)));
    }
    return axes;
}

std::string names_of(const AxisList& axes, const NamedMesh& mesh) {
    std::string names;
    for (const std::size_t axis : axes) {
        names += mesh.axes[axis].name;
    }
    return names;
}

/// As Python has them: "'X'".
std::vector<std::string> quoted_names(const AxisList& axes, const NamedMesh& mesh) {
    std::vector<std::string> names;
    for (const std::size_t axis : axes) {
        names.push_back(fmt::format("'{}'", mesh.axes[axis].name));
    }
    return names;
}

/// Refuses a letter that an earlier dimension has.
Read<void> new_letter(char letter, std::size_t at, const ShardedArray& array) {
    if (std::ranges::find(array.dimensions, letter, &ArrayDimension::letter) != array.dimensions.end()) {
        return tl::unexpected(NotationError{
            say("{} already names a dimension of {}.", std::string(1, letter), array.name), at, 1});
    }
    if (array.dimensions.size() == most_dimensions) {
        return tl::unexpected(
            NotationError{say("An array has at most {} dimensions here.", most_dimensions), at, 1});
    }
    return {};
}

Read<void> nothing_after(Letters& letters, const std::string& what) {
    if (!letters.ended()) {
        return letters.expected(say("nothing after {}", what));
    }
    return {};
}

/// "16x4" and "16": the axes X, Y, Z. None where it is anything else.
std::optional<NamedMesh> mesh_of_sizes(std::string_view text) {
    constexpr std::string_view names = "XYZ";
    Letters letters(text);
    NamedMesh mesh;
    do {
        const Result<std::int64_t> size = parse_whole(letters.take_digits());
        if (!size || *size < 1 || *size > most_devices / mesh.devices() || mesh.axes.size() == names.size()) {
            return std::nullopt;
        }
        mesh.axes.push_back({names[mesh.axes.size()], *size});
    } while (letters.take("x"));
    return letters.ended() ? std::optional(std::move(mesh)) : std::nullopt;
}

} // namespace

std::int64_t NamedMesh::devices() const {
    std::int64_t devices = 1;
    for (const MeshAxis& axis : axes) {
        devices *= axis.size;
    }
    return devices;
}

Error in_text(std::string_view text, const NotationError& error) {
    return {say("{}, character {}: {}", shortened(text), error.begin + 1, error.sentence)};
}

Read<NamedMesh> parse_named_mesh(std::string_view text) {
    if (std::optional<NamedMesh> sizes = mesh_of_sizes(text)) {
        return *std::move(sizes);
    }
    Letters letters(text);
    NamedMesh mesh;
    const bool braces = letters.take("{");
    do {
        const bool quoted = letters.take("'");
        const std::size_t at = letters.place();
        const std::optional<char> name = letters.take_capital();
        if (!name) {
            return letters.expected(said("an axis, one capital letter, and its size, as in X=16,"));
        }
        if (std::ranges::find(mesh.axes, *name, &MeshAxis::name) != mesh.axes.end()) {
            return tl::unexpected(
                NotationError{say("The mesh already has an axis {}.", std::string(1, *name)), at, 1});
        }
        if (mesh.axes.size() == most_axes) {
            return tl::unexpected(NotationError{say("A mesh has at most {} axes here.", most_axes), at, 1});
        }
        if ((quoted && !letters.take("'")) || !(letters.take("=") || letters.take(":"))) {
            return letters.expected(
                say("the size of axis {}, as in {}=4,", std::string(1, *name), std::string(1, *name)));
        }
        const std::size_t number = letters.place();
        const std::string_view digits = letters.take_digits();
        const Result<std::int64_t> size = parse_whole(digits);
        if (digits.empty() || !size || *size < 1 || *size > most_devices / mesh.devices()) {
            return tl::unexpected(NotationError{
                say("The size of axis {} must be a whole number from 1 on, with at most {} chips in all.",
                    std::string(1, *name), most_devices),
                number, std::max<std::size_t>(1, digits.size())});
        }
        mesh.axes.push_back({*name, *size});
    } while (letters.take(",") || std::isupper(static_cast<unsigned char>(letters.next())) != 0);
    if (braces && !letters.take("}")) {
        return letters.expected(said("a comma or }"));
    }
    if (const Read<void> ends = nothing_after(letters, said("the mesh")); !ends) {
        return tl::unexpected(ends.error());
    }
    return mesh;
}

std::string text(const NamedMesh& mesh) {
    std::vector<std::string> axes;
    for (const MeshAxis& axis : mesh.axes) {
        axes.push_back(fmt::format("{}:{}", axis.name, axis.size));
    }
    return fmt::format("{{{}}}", fmt::join(axes, ", "));
}

Read<ShardedArray> parse_sharded_array(std::string_view text, const NamedMesh& mesh) {
    Letters letters(text);
    ShardedArray array;
    Uses uses(mesh.axes.size());
    array.name = std::string(letters.take_word());
    if (array.name.empty() || !letters.take("[")) {
        return letters.expected(array.name.empty() ? said("the name of an array, as in A[I_X, J],") : "[");
    }
    do {
        const std::size_t at = letters.place();
        const std::optional<char> letter = letters.take_capital();
        if (!letter) {
            return letters.expected(said("a dimension, one capital letter,"));
        }
        if (const Read<void> fresh = new_letter(*letter, at, array); !fresh) {
            return tl::unexpected(fresh.error());
        }
        ArrayDimension dimension{*letter, {}};
        if (letters.take("_")) {
            Read<AxisList> axes = axes_of(letters, mesh, say("splits {}", std::string(1, *letter)), uses);
            if (!axes) {
                return tl::unexpected(axes.error());
            }
            dimension.axes = *std::move(axes);
        }
        array.dimensions.push_back(std::move(dimension));
    } while (letters.take(","));
    if (!letters.take("]")) {
        return letters.expected(said("a comma, an underscore or ]"));
    }
    if (letters.take("{")) {
        if (!letters.take("U_")) {
            return letters.expected(said("U_ and the axes of partial sums"));
        }
        Read<AxisList> axes = axes_of(letters, mesh, said("holds partial sums"), uses);
        if (!axes) {
            return tl::unexpected(axes.error());
        }
        array.unreduced = *std::move(axes);
        if (!letters.take("}")) {
            return letters.expected("}");
        }
    }
    if (const Read<void> ends = nothing_after(letters, said("the array")); !ends) {
        return tl::unexpected(ends.error());
    }
    return array;
}

std::string text(const ShardedArray& array, const NamedMesh& mesh) {
    std::vector<std::string> dimensions;
    for (const ArrayDimension& dimension : array.dimensions) {
        dimensions.push_back(std::string(1, dimension.letter) +
                             (dimension.axes.empty() ? "" : "_" + names_of(dimension.axes, mesh)));
    }
    return fmt::format("{}[{}]{}", array.name, fmt::join(dimensions, ", "),
                       array.unreduced.empty() ? std::string()
                                               : fmt::format("{{U_{}}}", names_of(array.unreduced, mesh)));
}

std::string partition_spec(const ShardedArray& array, const NamedMesh& mesh) {
    std::vector<std::string> dimensions;
    for (const ArrayDimension& dimension : array.dimensions) {
        const std::vector<std::string> names = quoted_names(dimension.axes, mesh);
        dimensions.push_back(names.empty()       ? "None"
                             : names.size() == 1 ? names.front()
                                                 : fmt::format("({})", fmt::join(names, ", ")));
    }
    if (!array.unreduced.empty()) {
        dimensions.push_back(
            fmt::format("unreduced={{{}}}", fmt::join(quoted_names(array.unreduced, mesh), ", ")));
    }
    return fmt::format("P({})", fmt::join(dimensions, ", "));
}

std::string make_mesh_text(const NamedMesh& mesh) {
    std::vector<std::string> sizes, names;
    for (const MeshAxis& axis : mesh.axes) {
        sizes.push_back(std::to_string(axis.size));
        names.push_back(fmt::format("'{}'", axis.name));
    }
    const char* one = mesh.axes.size() == 1 ? "," : ""; // or Python takes the parentheses for nothing
    return fmt::format("jax.make_mesh(({}{}), ({}{}))", fmt::join(sizes, ", "), one, fmt::join(names, ", "),
                       one);
}

Read<ShardedArray> parse_partition_spec(std::string_view text, const std::string& name,
                                        std::string_view letters_of, const NamedMesh& mesh) {
    Letters letters(text);
    ShardedArray array;
    array.name = name;
    Uses uses(mesh.axes.size());
    if (!(letters.take("PartitionSpec") || letters.take("P")) || !letters.take("(")) {
        return letters.expected(said("P( or PartitionSpec("));
    }
    /// One name in quotes.
    const auto quoted = [&](const std::string& use) -> Read<std::size_t> {
        const char* quote = letters.take("'") ? "'" : letters.take("\"") ? "\"" : nullptr;
        const std::size_t at = letters.place();
        const std::optional<char> axis = quote == nullptr ? std::nullopt : letters.take_capital();
        if (!axis) {
            return letters.expected(
                say("an axis in quotes ({}), a tuple of such, or None", axis_names(mesh)));
        }
        if (!letters.take(quote)) {
            return letters.expected(said("a quote after one letter"));
        }
        return used_axis(*axis, at, mesh, use, uses);
    };
    /// Names with commas between them, up to the letter that ends them.
    const auto several = [&](const std::string& use, char end) -> Read<AxisList> {
        AxisList axes;
        while (letters.next() != end) {
            const Read<std::size_t> axis = quoted(use);
            if (!axis) {
                return tl::unexpected(axis.error());
            }
            axes.push_back(*axis);
            if (!letters.take(",") && letters.next() != end) {
                return letters.expected(say("a comma or {}", std::string(1, end)));
            }
        }
        (void)letters.take(std::string_view(&end, 1));
        return axes;
    };
    while (letters.next() != ')') {
        if (letters.take("unreduced")) {
            if (!letters.take("=") || !letters.take("{")) {
                return letters.expected(said("={ and the axes of partial sums"));
            }
            Read<AxisList> axes = several(said("holds partial sums"), '}');
            if (!axes) {
                return tl::unexpected(axes.error());
            }
            array.unreduced = *std::move(axes);
            (void)letters.take(",");
            break;
        }
        if (array.dimensions.size() == letters_of.size()) {
            return letters.expected(say("no more than {} dimensions", letters_of.size()));
        }
        ArrayDimension dimension{letters_of[array.dimensions.size()], {}};
        const std::string use = say("splits {}", std::string(1, dimension.letter));
        if (letters.take("(")) {
            Read<AxisList> axes = several(use, ')');
            if (!axes) {
                return tl::unexpected(axes.error());
            }
            dimension.axes = *std::move(axes);
        } else if (!letters.take("None")) {
            const Read<std::size_t> axis = quoted(use);
            if (!axis) {
                return tl::unexpected(axis.error());
            }
            dimension.axes.push_back(*axis);
        }
        array.dimensions.push_back(std::move(dimension));
        if (!letters.take(",") && letters.next() != ')') {
            return letters.expected(say("a comma or {}", ")"));
        }
    }
    if (!letters.take(")")) {
        return letters.expected(")");
    }
    if (const Read<void> ends = nothing_after(letters, said("the PartitionSpec")); !ends) {
        return tl::unexpected(ends.error());
    }
    while (array.dimensions.size() < letters_of.size()) {
        array.dimensions.push_back({letters_of[array.dimensions.size()], {}});
    }
    return array;
}

} // namespace meshslice
