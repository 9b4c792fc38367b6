// Requests that come in time, in words and tables.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/serve/serve_text.h"

#include <string>
#include <utility>
#include <vector>

namespace meshslice {

std::string load_headline(const ServedLoad& served) {
    const ServingSummary& found = served.summary;
    const std::string rate = number_text(served.load.rate);
    if (served.overloaded() && served.failures > 0) {
        return say(
            "{} requests/s are too many: the queue grows as long as they come; {} a second can be served "
            "while no server fails",
            rate, number_text(served.capacity));
    }
    if (served.overloaded() && served.capacity >= served.load.rate) {
        return say(
            "{} requests/s are close to what can be served, {} a second, and the queue grows as long as they "
            "come",
            rate, number_text(served.capacity));
    }
    if (served.overloaded()) {
        return say(
            "{} requests/s are too many: the queue grows as long as they come; {} a second can be served",
            rate, number_text(served.capacity));
    }
    const std::string times =
        found.tpot.most > 0
            ? say("first token after {}, of 95 in 100 within {}; then one every {}",
                  seconds_text(found.ttft.p50), seconds_text(found.ttft.p95), seconds_text(found.tpot.p50))
            : say("first token after {}, of 95 in 100 within {}", seconds_text(found.ttft.p50),
                  seconds_text(found.ttft.p95));
    return served.load.rate > 0
               ? say("At {} requests/s, of the {} that can be served: {}", rate, number_text(served.capacity),
                     times)
               : say("Of {} at one time: {}", requests_text(static_cast<double>(found.requests)), times);
}

Table served_load_table(const ServedLoad& served) {
    Table table{said("Times of the requests that were simulated"),
                {"time of", "mean_s", "median_s", "of 95 in 100_s", "of 99 in 100_s", "longest_s"},
                {}};
    const ServingSummary& found = served.summary;
    for (const auto& [name, spread] :
         {std::pair(said("first token"), found.ttft), std::pair(said("next token"), found.tpot),
          std::pair(said("whole request"), found.e2e), std::pair(said("queue"), found.queue)}) {
        table.rows.push_back({name, spread.mean, spread.p50, spread.p95, spread.p99, spread.most});
    }
    return table;
}

std::string load_lines(const Served& served) {
    const ServedLoad& load = *served.load;
    const ServingSummary& found = load.summary;
    std::string lines =
        say("{}; replicas: {}, each with at most {} at work and room for {} tokens; they can serve {} "
            "requests/s.",
            requests_text(static_cast<double>(found.requests)), number_text(served.replicas()),
            requests_text(served.one.batch), load.cache_room, number_text(load.capacity)) +
        "\n";
    lines += say("{} tokens/s out, {} requests in a decode step, servers busy {} of the time; {} preempted.",
                 number_text(found.tokens_per_s), number_text(found.decode_batch),
                 percent_text(found.utilization), found.preemptions) +
             "\n";
    if (found.steady.any()) {
        lines +=
            say("From {} to {}, without the time in which servers fill up and run empty: {} tokens/s and "
                "{} requests/s out.",
                seconds_text(found.steady.from), seconds_text(found.steady.to),
                number_text(found.steady.tokens_per_s), number_text(found.steady.requests_per_s)) +
            "\n";
    }
    if (served.asked.apart()) {
        lines +=
            say("{} chips take prompts and {} decode; the cache of a request goes over in {}.",
                served.asked.prefill_chips, served.asked.decode_chips, seconds_text(served.transfer_s())) +
            "\n";
    }
    if (served.asked.autoscale > 0) {
        lines += say("{} servers were there on average, at most {}.", number_text(load.servers),
                     served.asked.autoscale) +
                 "\n";
    }
    if (served.asked.fail_every > 0) {
        lines += say("Failures of servers: {}; {} began again, {} were lost.", load.failures,
                     requests_text(static_cast<double>(found.restarts)), found.lost) +
                 "\n";
    }
    if (!load.kept.whole && load.result != nullptr) {
        lines += say("The timeline shows {} to {} of {}.", seconds_text(load.kept.from),
                     seconds_text(load.kept.to), seconds_text(load.result->end)) +
                 "\n";
    }
    if (served.one.shared > 0) {
        lines += say("{} of the prompts' tokens were in the cache.", percent_text(found.reused_share)) + "\n";
    }
    if (found.refused > 0) {
        lines += say("{} refused, as they need more than the cache holds; times are of the others.",
                     found.refused) +
                 "\n";
    }
    if (load.overloaded()) {
        lines +=
            said("The queue grows as long as requests come: the times say how many were simulated.") + "\n";
    }
    if (!served.limits.empty()) {
        lines += say("The goal is met by {} of the requests.", percent_text(found.good_share)) + "\n";
        for (const ServingLimit& limit : served.limits) {
            const double value = simulated_value(limit, found);
            const auto text = [&](double of) { return limit.below ? seconds_text(of) : number_text(of); };
            const bool met = limit.below ? value <= limit.value : value >= limit.value;
            lines +=
                (met ? say("{} is {}, within {}.", limit_name(limit), text(value), text(limit.value))
                     : say("{} is {}, and {} is asked.", limit_name(limit), text(value), text(limit.value))) +
                "\n";
        }
    }
    return lines;
}

Paragraph load_times(const Table& table) {
    Paragraph times{{}, {{"", "mean", "median", "95 in 100", "99 in 100", "longest"}}, 1, false};
    for (const std::vector<Table::Cell>& row : table.rows) {
        std::vector<std::string> cells = {std::get<std::string>(row.front())};
        for (std::size_t k = 1; k < row.size(); ++k) {
            cells.push_back(seconds_text(std::get<double>(row[k])));
        }
        times.lines.push_back(std::move(cells));
    }
    return times;
}

} // namespace meshslice
