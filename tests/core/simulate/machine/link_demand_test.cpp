#include "core/simulate/machine/link_demand.h"
#include "core/simulate/machine/shared_memory.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <vector>

namespace meshslice {
namespace {

/// A GEMM that gathers one matrix and reduce-scatters another, on 2 x 2 chips with links of 10^9 B/s and
/// enough HBM to serve them; and two links: one by which chip 0 sends, and one by which it receives.
struct Rings {
    Machine hardware = round_hardware();
    Program program = written("collective", {400, 400, 400}, Dataflow::LS, *Torus::create({2, 2}));
    Schedule schedule;
    Conditions conditions;
    Plans all;
    OperationId gather = 0;
    OperationId scatter = 0;
    std::vector<Interval> memory = std::vector<Interval>(1000);
    RowWriter sending{memory.data()};
    RowWriter receiving{memory.data() + 500};

    explicit Rings(RingMode mode = RingMode::both_ways, const char* fault = nullptr) {
        hardware.output_tile = {1000, "test"};
        schedule.chip = ChipModel::tiled;
        schedule.ring = mode;
        all = plans(program, hardware, schedule);
        for (std::size_t id = 0; id < all.size(); ++id) {
            const std::int64_t reads = all[id].front().cost.reads;
            gather = reads == 1 ? static_cast<OperationId>(id) : gather;
            scatter = reads == 2 ? static_cast<OperationId>(id) : scatter;
        }
        if (fault != nullptr) {
            conditions = *meshslice::conditions(program.torus, Faults{{*parse_fault(fault)}, {}, 1});
        }
    }
    [[nodiscard]] Wires wires() const { return {program, conditions, hardware.network}; }

    static Interval transfer(Time start, Time end, OperationId operation) {
        return {start, end, 0, 0, operation, Activity::transfer};
    }
    static Interval sync(Time start, Time end, OperationId operation) {
        return {start, end, 0, 0, operation, Activity::sync};
    }
};

constexpr int east_slot = link_slot(Axis::horizontal, Direction::forward);
constexpr int west = link_slot(Axis::horizontal, Direction::backward);

/// What is gathered is read once where it is sent and written where it arrives; sums are read twice.
TEST(TransferRates, SumsAreReadTwice) {
    const Rings rings;
    ASSERT_NE(rings.gather, rings.scatter);
    const Wires wires = rings.wires();
    const TransferRates rates(rings.all, wires);
    EXPECT_EQ(rates.rate(0, east_slot, rings.gather, true), 1'000'000'000);
    EXPECT_EQ(rates.rate(0, east_slot, rings.gather, false), 1'000'000'000);
    EXPECT_EQ(rates.rate(0, east_slot, rings.scatter, true), 2'000'000'000);
    EXPECT_EQ(rates.rate(0, east_slot, rings.scatter, false), 1'000'000'000);
    EXPECT_EQ(rates.most(0, east_slot, true), 2'000'000'000);
    EXPECT_EQ(rates.most(0, east_slot, false), 1'000'000'000);
}

TEST(TransferRates, FollowTheLinkAndTheDirection) {
    const Rings slow(RingMode::both_ways, "0,0 east 25%");
    const Wires slow_wires = slow.wires();
    const TransferRates rates(slow.all, slow_wires);
    EXPECT_EQ(rates.rate(0, east_slot, slow.scatter, true), 500'000'000);
    EXPECT_EQ(rates.rate(0, west, slow.scatter, true), 2'000'000'000);
    const Rings one_way(RingMode::one_way);
    const Wires one_way_wires = one_way.wires();
    EXPECT_EQ(TransferRates(one_way.all, one_way_wires).rate(0, west, one_way.scatter, true), 0);
}

/// Chip 0 sends sums from 10 to 20 us and, at once, from 20 to 25, and gathers from 15 to 25: it takes 2, 3,
/// 2 + 1 again, and nothing from 25 on.
TEST(LinkDemand, GoesFromChangeToChange) {
    Rings rings;
    const Wires wires = rings.wires();
    const TransferRates rates(rings.all, wires);
    LinkDemand demand(rates);
    demand.add(rings.sending, 0, east_slot, true);
    demand.add(rings.receiving, 1, east_slot, false);
    EXPECT_EQ(demand.most(), 3'000'000'000);
    EXPECT_EQ(demand.next(), LinkDemand::never);

    rings.sending.write(Rings::sync(us(8), us(10), rings.scatter));
    rings.sending.write(Rings::transfer(us(10), us(20), rings.scatter));
    rings.sending.write(Rings::transfer(us(20), us(20), rings.scatter)); // of no bytes
    rings.sending.write(Rings::transfer(us(20), us(25), rings.scatter));
    rings.receiving.write(Rings::transfer(us(15), us(25), rings.gather));
    EXPECT_EQ(demand.next(), LinkDemand::never); // Nobody has looked yet.
    demand.look_again();
    const auto passes = [&](Time at, std::int64_t takes) {
        EXPECT_EQ(demand.next(), at);
        demand.pass();
        EXPECT_EQ(demand.take(), takes * 1'000'000'000);
    };
    passes(us(10), 2);
    passes(us(15), 3);
    passes(us(20), 3);
    passes(us(25), 0);
    EXPECT_EQ(demand.next(), LinkDemand::never);

    rings.sending.write(Rings::sync(us(25), us(30), rings.gather));
    rings.sending.write(Rings::transfer(us(30), us(40), rings.gather));
    demand.look_again();
    passes(us(30), 1);
    passes(us(40), 0);
}

/// From wherever it is, to before, into and behind transfers: as if it had gone step by step. A change at the
/// time itself is still to come.
TEST(LinkDemand, GoesToATime) {
    Rings rings;
    const Wires wires = rings.wires();
    const TransferRates rates(rings.all, wires);
    for (int step = 0; step < 20; ++step) { // 1 us to synchronize, 4 to transfer
        const Time begin = us(5 * step);
        rings.sending.write(Rings::sync(begin, begin + us(1), rings.gather));
        rings.sending.write(Rings::transfer(begin + us(1), begin + us(5), rings.gather));
    }
    for (int from = 0; from <= 101; ++from) {
        for (int to = from; to <= 101; ++to) {
            LinkDemand demand(rates);
            demand.add(rings.receiving, 1, east_slot, false); // Nothing comes by this one.
            LinkDemand by_steps(rates);
            by_steps.add(rings.receiving, 1, east_slot, false);
            const RowWriter row = rings.sending;
            // A row is followed from where it stands when it is added.
            RowWriter begun(rings.memory.data());
            demand.add(begun, 0, east_slot, true);
            by_steps.add(begun, 0, east_slot, true);
            begun = row;
            demand.look_again();
            demand.go_to(us(from));
            demand.go_to(us(to));
            by_steps.look_again();
            while (by_steps.next() < us(to)) {
                by_steps.pass();
            }
            ASSERT_EQ(demand.take(), by_steps.take()) << from << ' ' << to;
            ASSERT_EQ(demand.next(), by_steps.next()) << from << ' ' << to;
        }
    }
}

/// 4 x 10^9 B/s, of which a core uses 3. Its chip sends and receives from 2 to 5 us: 2 x 10^9 are left to it,
/// two thirds of its pace, so of 10 us of work 1 us is lost. That links send from 20 us on is too late.
TEST(LinkDemand, SlowsACoreThatIsToldNothing) {
    Rings rings;
    const Wires wires = rings.wires();
    const TransferRates rates(rings.all, wires);
    std::vector<LinkDemand> demand(1, LinkDemand(rates));
    demand[0].add(rings.sending, 0, east_slot, true);
    demand[0].add(rings.receiving, 1, east_slot, false);
    SharedMemory memory(Bandwidth(4e9), std::move(demand));
    rings.sending.write(Rings::transfer(us(2), us(5), rings.gather));
    memory.begin(Time(0), 0, core_engine, Bytes(30'000), us(10));
    Time visit = memory.settle(Time(0)).front().at;
    EXPECT_LE(visit, us(11));
    rings.receiving.write(Rings::transfer(us(2), us(5), rings.gather));
    rings.sending.write(Rings::transfer(us(20), us(25), rings.gather));
    while (!memory.over(visit, 0, core_engine)) {
        const auto& visits = memory.settle(visit);
        ASSERT_EQ(visits.size(), 1u);
        ASSERT_GT(visits.front().at, visit);
        visit = visits.front().at;
    }
    EXPECT_EQ(visit, us(11));
}

/// A job that begins in a chip's memory.
struct Job {
    std::size_t engine;
    Time begins;
    Bytes bytes;
    Time alone;
};

/// When jobs end, by engine. `tell` announces what becomes known at the given time, and returns the next time
/// at which it has something to announce.
std::map<std::size_t, Time> ends(SharedMemory& memory, std::vector<Job> jobs,
                                 const std::function<Time(Time)>& tell) {
    std::map<std::size_t, Time> over;
    std::multimap<Time, std::size_t> visits;
    const std::size_t count = jobs.size();
    Time told = Time(0);
    for (int step = 0; over.size() < count; ++step) {
        Time now = told;
        for (const Job& job : jobs) {
            now = std::min(now, job.begins);
        }
        now = visits.empty() ? now : std::min(now, visits.begin()->first);
        if (step == 10'000 || now == LinkDemand::never) {
            ADD_FAILURE() << "A job is never visited when it is over.";
            return over;
        }
        told = tell(now);
        for (; !visits.empty() && visits.begin()->first == now; visits.erase(visits.begin())) {
            const std::size_t engine = visits.begin()->second;
            if (memory.over(now, 0, engine)) {
                memory.end(now, 0, engine);
                over[engine] = now;
            }
        }
        std::erase_if(jobs, [&](const Job& job) {
            if (job.begins == now) {
                memory.begin(now, 0, job.engine, job.bytes, job.alone);
            }
            return job.begins == now;
        });
        for (const auto& [chip, engine, at] : memory.settle(now)) {
            EXPECT_GE(at, now);
            visits.emplace(at, engine);
        }
    }
    return over;
}

/// Two jobs at the same time, and random transfers of two links that stand in their rows some time before
/// they begin (or those of one link do). The jobs end at the same times as if every change were announced
/// only when it happens.
TEST(LinkDemand, IsWhatLinksTakeChangeByChange) {
    std::mt19937_64 random(11);
    const auto below = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
    };
    for (int round = 0; round < 300; ++round) {
        Rings rings;
        const Wires wires = rings.wires();
        const TransferRates rates(rings.all, wires);
        const OperationId operation = round % 2 == 0 ? rings.gather : rings.scatter;
        const std::vector<Job> jobs = {
            {core_engine, Time(below(5'000'000)), Bytes(10'000 + below(60'000)), us(10 + below(10))},
            {0, Time(below(15'000'000)), Bytes(5'000 + below(20'000)), us(2 + below(10))}};
        std::array<std::vector<Interval>, 2> links;
        for (std::vector<Interval>& link : links) {
            Time time(below(3'000'000));
            for (int step = 0; step < 40; ++step) {
                const Time end = time + Time(1 + below(2'000'000));
                link.push_back(Rings::transfer(time, end, operation));
                time = end + Time(below(2) * below(2'000'000)); // or at once
            }
        }
        const auto changes_from = [&](std::size_t first) {
            std::map<Time, std::int64_t> changes; // of what links take, bytes/s
            for (std::size_t link = first; link < links.size(); ++link) {
                const std::int64_t takes = rates.rate(0, east_slot, operation, link == 0);
                for (const Interval& transfer : links[link]) {
                    changes[transfer.start] += takes;
                    changes[transfer.end] -= takes;
                }
            }
            return changes;
        };
        const auto tell_changes = [](SharedMemory& memory, std::map<Time, std::int64_t>& changes, Time now) {
            if (!changes.empty() && changes.begin()->first == now) {
                memory.links_take(now, 0, changes.begin()->second);
                changes.erase(changes.begin());
            }
            return changes.empty() ? LinkDemand::never : changes.begin()->first;
        };

        SharedMemory at_once(Bandwidth(4e9), std::vector<LinkDemand>(1));
        std::map<Time, std::int64_t> all = changes_from(0);
        const auto expected = ends(at_once, jobs, [&](Time now) { return tell_changes(at_once, all, now); });

        for (const std::size_t rows : {std::size_t{1}, std::size_t{2}}) { // The other is announced.
            std::array<RowWriter, 2> writers = {RowWriter(rings.memory.data()),
                                                RowWriter(rings.memory.data() + 500)};
            std::vector<LinkDemand> demand(1, LinkDemand(rates));
            for (std::size_t link = 0; link < rows; ++link) {
                demand[0].add(writers[link], 0, east_slot, link == 0);
            }
            SharedMemory ahead(Bandwidth(4e9), std::move(demand));
            std::map<Time, std::int64_t> others = changes_from(rows);
            std::array<std::size_t, 2> written{};
            const auto found = ends(ahead, jobs, [&](Time now) {
                Time next = tell_changes(ahead, others, now);
                for (std::size_t link = 0; link < rows; ++link) {
                    const Time known = now + Time(below(3) * below(4'000'000));
                    std::size_t& count = written[link];
                    for (; count < links[link].size() && links[link][count].start <= known; ++count) {
                        writers[link].write(links[link][count]);
                    }
                    if (count < links[link].size()) {
                        next = std::min(next, links[link][count].start);
                    }
                }
                return next;
            });
            ASSERT_EQ(found.size(), jobs.size());
            for (const auto& [engine, time] : expected) {
                EXPECT_NEAR(static_cast<double>(found.at(engine).value()), static_cast<double>(time.value()),
                            1)
                    << "round " << round << ", engine " << engine << ", rows " << rows;
            }
        }
    }
}

} // namespace
} // namespace meshslice
