#include "core/serve/arrivals.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

std::int64_t length(const Lengths& lengths, Draws& draws) {
    double tokens = lengths.nominal;
    switch (lengths.law) {
    case LengthLaw::fixed: break;
    case LengthLaw::uniform: {
        // Every whole number in the range is as likely.
        const double low = std::ceil(lengths.spread * lengths.nominal);
        tokens = low + std::floor(draws.uniform() * (std::floor(lengths.nominal) - low + 1));
        break;
    }
    case LengthLaw::exponential: tokens = lengths.nominal * draws.exponential(); break;
    case LengthLaw::lognormal:
        tokens =
            lengths.nominal * std::exp(lengths.spread * draws.normal() - lengths.spread * lengths.spread / 2);
        break;
    }
    return static_cast<std::int64_t>(std::round(
        std::clamp(tokens, static_cast<double>(lengths.least), static_cast<double>(lengths.most))));
}

} // namespace

RequestStream::RequestStream(const Arrivals& arrivals)
    : arrivals_(arrivals)
    , count_(arrivals.law == ArrivalLaw::listed ? static_cast<std::int64_t>(arrivals.list.size())
                                                : arrivals.requests)
    , times_(arrivals.seed, 0)
    , kinds_(arrivals.seed, 1)
    , inputs_(arrivals.seed, 2)
    , outputs_(arrivals.seed, 3) {
    for (const RequestKind& kind : arrivals.kinds) {
        weights_ += kind.weight;
    }
}

std::optional<ServingRequest> RequestStream::next() {
    if (given_ >= count_) {
        return std::nullopt;
    }
    ServingRequest request = drawn();
    if (arrivals_.law != ArrivalLaw::listed) {
        request.arrival = next_time();
    }
    ++given_;
    return request;
}

std::optional<ServingRequest> RequestStream::sent_at(double time) {
    if (given_ >= count_) {
        return std::nullopt;
    }
    ServingRequest request = drawn();
    request.arrival = time;
    ++given_;
    return request;
}

ServingRequest RequestStream::drawn() {
    if (!arrivals_.list.empty()) {
        return arrivals_.list[static_cast<std::size_t>(given_) % arrivals_.list.size()];
    }
    const std::vector<RequestKind>& kinds = arrivals_.kinds;
    auto kind = kinds.begin();
    if (kinds.size() > 1) {
        double left = kinds_.uniform() * weights_;
        while (kind + 1 != kinds.end() && left >= kind->weight) {
            left -= kind->weight;
            ++kind;
        }
    }
    ServingRequest request;
    request.input = length(kind->input, inputs_);
    request.output = length(kind->output, outputs_);
    request.group = kind->group;
    request.priority = kind->priority;
    return request;
}

double RequestStream::next_time() {
    switch (arrivals_.law) {
    case ArrivalLaw::poisson: time_ += times_.exponential() / arrivals_.rate; break;
    case ArrivalLaw::even: time_ = static_cast<double>(given_) / arrivals_.rate; break;
    case ArrivalLaw::bursts:
        if (given_ % arrivals_.burst == 0) {
            time_ += times_.exponential() * static_cast<double>(arrivals_.burst) / arrivals_.rate;
        }
        break;
    case ArrivalLaw::at_once:
    case ArrivalLaw::closed_loop:
    case ArrivalLaw::listed: break;
    }
    return time_;
}

std::int64_t shared_tokens(const std::vector<PromptGroup>& groups, std::int32_t group) {
    std::int64_t tokens = 0;
    for (; group >= 0; group = groups[static_cast<std::size_t>(group)].parent) {
        tokens += groups[static_cast<std::size_t>(group)].tokens;
    }
    return tokens;
}

} // namespace meshslice
