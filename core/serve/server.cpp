#include "core/serve/server.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

/// std's heaps have the greatest in front.
constexpr auto ends_later = [](const auto& a, const auto& b) {
    return a.ends != b.ends ? a.ends > b.ends : a.order > b.order;
};

} // namespace

const DecodeLine& DecodeLines::of(std::int64_t batch) {
    const auto index = static_cast<std::size_t>(batch);
    if (lines_.size() <= index) {
        lines_.resize(index + 1);
        known_.resize(index + 1);
    }
    if (!known_[index]) {
        lines_[index] = times_->decode_line(static_cast<double>(batch));
        known_[index] = true;
    }
    return lines_[index];
}

Server::Server(std::int32_t number, const ServerPool& pool, const ServingDeployment& deployment,
               const std::vector<PromptGroup>& groups, DecodeLines& lines, LiveRequests& live)
    : times_(*pool.times)
    , settings_(pool.settings)
    , live_(live)
    , lines_(lines)
    , number_(number)
    , swap_per_token_(deployment.bytes_per_token / pool.settings.swap_rate)
    , limited_(pool.settings.cache_room != unlimited_room)
    , room_(limited_ ? pool.settings.cache_room / pool.settings.page : unlimited_room)
    , prefix_(pool.settings.prefix_cache ? groups : std::vector<PromptGroup>(), pool.settings.page) {
    if (grows()) {
        crossings_.resize(static_cast<std::size_t>(settings_.page));
    }
}

bool Server::begin(double now) {
    step_.start = now;
    step_.slope = 0;
    step_.steps = 1;
    step_.load = {};
    step_.ended.clear();
    for (const std::int32_t place : ready_) {
        --receiving_;
        ++at_work_;
        link(place);
        join(place, now);
    }
    ready_.clear();

    const bool alone = settings_.prompts == PromptPolicy::alone;
    bool preempted = !alone && make_room();
    if (!partial_.empty()) {
        preempted = continue_prompts() || preempted;
    }
    if (!preempted || at_work_ == 0) {
        admit();
    }
    StepLoad& load = step_.load;
    if (alone && load.prompts == 0) {
        make_room();
    }
    step_.extra = std::exchange(waiting_swaps_, 0);
    step_.decodes = decoding_ > 0 && !(alone && load.prompts > 0);
    if (step_.decodes) {
        load.decoding = static_cast<double>(decoding_);
        load.cached = static_cast<double>(tokens_ + decoding_);
    }
    if (load.prompts == 0 && !step_.decodes) {
        waiting_swaps_ = step_.extra;
        return false;
    }
    if (load.prompts > 0) {
        step_.seconds = times_.seconds(load) + settings_.step_delay;
    } else {
        const DecodeLine& line = lines_.of(decoding_);
        step_.seconds = line.start + line.per_token * load.cached + settings_.step_delay;
        step_.slope = line.per_token * load.decoding;
        drop_stale_endings();
        step_.steps = steps_with_room(endings_.front().ends - counter_);
    }
    note_cache();
    in_step_ = true;
    ++generation;
    return true;
}

double Server::elapsed(std::int64_t steps) const {
    const auto count = static_cast<double>(steps);
    return step_.extra + count * (step_.seconds + step_.slope * (count - 1) / 2);
}

/// The least number of steps that last until `now`: the root of a quadratic equation, and what its rounding
/// left to do.
std::int64_t Server::steps_until(double now) const {
    const double asked = now - step_.start - step_.extra;
    if (!(asked > 0)) {
        return 1;
    }
    const double half = step_.slope / 2, first = step_.seconds - half;
    const double root = 2 * asked / (first + std::sqrt(first * first + 4 * half * asked));
    auto steps = root < static_cast<double>(step_.steps)
                     ? std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(root)))
                     : step_.steps;
    while (steps > 1 && step_.start + elapsed(steps - 1) >= now) {
        --steps;
    }
    while (steps < step_.steps && step_.start + elapsed(steps) < now) {
        ++steps;
    }
    return steps;
}

bool Server::cut(double now) {
    if (!in_step_ || step_.steps <= 1) {
        return false;
    }
    const std::int64_t steps = steps_until(now);
    if (steps == step_.steps) {
        return false;
    }
    step_.steps = steps;
    ++generation;
    return true;
}

void Server::advance(std::int64_t steps) {
    own_pages_ += growth(steps);
    prefix_.shrink_idle(room_ - pages_used());
    counter_ += steps;
    note_cache();
    tokens_ += steps * decoding_;
    totals_.output_tokens += steps * decoding_;
    totals_.decode_batch += static_cast<double>(steps * decoding_);
    totals_.decode_steps += steps;
}

void Server::drop_stale_endings() {
    while (!endings_.empty()) {
        const Ending& soonest = endings_.front();
        const LiveRequest& one = live_.at(soonest.place);
        if (one.phase == RequestPhase::decoding && one.order == soonest.order) {
            return;
        }
        std::ranges::pop_heap(endings_, ends_later);
        endings_.pop_back();
    }
}

void Server::join(std::int32_t place, double now) {
    LiveRequest& one = live_.at(place);
    live_.turn(place, RequestPhase::decoding, now);
    one.preempted = false;
    one.joined = counter_;
    one.order = live_.orders++;
    ++decoding_;
    tokens_ += one.prompt;
    if (grows()) {
        ++crossings_[crossing(counter_ - one.prompt)];
    }
    endings_.push_back({counter_ + one.left, one.order, place});
    std::ranges::push_heap(endings_, ends_later);
}

void Server::leave_decoding(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    if (grows()) {
        --crossings_[crossing(one.joined - one.prompt)];
    }
    const std::int64_t steps = counter_ - one.joined;
    const std::int64_t tokens = one.prompt + steps;
    tokens_ -= tokens;
    --decoding_;
    one.left -= steps;
    one.prompt = tokens;
    if (grows()) {
        one.pages = pages_for(tokens) - one.shared;
    }
}

void Server::end_step(std::vector<std::int32_t>& finished, std::vector<std::int32_t>& handed) {
    in_step_ = false;
    totals_.busy += elapsed(step_.steps);
    totals_.steps += step_.steps;
    const double now = step_end();
    if (step_.decodes) {
        advance(step_.steps);
        for (drop_stale_endings(); !endings_.empty() && endings_.front().ends <= counter_;
             drop_stale_endings()) {
            const std::int32_t place = endings_.front().place;
            leave_decoding(place);
            unlink(place);
            --at_work_;
            release(place);
            keep_conversation(live_.at(place));
            live_.turn(place, RequestPhase::gone, now);
            finished.push_back(place);
        }
    }
    for (const std::int32_t place : partial_) {
        live_.at(place).in_step = false;
    }
    if (step_.load.prompts > 0) {
        ++totals_.prompt_steps;
        totals_.prompt_tokens += static_cast<std::int64_t>(step_.load.prompt_tokens);
        for (const std::int32_t place : step_.ended) {
            if (live_.outcome(place).first < 0) {
                live_.outcome(place).first = now;
            }
            prompt_ended(place, now, finished, handed);
        }
    }
}

void Server::note_cache() {
    assert(pages_used() >= 0 && pages_kept() <= room_);
    totals_.most_cache = std::max(totals_.most_cache, pages_used() * settings_.page);
}

ServerStretch Server::last_stretch() const {
    ServerStretch stretch;
    stretch.start = step_.start;
    stretch.end = step_end();
    stretch.server = number_;
    stretch.steps = static_cast<std::int32_t>(step_.steps);
    stretch.decoding = static_cast<std::int64_t>(step_.load.decoding);
    stretch.prompt_tokens = static_cast<std::int64_t>(step_.load.prompt_tokens);
    stretch.prompts = static_cast<std::int32_t>(step_.load.prompts);
    stretch.prompt_keys = step_.load.prompt_keys;
    stretch.cached = step_.load.cached;
    return stretch;
}

void Server::fail(double now, std::vector<std::int32_t>& orphans) {
    if (in_step_) {
        totals_.busy += now - step_.start;
        if (step_.decodes && step_.load.prompts == 0) {
            std::int64_t out = steps_until(now);
            out -= step_.start + elapsed(out) > now ? 1 : 0;
            totals_.steps += out;
            advance(out);
        }
    }
    for (std::int32_t place = first_; place >= 0; place = live_.at(place).next) {
        if (live_.at(place).phase == RequestPhase::decoding) {
            leave_decoding(place);
        }
        orphans.push_back(place);
    }
    for (const auto& [priority, places] : waiting_) {
        orphans.insert(orphans.end(), places.begin(), places.end());
    }
    orphans.insert(orphans.end(), ready_.begin(), ready_.end());
    waiting_.clear();
    endings_.clear();
    ready_.clear();
    partial_.clear();
    first_ = last_ = -1;
    waiting_count_ = at_work_ = receiving_ = decoding_ = tokens_ = own_pages_ = 0;
    std::ranges::fill(crossings_, 0);
    prefix_.clear();
    waiting_swaps_ = 0;
    in_step_ = alive = false;
    ++generation;
}

} // namespace meshslice
