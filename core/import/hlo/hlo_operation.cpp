#include "core/import/hlo/hlo_operation.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/import/hlo/hlo_check.h"
#include "core/import/hlo/hlo_lists.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <numeric>

namespace meshslice {
namespace {

constexpr std::int64_t most_hlo_number = std::int64_t{1} << 40;
constexpr std::size_t most_hlo_axes = 16;
constexpr std::size_t most_hlo_devices = 1 << 20;
constexpr int most_hlo_depth = 16; ///< of tuples within tuples

/// Reads from a place on; the first thing that is wrong is kept.
class HloText {
  public:
    explicit HloText(std::string_view text) : text_(text) {}

    Result<HloOperation> operation() {
        HloOperation made;
        skip();
        if (text_.substr(at_).starts_with("ROOT ")) {
            at_ += 5;
        }
        made.name = name();
        need('=');
        shapes(made.results, 0, &made.elements);
        made.opcode = name();
        need('(');
        if (made.opcode == "constant") {
            skip();
            const std::size_t begin = at_;
            pass_over(')');
            made.value = hlo_whole_number(text_.substr(begin, at_ - begin));
        }
        while (sound() && !take(')')) {
            made.operands.push_back(operand());
            if (!take(',') && !at(')')) {
                fail(said("\",\" or \")\""));
            }
        }
        while (sound() && take(',')) {
            attribute(made);
        }
        skip();
        if (sound() && at_ < text_.size()) {
            fail(said("the end, or \",\" and an attribute"));
        }
        if (!sound()) {
            return refuse(*wrong_);
        }
        finish(made);
        return sound() ? Result<HloOperation>(std::move(made)) : refuse(*wrong_);
    }

  private:
    [[nodiscard]] bool sound() const { return !wrong_; }
    /// Spaces, what XLA counts along in long lists, "/*index=5*/", and comments to the end of a line.
    void skip() {
        while (at_ < text_.size()) {
            if (text_.substr(at_).starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? text_.size() : end + 2;
            } else if (text_.substr(at_).starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
                ++at_;
            } else {
                return;
            }
        }
    }
    bool at(char letter) {
        skip();
        return at_ < text_.size() && text_[at_] == letter;
    }
    bool take(char letter) {
        const bool there = at(letter);
        at_ += there ? 1 : 0;
        return there;
    }
    void need(char letter) {
        if (sound() && !take(letter)) {
            fail(fmt::format("\"{}\"", letter));
        }
    }
    void fail(const std::string& expected) {
        if (sound()) {
            const std::string found = shortened(std::string(text_.substr(std::min(at_, text_.size()))));
            wrong_ =
                Error{say("Letter {} of the operation is \"{}\"; expected {}.", at_ + 1, found, expected)};
        }
    }

    /// "%fusion.3", "all-gather-start".
    std::string name() {
        skip();
        take('%');
        const std::size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                      std::string_view("._-").find(text_[at_]) != std::string_view::npos)) {
            ++at_;
        }
        if (at_ == begin) {
            fail(said("a name"));
        }
        return std::string(text_.substr(begin, at_ - begin));
    }
    std::int64_t number() {
        skip();
        std::int64_t value = 0;
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && value < most_hlo_number) {
            value = value * 10 + (text_[at_++] - '0');
        }
        if (at_ == begin || value >= most_hlo_number) {
            at_ = begin;
            fail(said("a number"));
        }
        return value;
    }
    /// "1,2,3", up to `end`, which is taken.
    std::vector<std::int64_t> numbers(char end, std::size_t most) {
        std::vector<std::int64_t> all;
        while (sound() && !take(end)) {
            if (text_.substr(at_).starts_with("<=")) { // at most so many
                at_ += 2;
            }
            all.push_back(number());
            if (all.size() > most) {
                fail(say("at most {} numbers", most));
            }
            if (sound() && !take(',') && !at(end)) {
                fail(fmt::format("\",\" or \"{}\"", end));
            }
        }
        return all;
    }

    HloShape shape() {
        HloShape made;
        made.type = name();
        need('[');
        made.sizes = numbers(']', most_hlo_axes);
        const bool has_layout = sound() && take('{');
        if (has_layout) {
            layout(made);
        }
        for (std::size_t k = made.sizes.size(); !has_layout && k-- > 0;) { // the last axis is the minor one
            made.minor_to_major.push_back(static_cast<std::int64_t>(k));
        }
        std::vector<std::int64_t> sorted = made.minor_to_major;
        std::ranges::sort(sorted);
        std::vector<std::int64_t> axes(made.sizes.size());
        std::iota(axes.begin(), axes.end(), 0);
        if (sound() && sorted != axes) {
            fail(say("each of {} axes once in the layout before it", made.sizes.size()));
        }
        return made;
    }
    /// After "{": "2,1,0:T(8,128)(2,1)S(1)}".
    void layout(HloShape& made) {
        while (sound() && !at('}') && !at(':')) {
            made.minor_to_major.push_back(number());
            take(',');
        }
        if (take(':')) {
            char part = ' ';
            while (sound() && !take('}')) {
                if (!at('(')) {
                    part = at_ < text_.size() ? text_[at_++] : '}';
                    if (std::isalpha(static_cast<unsigned char>(part)) == 0 && part != '#' && part != '*') {
                        --at_;
                        fail(said("tiles such as T(8,128), or a memory space such as S(1)"));
                    }
                    continue;
                }
                ++at_;
                if (part == 'T') {
                    made.tiles.push_back(numbers(')', most_hlo_axes));
                    if (sound() &&
                        (made.tiles.back().empty() || std::ranges::count(made.tiles.back(), 0) > 0)) {
                        fail(said("sizes of a tile above 0"));
                    }
                } else if (part == 'S') {
                    made.memory_space = number();
                    need(')');
                } else { // of no meaning here
                    pass_over(')');
                    need(')');
                }
            }
            return;
        }
        need('}');
    }
    /// `begins`: where among all of them each element of the outermost tuple begins.
    void shapes(std::vector<HloShape>& all, int depth, std::vector<std::size_t>* begins = nullptr) {
        if (depth > most_hlo_depth) {
            fail(say("at most {} tuples within each other", most_hlo_depth));
        }
        if (!sound() || !take('(')) {
            if (sound()) {
                all.push_back(shape());
            }
            return;
        }
        while (sound() && !take(')')) {
            if (begins != nullptr) {
                begins->push_back(all.size());
            }
            shapes(all, depth + 1);
            if (sound() && !take(',') && !at(')')) {
                fail(said("\",\" or \")\""));
            }
        }
    }

    /// "bf16[16]{0} %x", "%x", or a value.
    HloOperand operand() {
        HloOperand made;
        skip();
        const std::size_t begin = at_;
        if (at('(')) { // a tuple has a name behind it
            std::vector<HloShape> several;
            shapes(several, 0);
        } else if (!at('%')) {
            const std::string first = name();
            if (!sound() || !at('[')) {
                made.name = first;
                return made;
            }
            at_ = begin;
            made.shape = shape();
        }
        if (sound() && !at(',') && !at(')')) {
            made.name = name();
        }
        return made;
    }

    void attribute(HloOperation& made) {
        const std::string key = name();
        need('=');
        if (key == "replica_groups") {
            made.groups = groups();
        } else if (key == "source_target_pairs") {
            for (const std::vector<std::int64_t>& pair : groups()) {
                if (pair.size() != 2) {
                    fail(said("pairs of devices"));
                    return;
                }
                made.pairs.emplace_back(pair[0], pair[1]);
            }
        } else if (key == "dimensions") {
            need('{');
            made.dimensions = numbers('}', most_hlo_axes);
        } else if (std::vector<std::int64_t>* const axes = axes_of_dot(made.dot, key)) {
            need('{');
            *axes = numbers('}', most_hlo_axes);
        } else if (key == "calls" && !at('{')) {
            made.calls = name();
        } else if (key == "body") {
            made.body = name();
            made.runs.push_back(made.body);
        } else if (key == "output_to_operand_aliasing") {
            skip();
            const std::size_t begin = at_;
            pass_over();
            made.aliases = hlo_aliases(text_.substr(begin, at_ - begin));
        } else if (key == "condition") {
            made.condition = name();
            made.runs.push_back(made.condition);
        } else if (key == "backend_config" && made.opcode == "while") {
            skip();
            const std::size_t begin = at_;
            pass_over();
            made.trips = known_hlo_trips(text_.substr(begin, at_ - begin));
        } else if (key == "direction") {
            made.direction = name();
        } else if (key == "true_computation" || key == "false_computation" ||
                   (key == "to_apply" && made.opcode == "call")) {
            made.runs.push_back(name());
        } else if (key == "branch_computations") {
            need('{');
            while (sound() && !take('}')) {
                made.runs.push_back(name());
                take(',');
            }
        } else if (key == "index" && made.opcode == "get-tuple-element") {
            made.element = number();
        } else if (key == "channel_id") {
            made.has_channel = true;
            pass_over();
        } else if (key == "use_global_device_ids") {
            made.global_ids = name() == "true";
        } else {
            pass_over();
        }
    }
    std::vector<std::int64_t>* axes_of_dot(HloDot& dot, const std::string& key) {
        if (key == "lhs_contracting_dims" || key == "rhs_contracting_dims") {
            dot.complete = contracts_ != 0 && contracts_ != key[0];
            contracts_ = key[0];
            return key[0] == 'l' ? &dot.left_contracted : &dot.right_contracted;
        }
        return key == "lhs_batch_dims"   ? &dot.left_batch
               : key == "rhs_batch_dims" ? &dot.right_batch
                                         : nullptr;
    }
    /// To the comma in front of the next attribute, or to another letter, over brackets and texts.
    void pass_over(char end = ',') {
        int depth = 0;
        bool quoted = false;
        for (; at_ < text_.size(); ++at_) {
            const char letter = text_[at_];
            if (quoted && letter == '\\' && at_ + 1 < text_.size()) {
                ++at_;
                continue;
            }
            if (!quoted && depth == 0 && letter == end) {
                return;
            }
            quoted = letter == '"' ? !quoted : quoted;
            depth += quoted                                                           ? 0
                     : std::string_view("{([").find(letter) != std::string_view::npos ? 1
                     : std::string_view("})]").find(letter) != std::string_view::npos ? -1
                                                                                      : 0;
        }
    }

    /// "{{0,1},{2,3}}", "{}", or "[2,4]<=[4,2]T(1,0)": two groups of four of the devices, counted along the
    /// axes in another order.
    HloGroups groups() {
        HloGroups all;
        if (take('[')) {
            return counted_groups();
        }
        if (text_.substr(at_).starts_with("mesh[")) {
            at_ += 5;
            return mesh_groups();
        }
        need('{');
        while (sound() && !take('}')) {
            need('{');
            all.push_back(numbers('}', most_hlo_devices));
            take(',');
        }
        return all.empty() ? HloGroups(1) : all;
    }
    HloGroups counted_groups() {
        const std::vector<std::int64_t> sizes = numbers(']', 2);
        if (sound() && !text_.substr(at_).starts_with("<=[")) {
            fail(said("\"<=[\" and the devices"));
            return {};
        }
        at_ += sound() ? 3 : 0;
        const std::vector<std::int64_t> of = numbers(']', most_hlo_axes);
        std::vector<std::int64_t> order(of.size());
        std::iota(order.begin(), order.end(), 0);
        if (sound() && text_.substr(at_).starts_with("T(")) {
            at_ += 2;
            order = numbers(')', most_hlo_axes);
        }
        HloGroups all =
            sound() && sizes.size() == 2 ? counted_hlo_groups(sizes[0], sizes[1], of, order) : HloGroups();
        if (all.empty()) {
            fail(said("groups and devices of one number"));
        }
        return all;
    }
    /// After "mesh[": "'x'=2,'y'=4] {'y'}". Of a mesh whose devices are listed in another order, none: which
    /// devices they are is not known.
    HloGroups mesh_groups() {
        std::vector<std::string> names;
        std::vector<std::int64_t> sizes;
        while (sound() && !take(']')) {
            names.push_back(quoted_name());
            need('=');
            sizes.push_back(number());
            if (names.size() > most_hlo_axes) {
                fail(say("at most {} axes", most_hlo_axes));
            }
            take(',');
        }
        if (!take('{')) {
            pass_over();
            return {};
        }
        std::vector<HloMeshPart> parts;
        while (sound() && !take('}')) {
            const std::string its = quoted_name();
            const auto axis = static_cast<std::size_t>(std::ranges::find(names, its) - names.begin());
            if (sound() && axis == names.size()) {
                fail(said("an axis of the mesh"));
                return {};
            }
            HloMeshPart part{axis, 1, sound() ? sizes[axis] : 1};
            if (take(':')) {
                need('(');
                part.outer = number();
                need(')');
                part.size = number();
            }
            parts.push_back(part);
            if (parts.size() > most_hlo_axes) {
                fail(say("at most {} axes", most_hlo_axes));
            }
            take(',');
        }
        HloGroups all = sound() ? hlo_groups_of_mesh(sizes, parts) : HloGroups();
        if (all.empty()) {
            fail(said("groups and devices of one number"));
        }
        return all;
    }
    std::string quoted_name() {
        need('\'');
        std::string its = name();
        need('\'');
        return its;
    }

    void finish(HloOperation& made) {
        static constexpr std::array<std::string_view, 5> collectives = {
            "all-gather", "reduce-scatter", "all-reduce", "all-to-all", "collective-permute"};
        const bool waits = made.opcode.ends_with("-done") || made.opcode.ends_with("-update");
        for (const std::string_view one : collectives) {
            const bool its = !waits && made.opcode.starts_with(one);
            made.collective = made.collective.empty() && its ? one : made.collective;
        }
        if (made.collective.empty() && !waits && made.calls.find("reduce-scatter") != std::string::npos) {
            made.collective = "reduce-scatter"; // XLA calls the fused one all-reduce-scatter
        }
        for (const std::string_view one : collectives) {
            const bool called = !waits && made.calls.find(one) != std::string::npos;
            made.collective = made.collective.empty() && called ? one : made.collective;
        }
        if (const Result<void> sound = checked_operation(made); !sound) {
            wrong_ = sound.error();
            return;
        }
        const bool dot = made.opcode == "dot" && !made.operands.empty() && made.operands.front().shape &&
                         made.results.size() == 1;
        double flop = dot ? 2 * made.results.front().elements() : 0;
        for (const std::int64_t axis : dot ? made.dot.left_contracted : std::vector<std::int64_t>()) {
            flop *= static_cast<double>(made.operands.front().shape->sizes[static_cast<std::size_t>(axis)]);
        }
        made.flop = flop;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<Error> wrong_;
    char contracts_ = 0; ///< 'l' or 'r': whose contracted axes have been read
};

/// Whether an operation is of MLIR: "%0 = stablehlo.add", or "stablehlo.add" in quotes. HLO has a shape
/// there.
bool is_of_mlir(std::string_view line) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos || line.find('"') < equals) {
        return false;
    }
    std::string_view word = line.substr(equals + 3);
    word.remove_prefix(word.starts_with('"') ? 1 : 0);
    return word.starts_with("stablehlo.") || word.starts_with("mhlo.");
}

std::vector<double> from_major(const HloShape& shape) {
    std::vector<double> sizes;
    for (std::size_t k = shape.minor_to_major.size(); k-- > 0;) {
        sizes.push_back(static_cast<double>(shape.sizes[static_cast<std::size_t>(shape.minor_to_major[k])]));
    }
    return sizes;
}

} // namespace

std::int64_t HloShape::bits() const {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 30> known = {
        {{"pred", 8},       {"s4", 4},         {"u4", 4},
         {"s8", 8},         {"u8", 8},         {"s16", 16},
         {"u16", 16},       {"s32", 32},       {"u32", 32},
         {"s64", 64},       {"u64", 64},       {"f16", 16},
         {"bf16", 16},      {"f32", 32},       {"f64", 64},
         {"f8e4m3fn", 8},   {"f8e5m2", 8},     {"f8e4m3b11fnuz", 8},
         {"f8e4m3fnuz", 8}, {"f8e5m2fnuz", 8}, {"c64", 64},
         {"f4e2m1fn", 4},   {"c128", 128},     {"f8e8m0fnu", 8},
         {"f8e3m4", 8},     {"f8e4m3", 8},     {"s1", 1},
         {"u1", 1},         {"s2", 2},         {"u2", 2}}};
    const auto* const found =
        std::ranges::find(known, std::string_view(type), &std::pair<std::string_view, std::int64_t>::first);
    return found == known.end() ? 0 : found->second;
}

double HloShape::elements() const {
    return std::accumulate(sizes.begin(), sizes.end(), 1.0,
                           [](double all, std::int64_t one) { return all * static_cast<double>(one); });
}

double HloShape::padded_elements() const {
    std::vector<double> made = from_major(*this);
    for (const std::vector<std::int64_t>& tile : tiles) {
        while (made.size() < tile.size()) {
            made.insert(made.begin(), 1);
        }
        const std::size_t first = made.size() - tile.size();
        for (std::size_t k = 0; k < tile.size(); ++k) {
            const auto size = static_cast<double>(tile[k]);
            made[first + k] = std::ceil(made[first + k] / size);
            made.push_back(size);
        }
    }
    return std::accumulate(made.begin(), made.end(), 1.0, std::multiplies<>());
}

std::vector<std::int64_t> HloShape::padded_sizes() const {
    std::vector<std::int64_t> made;
    for (const double size : from_major(*this)) {
        made.push_back(static_cast<std::int64_t>(size));
    }
    const std::vector<std::int64_t> tile = tiles.empty() ? std::vector<std::int64_t>() : tiles.front();
    while (made.size() < tile.size()) {
        made.insert(made.begin(), 1);
    }
    for (std::size_t k = 0; k < tile.size(); ++k) {
        std::int64_t& size = made[made.size() - tile.size() + k];
        size = (size + tile[k] - 1) / tile[k] * tile[k];
    }
    return made;
}

std::string text(const HloShape& shape) {
    std::string words = fmt::format("{}[{}]{{{}", shape.type, fmt::join(shape.sizes, ","),
                                    fmt::join(shape.minor_to_major, ","));
    if (!shape.tiles.empty() || shape.memory_space > 0) {
        words += ':';
        for (std::size_t k = 0; k < shape.tiles.size(); ++k) {
            words += fmt::format("{}({})", k == 0 ? "T" : "", fmt::join(shape.tiles[k], ","));
        }
        words += shape.memory_space > 0 ? fmt::format("S({})", shape.memory_space) : std::string();
    }
    return words + '}';
}

bool is_mlir(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const std::string_view first = text.substr(begin, text.find('\n', begin) - begin);
    return first.starts_with("module @") || first.starts_with("module {") ||
           first.starts_with("module attributes") || first.starts_with("#loc") ||
           first.starts_with("func.func") || first.starts_with("ML\xEFR") || is_of_mlir(first);
}

std::string hlo_of_mlir_words() {
    return said("That is MLIR, which JAX prints before XLA compiles it; expected XLA's HLO: "
                "jit(f).lower(x).compile().as_text(), or what --xla_dump_to writes after optimizations.");
}

Result<HloOperation> read_hlo_operation(std::string_view text) {
    if (is_mlir(text)) {
        return refuse(hlo_of_mlir_words());
    }
    return HloText(text).operation();
}

} // namespace meshslice
