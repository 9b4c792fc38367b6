#pragma once

#include "core/serve/server.h"
#include "core/serve/simulate_serving.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace meshslice {

/// The events of a simulation, and which server a request goes to.
class ServingRun {
  public:
    ServingRun(const ServingDeployment& deployment, const Arrivals& arrivals, const ServingOptions& options);

    [[nodiscard]] Result<ServingResult> run();

  private:
    enum class EventKind { arrival, step_end, transferred, failure, back, look, started };
    struct Event {
        double time = 0;
        std::uint64_t order = 0; ///< of those at one time the one that was decided first
        EventKind kind = EventKind::arrival;
        std::int32_t index = -1; ///< server, place, failure or pool
        std::uint64_t stamp = 0; ///< by which an event is known that no longer holds
    };
    struct PoolState {
        std::int32_t begin = 0, end = 0; ///< its servers
        std::int32_t next = 0;           ///< by turns
        std::int32_t starting = 0;
        std::deque<std::int32_t> held; ///< no server takes requests
        DecodeLines lines;
    };

    void push(double time, EventKind kind, std::int32_t index, std::uint64_t stamp = 0);
    [[nodiscard]] Event pop();
    [[nodiscard]] bool goes_on() const;
    void happens(const Event& event);
    void touch(std::int32_t server);
    void begin_steps();

    void send(double time);
    void coming(const ServingRequest& request);
    void arrive();
    void end_step(std::int32_t server);
    void record(const ServerStretch& stretch);
    void ends(std::int32_t place, RequestEnd end);

    // serving_routes.cpp: which server
    void route(std::int32_t place, std::size_t pool);
    [[nodiscard]] std::int32_t chosen(const LiveRequest& one, std::size_t pool);
    [[nodiscard]] std::int32_t least_loaded(const PoolState& pool) const;
    [[nodiscard]] std::int32_t nearest_prefix(const LiveRequest& one, std::size_t which) const;
    void hand_over(std::int32_t place);
    void pull(std::int32_t place);
    void transferred(std::int32_t place);

    // serving_changes.cpp: servers that come and go
    void fail(const ServerFailure& failure);
    void restart(std::int32_t place);
    void back(std::int32_t server);
    void started(std::int32_t server);
    void comes(std::int32_t server);
    void goes(std::int32_t server);
    void look(std::size_t pool);
    [[nodiscard]] std::size_t pool_of(std::int32_t server) const;
    [[nodiscard]] double first_arrival() const {
        return live_.outcomes.empty() ? 0 : live_.outcomes.front().arrival;
    }
    [[nodiscard]] Server& server(std::int32_t index) { return servers_[static_cast<std::size_t>(index)]; }

    const ServingDeployment& deployment_;
    const Arrivals& arrivals_;
    const ServingOptions& options_;
    RequestStream stream_;
    LiveRequests live_;
    std::deque<PoolState> pools_;
    std::deque<Server> servers_;
    std::vector<double> link_free_, alive_since_; ///< s, by server
    std::vector<std::int32_t> home_;              ///< server that had a group last, by group
    std::vector<bool> is_starting_, is_broken_, was_here_;

    std::vector<Event> events_; ///< a heap
    std::uint64_t decided_ = 0;
    std::int64_t others_ = 0; ///< events that do not only look
    std::deque<ServingRequest> coming_;
    std::vector<std::int32_t> touched_, finished_, handed_;
    double now_ = 0;
    std::int64_t ended_ = 0;
    ServingResult result_;
};

} // namespace meshslice
