// The KV cache of a chip: its pages by request, what requests share, and what a longer context costs.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/serve/serve_text.h"
#include "core/question/serve/replica/served_step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_drawn_requests = 6;

std::string pages_words(std::int64_t pages) {
    return pages == 1 ? said("1 page") : say("{} pages", pages);
}

/// Who holds how many pages.
ChartPanel pages_panel(const Served& served) {
    const CachePages& cache = *served.cache_layout;
    ChartPanel panel{say("The cache of a chip, in pages of {} tokens", cache.page_tokens)};
    panel.x = {said("pages"), ChartUnit::none};
    panel.y.categories = {said("cache")};
    const auto add = [&](std::string name, std::int64_t pages, Role role, std::string detail) {
        if (pages > 0) {
            ChartSeries series{std::move(name), SeriesKind::stack};
            series.values = {static_cast<double>(pages)};
            series.role = role;
            series.details = {std::move(detail)};
            panel.series.push_back(std::move(series));
        }
    };
    const std::int64_t shared = cache.prefixes * cache.prefix_pages;
    const std::int64_t at_work = std::min(cache.at_work, cache.most_requests);
    add(said("shared beginnings"), shared, Role::compute,
        say("{} of {} each, kept once", cache.prefixes, pages_words(cache.prefix_pages)));
    add(said("requests at work"), at_work * cache.request_pages, Role::backward,
        say("{}, each of {} of its own", requests_text(static_cast<double>(at_work)),
            pages_words(cache.request_pages)));
    const std::int64_t more = cache.most_requests - at_work;
    add(said("room for more requests"), more * cache.request_pages, Role::transferThird,
        say("{} more", requests_text(static_cast<double>(more))));
    add(said("too few for one more"),
        cache.pages - std::min(cache.pages, shared) - cache.most_requests * cache.request_pages,
        Role::slicing, said("left over"));
    return panel;
}

/// Beginnings of contexts as a tree: requests of the same beginning stand together, and what they share is
/// there once.
ChartPanel tree_panel(const Served& served) {
    const CachePages& cache = *served.cache_layout;
    const Replica& one = served.one;
    ChartPanel panel{cache.prefixes > 0 ? said("What the requests of a chip share")
                                        : said("The requests of a chip, which share nothing")};
    panel.x = {said("tokens of the context"), ChartUnit::none};
    panel.y.label = said("request");
    const std::int64_t drawn =
        std::clamp<std::int64_t>(std::min(cache.at_work, cache.most_requests), 1, most_drawn_requests);
    const std::int64_t prefixes = std::min(cache.prefixes, drawn);
    const auto begins = static_cast<double>(prefixes > 0 ? cache.prefix_pages * cache.page_tokens : 0);
    ChartSeries shared{said("shared beginning"), SeriesKind::stack};
    shared.role = Role::compute;
    ChartSeries prompt{said("prompt of its own"), SeriesKind::stack};
    prompt.role = Role::backward;
    ChartSeries output{said("output"), SeriesKind::stack};
    output.role = Role::transferHorizontal;
    const std::int64_t groups = std::max<std::int64_t>(prefixes, 1);
    for (std::int64_t group = 0; group < groups; ++group) {
        const std::int64_t its = drawn / groups + (group < drawn % groups ? 1 : 0);
        for (std::int64_t k = 0; k < its; ++k) {
            panel.y.categories.push_back(std::to_string(panel.y.categories.size() + 1));
            if (prefixes > 0) {
                panel.y.groups.push_back(say("beginning {}, kept once", group + 1));
                shared.values.emplace_back(begins);
                shared.details.push_back(say("{}, kept once for {}", pages_words(cache.prefix_pages),
                                             requests_text(static_cast<double>(its))));
            }
            prompt.values.emplace_back(one.input - begins);
            output.values.emplace_back(one.output);
        }
    }
    for (ChartSeries* series : {&shared, &prompt, &output}) {
        if (!series->values.empty()) {
            panel.series.push_back(std::move(*series));
        }
    }
    return panel;
}

ChartPanel contexts_panel(const Served& served) {
    ChartPanel panel{said("A decode step, by the tokens that each request has in the cache")};
    panel.x = {said("time of a step"), ChartUnit::seconds};
    panel.y.label = said("context");
    for (std::size_t kind = 0; kind < served_operations; ++kind) {
        ChartSeries series{operation_word(kind), SeriesKind::stack};
        series.role = served_role(kind);
        bool any = false;
        for (const ContextCost& one : served.contexts) {
            const bool runs = one.batch > 0;
            series.values.push_back(runs ? std::optional(one.step[kind].seconds) : std::nullopt);
            any = any || (runs && one.step[kind].seconds > 0);
        }
        if (any) {
            panel.series.push_back(std::move(series));
        }
    }
    for (const ContextCost& one : served.contexts) {
        const std::string context = fmt::format("{:.0f}", one.context);
        panel.y.categories.push_back(one.requests == 0              ? say("{}: does not fit", context)
                                     : one.batch < served.one.batch ? say("{}: {} fit", context, one.requests)
                                                                    : context);
        panel.y.remarks.push_back(one.batch > 0 ? say(", {} tokens/s of a chip", number_text(one.per_chip))
                                                : std::string());
    }
    return panel;
}

/// With the cache, and where each token is computed from the whole text.
ChartPanel spared_panel(const Served& served) {
    const SparedByCache spared = spared_by_cache(served.one);
    ChartPanel panel{said("A batch from its prompts to its last tokens")};
    panel.x = {said("time of a batch"), ChartUnit::seconds};
    panel.y.categories = {said("with the cache"), said("all again for each token")};
    for (const auto& [name, role, with, without] :
         {std::tuple(said("prefill"), Role::compute, spared.prefill, spared.again),
          std::tuple(said("decode"), Role::backward, spared.decode, 0.0)}) {
        ChartSeries series{name, SeriesKind::stack};
        series.role = role;
        series.values = {with, without};
        panel.series.push_back(std::move(series));
    }
    return panel;
}

} // namespace

Chart cache_chart(const Served& served) {
    const CachePages& cache = *served.cache_layout;
    const std::string finding =
        cache.prefixes > 0
            ? say("{} fit, and {} if they shared nothing",
                  requests_text(static_cast<double>(cache.most_requests)), cache.alone_requests)
            : say("{} of {} tokens fit into the {} of a chip",
                  requests_text(static_cast<double>(cache.most_requests)),
                  fmt::format("{:.0f}", served.one.input + served.one.output), pages_words(cache.pages));
    return {finding, {pages_panel(served), contexts_panel(served), tree_panel(served), spared_panel(served)}};
}

Table pages_table(const Served& served) {
    const CachePages& cache = *served.cache_layout;
    Table table{said("Pages of the KV cache of a chip"), {"pages_of", "number", "pages", "taken_bytes"}, {}};
    const auto add = [&](std::string whose, std::int64_t number, std::int64_t pages) {
        table.rows.push_back(
            {std::move(whose), number, pages, static_cast<double>(number * pages) * cache.page_bytes});
    };
    if (cache.prefixes > 0) {
        add(said("shared beginning"), cache.prefixes, cache.prefix_pages);
    }
    add(said("request at work"), cache.at_work, cache.request_pages);
    add(said("requests that fit"), cache.most_requests, cache.request_pages);
    add(said("all pages"), 1, cache.pages);
    return table;
}

Table contexts_table(const Served& served) {
    Table table{said("What a longer context costs"),
                {"context_tokens", "request_bytes", "requests_that_fit", "batch", "step_time_s",
                 "attention_s", "attention_share", "tokens_of_a_chip"},
                {}};
    for (const ContextCost& one : served.contexts) {
        const double step = seconds_of(one.step);
        double attention = 0;
        for (const ServedOperation& operation : one.step) {
            attention += operation.name == "attention" ? operation.seconds : 0;
        }
        table.rows.push_back({one.context, one.request_bytes, one.requests, one.batch, step, attention,
                              step > 0 ? attention / step : 0, one.per_chip});
    }
    return table;
}

void add_cache_words(const Served& served, Answer& answer) {
    const CachePages& cache = *served.cache_layout;
    Paragraph pages;
    pages.lines = {
        {said("a page"), bytes_text(cache.page_bytes), say("of a chip: {} tokens", cache.page_tokens)},
        {said("pages"), std::to_string(cache.pages), said("that there is room for on a chip")},
        {said("a request"), std::to_string(cache.request_pages),
         cache.prefixes > 0 ? said("pages of its own") : said("pages at its end")}};
    if (cache.prefixes > 0) {
        pages.lines.push_back({said("a beginning"), std::to_string(cache.prefix_pages),
                               say("pages, kept once; there are {}", cache.prefixes)});
    }
    pages.lines.push_back(
        {said("requests"), std::to_string(cache.most_requests),
         cache.prefixes > 0 ? say("fit, and {} if they shared nothing", cache.alone_requests) : said("fit")});
    answer.words.push_back({"\n" + said("The KV cache of a chip, in pages") + ":\n"});
    answer.words.push_back(std::move(pages));
    const SparedByCache spared = spared_by_cache(served.one);
    const double kept = spared.prefill + spared.decode;
    answer.words.push_back(
        {"\n" +
         say("Without a cache each token is computed from the whole text: a batch takes "
             "{} in place of {}, {} as long.",
             seconds_text(spared.again), seconds_text(kept), fmt::format("{:.3g}x", spared.again / kept)) +
         "\n"});
    Paragraph contexts{
        {},
        {{"context", "a request", "fit", "batch", "a step", "attention", "tokens/s of a chip"}},
        0,
        false};
    const Table table = contexts_table(served);
    for (const std::vector<Table::Cell>& row : table.rows) {
        const auto number = [&](std::size_t k) { return std::get<double>(row[k]); };
        const bool runs = number(3) > 0;
        contexts.lines.push_back({fmt::format("{:.0f}", number(0)), bytes_text(number(1)),
                                  std::to_string(std::get<std::int64_t>(row[2])),
                                  fmt::format("{:.0f}", number(3)), runs ? seconds_text(number(4)) : "-",
                                  runs ? percent_text(number(6)) : "-", runs ? number_text(number(7)) : "-"});
    }
    answer.words.push_back({"\n" + table.title + ":\n"});
    answer.words.push_back(std::move(contexts));
}

Tree cache_tree(const Served& served) {
    const CachePages& cache = *served.cache_layout;
    Tree made = {{"page_tokens", cache.page_tokens},
                 {"page_bytes", cache.page_bytes},
                 {"pages", cache.pages},
                 {"pages_of_request", cache.request_pages},
                 {"prefixes", cache.prefixes},
                 {"pages_of_prefix", cache.prefix_pages},
                 {"requests_that_fit", cache.most_requests},
                 {"requests_that_fit_unshared", cache.alone_requests}};
    const SparedByCache spared = spared_by_cache(served.one);
    made["batch_s"] = spared.prefill + spared.decode;
    made["batch_without_cache_s"] = spared.again;
    made["contexts"] = Tree::array();
    for (const ContextCost& one : served.contexts) {
        made["contexts"].push_back({{"tokens", one.context},
                                    {"request_bytes", one.request_bytes},
                                    {"requests_that_fit", one.requests},
                                    {"batch", one.batch},
                                    {"step_s", one.batch > 0 ? Tree(seconds_of(one.step)) : Tree()},
                                    {"tokens_per_s_per_chip", one.per_chip}});
    }
    return made;
}

} // namespace meshslice
