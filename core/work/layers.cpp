#include "core/work/layers.h"

#include "core/base/text.h"
#include "core/work/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace meshslice {
namespace {

tl::unexpected<Error> about(const Transformer& model, const std::string& what) {
    return refuse(fmt::format("The model \"{}\" {}.", shortened(model.name), what));
}

/// The tokens that one expert sees, of so many tokens in sequences of `sequence`.
Result<std::int64_t> tokens_per_expert(const Transformer& model, std::int64_t tokens, std::int64_t sequence) {
    const std::int64_t pairs = tokens * model.experts_per_token;
    if (pairs % model.experts == 0) {
        return pairs / model.experts;
    }
    const std::int64_t unit = model.experts / std::gcd(model.experts, model.experts_per_token);
    // What has to be a multiple of it: whole sequences where they are known.
    const std::int64_t step = sequence > 0 ? unit / std::gcd(unit, sequence) : unit;
    const std::int64_t now = sequence > 0 ? tokens / sequence : tokens;
    const std::int64_t below = now / step * step;
    const std::string choice =
        below == 0 ? fmt::to_string(step) : fmt::format("{} or {}", below, below + step);
    return about(model,
                 fmt::format("sends each of {} tokens to {} of {} experts, which gives no whole number of "
                             "tokens an expert; {}",
                             tokens, model.experts_per_token, model.experts,
                             sequence > 0
                                 ? fmt::format("a batch of {} sequences of {} tokens does", choice, sequence)
                                 : fmt::format("batch x sequence must be a multiple of {}, such as {}", unit,
                                               choice)));
}

Result<void> check_flop(const Transformer& model, const std::vector<FullyConnectedLayer>& layers) {
    double sum = 0.0;
    for (const FullyConnectedLayer& part : layers) {
        const Result<GemmShape> shape = checked({part.tokens, part.out, part.in});
        if (!shape) {
            return refuse(fmt::format("{} of the model \"{}\": {}", part.name, shortened(model.name),
                                      shape.error().sentence));
        }
        // Forward, backward data and backward weight cost the same.
        sum += 3.0 * static_cast<double>(flop(*shape).value()) * static_cast<double>(part.copies);
    }
    if (sum > static_cast<double>(most_flop)) {
        return about(model,
                     fmt::format("needs {:.1e} FLOP for one block's training GEMMs; at most {:.1e} are "
                                 "counted, so fewer tokens are needed",
                                 sum, static_cast<double>(most_flop)));
    }
    return {};
}

} // namespace

Result<std::vector<FullyConnectedLayer>> fully_connected_layers(const Transformer& model, std::int64_t tokens,
                                                                std::int64_t sequence) {
    if (const Result<Transformer> sound = checked(model); !sound) {
        return refuse(sound.error());
    }
    if (tokens < 1 || tokens > most_dimension) {
        return about(model,
                     fmt::format("cannot be trained on {} tokens; batch x sequence must be from 1 to {}",
                                 tokens, most_dimension));
    }
    const Result<std::int64_t> expert_tokens = tokens_per_expert(model, tokens, sequence);
    if (!expert_tokens) {
        return refuse(expert_tokens.error());
    }
    const std::array batch = {Segment{tokens}};
    const std::vector<Task> tasks = training.block(block_kind(model, model.causal), batch);
    std::vector<FullyConnectedLayer> layers;
    for (const bool of_mixer : {true, false}) {
        for (const Task& task : tasks) {
            if (task.kind == TaskKind::gemm && task.pass == Pass::forward && task.of_mixer == of_mixer) {
                const auto whole = [](double dimension) { return static_cast<std::int64_t>(dimension); };
                layers.push_back({std::string(task.name), whole(task.dims.in), whole(task.dims.out),
                                  task.dims.copies == 1 ? tokens : *expert_tokens, whole(task.dims.copies)});
            }
        }
    }
    if (const Result<void> sound = check_flop(model, layers); !sound) {
        return refuse(sound.error());
    }
    return layers;
}

std::vector<Gemm> training_gemms(const FullyConnectedLayer& layer, Stationary stationary) {
    return training_gemms(layer.name, stationary, layer.tokens, layer.in, layer.out, layer.copies);
}

} // namespace meshslice
