// What a slice of a pod adds up to, and which of its axes are rings.

#include "app/command.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/machine/data_type.h"
#include "core/machine/slice_sums.h"
#include "core/torus/torus.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

/// `meshslice pod MESH`.
class SliceOfPod final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Adds up a slice of a pod: chips, hosts, cubes, cores, FLOP/s and memory, and which axes are "
               "rings";
    }

    void declare(CLI::App& flags) override {
        const auto option = [&](const char* flag, std::string& words, const char* help) {
            return flags.add_option(flag, words, help)->type_name("");
        };
        option("mesh", mesh_, "ROWSxCOLUMNS[xLAYERS]: the chips of the slice, such as 16x20x28")->required();
        option("--hardware", hardware_,
               "NAME|FILE.json: the chips, as listed by `meshslice presets` (default tpu-v5e)");
        option("--data-type", type_, "bf16|int8: whose peak is added up (default bf16)");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Answer> run() const override {
        const Result<Machine> hardware = named_machine(hardware_);
        if (!hardware) {
            return refuse(hardware.error());
        }
        if (hardware->network.torus_axes() == 0) {
            return refuse(fmt::format("{} forms no torus; --hardware tpu-v5p works.", hardware->title));
        }
        const Result<DataType> type = parse_data_type(type_);
        if (!type) {
            return refuse("--data-type: " + type.error().sentence);
        }
        const auto mesh = parse_mesh(mesh_);
        if (!mesh) {
            return refuse(mesh.error());
        }
        return slice_sums(*mesh, *hardware, *type).map([&](const SliceSums& sums) {
            return Answer{json_ ? json_text(sums, *hardware) : words(sums, *mesh, *hardware, *type)};
        });
    }

  private:
    static std::string known(std::int64_t count) {
        return count > 0 ? std::to_string(count) : std::string("not known");
    }

    [[nodiscard]] static std::string words(const SliceSums& sums, const std::vector<std::int32_t>& mesh,
                                           const Machine& hardware, DataType type) {
        std::vector<std::string> rings;
        for (std::size_t axis = 0; axis < mesh.size(); ++axis) {
            rings.push_back(fmt::format("{} {}", mesh[axis], sums.rings[axis] ? "closed" : "open"));
        }
        std::vector<std::vector<std::string>> rows = {
            {"chips", std::to_string(sums.chips), ""},
            {"hosts", known(sums.hosts),
             sums.hosts > 0 ? fmt::format("of {} chips", hardware.pod.host.value) : std::string()},
            {"cores", std::to_string(sums.cores), fmt::format("{} in a chip", hardware.cores.value)},
            {"peak", si_text(sums.flop_per_s, "FLOP/s"), fmt::format("in {}", name(type))},
            {"HBM", si_text(sums.hbm_bytes, "B"), ""},
            {"HBM rate", si_text(sums.hbm_bytes_per_s, "B/s"), ""},
            {"axes", fmt::format("{}", fmt::join(rings, ", ")),
             hardware.pod.ring_axis.value == 0 ? "which are rings is not known: all are taken as such" : ""}};
        if (hardware.pod.ring_mesh.value > 0) {
            rows.insert(rows.begin() + 2,
                        {"cubes", std::to_string(sums.cubes),
                         fmt::format("whole ones of {} chips", hardware.pod.ring_mesh.value)});
        }
        return plain_spaces(
            fmt::format("{} of {}\n{}", fmt::join(mesh, "x"), hardware.title, text_table(rows, 1, true)));
    }

    [[nodiscard]] std::string json_text(const SliceSums& sums, const Machine& hardware) const {
        nlohmann::ordered_json out = {{"hardware", hardware.name},
                                      {"mesh", mesh_},
                                      {"chips", sums.chips},
                                      {"hosts", nullptr},
                                      {"cubes", sums.cubes},
                                      {"cores", sums.cores},
                                      {"flop_per_s", sums.flop_per_s},
                                      {"hbm_bytes", sums.hbm_bytes},
                                      {"hbm_bytes_per_s", sums.hbm_bytes_per_s},
                                      {"rings", sums.rings}};
        if (sums.hosts > 0) {
            out["hosts"] = sums.hosts;
        }
        return json_file(out);
    }

    std::string mesh_, hardware_ = "tpu-v5e", type_ = "bf16";
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> pod_command() {
    return std::make_unique<SliceOfPod>();
}

} // namespace meshslice
