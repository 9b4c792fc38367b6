// What batches and drafts change, as charts and a table.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/serve/serve_text.h"
#include "core/question/serve/replica/served_step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// Powers of two up to the first that does not fit, and the one that is asked about.
std::vector<std::int64_t> shown_batches(const Served& served) {
    const auto asked = static_cast<std::int64_t>(served.one.batch);
    const std::int64_t most = std::max<std::int64_t>({served.most_batch, asked, 1});
    constexpr std::int64_t most_shown = 1 << 14;
    std::vector<std::int64_t> made;
    for (std::int64_t batch = 1; batch < 2 * most && batch <= most_shown; batch *= 2) {
        made.push_back(batch);
    }
    if (std::ranges::find(made, asked) == made.end()) {
        made.insert(std::ranges::upper_bound(made, asked), asked);
    }
    return made;
}

Replica with_batch(const Served& served, std::int64_t batch) {
    Replica one = served.one;
    one.batch = static_cast<double>(batch);
    return one;
}

/// Of each batch its parts, one on top of the other.
ChartPanel stacks_of(const std::vector<std::int64_t>& batches, std::string title, std::string axis,
                     ChartUnit unit) {
    ChartPanel panel{std::move(title)};
    panel.x = {std::move(axis), unit};
    panel.y.label = said("batch");
    for (const std::int64_t batch : batches) {
        panel.y.categories.push_back(std::to_string(batch));
    }
    return panel;
}

/// Of each step its kinds of operation.
void add_stacks(const std::vector<ServedOperations>& steps, ChartPanel& panel) {
    for (std::size_t kind = 0; kind < served_operations; ++kind) {
        ChartSeries series{operation_word(kind), SeriesKind::stack};
        series.role = served_role(kind);
        for (const ServedOperations& step : steps) {
            series.values.emplace_back(step[kind].seconds);
            series.details.push_back(fmt::format("{}", name(step[kind].bound)));
        }
        if (std::ranges::any_of(steps,
                                [&](const ServedOperations& step) { return step[kind].seconds > 0; })) {
            panel.series.push_back(std::move(series));
        }
    }
}

} // namespace

ChartPanel memory_by_batch(const Served& served) {
    const std::vector<std::int64_t> batches = shown_batches(served);
    ChartPanel panel = stacks_of(batches, said("Memory of a chip, by the batch"), said("memory of a chip"),
                                 ChartUnit::bytes);
    const std::array<std::string, 4> names = {said("weights"), said("KV cache"), said("activations"),
                                              said("runtime")};
    constexpr std::array<Role, 4> roles = {Role::compute, Role::backward, Role::slicing, Role::launch};
    for (std::size_t k = 0; k < batches.size(); ++k) {
        if (!fits(with_batch(served, batches[k]))) {
            panel.y.categories[k] = say("{}: does not fit", batches[k]);
        }
    }
    for (std::size_t part = 0; part < names.size(); ++part) {
        ChartSeries series{names[part], SeriesKind::stack};
        series.role = roles[part];
        for (const std::int64_t batch : batches) {
            const ServedMemory memory = served_memory(with_batch(served, batch));
            const std::array<double, 4> bytes = {memory.weights, memory.cache, memory.activations,
                                                 memory.runtime};
            series.values.emplace_back(bytes[part]);
        }
        panel.series.push_back(std::move(series));
    }
    return panel;
}

Chart step_by_batch(const Served& served) {
    const std::vector<std::int64_t> batches = shown_batches(served);
    ChartPanel panel =
        stacks_of(batches, said("A decode step, by the batch"), said("time of a step"), ChartUnit::seconds);
    std::vector<ServedOperations> steps;
    for (const std::int64_t batch : batches) {
        const Replica one = with_batch(served, batch);
        steps.push_back(step_costs(one, ServedPhase::decode, middle_context(one)));
    }
    add_stacks(steps, panel);
    ChartPanel rates{said("Tokens/s that decode puts out, by the batch")};
    rates.x = {said("tokens/s of a chip"), ChartUnit::none};
    rates.y = panel.y;
    ChartSeries rate{said("decode"), SeriesKind::stack};
    rate.role = Role::backward;
    for (std::size_t k = 0; k < batches.size(); ++k) {
        const double seconds = seconds_of(steps[k]);
        rate.values.emplace_back(static_cast<double>(batches[k]) * served.one.accepted / seconds /
                                 served.one.chips());
        rates.y.remarks.push_back(say(", {} of a user", number_text(served.one.accepted / seconds)));
    }
    rates.series.push_back(std::move(rate));
    const std::string title = served.critical_batch > 0
                                  ? say("From a batch of {} on, products take longer to compute than to read",
                                        number_text(served.critical_batch))
                                  : said("Products take longer to read than to compute at every batch");
    return {title, {std::move(panel), std::move(rates)}};
}

std::optional<ChartPanel> changed_steps(const Served& served) {
    ChartPanel panel{said("A token more of each request, if one number of the chip were twice as large")};
    panel.x = {said("time of a step"), ChartUnit::seconds};
    std::vector<ServedOperations> steps;
    for (const auto& [name, number] : {std::pair(said("arithmetic"), &SheetScale::arithmetic),
                                       std::pair(said("memory bandwidth"), &SheetScale::memory_rate),
                                       std::pair(said("link bandwidth"), &SheetScale::links)}) {
        ServingAsked changed = served.asked;
        changed.scale.*number *= 2;
        Result<Replica> one = replica_of(changed, static_cast<std::int64_t>(served.one.tensor));
        if (!one) {
            return std::nullopt;
        }
        one->batch = served.one.batch;
        one->input = served.one.input;
        one->output = served.one.output;
        panel.y.categories.push_back(name);
        steps.push_back(step_costs(*one, ServedPhase::decode, middle_context(*one)));
        panel.y.remarks.push_back(
            say(", {} of the time", percent_text(seconds_of(steps.back()) / seconds_of(served.decode))));
    }
    add_stacks(steps, panel);
    return panel;
}

std::vector<std::string> changed_step_words(const Served& served) {
    std::vector<std::string> sentences;
    const std::optional<ChartPanel> panel = served.decodes() ? changed_steps(served) : std::nullopt;
    for (std::size_t k = 0; panel && k < panel->y.categories.size(); ++k) {
        const double then = stack_sum(*panel, k).value_or(0), now = seconds_of(served.decode);
        sentences.push_back(say("With twice the {} a decode step takes {} instead of {}, {} of the time.",
                                panel->y.categories[k], seconds_text(then), seconds_text(now),
                                percent_text(then / now)));
    }
    return sentences;
}

Table batches_table(const Served& served) {
    Table table{
        said("Batches of a replica"),
        {"batch", "memory_bytes", "fits", "tpot_s", "tokens_per_s_of_a_replica", "tokens_per_s_per_user"},
        {}};
    for (const std::int64_t batch : shown_batches(served)) {
        const Replica one = with_batch(served, batch);
        const double memory = served_memory(one).total();
        const double tpot = seconds_of(step_costs(one, ServedPhase::decode, middle_context(one))) /
                            std::max(one.accepted, 1.0);
        table.rows.push_back({batch, memory, memory <= one.chip.chip.memory ? said("yes") : said("no"), tpot,
                              one.batch / tpot, 1 / tpot});
    }
    return table;
}

Chart drafts_chart(const Served& served) {
    ChartPanel panel;
    panel.x = {said("drafts of a step"), ChartUnit::none};
    panel.y = {said("tokens/s of a user"), ChartUnit::none};
    constexpr std::array<double, 4> acceptances = {0.5, 0.7, 0.8, 0.9};
    constexpr std::array<Role, 4> roles = {Role::launch, Role::slicing, Role::transferVertical,
                                           Role::compute};
    constexpr int most_drafts = 8;
    int best = 0;
    double most = 0;
    const double own = acceptance_of(served.one.drafts, served.one.accepted);
    const auto add = [&](double acceptance, Role role, bool asked) {
        ChartSeries series{asked ? say("{} are taken, as here", percent_text(acceptance))
                                 : say("{} are taken", percent_text(acceptance)),
                           SeriesKind::line};
        series.role = role;
        series.emphasized = asked;
        for (int drafts = 0; drafts <= most_drafts; ++drafts) {
            Replica one = served.one;
            one.drafts = drafts;
            one.accepted = accepted_tokens(drafts, acceptance);
            const double step = step_seconds(one, ServedPhase::decode, middle_context(one));
            const double rate = one.accepted / step;
            if (asked && rate > most) {
                most = rate;
                best = drafts;
            }
            series.points.push_back({static_cast<double>(drafts), rate});
            series.points.back().detail =
                say("{} tokens of a step of {}", number_text(one.accepted), seconds_text(step));
        }
        panel.series.push_back(std::move(series));
    };
    for (std::size_t k = 0; k < acceptances.size(); ++k) {
        add(acceptances[k], roles[k], false);
    }
    add(own, Role::text, true);
    return {best == 0 ? say("Where {} of the drafts are taken, none are best", percent_text(own))
                      : say("Where {} of the drafts are taken, {} are best: {} tokens/s of a user",
                            percent_text(own), best, number_text(most)),
            {std::move(panel)}};
}

} // namespace meshslice
