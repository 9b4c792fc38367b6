#include "core/question/sweep_workers.h"

#include "core/base/say.h"
#include "core/base/text/parse.h"
#include "core/question/sweep_file.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::string_view work_is_over = "end";
constexpr std::string_view declined = "declined";
/// Points that a process has at a time, so that it need not wait for the next one.
constexpr std::size_t most_at_once = 2;

/// So short that no point notices.
void wait_a_moment() {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

/// What the first process knows of the others' work.
class HandedOut {
  public:
    HandedOut(const Sweep& sweep, const TakePoint& take, std::size_t from, const RunControl& control,
              ProcessLink& link)
        : sweep_(sweep)
        , take_(take)
        , control_(control)
        , link_(link)
        , size_(sweep.size())
        , next_(from)
        , over_(from)
        , at_work_(static_cast<std::size_t>(link.count()), 0) {}

    Result<void> run() {
        while (over_ < size_ && !control_.stop.stop_requested()) {
            give();
            if (const Result<bool> came = take_one(); !came) {
                return refuse(came.error());
            } else if (!*came) {
                wait_a_moment();
            }
            hand_over();
        }
        while (own_.valid() || std::ranges::any_of(at_work_, [](std::size_t some) { return some > 0; })) {
            if (const Result<bool> came = take_one(); !came) { // what was given before a stop
                return refuse(came.error());
            } else if (!*came) {
                wait_a_moment();
            }
        }
        return over_ < size_ ? Result<void>(cancelled()) : Result<void>();
    }

  private:
    void give() {
        for (std::size_t who = 1; who < at_work_.size(); ++who) {
            while (at_work_[who] < most_at_once && next_ < size_) {
                link_.send(static_cast<int>(who), std::to_string(next_++));
                ++at_work_[who];
            }
        }
        if (!own_.valid() && next_ < size_) {
            own_place_ = next_++;
            own_ = std::async(std::launch::async, [this, place = own_place_] {
                return answered_point(sweep_, place, {control_.stop, nullptr, control_.memory});
            });
        }
    }

    /// Whether a point came, of this process or of another.
    Result<bool> take_one() {
        if (own_.valid() && own_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
            if (Result<SweepPoint> point = own_.get()) { // else it was stopped
                waiting_.emplace(own_place_, *std::move(point));
            }
            return true;
        }
        std::optional<ProcessMessage> message = link_.received();
        if (!message) {
            return false;
        }
        const std::size_t blank = message->words.find(' ');
        const Result<std::int64_t> place = parse_whole(message->words.substr(0, blank));
        std::optional<SweepPoint> point;
        if (place && *place >= 0 && static_cast<std::size_t>(*place) < size_ && blank != std::string::npos) {
            point = point_of_line(message->words.substr(blank + 1), sweep_, static_cast<std::size_t>(*place));
        }
        if (!point) {
            return refuse(
                say("Process {} answered something else than a point of this sweep; expected the same "
                    "program in all processes.",
                    message->from));
        }
        waiting_.emplace(static_cast<std::size_t>(*place), *std::move(point));
        --at_work_[static_cast<std::size_t>(message->from)];
        return true;
    }

    void hand_over() {
        for (auto next = waiting_.find(over_); next != waiting_.end() && !control_.stop.stop_requested();
             next = waiting_.find(over_)) {
            const SweepPoint point = std::move(next->second);
            waiting_.erase(next);
            ++over_;
            take_(point);
            if (control_.progress != nullptr) {
                control_.progress->store(static_cast<double>(over_) / static_cast<double>(size_));
            }
        }
    }

    const Sweep& sweep_;
    const TakePoint& take_;
    const RunControl& control_;
    ProcessLink& link_;
    std::size_t size_;
    std::size_t next_;                          ///< to be given
    std::size_t over_;                          ///< so many were handed over
    std::vector<std::size_t> at_work_;          ///< by process
    std::map<std::size_t, SweepPoint> waiting_; ///< for those before them
    std::future<Result<SweepPoint>> own_;
    std::size_t own_place_ = 0;
};

} // namespace

Result<void> hand_out_sweep(const Sweep& sweep, const TakePoint& take, std::size_t from,
                            const RunControl& control, ProcessLink& link) {
    return checked_to_hand_over(sweep).and_then(
        [&] { return HandedOut(sweep, take, from, control, link).run(); });
}

Result<void> work_on_sweep(const Sweep& sweep, ProcessLink& link) {
    for (;;) {
        const std::optional<ProcessMessage> message = link.received();
        if (!message) {
            wait_a_moment();
            continue;
        }
        const Result<std::int64_t> place = parse_whole(message->words);
        if (!place) {
            link.over = true;
            return cancelled();
        }
        Result<SweepPoint> point = refuse(std::string());
        try {
            point = answered_point(sweep, static_cast<std::size_t>(*place), {});
        } catch (...) {
            link.send(message->from, declined); // the first process waits for every answer
            throw;
        }
        if (!point) {
            link.send(message->from, declined);
            return refuse(point.error());
        }
        link.send(message->from, message->words + " " + point_line(sweep, *point));
    }
}

void decline_work(ProcessLink& link) {
    while (!link.over) {
        const std::optional<ProcessMessage> message = link.received();
        if (!message) {
            wait_a_moment();
        } else if (parse_whole(message->words)) {
            link.send(message->from, declined);
        } else {
            link.over = true;
        }
    }
}

void end_work(ProcessLink& link) {
    for (int who = 1; who < link.count(); ++who) {
        link.send(who, work_is_over);
    }
}

} // namespace meshslice
