#include "app/command.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/model/transformer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <vector>

namespace meshslice {
namespace {

/// One row a machine; those that the same kind of network joins stand together.
std::string machines_text() {
    std::vector<std::vector<std::string>> rows = {{"machine", "title", "cores", "bf16", "vectors", "HBM",
                                                   "HBM rate", "sync", "launch AG/RdS", "network"}};
    for (bool (*const joined)(const Machine&) : {is_plain_torus, feeds_rings, has_domains}) {
        for (const Machine& one : presets_that(joined)) {
            rows.push_back({one.name, one.title, std::to_string(one.cores.value),
                            text(one.peak_rate(DataType::bf16)),
                            one.vector_rate.value > FlopRate(0) ? text(one.vector_rate.value) : "-",
                            text(one.hbm.value), text(one.hbm_bandwidth.value), text(one.sync.value),
                            fmt::format("{} / {}", text(one.launch_time(Collective::all_gather)),
                                        text(one.launch_time(Collective::reduce_scatter))),
                            text(one.network)});
        }
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

/// `meshslice presets`: the machines, models and algorithms that come with the program, as tables.
class Presets final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Lists the machines, models and algorithms that come with it";
    }

    void declare(CLI::App& flags) override {
        flags.add_option("kind", kind_, "machines, models or algorithms (default: all)")->type_name("");
    }

    [[nodiscard]] Result<Printed> run() const override {
        // The last three are what machines were called before they had one list.
        const std::map<std::string, std::string (*)()> lists = {
            {"machines", machines_text}, {"models", model_presets_text}, {"algorithms", algorithms_text},
            {"hardware", machines_text}, {"clusters", machines_text},    {"gpus", machines_text}};
        if (kind_.empty()) {
            return Printed{
                fmt::format("{}\n{}\n{}", machines_text(), model_presets_text(), algorithms_text())};
        }
        const auto list = lists.find(kind_);
        if (list == lists.end()) {
            return refuse(fmt::format(
                "There are no presets of \"{}\"; machines, models and algorithms have some.", kind_));
        }
        return Printed{list->second()};
    }

  private:
    std::string kind_; ///< empty: all
};

} // namespace

std::unique_ptr<Command> presets_command() {
    return std::make_unique<Presets>();
}

} // namespace meshslice
