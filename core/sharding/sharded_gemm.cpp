#include "core/sharding/sharded_gemm.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace meshslice {
namespace {

/// What stands wrong, and in which of the arrays.
struct Wrong {
    std::string sentence;
    Operand where = Operand::left;
    char letter = 'I';
};

std::optional<Wrong> wrong(const ShardedGemm& gemm) {
    const auto has = [](const ShardedArray& array, char letter) {
        return dimension_of(array, letter) != nullptr;
    };
    for (const ArrayDimension& dimension : gemm.result.dimensions) {
        if (!has(gemm.left, dimension.letter) && !has(gemm.right, dimension.letter)) {
            std::vector<std::string> letters;
            for (const GemmLetter& one : letters_of(gemm)) {
                letters.emplace_back(1, one.letter);
            }
            return Wrong{say("Neither {} nor {} has a dimension {}; they have {}.", gemm.left.name,
                             gemm.right.name, std::string(1, dimension.letter), listed(letters)),
                         Operand::result, dimension.letter};
        }
    }
    for (const Operand which : {Operand::left, Operand::right}) {
        const ShardedArray& other = which == Operand::left ? gemm.right : gemm.left;
        for (const ArrayDimension& dimension : gemm.operand(which).dimensions) {
            if (!has(other, dimension.letter) && !has(gemm.result, dimension.letter)) {
                return Wrong{say("{} is a dimension of {} alone; it has to be in {} too, or in {} if it is "
                                 "summed over.",
                                 std::string(1, dimension.letter), gemm.operand(which).name, gemm.result.name,
                                 other.name),
                             which, dimension.letter};
            }
        }
    }
    return std::nullopt;
}

/// From where to where each array stands in the text.
struct ArrayText {
    std::string_view words;
    std::size_t begin = 0;
};

NotationError moved(NotationError error, const ArrayText& part) {
    error.begin += part.begin;
    return error;
}

/// Of the letter, a capital, as a dimension of an array that was read from the part.
std::size_t place_of(char letter, const ArrayText& part) {
    for (std::size_t k = part.words.find('['); k < part.words.size(); ++k) {
        const std::size_t before = part.words.find_last_not_of(' ', k - 1);
        if (std::toupper(static_cast<unsigned char>(part.words[k])) == letter &&
            (part.words[before] == '[' || part.words[before] == ',')) {
            return part.begin + k;
        }
    }
    return part.begin;
}

/// What multiplies the arrays before and after it: where it stands, and how many bytes it has.
struct Times {
    std::size_t at = std::string_view::npos;
    std::size_t bytes = 1;
};
Times times_in(std::string_view text, std::size_t from) {
    Times first;
    for (const std::string_view sign : {".", "*", "@", "\u00b7", "\u00d7"}) {
        if (const std::size_t at = text.find(sign, from); at < first.at) {
            first = {at, sign.size()};
        }
    }
    return first;
}

/// "A[i, j] . B[j, k] -> C[i, k]" of an einsum, "ij,jk->ik"; empty where the text is none.
std::string notation_of_einsum(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        plain += c == ' ' ? "" : std::string(1, c);
    }
    const std::size_t comma = plain.find(',');
    const std::size_t arrow = plain.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || arrow < comma) {
        return {};
    }
    const auto array = [](const char* name, std::string_view letters) {
        std::vector<std::string> dimensions;
        for (const char letter : letters) {
            dimensions.emplace_back(1, letter);
        }
        return fmt::format("{}[{}]", name, fmt::join(dimensions, ", "));
    };
    const std::string_view all = plain;
    const std::string_view left = all.substr(0, comma), right = all.substr(comma + 1, arrow - comma - 1),
                           result = all.substr(arrow + 2);
    for (const std::string_view letters : {left, right, result}) {
        if (letters.empty() ||
            !std::ranges::all_of(letters, [](unsigned char c) { return std::isalpha(c); })) {
            return {};
        }
    }
    return fmt::format("{} . {} -> {}", array("A", left), array("B", right), array("C", result));
}

std::string axis_letter(std::size_t axis, const NamedMesh& mesh) {
    return std::string(1, mesh.axes[axis].name);
}

/// The letter, and the axis that splits it in A and another dimension of B that stays too.
struct SharedAxis {
    char left = 'I', right = 'K';
    std::size_t axis = 0;
};
std::optional<SharedAxis> shared_axis(const ShardedGemm& gemm) {
    const auto stays_alone = [&](const ArrayDimension& dimension, const ShardedArray& other) {
        return dimension_of(other, dimension.letter) == nullptr;
    };
    for (const ArrayDimension& of_left : gemm.left.dimensions) {
        for (const ArrayDimension& of_right : gemm.right.dimensions) {
            if (!stays_alone(of_left, gemm.right) || !stays_alone(of_right, gemm.left)) {
                continue;
            }
            for (const std::size_t axis : of_left.axes) {
                if (std::ranges::find(of_right.axes, axis) != of_right.axes.end()) {
                    return SharedAxis{of_left.letter, of_right.letter, axis};
                }
            }
        }
    }
    return std::nullopt;
}

} // namespace

const ArrayDimension* dimension_of(const ShardedArray& array, char letter) {
    const auto found = std::ranges::find(array.dimensions, letter, &ArrayDimension::letter);
    return found == array.dimensions.end() ? nullptr : &*found;
}

std::vector<GemmLetter> letters_of(const ShardedGemm& gemm) {
    std::vector<GemmLetter> letters;
    for (const ArrayDimension& dimension : gemm.left.dimensions) {
        const bool in_right = dimension_of(gemm.right, dimension.letter) != nullptr;
        const bool in_result = dimension_of(gemm.result, dimension.letter) != nullptr;
        letters.push_back({dimension.letter, !in_right    ? LetterRole::left_only
                                             : !in_result ? LetterRole::contracted
                                                          : LetterRole::batch});
    }
    for (const ArrayDimension& dimension : gemm.right.dimensions) {
        if (dimension_of(gemm.left, dimension.letter) == nullptr) {
            letters.push_back({dimension.letter, LetterRole::right_only});
        }
    }
    return letters;
}

std::optional<std::string> mismatch(const ShardedGemm& gemm) {
    const std::optional<Wrong> found = wrong(gemm);
    return found ? std::optional(found->sentence) : std::nullopt;
}

bool is_sharded_gemm(std::string_view text) {
    if (text.find("->") != std::string_view::npos) {
        return true;
    }
    const std::size_t end = text.find(']');
    const std::size_t after = end == std::string_view::npos ? end : text.find_first_not_of(' ', end + 1);
    return after != std::string_view::npos && times_in(text, after).at == after;
}

Read<ShardedGemm> parse_sharded_gemm(std::string_view text, const NamedMesh& mesh) {
    if (const std::string notation = notation_of_einsum(text); !notation.empty()) {
        Read<ShardedGemm> gemm = parse_sharded_gemm(notation, mesh);
        return gemm ? std::move(gemm) : tl::unexpected(NotationError{gemm.error().sentence, 0, text.size()});
    }
    const std::size_t arrow = text.find("->");
    const std::size_t left_end = std::min(text.find(']'), text.size());
    const auto [dot, dot_bytes] = times_in(text.substr(0, arrow), left_end);
    if (dot == std::string_view::npos) {
        const std::size_t at = std::min(left_end + 1, text.size());
        return tl::unexpected(NotationError{
            said("Expected a dot and a second array after the first, as in A[I, J] . B[J, K] -> C[I, K]."),
            at, 1});
    }
    if (arrow == std::string_view::npos) {
        return tl::unexpected(NotationError{
            said("Expected -> and the wanted result at the end, as in A[I, J] . B[J, K] -> C[I, K]."),
            text.size(), 1});
    }
    const std::array parts = {
        ArrayText{text.substr(0, dot), 0},
        ArrayText{text.substr(dot + dot_bytes, arrow - dot - dot_bytes), dot + dot_bytes},
        ArrayText{text.substr(arrow + 2), arrow + 2}};
    std::array<ShardedArray, 3> arrays;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        Read<ShardedArray> array = parse_sharded_array(parts[k].words, mesh);
        if (!array) {
            return tl::unexpected(moved(array.error(), parts[k]));
        }
        arrays[k] = *std::move(array);
        for (std::size_t earlier = 0; earlier < k; ++earlier) {
            if (arrays[earlier].name == arrays[k].name) {
                return tl::unexpected(NotationError{
                    say("Two arrays are called {}; each needs a name of its own.", shortened(arrays[k].name)),
                    parts[k].begin + parts[k].words.find_first_not_of(' '), arrays[k].name.size()});
            }
        }
    }
    ShardedGemm gemm{std::move(arrays[0]), std::move(arrays[1]), std::move(arrays[2])};
    if (const std::optional<Wrong> found = wrong(gemm)) {
        return tl::unexpected(NotationError{
            found->sentence, place_of(found->letter, parts[static_cast<std::size_t>(found->where)]), 1});
    }
    return gemm;
}

std::string text(const ShardedGemm& gemm, const NamedMesh& mesh) {
    return fmt::format("{} . {} -> {}", text(gemm.left, mesh), text(gemm.right, mesh),
                       text(gemm.result, mesh));
}

double flop_of(const ShardedGemm& gemm, const DimensionSizes& sizes) {
    double flop = 1;
    bool contracts = false;
    for (const GemmLetter& one : letters_of(gemm)) {
        flop *= static_cast<double>(sizes.at(one.letter));
        contracts = contracts || one.role == LetterRole::contracted;
    }
    return contracts ? 2 * flop : flop;
}

std::optional<int> case_of(const ShardedGemm& gemm) {
    bool sharded = false;
    bool differently = false;
    for (const GemmLetter& one : letters_of(gemm)) {
        if (one.role != LetterRole::contracted && one.role != LetterRole::batch) {
            continue;
        }
        const AxisList& left = dimension_of(gemm.left, one.letter)->axes;
        const AxisList& right = dimension_of(gemm.right, one.letter)->axes;
        if (one.role == LetterRole::batch) {
            if (left != right) {
                return std::nullopt;
            }
            continue;
        }
        sharded = sharded || !left.empty() || !right.empty();
        differently = differently || left != right;
    }
    return shared_axis(gemm) ? 4 : differently ? 2 : sharded ? 3 : 1;
}

std::string_view name(LetterRole role) {
    switch (role) {
    case LetterRole::contracted: return "contracted";
    case LetterRole::batch: return "batch";
    case LetterRole::left_only: return "left";
    case LetterRole::right_only: break;
    }
    return "right";
}

std::string role_words(const ShardedGemm& gemm) {
    std::string words;
    for (const GemmLetter& one : letters_of(gemm)) {
        const std::string role =
            one.role == LetterRole::contracted ? said("contracted")
            : one.role == LetterRole::batch
                ? said("in all three")
                : say("{} alone", one.role == LetterRole::left_only ? gemm.left.name : gemm.right.name);
        words += (words.empty() ? std::string() : said(", ")) + fmt::format("{}: {}", one.letter, role);
    }
    return words;
}

std::string einsum(const ShardedGemm& gemm) {
    const auto letters = [](const ShardedArray& array) {
        std::string small;
        for (const ArrayDimension& one : array.dimensions) {
            small += static_cast<char>(std::tolower(static_cast<unsigned char>(one.letter)));
        }
        return small;
    };
    return letters(gemm.left) + "," + letters(gemm.right) + "->" + letters(gemm.result);
}

std::string case_words(const ShardedGemm& gemm, const NamedMesh& mesh) {
    const std::optional<int> number = case_of(gemm);
    if (!number) {
        return said("None of the four cases: a batch dimension is sharded differently in the two operands, "
                    "so one of them has to be sharded like the other.");
    }
    if (*number == 4) {
        const SharedAxis shared = shared_axis(gemm).value();
        const std::string axis = axis_letter(shared.axis, mesh);
        return say("Case 4: {} splits {} and {}, and {} cannot have both. One operand is gathered over {} "
                   "first.",
                   axis, std::string(1, shared.left), std::string(1, shared.right), gemm.result.name, axis);
    }
    for (const GemmLetter& one : letters_of(gemm)) {
        if (one.role != LetterRole::contracted) {
            continue;
        }
        const std::string letter(1, one.letter);
        const AxisList& left = dimension_of(gemm.left, one.letter)->axes;
        const AxisList& right = dimension_of(gemm.right, one.letter)->axes;
        if (*number == 2 && left != right) {
            if (!left.empty() && !right.empty()) {
                return say("Case 2: {} is sharded differently in {} and {}. It is gathered, or both are "
                           "brought to the same axes.",
                           letter, gemm.left.name, gemm.right.name);
            }
            return say(
                "Case 2: {} is summed over (contracted) and sharded in {} only. It is gathered first, or "
                "the other operand is cut alike and partial sums are added up.",
                letter, left.empty() ? gemm.right.name : gemm.left.name);
        }
        if (*number == 3 && !left.empty()) {
            return say(
                "Case 3: {} is summed over (contracted) and sharded alike in both. Every chip multiplies "
                "what it has, and the partial sums are added up.",
                letter);
        }
    }
    return said(
        "Case 1: no dimension that is summed over (contracted) is sharded, and no axis splits both operands. "
        "Every chip multiplies what it has.");
}

} // namespace meshslice
