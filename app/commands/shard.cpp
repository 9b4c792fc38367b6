// What a sharding makes of an array: the shape of a shard, bytes, copies, and which device holds what; and of
// a GEMM of sharded arrays: the four cases of the scaling book.

#include "app/command.h"
#include "app/element_type.h"
#include "app/scenario_options.h"
#include "app/shard_gemm.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/sharding/shards.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

/// Of more devices only the first are listed, unless asked.
constexpr std::int64_t devices_listed = 16;
constexpr std::int64_t most_devices_listed = 65'536;
constexpr std::size_t most_shardings_listed = 100'000;

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return fmt::format("{}", fmt::join(shape, " x "));
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

/// `meshslice shard ARRAY`.
class Shard final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Says what a sharding in the notation of the scaling book, such as A[I_X, J_Y], makes of an "
               "array, and which collectives a GEMM of such arrays takes";
    }

    void declare(CLI::App& flags) override {
        flags
            .add_option("array", array_,
                        "ARRAY: A[I_X, J_YZ], with {U_Z} after it for partial sums over Z, or JAX's "
                        "P('X', ('Y', 'Z')) for dimensions in the order of --sizes; or a GEMM, "
                        "A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]")
            ->type_name("")
            ->required();
        flags
            .add_option(
                "--mesh", mesh_,
                "X=4,Y=2: the axes of the mesh of devices, one capital letter each, the major one first")
            ->type_name("")
            ->required();
        flags
            .add_option("--sizes", sizes_,
                        "I=1024,J=4096: how long each dimension is; 8Ki is 8192 and 8k 8000")
            ->type_name("")
            ->required();
        flags
            .add_option("--type,--data-type", type_,
                        "f32|bf16|f16|int8|fp8|int4: of the elements (default bf16)")
            ->type_name("");
        flags
            .add_option("--hardware", hardware_,
                        "NAME|FILE.json: the chips of a GEMM, which form a torus (default tpu-v5e)")
            ->type_name("");
        flags.add_flag("--all", all_,
                       "Lists every sharding of the same array too, what a device holds least first; of a "
                       "GEMM every plan");
        flags.add_flag("--verify", verify_,
                       "Runs every plan of a GEMM on small arrays, chip by chip, and compares with the "
                       "GEMM on one chip");
        flags.add_flag("--simulate", simulate_,
                       "Runs the program of each plan of a GEMM that is listed in simulated time");
        flags
            .add_option("--plan", plan_,
                        "NUMBER: the plan of a GEMM whose steps and code are shown (default 1, the best)")
            ->type_name("")
            ->check(CLI::PositiveNumber);
        flags
            .add_option("--trace", trace_,
                        "FILE: writes the timeline of that plan as Chrome trace JSON, and simulates")
            ->type_name("");
        flags.add_flag("--devices", devices_, "Lists what every device holds, not only the first 16");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Printed> run() const override {
        const Read<NamedMesh> mesh = parse_named_mesh(mesh_);
        if (!mesh) {
            return refuse(in_text("--mesh " + mesh_, shifted(mesh.error(), "--mesh ")));
        }
        const Result<DimensionSizes> sizes = parse_dimension_sizes(sizes_);
        if (!sizes) {
            return refuse("--sizes: " + sizes.error().sentence);
        }
        const Result<DataType> kind = element_type("--data-type", type_);
        if (!kind) {
            return refuse(kind.error());
        }
        if (array_.find("->") != std::string::npos || array_.find("].") != std::string::npos ||
            array_.find("] .") != std::string::npos) {
            return run_gemm(*mesh, *sizes, *kind);
        }
        if (const std::string flag = flag_of_gemms(); !flag.empty()) {
            return refuse(fmt::format("{} is about a GEMM, such as \"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]\"; "
                                      "{} is one array.",
                                      flag, shortened(array_)));
        }
        const Read<ShardedArray> array = read_array(*mesh);
        if (!array) {
            return refuse(in_text(array_, array.error()));
        }
        for (const auto& [letter, size] : *sizes) {
            if (std::ranges::find(array->dimensions, letter, &ArrayDimension::letter) ==
                array->dimensions.end()) {
                return refuse(fmt::format("--sizes gives {} = {}, and {} has no dimension {}.", letter, size,
                                          text(*array, *mesh), letter));
            }
        }
        if (all_ && !array->unreduced.empty()) {
            return refuse(fmt::format(
                "--all lists shardings of a whole array, and {} has partial sums; without {{U_...}} "
                "it works.",
                text(*array, *mesh)));
        }
        const Result<Shards> found = shards(*array, *mesh, *sizes, bits(*kind));
        if (!found) {
            return refuse(found.error());
        }
        const Result<std::vector<Other>> others =
            all_ ? others_of(*array, *mesh, *sizes, bits(*kind)) : Result<std::vector<Other>>();
        if (!others) {
            return refuse(others.error());
        }
        if (devices_ && mesh->devices() > most_devices_listed) {
            return refuse(fmt::format("--devices lists at most {} devices, and the mesh has {}.",
                                      most_devices_listed, mesh->devices()));
        }
        return Printed{json_ ? json_text(*array, *mesh, *found, *others)
                             : words(*array, *mesh, *found, *others)};
    }

  private:
    struct Other {
        ShardedArray array;
        Shards shards;
    };

    /// The first that was given and says nothing about one array.
    [[nodiscard]] std::string flag_of_gemms() const {
        return verify_              ? "--verify"
               : !hardware_.empty() ? "--hardware"
               : simulate_          ? "--simulate"
               : plan_ > 0          ? "--plan"
               : !trace_.empty()    ? "--trace"
                                    : "";
    }

    static NotationError shifted(NotationError error, std::string_view before) {
        error.begin += before.size();
        return error;
    }

    [[nodiscard]] Result<Printed> run_gemm(const NamedMesh& mesh, const DimensionSizes& sizes,
                                           DataType kind) const {
        const Read<ShardedGemm> gemm = parse_sharded_gemm(array_, mesh);
        if (!gemm) {
            return refuse(in_text(array_, gemm.error()));
        }
        const std::vector<GemmLetter> letters = letters_of(*gemm);
        for (const auto& [letter, size] : sizes) {
            if (std::ranges::find(letters, letter, &GemmLetter::letter) == letters.end()) {
                return refuse(fmt::format("--sizes gives {} = {}, and {} has no dimension {}.", letter, size,
                                          text(*gemm, mesh), letter));
            }
        }
        if (devices_) {
            return refuse("--devices lists the blocks of one array; of a GEMM it works for A, B or C alone.");
        }
        const Result<Machine> hardware = named_machine(hardware_.empty() ? "tpu-v5e" : hardware_);
        if (!hardware) {
            return refuse(hardware.error());
        }
        return shard_gemm_answer({*gemm, mesh, sizes, kind, all_, verify_, json_,
                                  simulate_ || !trace_.empty(),
                                  static_cast<std::size_t>(plan_ > 0 ? plan_ : 1), trace_},
                                 *hardware);
    }

    /// In the book's notation, or JAX's with the letters of --sizes as they are typed.
    [[nodiscard]] Read<ShardedArray> read_array(const NamedMesh& mesh) const {
        if (!array_.starts_with("P(") && !array_.starts_with("PartitionSpec")) {
            return parse_sharded_array(array_, mesh);
        }
        std::string letters;
        std::ranges::copy_if(sizes_, std::back_inserter(letters), [&, before = ','](char letter) mutable {
            const bool begins = before == ',' && letter >= 'A' && letter <= 'Z';
            before = letter == ' ' ? before : letter;
            return begins;
        });
        return parse_partition_spec(array_, "A", letters, mesh);
    }

    /// Those that the sizes allow, what a device holds least first.
    static Result<std::vector<Other>> others_of(const ShardedArray& array, const NamedMesh& mesh,
                                                const DimensionSizes& sizes, std::int64_t bits) {
        std::string letters;
        for (const ArrayDimension& dimension : array.dimensions) {
            letters += dimension.letter;
        }
        double count = 1;
        for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
            count *= static_cast<double>(letters.size() + axis + 1); // A bound: each axis, at each place.
        }
        if (count > static_cast<double>(most_shardings_listed)) {
            return refuse(fmt::format("--all lists at most {} shardings; {} dimensions on {} axes have more.",
                                      most_shardings_listed, letters.size(), mesh.axes.size()));
        }
        std::vector<Other> others;
        for (ShardedArray& one : all_shardings(array.name, letters, mesh)) {
            if (const Result<Shards> its = shards(one, mesh, sizes, bits)) {
                others.push_back({std::move(one), *its});
            }
        }
        std::ranges::stable_sort(others, {}, [](const Other& one) { return one.shards.bytes_per_device; });
        return others;
    }

    [[nodiscard]] std::string words(const ShardedArray& array, const NamedMesh& mesh, const Shards& found,
                                    const std::vector<Other>& others) const {
        std::string out =
            fmt::format("{} on {}, {}{}\n\n", text(array, mesh), text(mesh),
                        count_text(mesh.devices(), "device", "devices"), majors_text(array, mesh));
        const std::string sums = found.partial_sums == 1
                                     ? std::string()
                                     : fmt::format(", {} partial sums of each", found.partial_sums);
        out += text_table({{"the array", shape_text(found.shape), bytes_text(found.bytes)},
                           {"a device holds", shape_text(found.local), bytes_text(found.bytes_per_device)},
                           {"all devices",
                            fmt::format("{}{}, {}", count_text(found.blocks, "block", "blocks"), sums,
                                        count_text(found.copies, "copy", "copies of each")),
                            bytes_text(found.bytes_in_all)}},
                          2);
        out += fmt::format("\nJAX: {} and {}\n", make_mesh_text(mesh), partition_spec(array, mesh));
        out += "\n" + text_table(device_rows(array, mesh, found), 1);
        if (!devices_ && mesh.devices() > devices_listed) {
            out += fmt::format("... and {} more; --devices lists them\n", mesh.devices() - devices_listed);
        }
        if (all_) {
            std::vector<std::vector<std::string>> rows = {
                {"sharding", "a device holds", "bytes", "copies", ""}};
            for (const Other& other : others) {
                rows.push_back({text(other.array, mesh), shape_text(other.shards.local),
                                bytes_text(other.shards.bytes_per_device),
                                std::to_string(other.shards.copies)});
            }
            out += "\n" + text_table(rows, 1, true);
        }
        return plain_spaces(std::move(out));
    }

    [[nodiscard]] std::vector<std::vector<std::string>>
    device_rows(const ShardedArray& array, const NamedMesh& mesh, const Shards& found) const {
        std::vector<std::vector<std::string>> rows = {{"device"}};
        for (const MeshAxis& axis : mesh.axes) {
            rows.front().emplace_back(1, axis.name);
        }
        for (const ArrayDimension& dimension : array.dimensions) {
            rows.front().push_back(fmt::format("of {}", dimension.letter));
        }
        const std::int64_t listed = devices_ ? mesh.devices() : std::min(mesh.devices(), devices_listed);
        for (std::int64_t device = 0; device < listed; ++device) {
            std::vector<std::string>& row = rows.emplace_back();
            row.push_back(std::to_string(device));
            for (const std::int64_t along : coordinates(mesh, device)) {
                row.push_back(std::to_string(along));
            }
            const std::vector<std::int64_t> blocks = block_of(array, mesh, device);
            for (std::size_t k = 0; k < blocks.size(); ++k) {
                row.push_back(range_text(blocks[k], found.local[k]));
            }
        }
        return rows;
    }

    static Tree json_of(const ShardedArray& array, const NamedMesh& mesh, const Shards& shards) {
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

    [[nodiscard]] std::string json_text(const ShardedArray& array, const NamedMesh& mesh, const Shards& found,
                                        const std::vector<Other>& others) const {
        Tree out = json_of(array, mesh, found);
        out["mesh"] = text(mesh);
        out["make_mesh"] = make_mesh_text(mesh);
        out["type"] = type_;
        if (devices_ || mesh.devices() <= devices_listed) {
            for (std::int64_t device = 0; device < mesh.devices(); ++device) {
                out["devices"].push_back(
                    {{"coordinates", coordinates(mesh, device)}, {"block", block_of(array, mesh, device)}});
            }
        }
        for (const Other& other : others) {
            out["all"].push_back(json_of(other.array, mesh, other.shards));
        }
        return json_file(out);
    }

    std::string array_, mesh_, sizes_;
    std::string type_ = "bf16", hardware_;
    std::string trace_;
    std::int64_t plan_ = 0; ///< 0: not given
    bool verify_ = false, simulate_ = false;
    bool all_ = false, devices_ = false, json_ = false;
};

} // namespace

std::unique_ptr<Command> shard_command() {
    return std::make_unique<Shard>();
}

} // namespace meshslice
