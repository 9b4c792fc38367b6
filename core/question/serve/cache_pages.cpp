#include "core/question/serve/cache_pages.h"

#include "core/question/serve/frontier.h"
#include "core/question/serve/offered_load.h"
#include "core/serve/deployment.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

std::int64_t pages_of(double tokens, std::int64_t page) {
    return static_cast<std::int64_t>(std::ceil(tokens / static_cast<double>(page)));
}

/// Requests that attend on one chip.
std::int64_t of_a_chip(const Replica& one, double requests) {
    return static_cast<std::int64_t>(std::ceil(requests / one.data));
}

} // namespace

CachePages cache_pages(const Replica& one, std::int64_t prefixes) {
    CachePages made;
    made.page_tokens = ServerSettings().page;
    made.page_bytes = cache_bytes_of_token(one) * static_cast<double>(made.page_tokens);
    const double tokens = static_cast<double>(cache_room_of(one)) / one.data;
    made.pages = static_cast<std::int64_t>(tokens / static_cast<double>(made.page_tokens));
    made.at_work = of_a_chip(one, one.batch);
    const std::int64_t whole = pages_of(one.input + one.output, made.page_tokens);
    made.prefix_pages =
        static_cast<std::int64_t>(one.shared / static_cast<double>(made.page_tokens)); // whole pages alone
    made.prefixes = made.prefix_pages > 0 ? prefixes : 0;
    made.request_pages = whole - made.prefix_pages;
    made.alone_requests = made.pages / whole;
    made.most_requests =
        std::max<std::int64_t>(0, made.pages - made.prefixes * made.prefix_pages) / made.request_pages;
    return made;
}

SparedByCache spared_by_cache(const Replica& one) {
    SparedByCache made;
    const ServedTimes times = served_times(one);
    made.prefill = times.ttft;
    made.decode = times.e2e - times.ttft;
    Replica whole = one;
    whole.shared = 0;
    // The mean of a prefill over lengths that grow token by token, by Simpson's rule: it is nearly a square.
    const auto prefill = [&](double tokens) {
        whole.input = tokens;
        return step_seconds(whole, ServedPhase::prefill, 0);
    };
    const double last = one.input + one.output - 1;
    made.again = one.output * (prefill(one.input) + 4 * prefill((one.input + last) / 2) + prefill(last)) / 6;
    return made;
}

std::vector<ContextCost> context_costs(const Replica& one) {
    constexpr double first = 1024, most = 1 << 22;
    const double asked = one.input + one.output;
    std::vector<double> contexts;
    for (double context = first; context <= most; context *= 2) {
        if (asked > context / 2 && asked < context) {
            contexts.push_back(asked);
        }
        contexts.push_back(context);
    }
    std::vector<ContextCost> made;
    for (const double context : contexts) {
        Replica longer = one;
        longer.shared = 0;
        longer.input = context - 1;
        longer.output = 1;
        ContextCost cost{context};
        cost.request_bytes = chip_cache_bytes(longer, 1, context);
        cost.requests = cache_pages(longer, 0).most_requests * static_cast<std::int64_t>(one.data);
        cost.batch = std::min(one.batch, static_cast<double>(cost.requests));
        if (cost.batch > 0) {
            longer.batch = cost.batch;
            cost.step = step_costs(longer, ServedPhase::decode, context);
            cost.per_chip = cost.batch * one.accepted / seconds_of(cost.step) / one.chips();
        }
        made.push_back(cost);
        if (cost.requests == 0) {
            break;
        }
    }
    return made;
}

} // namespace meshslice
