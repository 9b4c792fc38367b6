// What a sharding makes of an array: the shape of a shard, bytes, copies, and which device holds what; and of
// a GEMM of sharded arrays: the four cases of the scaling book (How to Scale Your Model, chapter 3).

#include "core/question/catalogue/network/shard.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/sharding/shards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// Of more devices only the first are listed, unless asked.
constexpr std::int64_t devices_listed = 16;
constexpr std::int64_t most_devices_listed = 65'536;
constexpr std::size_t most_shardings_listed = 100'000;
constexpr const char* gemm_example = "A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]";

std::vector<QuestionField> shard_fields() {
    QuestionField what = text_flag(
        "array", fmt::format("ARRAY: A[I_X, J_YZ], with {{U_Z}} after it for partial sums over Z, or JAX's "
                             "P('X', ('Y', 'Z')) for dimensions in the order of --sizes; or a GEMM, {}; "
                             "or an array and how it is wanted, A[I_X, J] -> A[I, J_X]",
                             gemm_example));
    what.row.key = "sharding";
    what.shown = gemm_example;
    QuestionField mesh = text_flag(
        "--mesh", "X=4,Y=2 or 4x2: the axes of the mesh of devices, one letter each, the major one first");
    mesh.shown = "X=4, Y=2";
    mesh.aliases = {{"--axes", {}, {}}}; // as collective calls them
    QuestionField sizes =
        text_flag("--sizes", "I=1024,J=4096: how long each dimension is; 8Ki is 8192 and 8k 8000");
    sizes.shown = "I=4096, J=8192, K=4096";
    what.needed = mesh.needed = sizes.needed = true;
    QuestionField elements =
        element_field({.key = "data_type",
                       .name = "data type",
                       .flag = "--data-type",
                       .flag_help = "f32|bf16|f16|int8|fp8|int4: of the elements (default bf16)"});
    elements.first = "bf16";
    elements.aliases = {{"--type", {}, {}}};
    QuestionField chips = chip_field(ChipsOffered::tori, {});
    chips.row.flag_help = "NAME|FILE.json: the chips of a GEMM, which form a torus (default tpu-v5e)";
    return {
        std::move(what),
        std::move(mesh),
        std::move(sizes),
        std::move(elements),
        std::move(chips),
        switch_flag("--all", "Lists every sharding of the same array too, what a device holds least first; "
                             "of a GEMM every plan"),
        switch_flag("--verify", "Runs every plan of a GEMM on small arrays, chip by chip, and compares "
                                "with the GEMM on one chip"),
        switch_flag("--simulate", "Runs the program of each plan of a GEMM that is listed in simulated time"),
        text_flag("--plan", "NUMBER: the plan of a GEMM whose steps and code are shown, by its place or "
                            "its steps (default 1, the best)"),
        switch_flag("--devices", "Lists what every device holds, not only the first 16")};
}

/// What was asked about one array, and its answer.
struct ShardedArrayFound {
    struct Other {
        ShardedArray array;
        Shards shards;
    };

    ShardedArray array;
    NamedMesh mesh;
    Shards shards;
    bool devices = false;      ///< all are listed
    std::vector<Other> others; ///< those that the sizes allow, what a device holds least first; where asked

    [[nodiscard]] std::int64_t listed() const {
        return devices ? mesh.devices() : std::min(mesh.devices(), devices_listed);
    }
};

/// One array, an arrow, and the same array.
bool is_resharding(const std::string& words) {
    const std::size_t arrow = words.find("->");
    return arrow != std::string::npos && std::count(words.begin(), words.end(), '[') == 2 &&
           words.substr(0, arrow).find_first_of(".*@") == std::string::npos;
}

/// "; X is the major axis of I_XY, as in JAX", where an order matters.
std::string majors_text(const ShardedArray& array, const NamedMesh& mesh) {
    std::string words;
    for (const ArrayDimension& dimension : array.dimensions) {
        if (dimension.axes.size() > 1) {
            std::string axes;
            for (const std::size_t axis : dimension.axes) {
                axes += mesh.axes[axis].name;
            }
            words += fmt::format("; of {}_{}, {} is the major axis, as in JAX", dimension.letter, axes,
                                 axes.front());
        }
    }
    return words;
}

/// "0 to 63": the rows or columns of a block.
std::string range_text(std::int64_t block, std::int64_t size) {
    return size == 1 ? std::to_string(block) : fmt::format("{} to {}", block * size, block * size + size - 1);
}

/// In the book's notation, or JAX's with the letters of the sizes as they are typed.
Read<ShardedArray> read_array(const Asked& asked, const NamedMesh& mesh) {
    const std::string words = asked.text("sharding");
    if (!words.starts_with("P(") && !words.starts_with("PartitionSpec")) {
        return parse_sharded_array(words, mesh);
    }
    std::string letters;
    std::ranges::copy_if(
        asked.text("sizes"), std::back_inserter(letters), [&, before = ','](char letter) mutable {
            const bool begins = before == ',' && std::isalpha(static_cast<unsigned char>(letter)) != 0;
            before = letter == ' ' ? before : letter;
            return begins;
        });
    std::ranges::transform(letters, letters.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return parse_partition_spec(words, "A", letters, mesh);
}

Result<std::vector<ShardedArrayFound::Other>> others_of(const Asked& asked, const ShardedArray& array,
                                                        const NamedMesh& mesh, const DimensionSizes& sizes,
                                                        std::int64_t bits) {
    std::string letters;
    double count = 1;
    for (const ArrayDimension& dimension : array.dimensions) {
        letters += dimension.letter;
    }
    for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
        count *= static_cast<double>(letters.size() + axis + 1); // A bound: each axis, at each place.
    }
    if (count > static_cast<double>(most_shardings_listed)) {
        return refuse(say("{} lists at most {} shardings; {} dimensions on {} axes have more.",
                          asked.called("all"), most_shardings_listed, letters.size(), mesh.axes.size()));
    }
    std::vector<ShardedArrayFound::Other> others;
    for (ShardedArray& one : all_shardings(array.name, letters, mesh)) {
        if (const Result<Shards> its = shards(one, mesh, sizes, bits)) {
            others.push_back({std::move(one), *its});
        }
    }
    std::ranges::stable_sort(others, {}, [](const auto& one) { return one.shards.bytes_per_device; });
    return others;
}

/// Every size is that of a dimension.
template <class Has>
Result<void> sizes_are_used(const Asked& asked, const DimensionSizes& sizes, const std::string& what,
                            Has has) {
    for (const auto& [letter, size] : sizes) {
        if (!has(letter)) {
            return refuse(say("{} gives {} = {}, and {} has no dimension {}.", asked.called("sizes"), letter,
                              size, what, letter));
        }
    }
    return {};
}

/// Refuses what says nothing about one array, which lies still or `moves` along the links of chips.
Result<void> is_about_an_array(const Asked& asked, bool moves) {
    for (const auto& [key, said] :
         {std::pair("verify", asked.flag("verify")),
          std::pair("hardware", !moves && asked.said.has("--machine")),
          std::pair("simulate", asked.flag("simulate")), std::pair("plan", asked.has("plan")),
          std::pair("all", moves && asked.flag("all")), std::pair("devices", moves && asked.flag("devices")),
          std::pair("", asked.said.has("--trace"))}) {
        if (said) {
            return refuse(say("{} is about a GEMM, such as \"{}\"; {} is one array.",
                              *key == '\0' ? "--trace" : asked.called(key), gemm_example,
                              shortened(asked.text("sharding"))));
        }
    }
    return {};
}

Result<ShardedArrayFound> find_array(const Asked& asked, const NamedMesh& mesh, const DimensionSizes& sizes,
                                     DataType type) {
    const Read<ShardedArray> array = read_array(asked, mesh);
    if (!array) {
        return refuse(in_text(asked.text("sharding"), array.error()));
    }
    if (const Result<void> suits = is_about_an_array(asked, false); !suits) {
        return refuse(suits.error());
    }
    const auto has = [&](char letter) {
        return std::ranges::find(array->dimensions, letter, &ArrayDimension::letter) !=
               array->dimensions.end();
    };
    if (const Result<void> used = sizes_are_used(asked, sizes, text(*array, mesh), has); !used) {
        return refuse(used.error());
    }
    const bool all = asked.flag("all");
    if (all && !array->unreduced.empty()) {
        return refuse(say("{} lists shardings of a whole array, and {} has partial sums; without {{U_...}} "
                          "it works.",
                          asked.called("all"), text(*array, mesh)));
    }
    const Result<Shards> found = shards(*array, mesh, sizes, bits(type));
    if (!found) {
        return refuse(found.error());
    }
    auto others = all ? others_of(asked, *array, mesh, sizes, bits(type))
                      : Result<std::vector<ShardedArrayFound::Other>>();
    if (!others) {
        return refuse(others.error());
    }
    const bool devices = asked.flag("devices");
    if (devices && mesh.devices() > most_devices_listed) {
        return refuse(say("{} lists at most {} devices, and the mesh has {}.", asked.called("devices"),
                          most_devices_listed, mesh.devices()));
    }
    return ShardedArrayFound{*array, mesh, *found, devices, *std::move(others)};
}

Tree values_of(const ShardedArray& array, const NamedMesh& mesh, const Shards& shards) {
    return {{"sharding", text(array, mesh)},
            {"partition_spec", partition_spec(array, mesh)},
            {"shape", shards.shape},
            {"local_shape", shards.local},
            {"blocks", shards.blocks},
            {"copies", shards.copies},
            {"partial_sums", shards.partial_sums},
            {"bytes", shards.bytes},
            {"bytes_per_device", shards.bytes_per_device},
            {"bytes_in_all", shards.bytes_in_all}};
}

Tree values_of(const Asked& asked, const ShardedArrayFound& found) {
    Tree out = values_of(found.array, found.mesh, found.shards);
    out.update({{"mesh", text(found.mesh)},
                {"make_mesh", make_mesh_text(found.mesh)},
                {"type", asked.text("data_type")}});
    for (std::int64_t device = 0; found.listed() == found.mesh.devices() && device < found.listed();
         ++device) {
        out["devices"].push_back({{"coordinates", coordinates(found.mesh, device)},
                                  {"block", block_of(found.array, found.mesh, device)}});
    }
    for (const ShardedArrayFound::Other& other : found.others) {
        out["all"].push_back(values_of(other.array, found.mesh, other.shards));
    }
    return out;
}

std::vector<std::string> device_heads(const ShardedArrayFound& found) {
    std::vector<std::string> heads = {"device"};
    for (const MeshAxis& axis : found.mesh.axes) {
        heads.emplace_back(1, axis.name);
    }
    for (const ArrayDimension& dimension : found.array.dimensions) {
        heads.push_back(fmt::format("of {}", dimension.letter));
    }
    return heads;
}

std::vector<std::string> device_row(const ShardedArrayFound& found, std::int64_t device) {
    std::vector<std::string> row = {std::to_string(device)};
    for (const std::int64_t along : coordinates(found.mesh, device)) {
        row.push_back(std::to_string(along));
    }
    const std::vector<std::int64_t> blocks = block_of(found.array, found.mesh, device);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        row.push_back(range_text(blocks[k], found.shards.local[k]));
    }
    return row;
}

std::vector<Paragraph> words_of(const Asked& asked, const ShardedArrayFound& found) {
    const Shards& its = found.shards;
    const auto shape_text = [](const std::vector<std::int64_t>& shape) {
        return fmt::format("{}", fmt::join(shape, " x "));
    };
    const std::string sums =
        its.partial_sums == 1 ? std::string() : fmt::format(", {} partial sums of each", its.partial_sums);
    std::vector<Paragraph> words = {
        {fmt::format("{} on {}, {}{}\n\n", text(found.array, found.mesh), text(found.mesh),
                     count_text(found.mesh.devices(), "device", "devices"),
                     majors_text(found.array, found.mesh))},
        {{},
         {{"the array", shape_text(its.shape), bytes_text(its.bytes)},
          {"a device holds", shape_text(its.local), bytes_text(its.bytes_per_device)},
          {"all devices",
           fmt::format("{}{}, {}", count_text(its.blocks, "block", "blocks"), sums,
                       count_text(its.copies, "copy", "copies of each")),
           bytes_text(its.bytes_in_all)}},
         2,
         false},
        {fmt::format("\nJAX: {} and {}\n\n", make_mesh_text(found.mesh),
                     partition_spec(found.array, found.mesh))},
        {{}, {device_heads(found)}, 1, false}};
    for (std::int64_t device = 0; device < found.listed(); ++device) {
        words.back().lines.push_back(device_row(found, device));
    }
    if (found.listed() < found.mesh.devices()) {
        words.push_back({fmt::format("... and {} more; {} lists them\n",
                                     found.mesh.devices() - devices_listed, asked.called("devices"))});
    }
    if (!found.others.empty()) {
        words.push_back({"\n"});
        words.push_back({{}, {{"sharding", "a device holds", "bytes", "copies", ""}}});
        for (const ShardedArrayFound::Other& other : found.others) {
            words.back().lines.push_back({text(other.array, found.mesh), shape_text(other.shards.local),
                                          bytes_text(other.shards.bytes_per_device),
                                          std::to_string(other.shards.copies)});
        }
    }
    return words;
}

Answer answer_of(const Asked& asked, const ShardedArrayFound& found) {
    const std::string what = say("{} on {}", text(found.array, found.mesh), text(found.mesh));
    Answer answer{values_of(asked, found),
                  say("A device holds {} of {}", bytes_text(found.shards.bytes_per_device),
                      bytes_text(found.shards.bytes)),
                  what, Confidence::exact, words_of(asked, found)};
    answer.tables.push_back(
        {"devices", what, device_heads(found), [found](const NamedTable::Take& take) -> Result<void> {
             for (std::int64_t device = 0; device < found.mesh.devices(); ++device) {
                 const std::vector<std::string> row = device_row(found, device);
                 if (!take({row.begin(), row.end()})) {
                     break;
                 }
             }
             return {};
         }});
    return answer;
}

Result<ShardedGemmAsked> read_gemm(const Asked& asked, const NamedMesh& mesh, const DimensionSizes& sizes,
                                   DataType type) {
    const std::string words = asked.text("sharding");
    const Read<ShardedGemm> gemm = parse_sharded_gemm(words, mesh);
    if (!gemm) {
        return refuse(in_text(words, gemm.error()));
    }
    const std::vector<GemmLetter> letters = letters_of(*gemm);
    const auto has = [&](char letter) {
        return std::ranges::find(letters, letter, &GemmLetter::letter) != letters.end();
    };
    if (const Result<void> used = sizes_are_used(asked, sizes, text(*gemm, mesh), has); !used) {
        return refuse(used.error());
    }
    if (asked.flag("devices")) {
        return refuse(say("{} lists the blocks of one array; of a GEMM it works for A, B or C alone.",
                          asked.called("devices")));
    }
    const bool trace = asked.said.has("--trace");
    return chip_of(asked).map([&](const Machine& hardware) {
        return ShardedGemmAsked{*gemm,
                                mesh,
                                sizes,
                                type,
                                hardware,
                                asked.flag("all"),
                                asked.flag("verify"),
                                asked.flag("simulate") || trace,
                                trace,
                                asked.text("plan")};
    });
}

Result<Answer> answer_shard(const Asked& asked, const RunControl& control) {
    const Result<NamedMesh> mesh = named_mesh_of(asked, "mesh");
    if (!mesh) {
        return refuse(mesh.error());
    }
    const Result<DimensionSizes> sizes = parse_dimension_sizes(asked.text("sizes"));
    if (!sizes) {
        return refuse(asked.called("sizes") + ": " + sizes.error().sentence);
    }
    const DataType type = element_of(asked, "data_type", DataType::bf16);
    if (is_resharding(asked.text("sharding"))) {
        return is_about_an_array(asked, true).and_then([&] {
            return resharding_answer(asked, *mesh, *sizes, type);
        });
    }
    if (is_sharded_gemm(asked.text("sharding"))) {
        return read_gemm(asked, *mesh, *sizes, type).and_then([&](const ShardedGemmAsked& read) {
            return sharded_gemm_answer(asked, read, control);
        });
    }
    return find_array(asked, *mesh, *sizes, type).map([&](const ShardedArrayFound& found) {
        return answer_of(asked, found);
    });
}

} // namespace

Question shard_question() {
    Question question{"shard",
                      said("Shardings"),
                      "",
                      "Shows which block of an array each device holds, by a sharding such as A[I_X, J_Y], "
                      "and which collectives a GEMM of such arrays needs",
                      {},
                      shard_fields(),
                      {},
                      answer_shard};
    question.examples = {"\"A[I_X, J]\" --mesh X=4,Y=2 --sizes I=1024,J=4096",
                         "\"A[I_X, J_Y] . B[J, K] -> C[I_X, K]\" --mesh X=4,Y=2 --sizes I=4096,J=8192,K=4096",
                         "\"ij,jk->ik\" --mesh 4x2 --sizes i=4096,j=8192,k=4096"};
    question.file_key = "sharding";
    question.files = {{AnswerFile::Of::runs,
                       {},
                       "--trace",
                       "FILE: writes the timeline of that plan as Chrome trace JSON, and simulates"}};
    question.path = [](const Asked& asked, const std::string& path) {
        const std::string plan = asked.has("plan") ? asked.text("plan") : "0";
        return fmt::format("plans/{}/{}", plan, path);
    };
    return question;
}

} // namespace meshslice
