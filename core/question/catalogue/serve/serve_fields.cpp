#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/serve/serve_text.h"
#include "core/scenario/fields.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_requests = std::int64_t{1} << 20;
constexpr std::int64_t most_request_tokens = std::int64_t{1} << 24;
constexpr std::int64_t most_simulated_requests = 1'000'000;
constexpr std::int64_t most_serving_chips = std::int64_t{1} << 20;
constexpr std::int64_t most_prefixes = 10'000, most_drafts = 64;

QuestionField serving_number(FieldRow row, std::int64_t most, std::string first) {
    row.kind = FieldKind::whole;
    row.least = 1;
    row.most = most;
    row.doubling = true;
    return {.row = std::move(row), .first = std::move(first)};
}

std::vector<FieldChoice> types_kept() {
    return {{"bf16", {}}, {"fp8", {}}, {"int8", {}}, {"int4", {}}, {"fp4", {}}};
}

QuestionField serving_choice(FieldRow row, const std::vector<FieldChoice>& choices, std::string first) {
    row.kind = FieldKind::choice;
    row.choices = choices;
    return {.row = std::move(row), .first = std::move(first)};
}

} // namespace

namespace {

QuestionField serving_share(FieldRow row) {
    row.kind = FieldKind::quantity;
    row.lowest = 0;
    row.highest = 1;
    return {.row = std::move(row)};
}

/// How a replica lies on its chips next to tensor parallelism.
void add_layout(std::vector<QuestionField>& fields) {
    fields.push_back(serving_number(
        {.key = "cp",
         .name = said("Context parallel"),
         .label = said("Context parallel"),
         .help = said("Groups of chips, each with all weights, that divide the tokens of each request"),
         .flag = "--cp",
         .flag_help =
             "N: groups of --tp chips in a replica, each with all weights, that divide the tokens of "
             "each request and its cache (default 1)"},
        most_serving_chips, "1"));
    fields.push_back(serving_number(
        {.key = "cache-across",
         .name = said("Parts of the cache"),
         .label = said("Parts of the cache"),
         .help = said("Parts of a replica's chips that attend to requests of their own, so that heads of the "
                      "cache of which there are fewer than chips are kept once"),
         .flag = "--cache-across",
         .flag_help = "N: parts of the --tp chips that attend to requests of their own, so that heads of the "
                      "cache of which there are fewer than chips are kept once (default 1)"},
        most_serving_chips, "1"));
    fields.push_back(serving_number(
        {.key = "dp",
         .name = said("Data-parallel attention"),
         .label = said("Data parallel"),
         .help = said("Groups of chips that attend to requests of their own, and share the experts"),
         .flag = "--dp",
         .flag_help = "N: groups of --tp chips in a replica that attend to requests of their own and share "
                      "the experts (default 1)"},
        most_serving_chips, "1"));
    fields.push_back(serving_number(
        {.key = "ep",
         .name = said("Expert parallel"),
         .label = said("Expert parallel"),
         .help = said("Groups of chips that hold a share of the experts each"),
         .flag = "--ep",
         .flag_help =
             "N|auto: groups of a replica's chips that hold a share of the experts each (default one "
             "for each chip with --dp, else 1)",
         .word = "auto"},
        most_serving_chips, {}));
    fields.push_back(serving_number({.key = "pp",
                                     .name = said("Pipeline stages"),
                                     .label = said("Pipeline stages"),
                                     .help = said("Stages of a replica, each with a part of the layers"),
                                     .flag = "--pp",
                                     .flag_help = "N: stages of a replica, each of --tp chips with a part of "
                                                  "the layers (default 1)"},
                                    most_serving_chips, "1"));
}

/// Pools, what prompts share, and drafts.
void add_serving_kinds(std::vector<QuestionField>& fields) {
    fields.push_back(
        serving_number({.key = "prefill-chips",
                        .name = said("Chips that prefill"),
                        .label = said("Chips that prefill"),
                        .help = said("In a pool of their own; the cache then moves to those that "
                                     "decode"),
                        .flag = "--prefill-chips",
                        .flag_help = "N: in a pool that only takes prompts; with --decode-chips",
                        .word = "none",
                        .word_label = said("none")},
                       most_serving_chips, {}));
    fields.push_back(serving_number({.key = "decode-chips",
                                     .name = said("Chips that decode"),
                                     .label = said("Chips that decode"),
                                     .help = said("In a pool of their own, next to those that prefill"),
                                     .flag = "--decode-chips",
                                     .flag_help = "N: in a pool that only decodes; with --prefill-chips",
                                     .word = "none",
                                     .word_label = said("none")},
                                    most_serving_chips, {}));
    fields.push_back(serving_share(
        {.key = "prefix",
         .name = said("Shared prefix"),
         .label = said("Shared prefix"),
         .help = said("Share of a prompt with which others begin too; it stays in the cache"),
         .flag = "--prefix",
         .flag_help =
             "SHARE: of each prompt, with which others begin too, such as 0.5; it stays in the cache"}));
    fields.push_back(serving_number({.key = "prefixes",
                                     .name = said("Prefixes"),
                                     .label = said("Prefixes"),
                                     .help = said("How many different ones there are, each as frequent"),
                                     .flag = "--prefixes",
                                     .flag_help = "N: how many different prefixes there are (default 1)"},
                                    most_prefixes, "1"));
    fields.push_back(serving_number(
        {.key = "drafts",
         .name = said("Draft tokens"),
         .label = said("Draft tokens"),
         .help =
             said("Tokens of speculation, or of multi-token prediction, that a step checks for each request"),
         .flag = "--drafts",
         .flag_help = "N: tokens of speculation, or of multi-token prediction, that a decode step checks for "
                      "each request (default none)",
         .word = "none",
         .word_label = said("none")},
        most_drafts, {}));
    fields.push_back(serving_share(
        {.key = "acceptance",
         .name = said("Acceptance"),
         .label = said("Acceptance"),
         .help = said("How often a draft is taken if the one before it was"),
         .flag = "--acceptance",
         .flag_help = "SHARE: how often a draft is taken if the one before it was (default as fitted to runs "
                      "with three drafts)"}));
    fields.push_back(serving_choice(
        {.key = "routing",
         .name = said("Routing"),
         .label = said("Routing"),
         .help = said("Which replica a request goes to"),
         .flag = "--routing",
         .flag_help = "round-robin|least-loaded|prefix-aware: which replica a request goes to (default "
                      "least-loaded)"},
        {{"round-robin", said("in turn")},
         {"least-loaded", said("the least loaded")},
         {"prefix-aware", said("one that has its prefix")}},
        "least-loaded"));
}

/// Servers that come and go, and what of them is shown.
void add_servers_in_time(std::vector<QuestionField>& fields) {
    const auto times = [](FieldRow row) {
        row.kind = FieldKind::quantity;
        row.unit = "s";
        row.lowest = 0;
        row.highest = 1e9;
        row.example = "\"10 min\"";
        return QuestionField{.row = std::move(row)};
    };
    fields.push_back(times({.key = "fail-every",
                            .name = said("Fails every"),
                            .label = said("Fails every"),
                            .help = said("Time between failures of a server on average; its requests begin "
                                         "again on another one"),
                            .flag = "--fail-every",
                            .flag_help = "TIME: between failures of a server on average, such as 10min; its "
                                         "requests begin again on another one"}));
    fields.push_back(serving_number({.key = "autoscale",
                                     .name = said("Most servers"),
                                     .label = said("Most servers"),
                                     .help = said("That are started while requests wait, and stopped again; "
                                                  "at first there are as many as the chips make"),
                                     .flag = "--autoscale",
                                     .flag_help = "N: servers at most, which start while requests wait and "
                                                  "stop again; at first there are those of --chips",
                                     .word = "as at first",
                                     .word_label = said("as at first")},
                                    most_serving_chips, {}));
    fields.push_back(times({.key = "start-delay",
                            .name = said("Start of a server"),
                            .label = said("Start of a server"),
                            .help = said("Time until a server that starts, or comes back after a failure, "
                                         "takes requests"),
                            .flag = "--start-delay",
                            .flag_help = "TIME: until a server that starts, or comes back after a failure, "
                                         "takes requests (default 60s)"}));
    fields.push_back(
        {.row = {.key = "span",
                 .name = said("Timeline"),
                 .label = said("Timeline"),
                 .help = said("Seconds of the simulation that the timeline shows, such as 60:120"),
                 .flag = "--span",
                 .flag_help = "A:B: seconds of the simulation that --trace writes (default from "
                              "its begin, as much as has room)"}});
}

} // namespace

std::vector<QuestionField> serve_fields() {
    FieldRow model{.key = "model",
                   .name = said("Model"),
                   .label = said("Model"),
                   .help = said("The model that is served"),
                   .flag = "--model",
                   .flag_help = "NAME|FILE.json: a preset, a file of ours or a Hugging Face config.json",
                   .kind = FieldKind::part};
    model.choices = FieldChoices::later([] { return choices_of(model_presets()); });
    std::vector<QuestionField> fields;
    fields.push_back({.row = std::move(model), .needed = true, .shown = "llama-3-70b"});
    fields.push_back(chip_field(ChipsOffered::any, said("Whose peaks, memory and network count")));
    fields.push_back(serving_number({.key = "chips",
                                     .name = said("Chips"),
                                     .label = said("Chips"),
                                     .help = said("In all; replicas share them"),
                                     .flag = "--chips",
                                     .flag_help = "N: in all (default those of one replica)",
                                     .word = "one replica",
                                     .word_label = said("one replica")},
                                    most_serving_chips, {}));
    fields.push_back(serving_number(
        {.key = "tp",
         .name = said("Tensor parallel"),
         .label = said("Tensor parallel"),
         .help =
             said("Chips that share a replica; without a number the fewest that hold it. 4x8: weights in two "
                  "dimensions, 4 along the model's own and 8 along heads and columns"),
         .flag = "--tp",
         .flag_help =
             "N|AxB|auto: chips of a replica, which share each layer (default the fewest that hold it); "
             "AxB: weights in two dimensions, on A chips along the model's own and B along heads and "
             "columns",
         .word = "auto"},
        most_serving_chips, {}));
    fields.back().row.sides = true;
    add_layout(fields);
    fields.push_back(
        serving_choice({.key = "weights",
                        .name = said("Weights"),
                        .label = said("Weights"),
                        .help = said("The type in which the weights are kept"),
                        .flag = "--weights",
                        .flag_help = "bf16|fp8|int8|int4|fp4: type of the weights (default bf16)"},
                       types_kept(), "bf16"));
    fields.push_back(
        serving_choice({.key = "cache",
                        .name = said("KV cache"),
                        .label = said("KV cache"),
                        .help = said("The type in which keys and values are kept"),
                        .flag = "--cache",
                        .flag_help = "bf16|fp8|int8|int4|fp4: type of the KV cache (default bf16)"},
                       types_kept(), "bf16"));
    fields.push_back(serving_number({.key = "input",
                                     .name = said("Input tokens"),
                                     .label = said("Input tokens"),
                                     .help = said("Tokens of each prompt"),
                                     .flag = "--input",
                                     .flag_help = "N: tokens of each prompt (default 1024)"},
                                    most_request_tokens, "1024"));
    fields.push_back(serving_number({.key = "output",
                                     .name = said("Output tokens"),
                                     .label = said("Output tokens"),
                                     .help = said("Tokens that each request gets"),
                                     .flag = "--output",
                                     .flag_help = "N: tokens that each request gets (default 256)"},
                                    most_request_tokens, "256"));
    fields.push_back(serving_number({.key = "batch",
                                     .name = said("Batch"),
                                     .label = said("Batch"),
                                     .help = said("Requests that a replica works on at once"),
                                     .flag = "--batch",
                                     .flag_help = "N: requests of a replica at once (default 32)"},
                                    most_requests, "32"));
    fields.push_back(serving_choice(
        {.key = "efficiency",
         .name = said("Efficiency"),
         .label = said("Efficiency"),
         .help = said("Measured: constants fitted to measured rows. Ideal: rates of the data sheet, and no "
                      "overhead"),
         .flag = "--efficiency",
         .flag_help = "measured|ideal: constants fitted to measured rows, or the rates of the data sheet "
                      "without any overhead (default measured)"},
        {{"measured", said("measured")}, {"ideal", said("ideal")}}, "measured"));
    fields.push_back(serving_choice(
        {.key = "phase",
         .name = said("Phase"),
         .label = said("Phase"),
         .help = said("Prefill and decode, or one of them"),
         .flag = "--phase",
         .flag_help = "both|prefill|decode: what is asked about (default both)"},
        {{"both", said("prefill and decode")}, {"prefill", said("prefill")}, {"decode", said("decode")}},
        "both"));
    fields.push_back(serving_choice(
        {.key = "engine",
         .name = said("Engine"),
         .label = said("Engine"),
         .help = said("The program that serves; its overheads count"),
         .flag = "--engine",
         .flag_help = "tensorrt-llm|vllm|sglang (default tensorrt-llm)"},
        {{"tensorrt-llm", "TensorRT-LLM"}, {"vllm", "vLLM"}, {"sglang", "SGLang"}}, "tensorrt-llm"));
    fields.push_back(serving_choice(
        {.key = "compute",
         .name = said("Multiplied as"),
         .label = said("Multiplied as"),
         .help = said("Without a choice fp8 and fp4 weights as such, and integers in bf16"),
         .flag = "--compute",
         .flag_help =
             "bf16|fp8|int8|fp4: what is multiplied (default fp8 and fp4 weights as such, integers in "
             "bf16)",
         .word = "as the weights",
         .word_label = said("as the weights")},
        {{"bf16", {}}, {"fp8", {}}, {"int8", {}}, {"fp4", {}}}, {}));
    add_serving_kinds(fields);
    fields.push_back(
        {.row =
             {.key = "show",
              .name = said("Also shown"),
              .help = said("Tokens/s of a chip against those of a user, the KV cache by page and context, "
                           "other layouts of the same chips, or other orders of prompts and decoding"),
              .flag = "--show",
              .flag_help =
                  "cache|shardings|schedules|frontier: the KV cache by page, request and context; layouts of "
                  "the same requests on the same chips, for prefill and decode; the same requests in "
                  "batches, interleaved, in chunks and in a pool for each phase; or as --frontier",
              .kind = FieldKind::choice,
              .choices = {{"frontier", said("frontier")},
                          {"cache", said("KV cache")},
                          {"shardings", said("layouts")},
                          {"schedules", said("schedules")}},
              .word_label = said("one batch")},
         .aliases = {{"--frontier", "frontier",
                      "Tokens/s of a chip against those of a user, over batches and splits"}}});
    fields.push_back(
        {.row = {.key = "goal",
                 .name = said("Goal"),
                 .label = said("Goal"),
                 .help = said(
                     "Limits, such as ttft<500ms,tpot<30ms: the fewest chips of a replica that meet them"),
                 .flag = "--goal",
                 .flag_help = "LIMITS: the fewest chips of a replica that meet them, such as "
                              "\"ttft<500ms,tpot<30ms\"; with --rate the cheapest deployment, at most of "
                              "--chips, by simulation of requests, of which 95 in 100 meet a limit (or as "
                              "ttft_p50 and ttft_p99 say)"}});
    fields.push_back({.row = {.key = "rate",
                              .name = said("Requests a second"),
                              .label = said("Requests/s"),
                              .help = said("Come one by one, independent of each other, and are simulated"),
                              .flag = "--rate",
                              .flag_help = "N: requests a second, which come independent of each other; they "
                                           "are simulated, at most --batch of them at once in a replica",
                              .kind = FieldKind::quantity,
                              .lowest = 1e-6,
                              .highest = 1e6}});
    fields.push_back(serving_number({.key = "requests",
                                     .name = said("Requests"),
                                     .label = said("Requests"),
                                     .help = said("How many are simulated"),
                                     .flag = "--requests",
                                     .flag_help = "N: how many are simulated (default 1000)"},
                                    most_simulated_requests, "1000"));
    fields.push_back(serving_number({.key = "seed",
                                     .name = said("Seed"),
                                     .label = said("Seed"),
                                     .help = said("Of when requests come"),
                                     .flag = "--seed",
                                     .flag_help = "N: of when requests come (default 1)"},
                                    most_simulated_requests, "1"));
    fields.push_back(file_flag("--arrivals", "FILE.csv: requests to replay, with the columns arrival_s, "
                                             "input_tokens and output_tokens, or those of Azure's traces"));
    fields.back().row.name = said("Arrivals");
    fields.back().row.label = said("Arrivals");
    fields.back().row.help = said("Requests to replay: when each comes, its tokens in and out");
    add_servers_in_time(fields);
    fields.push_back(
        {.row = {.key = "price",
                 .name = said("Price"),
                 .label = said("Price"),
                 .help = said("Of a chip for an hour, in any currency"),
                 .flag = "--price",
                 .flag_help = "N: of a chip-hour, in any currency: adds what a million tokens cost",
                 .kind = FieldKind::quantity,
                 .highest = 1e9}});
    return fields;
}

Result<OwnValues> kept_deployment(const Scenario& scenario) {
    OwnTexts texts = scenario.serving;
    for (const char* const shared : {"model", "hardware"}) {
        texts.erase(shared); // as other tasks left them
    }
    const auto arrivals = texts.extract("arrivals");
    Question kept;
    kept.title = said("Serving");
    for (QuestionField& field : serve_fields()) {
        field.needed = false;
        kept.fields.push_back(std::move(field));
    }
    Result<Asked> asked = asked_of(kept, texts, Speech::file);
    if (!asked) {
        return refuse(asked.error());
    }
    for (const char* const shared : {"model", "hardware"}) {
        asked->own[shared] = scenario_field(shared).get(scenario);
    }
    if (!arrivals.empty() && !arrivals.mapped().empty()) {
        const Result<std::string> text = read_text_file(arrivals.mapped());
        if (!text) {
            return refuse(text.error());
        }
        asked->own["arrivals"] = JsonPart{*text, arrivals.mapped()};
    }
    return std::move(asked->own);
}

} // namespace meshslice
