// A sweep over several processes, which are threads here: what is handed over, in which order, and what
// happens where one cannot work.

#include "core/question/sweep_workers.h"
#include "tests/core/question/toy_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// Letters on their way, and who answered how many points.
struct Mail {
    std::mutex mutex;
    std::vector<std::deque<ProcessMessage>> boxes;
    std::vector<int> answered;
};

class ThreadLink final : public ProcessLink {
  public:
    ThreadLink(Mail& mail, int place) : mail_(mail), place_(place) {}
    [[nodiscard]] int place() const override { return place_; }
    [[nodiscard]] int count() const override { return static_cast<int>(mail_.boxes.size()); }
    void send(int to, std::string_view words) override {
        const std::lock_guard lock(mail_.mutex);
        mail_.boxes[static_cast<std::size_t>(to)].push_back({place_, std::string(words)});
        mail_.answered[static_cast<std::size_t>(place_)] += to == 0 ? 1 : 0;
    }
    [[nodiscard]] std::optional<ProcessMessage> received() override {
        const std::lock_guard lock(mail_.mutex);
        auto& box = mail_.boxes[static_cast<std::size_t>(place_)];
        if (box.empty()) {
            return std::nullopt;
        }
        ProcessMessage first = std::move(box.front());
        box.pop_front();
        return first;
    }

  private:
    Mail& mail_;
    int place_;
};

/// 30 lengths of a wall, of 8 coats; from 625 m on that is too much for one.
Sweep many_walls() {
    Sweep sweep;
    sweep.over = std::make_shared<const Question>(wall_question());
    sweep.own = asked_of(*sweep.over, {{"wall", "1"}, {"coats", "8"}}, Speech::file).value().own;
    sweep.fields = {parse_vary(*sweep.over, sweep.scenario, "length=10:990:+33").value()};
    return sweep;
}

std::vector<SweepPoint> answered_alone(const Sweep& sweep, std::size_t from = 0) {
    std::vector<SweepPoint> points;
    const auto take = [&](const SweepPoint& point) { points.push_back(point); };
    EXPECT_TRUE(run_sweep(sweep, take, from));
    return points;
}

/// Of so many processes, and what the first one says.
struct Together {
    std::vector<SweepPoint> points;
    std::string refusal;
    std::vector<int> answered;
};
Together together(const Sweep& sweep, int processes, std::size_t from = 0, std::size_t most = 1000,
                  const std::set<int>& unable = {}) {
    Mail mail;
    mail.boxes.resize(static_cast<std::size_t>(processes));
    mail.answered.resize(static_cast<std::size_t>(processes));
    std::vector<std::jthread> others;
    for (int place = 1; place < processes; ++place) {
        others.emplace_back([&mail, &sweep, &unable, place] {
            ThreadLink link(mail, place);
            if (unable.contains(place)) {
                decline_work(link);
            } else {
                EXPECT_EQ(work_on_sweep(sweep, link).error().kind, Error::Kind::cancelled);
            }
            EXPECT_TRUE(link.over);
        });
    }
    Together made;
    ThreadLink link(mail, 0);
    std::stop_source stop;
    const Result<void> ran = hand_out_sweep(
        sweep,
        [&](const SweepPoint& point) {
            made.points.push_back(point);
            if (made.points.size() == most) {
                stop.request_stop();
            }
        },
        from, {stop.get_token()}, link);
    end_work(link);
    others.clear();
    made.refusal = ran ? std::string() : ran.error().sentence;
    made.answered = mail.answered;
    return made;
}

TEST(SweepWorkers, AnswerWhatOneProcessAnswers) {
    const Sweep sweep = many_walls();
    const std::vector<SweepPoint> expected = answered_alone(sweep);
    ASSERT_GT(expected.size(), 9u);
    for (const int processes : {1, 2, 4}) {
        const Together made = together(sweep, processes);
        EXPECT_EQ(made.points, expected) << processes;
        EXPECT_EQ(made.refusal, "");
    }
}

TEST(SweepWorkers, BeginWhereAFileEnds) {
    const Sweep sweep = many_walls();
    EXPECT_EQ(together(sweep, 3, 7).points, answered_alone(sweep, 7));
    EXPECT_TRUE(together(sweep, 3, sweep.size()).points.empty());
}

/// What was handed over before stays in order, and no process waits.
TEST(SweepWorkers, StopWhenTheyAreStopped) {
    const Sweep sweep = many_walls();
    const Together made = together(sweep, 3, 0, 5);
    EXPECT_EQ(made.points.size(), 5u);
    EXPECT_THAT(made.refusal, HasSubstr("cancelled"));
}

/// A process that reads something else ends the sweep with a sentence instead of a wait without end.
TEST(SweepWorkers, SayWhichOneCannotWork) {
    EXPECT_THAT(together(many_walls(), 3, 0, 1000, {2}).refusal,
                HasSubstr("Process 2 answered something else than a point of this sweep"));
}

} // namespace
} // namespace meshslice
