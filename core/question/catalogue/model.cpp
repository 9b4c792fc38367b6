// What a model is made of: its parameters, its FLOP and its cache, a token at a time.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/data_type.h"
#include "core/model/transformer.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/scenario/choices.h"
#include "core/work/training.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_tokens = std::int64_t{1} << 24;

std::vector<QuestionField> model_fields() {
    FieldRow model{.key = "model",
                   .name = said("Model"),
                   .label = said("Model"),
                   .help = said("The model that is taken apart"),
                   .flag = "model",
                   .flag_help = "NAME|FILE.json: a preset, a file of ours or a Hugging Face config.json",
                   .kind = FieldKind::part};
    for (const Transformer& one : model_presets()) {
        model.choices.push_back({one.name, one.title});
    }
    QuestionField sequence{.row = {.key = "sequence",
                                   .name = said("Sequence"),
                                   .label = said("Sequence"),
                                   .help = said("Tokens that attention may look at"),
                                   .flag = "--sequence",
                                   .flag_help =
                                       "tokens of a sequence, for attention's part of the FLOP (default: "
                                       "the model's own)",
                                   .kind = FieldKind::whole,
                                   .least = 1,
                                   .most = most_tokens}};
    QuestionField cache = element_field({.key = "cache_type",
                                         .name = said("KV cache type"),
                                         .label = said("KV cache type"),
                                         .help = said("The type of the keys and values that are kept"),
                                         .flag = "--cache-type",
                                         .flag_help = "type of the KV cache's elements (default bf16)"});
    cache.first = "bf16";
    return {{.row = std::move(model), .needed = true, .shown = "llama-3-8b"},
            std::move(sequence),
            std::move(cache)};
}

/// A part of all blocks together, or an end of the model.
struct ModelPart {
    std::string name;
    std::int64_t parameters = 0;
    std::int64_t active = 0;  ///< that work on one token
    std::string made_of = {}; ///< "32 x 4096 x 6144"
};

std::vector<ModelPart> parts_of(const Transformer& model) {
    std::vector<ModelPart> parts;
    const std::int64_t table = model.vocabulary * model.hidden;
    if (table > 0) {
        // A row of the table is looked up; nothing is multiplied.
        parts.push_back(
            {std::string(embedding_task), table, 0, fmt::format("{} x {}", model.vocabulary, model.hidden)});
    }
    const auto add = [&](std::string_view name, std::int64_t in, std::int64_t out, bool routed) {
        const std::int64_t one = model.layers * in * out;
        const std::int64_t all = routed ? model.experts : 1;
        parts.push_back(
            {std::string(name), one * all, one * (routed ? model.experts_per_token : 1),
             fmt::format("{} x {}{} x {}", model.layers, all > 1 ? fmt::format("{} x ", all) : "", in, out)});
    };
    const std::int64_t inner = model.heads * model.head_size;
    add(qkv_task, model.hidden, inner + 2 * model.kv_heads * model.head_size, false);
    add(output_task, inner, model.hidden, false);
    add(ff1_task, model.hidden, (model.gated ? 2 : 1) * model.feed_forward, true);
    add(ff2_task, model.feed_forward, model.hidden, true);
    if (table > 0) {
        parts.push_back({std::string(head_task), model.tied_embeddings ? 0 : table, table,
                         model.tied_embeddings ? "the embedding's matrix again"
                                               : fmt::format("{} x {}", model.hidden, model.vocabulary)});
    }
    return parts;
}

/// Of one sequence, all blocks together and the head.
struct SequenceFlop {
    double forward = 0;   ///< attention's included
    double attention = 0; ///< of the forward pass
    double training = 0;  ///< forward and backward passes
};

SequenceFlop sequence_flop(const Transformer& model, std::int64_t tokens) {
    const std::array batch = {Segment{.fresh = tokens}};
    SequenceFlop flop;
    const auto add = [&](const std::vector<Task>& tasks, double times) {
        for (const Task& task : tasks) {
            const double all = task.amounts().matrix_flop * times;
            const bool forward = task.pass == Pass::forward;
            flop.training += all;
            flop.forward += forward ? all : 0;
            flop.attention += forward && task.kind == TaskKind::attention ? all : 0;
        }
    };
    add(training.block(block_kind(model, model.causal), batch), static_cast<double>(model.layers));
    add(training.ends(stacks(model, model.causal).front(), batch), 1);
    return flop;
}

Answer answer_of(const Asked& asked, const Transformer& model) {
    const std::int64_t tokens =
        asked.has("sequence") ? static_cast<std::int64_t>(asked.number("sequence")) : usual_sequence(model);
    const DataType cache = element_of(asked, "cache_type", DataType::bf16);
    const std::vector<ModelPart> parts = parts_of(model);
    std::int64_t all = 0;
    std::int64_t active = 0;
    Table table{fmt::format("Parameters of {}", model.title), {"part", "parameters", "active", "of"}, {}};
    Tree part_values = Tree::object();
    std::vector<std::vector<std::string>> lines;
    for (const ModelPart& part : parts) {
        all += part.parameters;
        active += part.active;
        table.rows.push_back({part.name, static_cast<double>(part.parameters),
                              static_cast<double>(part.active), part.made_of});
        part_values[part.name] = {{"parameters", part.parameters}, {"active", part.active}};
        lines.push_back({part.name, si_text(static_cast<double>(part.parameters), ""), part.made_of});
    }
    const SequenceFlop flop = sequence_flop(model, tokens);
    const double a_token = flop.forward / static_cast<double>(tokens);
    const double trained = flop.training / static_cast<double>(tokens);
    const double share = flop.attention / flop.forward;
    const double kv = 2.0 * static_cast<double>(model.layers * model.kv_heads * model.head_size) *
                      static_cast<double>(bits(cache)) / 8;
    Tree weights = Tree::object();
    for (const DataType type : all_data_types) {
        weights[std::string(name(type))] = static_cast<double>(all) * static_cast<double>(bits(type)) / 8;
    }
    const bool published = model.published_parameters > 0;
    const double off =
        published ? static_cast<double>(all) / static_cast<double>(model.published_parameters) - 1 : 0;
    Answer answer{{{"model", model.name},
                   {"title", model.title},
                   {"parameters", all},
                   {"active_parameters", active},
                   {"layer_parameters", layer_parameters(model)},
                   {"active_layer_parameters", active_layer_parameters(model)},
                   {"published_parameters", published ? Tree(model.published_parameters) : Tree()},
                   {"parts", std::move(part_values)},
                   {"weight_bytes", std::move(weights)},
                   {"kv_bytes_per_token", kv},
                   {"cache_type", std::string(name(cache))},
                   {"sequence", tokens},
                   {"forward_flop_per_token", a_token},
                   {"training_flop_per_token", trained},
                   {"attention_share_of_flop", share},
                   {"layers", model.layers}},
                  fmt::format("{}: {} parameters{}", model.title, si_text(static_cast<double>(all), ""),
                              model.experts > 1 ? fmt::format(", {} of them active",
                                                              si_text(static_cast<double>(active), ""))
                                                : std::string()),
                  model.title,
                  Confidence::exact};
    const auto add = [&](std::string what, std::string value, std::string of) {
        lines.push_back({std::move(what), std::move(value), std::move(of)});
    };
    add("all", si_text(static_cast<double>(all), ""),
        published ? fmt::format("published: {}, {:+.3f}%",
                                si_text(static_cast<double>(model.published_parameters), "", 4), 100 * off)
                  : "no published total is known");
    add("active", si_text(static_cast<double>(active), ""),
        model.vocabulary > 0 ? "that multiply for one token, the head included"
                             : "that multiply for one token");
    add("weights", bytes_text(2.0 * static_cast<double>(all)),
        fmt::format("in bf16; {} in fp32, {} in fp8", bytes_text(4.0 * static_cast<double>(all)),
                    bytes_text(static_cast<double>(all))));
    add("KV cache", bytes_text(kv), fmt::format("a token, in {}", name(cache)));
    add("FLOP", si_text(a_token, "FLOP"),
        fmt::format("a token, forward; {} in training", si_text(trained, "FLOP")));
    add("attention", percent_text(share),
        fmt::format("of the FLOP, at {} tokens{}", tokens,
                    model.causal ? ", each of which sees those before it" : ""));
    answer.words = {{answer.headline + "\n"}, Paragraph{{}, std::move(lines)}};
    answer.notes.push_back(
        model.vocabulary > 0
            ? std::string("Not counted: norms, biases and positions.")
            : std::string("Not counted: norms, biases and positions; and the embedding and the "
                          "head, as the vocabulary is not known."));
    answer.words.push_back({"\n" + answer.notes.back() + "\n"});
    Table sources{fmt::format("Where the numbers of {} are from", model.title), {"field", "source"}, {}};
    std::vector<std::vector<std::string>> source_lines;
    for (const auto& [field, source] : model.sources) {
        sources.rows.push_back({field, source});
        source_lines.push_back({field, source});
    }
    answer.words.push_back({"\n"});
    answer.words.push_back({{}, std::move(source_lines)});
    answer.tables = {NamedTable::of("parts", std::move(table)),
                     NamedTable::of("sources", std::move(sources))};
    return answer;
}

} // namespace

Question model_question() {
    Question question{
        "model",
        said("Models"),
        "",
        said("Takes a model apart: parameters in all and active, bytes, KV cache and FLOP of a token"),
        {},
        model_fields(),
        {},
        [](const Asked& asked, const RunControl& /*control*/) {
            return model_of(asked).map([&](const Transformer& model) { return answer_of(asked, model); });
        }};
    question.examples = {"llama-3-8b", "llama-3-405b --json", "gpt3-175b --csv"};
    return question;
}

} // namespace meshslice
