#pragma once

#include "core/serve/arrivals.h"
#include "core/serve/serving_result.h"

#include <cstdint>
#include <vector>

namespace meshslice {

enum class RequestPhase {
    waiting,   ///< for a server to begin with its prompt
    swapped,   ///< for room to come back from the host
    remote,    ///< for room on the server that decodes; its cache is where the prompt was computed
    prompting, ///< parts of its prompt are still to be computed
    decoding,
    receiving, ///< its cache is on its way
    gone,      ///< none: the place is free
};

/// A request between its arrival and its end. Servers keep places of LiveRequests.
struct LiveRequest {
    ServingRequest asked;
    std::int64_t number = 0; ///< in ServingResult::requests
    RequestPhase phase = RequestPhase::gone;
    std::int32_t server = -1; ///< where it waits or is at work
    std::int32_t source = -1; ///< where its cache is held until it has gone over
    std::int64_t source_pages = 0;
    bool source_prefix = false; ///< and others' pages are pinned for it
    std::uint64_t order = 0;    ///< of its arrival, and among those that decode: when it began
    std::int64_t prompt = 0;    ///< tokens before the next output: the prompt, and what is computed again
    std::int64_t computed = 0;  ///< of those, in the cache
    std::int64_t left = 0;      ///< tokens still to be put out, when it began to decode
    std::int64_t joined = 0;    ///< decode steps that its server had made then
    std::int64_t pages = 0;     ///< of its own, in the cache of `server`, when it began to decode
    std::int64_t shared = 0;    ///< pages of others that it uses
    bool holds_prefix = false;  ///< those are pinned
    bool in_step = false;       ///< a part of its prompt is in the step that is made up
    bool preempted = false;     ///< and not yet back at work
    bool prompt_only = false;   ///< its server hands it on after the first token
    double since = 0;           ///< s: when its phase began
    std::int32_t previous = -1, next = -1; ///< at work on the same server, by when they were admitted
};

/// All requests that are somewhere, and what became of all.
struct LiveRequests {
    std::vector<LiveRequest> places;
    std::vector<std::int32_t> free_places;
    std::vector<RequestOutcome> outcomes;
    std::uint64_t orders = 0; ///< given so far
    std::vector<RequestStretch> stages;
    std::int64_t most_stages = 0, stages_left_out = 0; ///< to be recorded, of those between these times
    double from = 0, to = 0;

    [[nodiscard]] LiveRequest& at(std::int32_t place) { return places[static_cast<std::size_t>(place)]; }
    [[nodiscard]] RequestOutcome& outcome(std::int32_t place) {
        return outcomes[static_cast<std::size_t>(at(place).number)];
    }
    [[nodiscard]] std::int32_t add(const ServingRequest& asked) {
        std::int32_t place = static_cast<std::int32_t>(places.size());
        if (free_places.empty()) {
            places.emplace_back();
        } else {
            place = free_places.back();
            free_places.pop_back();
        }
        LiveRequest& one = at(place);
        one = LiveRequest{};
        one.asked = asked;
        one.number = static_cast<std::int64_t>(outcomes.size());
        one.order = orders++;
        one.phase = RequestPhase::waiting;
        one.since = asked.arrival;
        one.prompt = asked.input;
        one.left = asked.output;
        RequestOutcome outcome;
        outcome.arrival = asked.arrival;
        outcome.started = outcome.first = outcome.last = -1;
        outcome.input = asked.input;
        outcome.output = asked.output;
        outcomes.push_back(outcome);
        return place;
    }
    /// From now on it is in another phase.
    void turn(std::int32_t place, RequestPhase next, double now) {
        LiveRequest& one = at(place);
        if (most_stages > 0 && now > one.since && one.phase != RequestPhase::gone && now > from &&
            one.since < to) {
            record(one, now);
        }
        one.phase = next;
        one.since = now;
    }
    void record(const LiveRequest& one, double now) {
        if (static_cast<std::int64_t>(stages.size()) == most_stages) {
            ++stages_left_out;
            return;
        }
        const auto stage_of = [&](RequestPhase phase) {
            switch (phase) {
            case RequestPhase::prompting: return RequestStage::prefill;
            case RequestPhase::decoding: return RequestStage::decode;
            case RequestPhase::receiving: return RequestStage::transfer;
            case RequestPhase::swapped: return RequestStage::preempted;
            default: return one.preempted ? RequestStage::preempted : RequestStage::waiting;
            }
        };
        stages.push_back({one.since, now, one.number, one.server, stage_of(one.phase)});
    }
    void end(std::int32_t place, RequestEnd end, double now) {
        turn(place, RequestPhase::gone, now);
        RequestOutcome& outcome = this->outcome(place);
        outcome.end = end;
        outcome.last = now;
        outcome.server = at(place).server;
        free_places.push_back(place);
    }
};

} // namespace meshslice
