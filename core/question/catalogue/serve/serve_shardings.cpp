// Which layout of a replica suits prefill and which decode, and why.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/serve/serve_text.h"
#include "core/question/serve/replica/served_step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

double exchange_of(const SharedStep& one) {
    for (const ServedOperation& operation : one.costs) {
        if (operation.name == "exchange") {
            return operation.seconds;
        }
    }
    return 0;
}

/// "tp 8 takes 12.1 ms, bound by memory, links 3.2 ms; next tp 4, 1.4x as long ...".
std::string sharding_reason(const std::vector<SharedStep>& steps) {
    const SharedStep& first = steps.front();
    std::string words =
        say("{} takes {}, bound by {}, links {}", layout_words(first.layout), seconds_text(first.seconds),
            served_bound_word(first.bound), seconds_text(exchange_of(first)));
    if (steps.size() > 1) {
        const SharedStep& next = steps[1];
        words += said("; ") +
                 (next.fits ? say("next {}, {} as long, bound by {}, links {}", layout_words(next.layout),
                                  fmt::format("{:.2f}x", next.seconds / first.seconds),
                                  served_bound_word(next.bound), seconds_text(exchange_of(next)))
                            : say("no other one fits"));
    }
    return words;
}

ChartPanel layouts_panel(const std::vector<SharedStep>& steps, std::string title) {
    ChartPanel panel{std::move(title)};
    panel.x = {said("time of a step"), ChartUnit::seconds};
    constexpr std::size_t most_shown = 8;
    const std::size_t shown = std::min(steps.size(), most_shown);
    for (std::size_t k = 0; k < shown; ++k) {
        const std::string words = layout_words(steps[k].layout);
        panel.y.categories.push_back(steps[k].fits ? words : say("{}: does not fit", words));
    }
    for (std::size_t kind = 0; kind < served_operations; ++kind) {
        ChartSeries series{operation_word(kind), SeriesKind::stack};
        series.role = served_role(kind);
        bool any = false;
        for (std::size_t k = 0; k < shown; ++k) {
            series.values.emplace_back(steps[k].costs[kind].seconds);
            any = any || steps[k].costs[kind].seconds > 0;
        }
        if (any) {
            panel.series.push_back(std::move(series));
        }
    }
    return panel;
}

ChartPanel exchanges_panel(const Served& served) {
    ChartPanel panel;
    panel.x = {said("chips of a replica"), ChartUnit::none, true};
    panel.y = {said("time of the exchanges"), ChartUnit::seconds, true};
    ChartSeries one{said("1D: all-reduces"), SeriesKind::line},
        two{said("2D weight-stationary"), SeriesKind::line};
    one.role = Role::transferHorizontal;
    two.role = Role::transferVertical;
    for (const LayerExchange& at : served.exchanges) {
        one.points.push_back({static_cast<double>(at.chips), at.one_dimension});
        two.points.push_back({static_cast<double>(at.chips), at.two_dimensions});
        two.points.back().detail = fmt::format("{} x {}", at.across, at.chips / at.across);
    }
    panel.series = {std::move(one), std::move(two)};
    return panel;
}

Table exchanges_table(const Served& served) {
    Table table{said("What links take in a layer of a decode step"),
                {"chips", "one_dimension_s", "two_dimensions_s", "across"},
                {}};
    for (const LayerExchange& at : served.exchanges) {
        table.rows.push_back({at.chips, at.one_dimension, at.two_dimensions, at.across});
    }
    return table;
}

/// The fewest chips from which on 2D is quicker; 0: at none that were looked at.
std::int64_t two_dimensions_from(const Served& served) {
    std::int64_t from = 0;
    for (const LayerExchange& at : served.exchanges) {
        const bool quicker = at.two_dimensions < at.one_dimension;
        from = !quicker ? 0 : from == 0 ? at.chips : from;
    }
    return from;
}

void add_layouts(Table& table, const std::string& phase, const std::vector<SharedStep>& steps) {
    std::size_t place = 0;
    for (const SharedStep& one : steps) {
        const std::string rank = !one.fits    ? said("does not fit")
                                 : place == 0 ? said("quickest")
                                 : place == 1 ? said("next")
                                              : std::string();
        place += one.fits ? 1U : 0U;
        table.rows.push_back({phase, layout_words(one.layout), one.replicas, one.batch, one.seconds,
                              exchange_of(one), served_bound_word(one.bound), one.per_chip, one.memory,
                              rank});
    }
}

Tree layouts_tree(const std::vector<SharedStep>& steps) {
    Tree all = Tree::array();
    for (const SharedStep& one : steps) {
        all.push_back({{"layout", layout_words(one.layout)},
                       {"tp", one.layout.tensor},
                       {"weights_across", one.layout.weights_across},
                       {"cache_across", one.layout.cache_across},
                       {"cp", one.layout.context},
                       {"replicas", one.replicas},
                       {"batch", one.batch},
                       {"step_s", one.seconds},
                       {"exchange_s", exchange_of(one)},
                       {"bound", name(one.bound)},
                       {"tokens_per_s_per_chip", one.per_chip},
                       {"memory_bytes", one.memory},
                       {"fits", one.fits}});
    }
    return all;
}

Chart shardings_chart(const Served& served) {
    const ServingShardings& all = *served.shardings;
    return {all.decode.front().fits
                ? say("Quickest: {} for prefill, {} for decode", layout_words(all.prefill.front().layout),
                      layout_words(all.decode.front().layout))
                : said("No layout fits"),
            {layouts_panel(all.decode, said("A decode step, of all requests on all chips")),
             layouts_panel(all.prefill, said("A prefill of all prompts, on all chips"))}};
}

Table shardings_table(const Served& served) {
    Table table{said("Layouts of the same requests on the same chips"),
                {"phase", "layout", "replicas", "batch", "step_time_s", "exchange_s", "bound",
                 "tokens_of_a_chip", "memory_bytes", "rank"},
                {}};
    add_layouts(table, said("prefill"), served.shardings->prefill);
    add_layouts(table, said("decode"), served.shardings->decode);
    return table;
}

std::string shardings_lines(const Served& served) {
    const ServingShardings& all = *served.shardings;
    std::string words = say("Prefill: {}.", sharding_reason(all.prefill)) + "\n" +
                        say("Decode: {}.", sharding_reason(all.decode)) + "\n";
    if (all.prefill_limit > 0 && all.decode_limit > 0) {
        words +=
            say("Links take as long as arithmetic in a prefill at about {} chips a replica, and as long as "
                "reading the weights in a decode step at about {}.",
                number_text(std::round(all.prefill_limit)), number_text(std::round(all.decode_limit))) +
            "\n";
    }
    if (!served.exchanges.empty()) {
        const std::int64_t from = two_dimensions_from(served);
        words +=
            (from > 0 ? say("Weights in two dimensions take less of the links than in one from {} chips a "
                            "replica on.",
                            from)
                      : say("Weights in one dimension take less of the links than in two, up to {} chips "
                            "a replica.",
                            served.exchanges.back().chips)) +
            "\n";
    }
    return words;
}

} // namespace

std::string layout_words(const ServingLayout& layout) {
    const std::string tensor = fmt::format("tp {}", layout.tensor);
    const auto grid = [&](std::int64_t across) {
        return fmt::format("{} x {}", across, layout.tensor / across);
    };
    return layout.weights_across > 1 ? say("{}, 2D {}", tensor, grid(layout.weights_across))
           : layout.cache_across > 1 ? say("{}, cache {}", tensor, grid(layout.cache_across))
           : layout.context > 1      ? fmt::format("{}, cp {}", tensor, layout.context)
                                     : tensor;
}

void add_shardings(const Served& served, Answer& answer) {
    Table table = shardings_table(served);
    Paragraph lines{
        {},
        {{"", "layout", "replicas", "batch", "a step", "links", "bound", "tokens/s of a chip", "memory", ""}},
        2,
        true};
    const bool any_fits = served.shardings->decode.front().fits;
    for (const std::vector<Table::Cell>& row : table.rows) {
        if (any_fits && row.back() == Table::Cell(said("does not fit"))) {
            continue; // the table has them
        }
        const auto number = [&](std::size_t k) { return std::get<double>(row[k]); };
        const auto word = [&](std::size_t k) { return std::get<std::string>(row[k]); };
        lines.lines.push_back({word(0), word(1), std::to_string(std::get<std::int64_t>(row[2])),
                               number_text(number(3)), seconds_text(number(4)), seconds_text(number(5)),
                               word(6), number_text(number(7)), bytes_text(number(8)), word(9)});
    }
    answer.words.push_back({"\n" + table.title + ":\n"});
    answer.words.push_back(std::move(lines));
    answer.words.push_back({"\n" + shardings_lines(served)});
    const SharedStep& quickest = served.shardings->decode.front();
    if (quickest.fits && !(quickest.layout == served.one.layout)) {
        const ServingLayout& layout = quickest.layout;
        const FieldValue tensor =
            layout.weights_across > 1
                ? FieldValue(std::vector{layout.weights_across, layout.tensor / layout.weights_across})
                : FieldValue(layout.tensor);
        answer.offers.push_back(
            {say("Use {}, the quickest for decode", layout_words(layout)),
             {{"serve", "chips", served.shardings->chips},
              {"serve", "tp", tensor},
              {"serve", "cache-across", layout.weights_across > 1 ? std::int64_t{1} : layout.cache_across},
              {"serve", "cp", layout.context},
              {"serve", "batch", static_cast<std::int64_t>(quickest.batch)}}});
    }
    answer.tables.push_back(NamedTable::of("shardings", std::move(table)).as(TableKind::alternatives));
    answer.charts.push_back({"shardings", shardings_chart(served)});
    if (!served.exchanges.empty()) {
        answer.tables.push_back(NamedTable::of("exchanges", exchanges_table(served)));
        answer.charts.push_back(
            {"exchanges", {said("What links take in a layer of a decode step"), {exchanges_panel(served)}}});
    }
}

Tree shardings_tree(const Served& served) {
    const ServingShardings& all = *served.shardings;
    Tree made = {{"chips", all.chips},
                 {"requests", all.requests},
                 {"prefill_limit_chips", all.prefill_limit > 0 ? Tree(all.prefill_limit) : Tree()},
                 {"decode_limit_chips", all.decode_limit > 0 ? Tree(all.decode_limit) : Tree()}};
    made["prefill"] = layouts_tree(all.prefill);
    made["decode"] = layouts_tree(all.decode);
    made["exchanges"] = Tree::array();
    for (const LayerExchange& at : served.exchanges) {
        made["exchanges"].push_back({{"chips", at.chips},
                                     {"one_dimension_s", at.one_dimension},
                                     {"two_dimensions_s", at.two_dimensions},
                                     {"across", at.across}});
    }
    return made;
}

} // namespace meshslice
