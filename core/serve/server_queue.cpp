// What comes into a step: parts of prompts that have begun, and requests from the queue in their order.

#include "core/serve/server.h"

#include <algorithm>
#include <utility>

namespace meshslice {

bool Server::add(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    one.server = number_;
    const bool in_front = waiting_count_ == 0 || one.asked.priority < front_of_queue().first;
    waiting_[one.asked.priority].push_back(place);
    ++waiting_count_;
    return in_front && at_work_ + receiving_ < settings_.most_batch;
}

/// Of the first priority that has a request; there is one.
std::pair<const std::int32_t, std::deque<std::int32_t>>& Server::front_of_queue() {
    while (waiting_.begin()->second.empty()) {
        waiting_.erase(waiting_.begin());
    }
    return *waiting_.begin();
}

void Server::pop_waiting() {
    front_of_queue().second.pop_front();
    --waiting_count_;
}

void Server::withdraw(std::int32_t place) {
    waiting_count_ -= static_cast<std::int64_t>(std::erase(waiting_[live_.at(place).asked.priority], place));
}

void Server::link(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    one.previous = last_;
    one.next = -1;
    (last_ >= 0 ? live_.at(last_).next : first_) = place;
    last_ = place;
}

void Server::unlink(std::int32_t place) {
    const LiveRequest& one = live_.at(place);
    (one.previous >= 0 ? live_.at(one.previous).next : first_) = one.next;
    (one.next >= 0 ? live_.at(one.next).previous : last_) = one.previous;
}

/// Tokens that the step still has for prompts.
std::int64_t Server::tokens_left() const {
    const std::int64_t decoding = settings_.prompts == PromptPolicy::chunked ? decoding_ : 0;
    return settings_.most_tokens - decoding - static_cast<std::int64_t>(step_.load.prompt_tokens);
}

void Server::take_part(std::int32_t place, std::int64_t tokens) {
    LiveRequest& one = live_.at(place);
    const auto count = static_cast<double>(tokens);
    StepLoad& load = step_.load;
    load.prompts += 1;
    load.prompt_tokens += count;
    load.prompt_keys += count * static_cast<double>(one.computed) + count * (count + 1) / 2;
    one.computed += tokens;
    one.in_step = true;
    if (one.computed == one.prompt) {
        load.prompts_ended += 1;
        step_.ended.push_back(place);
    } else {
        partial_.push_back(place);
    }
}

/// Of prompts that are in parts, in their order. Answers whether a request had to go.
bool Server::continue_prompts() {
    std::vector<std::int32_t> begun;
    begun.swap(partial_);
    bool preempted = false;
    for (const std::int32_t place : begun) {
        LiveRequest& one = live_.at(place);
        if (one.phase != RequestPhase::prompting) {
            continue; // it had to go for another
        }
        const std::int64_t tokens = std::min(one.prompt - one.computed, tokens_left());
        if (tokens <= 0) {
            partial_.push_back(place);
            continue;
        }
        const std::int64_t pages =
            grows() ? std::max<std::int64_t>(0, pages_for(one.computed + tokens) - one.shared - one.pages)
                    : 0;
        while (one.phase == RequestPhase::prompting && pages > free_pages()) {
            preempt(victim());
            preempted = true;
        }
        if (one.phase == RequestPhase::prompting) {
            take_pages(one, pages);
            take_part(place, tokens);
        }
    }
    return preempted;
}

/// First come, first served: where the first of the queue does not fit, those behind it wait too.
void Server::admit() {
    while (waiting_count_ > 0 && at_work_ + receiving_ < settings_.most_batch) {
        const std::int32_t place = front_of_queue().second.front();
        const bool prompt = live_.at(place).phase == RequestPhase::waiting;
        if (!(prompt ? admit_prompt(place) : admit_with_cache(place))) {
            return;
        }
    }
}

bool Server::admit_prompt(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    const bool chunked = settings_.prompts == PromptPolicy::chunked;
    const bool shares = settings_.prefix_cache && one.asked.group >= 0;
    const std::int64_t found = shares ? prefix_.found(one.asked.group) : 0;
    // The last token is always computed, for the first output comes from it.
    const std::int64_t reused = std::min(found * settings_.page, one.prompt - 1);
    std::int64_t tokens = one.prompt - reused;
    if (chunked) {
        tokens = std::min(tokens, tokens_left());
        if (tokens <= 0) {
            return false;
        }
    } else if (tokens > tokens_left() && step_.load.prompts > 0) {
        return false;
    }
    if (shares) {
        prefix_.pin(one.asked.group);
    }
    if (limited_) {
        const std::int64_t in_all = grows() ? pages_for(reused + tokens) : whole_pages(one);
        const std::int64_t pages = std::max<std::int64_t>(0, in_all - found);
        if (pages > free_pages()) {
            if (shares) {
                prefix_.unpin(one.asked.group);
            }
            return false;
        }
        take_pages(one, pages);
    }
    one.shared = found;
    one.holds_prefix = shares;
    one.computed = reused;
    live_.turn(place, RequestPhase::prompting, step_.start);
    one.preempted = false;
    RequestOutcome& outcome = live_.outcome(place);
    if (outcome.started < 0) {
        outcome.started = step_.start;
        outcome.reused = reused;
    }
    pop_waiting();
    link(place);
    ++at_work_;
    take_part(place, tokens);
    return true;
}

/// Back from the host, or from where its prompt was computed.
bool Server::admit_with_cache(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    const bool chunked = settings_.prompts == PromptPolicy::chunked;
    if (chunked && tokens_left() <= 0) {
        return false;
    }
    if (limited_) {
        // The next step writes a token.
        const std::int64_t pages = grows() ? pages_for(one.prompt) : whole_pages(one);
        const std::int64_t next = grows() ? pages_for(one.prompt + 1) - pages : 0;
        if (pages + next > free_pages()) {
            return false;
        }
        take_pages(one, pages);
    }
    pop_waiting();
    if (one.phase == RequestPhase::swapped) {
        waiting_swaps_ += static_cast<double>(one.prompt) * swap_per_token_;
        link(place);
        ++at_work_;
        join(place, step_.start);
    } else {
        live_.turn(place, RequestPhase::receiving, step_.start);
        ++receiving_;
        pulls_.push_back(place);
    }
    return true;
}

void Server::prompt_ended(std::int32_t place, double now, std::vector<std::int32_t>& finished,
                          std::vector<std::int32_t>& handed) {
    LiveRequest& one = live_.at(place);
    one.in_step = false;
    one.left -= 1;
    ++totals_.output_tokens;
    share_prefix(one);
    if (one.left > 0 && !one.prompt_only) {
        join(place, now);
        return;
    }
    unlink(place);
    --at_work_;
    if (one.left == 0) {
        release(place);
        keep_conversation(one);
        live_.turn(place, RequestPhase::gone, now);
        finished.push_back(place);
    } else {
        live_.turn(place, RequestPhase::remote, now);
        one.source = number_;
        one.source_pages = std::exchange(one.pages, 0);
        one.source_prefix = std::exchange(one.holds_prefix, false);
        one.shared = 0;
        handed.push_back(place);
    }
}

} // namespace meshslice
