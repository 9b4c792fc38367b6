#include "app/command.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/machine/cluster.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <functional>
#include <map>
#include <vector>

namespace meshslice {
namespace {

std::string hardware_presets_text() {
    std::vector<std::vector<std::string>> rows = {
        {"hardware", "title", "bf16", "HBM", "HBM rate", "network", "sync", "launch AG/RdS"}};
    for (const Machine& hardware : hardware_presets()) {
        rows.push_back({hardware.name, hardware.title, text(hardware.peak_rate(DataType::bf16)),
                        text(hardware.hbm.value), text(hardware.hbm_bandwidth.value), text(hardware.network),
                        text(hardware.sync.value),
                        fmt::format("{} / {}", text(hardware.launch_time(LaunchKind::all_gather)),
                                    text(hardware.launch_time(LaunchKind::reduce_scatter)))});
    }
    return text_table(rows, 2);
}

std::string cluster_presets_text() {
    std::vector<std::vector<std::string>> rows = {
        {"cluster", "title", "bf16", "vectors", "HBM", "HBM rate", "network"}};
    for (const Machine& one : cluster_presets()) {
        rows.push_back({one.name, one.title, text(one.peak_rate(DataType::bf16)), text(one.vector_rate.value),
                        text(one.hbm.value), text(one.hbm_bandwidth.value), text(one.network)});
    }
    return text_table(rows, 2);
}

std::string gpu_presets_text() {
    std::vector<std::vector<std::string>> rows = {
        {"GPUs", "title", "units", "FP16", "HBM rate", "last-level cache", "link, one way", "flight"}};
    for (const Machine& one : gpu_presets()) {
        rows.push_back({one.name, one.title, std::to_string(one.cores.value),
                        text(one.effective_rate(DataType::bf16)), text(one.hbm_bandwidth.value),
                        text(one.on_chip_memory.value), text(one.network.link_bandwidth(0)),
                        text(one.gpu.link_flight.value)});
    }
    return text_table(rows, 2);
}

std::string model_presets_text() {
    std::vector<std::vector<std::string>> rows = {
        {"model", "title", "layers", "hidden", "heads", "KV heads", "feed-forward", "gated"}};
    for (const Transformer& model : model_presets()) {
        rows.push_back({model.name, model.title, std::to_string(model.layers), std::to_string(model.hidden),
                        std::to_string(model.heads), std::to_string(model.kv_heads),
                        std::to_string(model.feed_forward), model.gated ? "yes" : "no"});
    }
    return text_table(rows, 2);
}

std::string algorithms_text() {
    std::string out;
    for (const Algorithm& algorithm : all_algorithms()) {
        std::string dataflows;
        for (const Dataflow dataflow : algorithm.dataflows) {
            dataflows += fmt::format("{}{}", dataflows.empty() ? "" : ", ", name(dataflow));
        }
        out += fmt::format("{}\n    {}\n    needs:     {}\n    dataflows: {}\n    source:    {}\n",
                           algorithm.id, algorithm.summary, algorithm.needs, dataflows, algorithm.source);
    }
    return out;
}

/// `meshslice presets`: the hardware, clusters, GPUs, models and algorithms that come with the program, as
/// tables.
class Presets final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Lists the hardware, clusters, GPUs, models and algorithms that come with it";
    }

    void declare(CLI::App& flags) override {
        flags.add_option("kind", kind_, "hardware, clusters, gpus, models or algorithms (default: all)")
            ->type_name("");
    }

    [[nodiscard]] Result<Answer> run() const override {
        const std::map<std::string, std::function<std::string()>> lists = {
            {"hardware", hardware_presets_text},
            {"clusters", cluster_presets_text},
            {"gpus", gpu_presets_text},
            {"models", model_presets_text},
            {"algorithms", algorithms_text}};
        if (kind_.empty()) {
            return Answer{fmt::format("{}\n{}\n{}\n{}\n{}", hardware_presets_text(), cluster_presets_text(),
                                      gpu_presets_text(), model_presets_text(), algorithms_text())};
        }
        const auto list = lists.find(kind_);
        if (list == lists.end()) {
            return refuse(fmt::format(
                "There are no presets of \"{}\"; hardware, clusters, gpus, models and algorithms have some.",
                kind_));
        }
        return Answer{list->second()};
    }

  private:
    std::string kind_; ///< empty: all
};

} // namespace

std::unique_ptr<Command> presets_command() {
    return std::make_unique<Presets>();
}

} // namespace meshslice
