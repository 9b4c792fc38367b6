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

#include <algorithm>
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
    model.choices = FieldChoices::later([] { return choices_of(model_presets()); });
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

struct CountedMatrix {
    BlockMatrix matrix;
    std::int64_t blocks = 1;
};

/// A part of all blocks together, or an end of the model.
struct ModelPart {
    std::string name;
    std::int64_t parameters = 0;
    std::int64_t active = 0;  ///< that work on one token
    std::string made_of = {}; ///< "32 x 4096 x 6144"
    std::vector<CountedMatrix> shapes = {};
};

/// "3 x 18432 x 7168 + 58 x 256 x 2048 x 7168": matrices of the same shape counted together.
std::string shapes_text(const std::vector<CountedMatrix>& shapes) {
    std::vector<CountedMatrix> together;
    for (const CountedMatrix& one : shapes) {
        const auto same = std::ranges::find(together, one.matrix, &CountedMatrix::matrix);
        if (same != together.end()) {
            same->blocks += one.blocks;
        } else {
            together.push_back(one);
        }
    }
    std::string words;
    for (const auto& [matrix, blocks] : together) {
        const std::string copies = matrix.copies > 1 ? fmt::format("{} x ", matrix.copies) : "";
        words += fmt::format("{}{} x {}{} x {}", words.empty() ? "" : " + ", blocks, copies, matrix.in,
                             matrix.out);
    }
    return words;
}

std::vector<ModelPart> parts_of(const Transformer& model) {
    std::vector<ModelPart> parts;
    const std::int64_t table = model.vocabulary * model.hidden;
    if (table > 0) {
        // A row of the table is looked up; nothing is multiplied.
        parts.push_back(
            {std::string(embedding_task), table, 0, fmt::format("{} x {}", model.vocabulary, model.hidden)});
    }
    const std::vector<KindCount> kinds = block_kinds(model);
    for (const KindCount& one : kinds) {
        for (const BlockMatrix& matrix : matrices(one.kind)) {
            // One line for each name: what several kinds of blocks have is counted together.
            auto found =
                std::ranges::find_if(parts, [&](const ModelPart& part) { return part.name == matrix.name; });
            if (found == parts.end()) {
                found = parts.insert(parts.end(), {.name = std::string(matrix.name)});
            }
            found->parameters += one.blocks * matrix.parameters();
            found->active += one.blocks * matrix.active();
            found->shapes.push_back({matrix, one.blocks});
        }
    }
    for (ModelPart& part : parts) {
        part.made_of = part.shapes.empty() ? part.made_of : shapes_text(part.shapes);
    }
    const ModelParameters all = parameters(model);
    parts.push_back({"others", static_cast<std::int64_t>(all.others),
                     static_cast<std::int64_t>(all.active_others),
                     "norms, biases, routers and what else is not a matrix of a product"});
    for (const Tower& tower : model.towers) {
        const auto own = static_cast<std::int64_t>(parameters(tower));
        parts.push_back({tower.name, own, own, fmt::format("an encoder of {} blocks", tower.blocks)});
    }
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
    double attention = 0; ///< of the forward pass: attention and what takes its place
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
            const bool mixes = task.kind == TaskKind::attention || task.kind == TaskKind::vector;
            flop.attention += forward && mixes ? all : 0;
        }
    };
    const Stack stack = stacks(model, model.causal).front();
    for (const KindCount& one : stack.kinds) {
        add(training.block(one.kind, batch), static_cast<double>(one.blocks));
    }
    add(training.ends(stack, batch), 1);
    return flop;
}

/// Numbers that are kept from token to token, of all blocks.
struct CacheNumbers {
    double a_token = 0;
    double a_sequence = 0; ///< of so many tokens, as far as windows go
    double recurrent = 0;  ///< of a sequence of any length
};

CacheNumbers cache_numbers(const Transformer& model, std::int64_t tokens) {
    CacheNumbers made;
    for (const KindCount& one : block_kinds(model)) {
        const auto blocks = static_cast<double>(one.blocks);
        made.a_token += blocks * static_cast<double>(cached_numbers(one.kind));
        made.a_sequence += blocks * static_cast<double>(cached_numbers(one.kind, tokens));
        made.recurrent += blocks * static_cast<double>(recurrent_numbers(one.kind));
    }
    return made;
}

/// Kinds of blocks, where there are several or one that has a name of its own.
struct KindsOfBlocks {
    Table table;
    Tree tree = Tree::array();
    std::vector<std::vector<std::string>> lines = {};
};

KindsOfBlocks kinds_of(const Transformer& model) {
    KindsOfBlocks made{{fmt::format("Blocks of {}", model.title),
                        {"kind", "blocks", "parameters", "active", "KV numbers a token", "state"},
                        {}}};
    for (const KindCount& one : block_kinds(model)) {
        const BlockParameters each = parameters(one.kind);
        const std::string words = text(one.kind);
        const auto cached = static_cast<double>(cached_numbers(one.kind));
        const auto state = static_cast<double>(recurrent_numbers(one.kind));
        made.table.rows.push_back({words, static_cast<double>(one.blocks), each.matrices + each.others,
                                   each.active + each.active_others, cached, state});
        made.tree.push_back({{"kind", words},
                             {"mixer", std::string(name(one.kind.mixer.kind))},
                             {"blocks", one.blocks},
                             {"parameters", each.matrices + each.others},
                             {"active_parameters", each.active + each.active_others},
                             {"kv_numbers_per_token", cached},
                             {"state_numbers", state}});
        made.lines.push_back({fmt::format("{} x", one.blocks), words,
                              fmt::format("{} each", si_text(each.matrices + each.others, ""))});
    }
    return made;
}

Answer answer_of(const Asked& asked, const Transformer& model) {
    const std::int64_t tokens =
        asked.has("sequence") ? static_cast<std::int64_t>(asked.number("sequence")) : usual_sequence(model);
    const DataType cache = element_of(asked, "cache_type", DataType::bf16);
    const std::vector<ModelPart> parts = parts_of(model);
    const ModelParameters counts = parameters(model);
    KindsOfBlocks kinds = kinds_of(model);
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
    const CacheNumbers numbers = cache_numbers(model, tokens);
    const double cache_bytes = static_cast<double>(bits(cache)) / 8;
    const double kv = numbers.a_token * cache_bytes;
    Tree weights = Tree::object();
    for (const DataType type : all_data_types) {
        weights[std::string(name(type))] = static_cast<double>(all) * static_cast<double>(bits(type)) / 8;
    }
    const bool mixes = std::ranges::any_of(
        block_kinds(model), [](const KindCount& one) { return one.kind.feed_forward.experts > 1; });
    const bool published = model.published_parameters > 0;
    const double off =
        published ? static_cast<double>(all) / static_cast<double>(model.published_parameters) - 1 : 0;
    Answer answer{
        {{"model", model.name},
         {"title", model.title},
         {"parameters", all},
         {"active_parameters", active},
         {"active_parameters_with_embedding", static_cast<std::int64_t>(counts.active_with_embedding)},
         {"prediction_parameters", static_cast<std::int64_t>(counts.predictors)},
         {"layer_parameters", layer_parameters(model)},
         {"active_layer_parameters", active_layer_parameters(model)},
         {"published_parameters", published ? Tree(model.published_parameters) : Tree()},
         {"published_active_parameters", model.published_active > 0 ? Tree(model.published_active) : Tree()},
         {"parts", std::move(part_values)},
         {"kinds", std::move(kinds.tree)},
         {"weight_bytes", std::move(weights)},
         {"kv_bytes_per_token", kv},
         {"kv_bytes_per_sequence", numbers.a_sequence * cache_bytes},
         {"state_bytes_per_sequence", numbers.recurrent * cache_bytes},
         {"cache_type", std::string(name(cache))},
         {"sequence", tokens},
         {"forward_flop_per_token", a_token},
         {"training_flop_per_token", trained},
         {"attention_share_of_flop", share},
         {"layers", model.layers}},
        fmt::format("{}: {} parameters{}", model.title, si_text(static_cast<double>(all), ""),
                    mixes ? fmt::format(", {} of them active", si_text(static_cast<double>(active), ""))
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
        fmt::format(
            "that work on one token{}{}", model.vocabulary > 0 ? ", the head included" : "",
            model.published_active > 0
                ? fmt::format("; published: {}", si_text(static_cast<double>(model.published_active), "", 4))
                : std::string()));
    if (model.vocabulary > 0 && !model.tied_embeddings) {
        add("with embedding", si_text(counts.active_with_embedding, ""),
            "active, with the whole embedding, as many publications count");
    }
    if (model.predictors > 0) {
        add("prediction", si_text(counts.predictors, ""),
            fmt::format("more, of {} block{} that predict{} further tokens", model.predictors,
                        model.predictors > 1 ? "s" : "", model.predictors > 1 ? "" : "s"));
    }
    add("weights", bytes_text(2.0 * static_cast<double>(all)),
        fmt::format("in bf16; {} in fp32, {} in fp8", bytes_text(4.0 * static_cast<double>(all)),
                    bytes_text(static_cast<double>(all))));
    add("KV cache", bytes_text(kv), fmt::format("a token, in {}", name(cache)));
    if (numbers.a_sequence * cache_bytes < kv * static_cast<double>(tokens)) {
        add("", bytes_text(numbers.a_sequence * cache_bytes),
            fmt::format("a sequence of {} tokens, as windows bound it", tokens));
    }
    if (numbers.recurrent > 0) {
        add("state", bytes_text(numbers.recurrent * cache_bytes), "a sequence, of any length");
    }
    add("FLOP", si_text(a_token, "FLOP"),
        fmt::format("a token, forward; {} in training", si_text(trained, "FLOP")));
    add("attention", percent_text(share),
        fmt::format("of the FLOP, at {} tokens{}", tokens,
                    model.causal ? ", each of which sees those before it" : ""));
    answer.words = {{answer.headline + "\n"}, Paragraph{{}, std::move(lines)}};
    if (!model.kinds.empty()) {
        answer.words.push_back({"\n"});
        answer.words.push_back({{}, std::move(kinds.lines)});
    }
    answer.notes.push_back(
        model.vocabulary > 0
            ? std::string("Of a model whose file says no more, blocks without a gate have biases, and each "
                          "block has two norms.")
            : std::string("Not counted: the embedding and the head, as the vocabulary is not known."));
    if (!model.towers.empty()) {
        answer.notes.back() += " The FLOP are those of the blocks and the head, without encoders.";
    }
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
                     NamedTable::of("kinds", std::move(kinds.table)),
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
