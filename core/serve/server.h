#pragma once

#include "core/serve/deployment.h"
#include "core/serve/live_request.h"
#include "core/serve/prefix_cache.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace meshslice {

/// The lines of a pool, asked for once each.
class DecodeLines {
  public:
    explicit DecodeLines(const StepTimes& times) : times_(&times) {}
    [[nodiscard]] const DecodeLine& of(std::int64_t batch);

  private:
    const StepTimes* times_;
    std::vector<DecodeLine> lines_; ///< by batch
    std::vector<bool> known_;
};

/// One server: its queue, its cache, and the step or the run of equal steps that it is in. It knows no other
/// server and no events: the simulation says what the time is.
class Server {
  public:
    Server(std::int32_t number, const ServerPool& pool, const ServingDeployment& deployment,
           const std::vector<PromptGroup>& groups, DecodeLines& lines, LiveRequests& live);

    /// Puts a request into the queue. Answers whether it could begin before the run ends that goes on.
    bool add(std::int32_t place);
    /// A cache has come over; its request decodes from the next step on.
    void received(std::int32_t place) { ready_.push_back(place); }
    /// Ends a run of steps with the first that ends at `now` or later. Answers whether its end moved.
    bool cut(double now);

    /// Begins a step, or a run of steps that only decode, where there is something to do.
    bool begin(double now);
    [[nodiscard]] bool in_step() const { return in_step_; }
    [[nodiscard]] double step_end() const { return step_.start + elapsed(step_.steps); }
    /// What was decided to come over with this step; the simulation takes it.
    [[nodiscard]] std::vector<std::int32_t>& pulls() { return pulls_; }

    /// Ends the step. Adds those whose last token is out to `finished`, and to `handed` those whose cache has
    /// to go to a server that decodes, and whose pages stay here until `let_go`.
    void end_step(std::vector<std::int32_t>& finished, std::vector<std::int32_t>& handed);
    [[nodiscard]] ServerStretch last_stretch() const;

    /// Gives the pages of a request back.
    void release(std::int32_t place);
    /// The same of a request whose cache has gone over to another server.
    void let_go(std::int32_t place);
    /// The cache that was to come is lost, with the server that had it: of a request in the queue, and of one
    /// that has room already.
    void withdraw(std::int32_t place);
    void stop_receiving(std::int32_t place) {
        --receiving_;
        release(place);
    }

    /// Breaks down: tokens until `now` are out, everything else is lost. Adds whatever waited or was at work.
    void fail(double now, std::vector<std::int32_t>& orphans);

    [[nodiscard]] bool fits(const LiveRequest& one) const;
    [[nodiscard]] std::int64_t waiting() const { return waiting_count_; }
    [[nodiscard]] std::int64_t load() const { return waiting_count_ + at_work_ + receiving_; }
    [[nodiscard]] std::int64_t prefix_found(std::int32_t group) const { return prefix_.found(group); }
    [[nodiscard]] const ServerTotals& totals() const { return totals_; }
    [[nodiscard]] std::int64_t pages_used() const { return own_pages_ + prefix_.pinned(); }
    [[nodiscard]] std::int64_t pages_kept() const { return pages_used() + prefix_.idle(); }

    bool alive = true, takes_requests = true;
    std::uint32_t generation = 0; ///< of its step, by which the simulation knows an end that no longer holds

  private:
    struct Step {
        double start = 0, seconds = 0; ///< of the first step; swaps and the engine's delay are in it
        double slope = 0;              ///< s that each step takes longer than the one before
        double extra = 0;              ///< s of swaps, in the first step alone
        std::int64_t steps = 1;
        bool decodes = false;
        StepLoad load;
        std::vector<std::int32_t> ended; ///< whose prompts end in it
    };
    struct Ending {
        std::int64_t ends = 0; ///< decode steps of the server by then
        std::uint64_t order = 0;
        std::int32_t place = -1;
    };

    // server_queue.cpp: what comes into a step
    void admit();
    [[nodiscard]] bool admit_prompt(std::int32_t place);
    [[nodiscard]] bool admit_with_cache(std::int32_t place);
    bool continue_prompts();
    void take_part(std::int32_t place, std::int64_t tokens);
    [[nodiscard]] std::int64_t tokens_left() const;
    [[nodiscard]] std::pair<const std::int32_t, std::deque<std::int32_t>>& front_of_queue();
    void pop_waiting();
    void prompt_ended(std::int32_t place, double now, std::vector<std::int32_t>& finished,
                      std::vector<std::int32_t>& handed);
    void join(std::int32_t place, double now);
    void leave_decoding(std::int32_t place);
    void link(std::int32_t place);
    void unlink(std::int32_t place);

    // server_cache.cpp: pages
    [[nodiscard]] std::int64_t pages_for(std::int64_t tokens) const {
        return (tokens + settings_.page - 1) / settings_.page;
    }
    [[nodiscard]] std::int64_t whole_pages(const LiveRequest& one) const;
    [[nodiscard]] std::int64_t growth(std::int64_t steps) const;
    [[nodiscard]] std::int64_t steps_with_room(std::int64_t most) const;
    [[nodiscard]] std::int64_t free_pages() const { return room_ - pages_used() - growth(1); }
    [[nodiscard]] bool grows() const { return settings_.cache == CachePolicy::grows && limited_; }
    [[nodiscard]] std::size_t crossing(std::int64_t steps) const;
    void take_pages(LiveRequest& one, std::int64_t pages);
    void share_prefix(LiveRequest& one);
    void keep_conversation(const LiveRequest& one);
    bool make_room();
    [[nodiscard]] std::int32_t victim() const;
    void preempt(std::int32_t place);

    // server.cpp: time
    [[nodiscard]] double elapsed(std::int64_t steps) const;
    [[nodiscard]] std::int64_t steps_until(double now) const;
    void advance(std::int64_t steps);
    void drop_stale_endings();
    void note_cache();

    const StepTimes& times_;
    const ServerSettings& settings_;
    LiveRequests& live_;
    DecodeLines& lines_;
    std::int32_t number_;
    double swap_per_token_ = 0;          ///< s
    bool limited_ = false;               ///< has a room that may become full
    std::int64_t room_ = unlimited_room; ///< pages

    std::map<std::int32_t, std::deque<std::int32_t>> waiting_; ///< by priority
    std::int64_t waiting_count_ = 0, at_work_ = 0, receiving_ = 0;
    std::vector<std::int32_t> ready_, pulls_, partial_; ///< come over; to come over; in their prompts
    std::int32_t first_ = -1, last_ = -1;               ///< at work, as they were admitted

    std::int64_t decoding_ = 0;
    std::int64_t tokens_ = 0;             ///< in the cache, of all that decode
    std::int64_t counter_ = 0;            ///< decode steps so far
    std::vector<Ending> endings_;         ///< a heap, soonest first; some are stale
    std::vector<std::int64_t> crossings_; ///< requests that need a page, by the steps until then

    std::int64_t own_pages_ = 0;
    PrefixCache prefix_;
    bool in_step_ = false;
    Step step_;
    double waiting_swaps_ = 0; ///< s of swaps that belong to the next step
    ServerTotals totals_;
};

} // namespace meshslice
