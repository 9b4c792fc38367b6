// Pages of a server: what requests need, and who has to go when there are none left.

#include "core/serve/server.h"

#include <algorithm>
#include <utility>

namespace meshslice {

/// The pages that a request has in the end.
std::int64_t Server::whole_pages(const LiveRequest& one) const {
    return pages_for(one.prompt_only ? one.prompt : one.asked.input + one.asked.output);
}

bool Server::fits(const LiveRequest& one) const {
    return !limited_ || whole_pages(one) <= room_;
}

std::size_t Server::crossing(std::int64_t steps) const {
    const std::int64_t rest = steps % settings_.page;
    return static_cast<std::size_t>(rest < 0 ? rest + settings_.page : rest);
}

/// Pages that so many decode steps take: a request needs one where its tokens fill the pages it has, once in
/// `page` steps, and all take a step together.
std::int64_t Server::growth(std::int64_t steps) const {
    if (!grows()) {
        return 0;
    }
    std::int64_t pages = steps / settings_.page * decoding_;
    for (std::int64_t step = 0; step < steps % settings_.page; ++step) {
        pages += crossings_[crossing(counter_ + step)];
    }
    return pages;
}

/// How many of `most` steps there is room for, of which one has been made sure of.
std::int64_t Server::steps_with_room(std::int64_t most) const {
    const std::int64_t free = room_ - pages_used();
    if (!grows() || growth(most) <= free) {
        return most;
    }
    std::int64_t low = 1, high = most; // room for low, not for high
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (growth(middle) <= free ? low : high) = middle;
    }
    return low;
}

void Server::take_pages(LiveRequest& one, std::int64_t pages) {
    one.pages += pages;
    own_pages_ += pages;
    prefix_.shrink_idle(room_ - pages_used());
}

void Server::release(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    own_pages_ -= one.pages;
    one.pages = one.shared = 0;
    if (one.holds_prefix) {
        prefix_.unpin(one.asked.group);
        one.holds_prefix = false;
    }
}

void Server::let_go(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    own_pages_ -= std::exchange(one.source_pages, 0);
    if (std::exchange(one.source_prefix, false)) {
        prefix_.unpin(one.asked.group);
    }
    one.source = -1;
}

/// The prompt is computed: its beginning is there for others, and where another request brought it meanwhile
/// this one's copy goes.
void Server::share_prefix(LiveRequest& one) {
    if (!one.holds_prefix) {
        return;
    }
    const std::int64_t more = prefix_.whole(one.asked.group) - one.shared;
    if (more > 0) {
        prefix_.insert(one.asked.group);
        one.shared += more;
        if (limited_) {
            one.pages -= more;
            own_pages_ -= more;
        }
    }
}

/// The next turn of the conversation finds what this one leaves, as far as there is room.
void Server::keep_conversation(const LiveRequest& one) {
    if (settings_.prefix_cache && one.asked.leaves >= 0) {
        prefix_.insert(one.asked.leaves);
        prefix_.shrink_idle(room_ - pages_used());
    }
}

/// So that everything that decodes can take a step. Answers whether a request had to go.
bool Server::make_room() {
    bool preempted = false;
    while (decoding_ > 0 && free_pages() < 0) {
        preempt(victim());
        preempted = true;
    }
    return preempted;
}

/// Of those at work the last one of the last priority, except for prompts that are in the step already.
std::int32_t Server::victim() const {
    std::int32_t worst = -1;
    for (std::int32_t place = last_; place >= 0; place = live_.at(place).previous) {
        const LiveRequest& one = live_.at(place);
        const bool in_step = one.phase == RequestPhase::prompting && one.in_step;
        if (!in_step && (worst < 0 || one.asked.priority > live_.at(worst).asked.priority)) {
            worst = place;
        }
    }
    return worst;
}

void Server::preempt(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    const double now = step_.start;
    if (one.phase == RequestPhase::decoding) {
        leave_decoding(place);
        if (settings_.preemption == Preemption::swap) {
            live_.turn(place, RequestPhase::swapped, now);
            waiting_swaps_ += static_cast<double>(one.prompt) * swap_per_token_;
        } else {
            live_.turn(place, RequestPhase::waiting, now);
            one.prompt = one.asked.input + one.asked.output - one.left;
        }
    } else {
        std::erase(partial_, place);
        live_.turn(place, RequestPhase::waiting, now);
    }
    one.preempted = true;
    one.computed = 0;
    release(place);
    unlink(place);
    --at_work_;
    ++live_.outcome(place).preemptions;
    waiting_[one.asked.priority].push_front(place);
    ++waiting_count_;
}

} // namespace meshslice
