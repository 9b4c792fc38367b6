#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/question/serve/frontier.h"
#include "core/question/serve/replica/replica.h"
#include "core/serve/serving_result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// How servers put prompts and decoding in order.
enum class ServingSchedule : std::uint8_t {
    batched, ///< a server waits for as many requests as it takes, and takes others when all of them are done
    interleaved, ///< prompts come in when there is a place, and nothing decodes in their step
    chunked,     ///< parts of prompts fill up the steps of requests that decode
    apart        ///< one server takes prompts and the other one decodes
};
[[nodiscard]] std::string_view name(ServingSchedule schedule);

/// The same requests on two servers under one schedule.
struct ScheduledRequests {
    ServingSchedule schedule = ServingSchedule::batched;
    std::vector<RequestOutcome> requests; ///< in the order of their arrival

    [[nodiscard]] double mean_ttft() const;
    [[nodiscard]] double longest_ttft() const;
    [[nodiscard]] double mean_tpot() const; ///< of requests with more than one token
    [[nodiscard]] double longest_tpot() const;
    [[nodiscard]] double end() const; ///< s from the first arrival to the last token
};

/// Twelve requests on two servers of four places each. `rate`: of arrivals, one after the other as evenly; 0:
/// so many that a server with as few requests has one at work in each place. Their outputs are the asked one,
/// a quarter, a half and three quarters of it in turn.
struct ComparedSchedules {
    double rate = 0;
    std::vector<ScheduledRequests> all;
    std::string not_apart; ///< why there are no pools of one phase each; empty: there are
};
[[nodiscard]] Result<ComparedSchedules> compared_schedules(const ServingAsked& asked, const Replica& one,
                                                           double rate, const RunControl& control);

} // namespace meshslice
