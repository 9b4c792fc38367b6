#pragma once

// In which order plans come, and the lists that a search keeps of them.

#include "core/gemm/algorithms.h"
#include "core/plan/search/plan_search.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace meshslice {

/// Of plans that take up to so many times the time of the fastest, the simplest comes first: a model of a
/// machine does not tell them apart.
inline constexpr double as_fast = 1.01;
/// Of equally simple ones the one that needs least memory, as long as less memory costs no more than this.
inline constexpr double as_fast_for_memory = 1.001;

inline auto plan_numbers(const Plan& plan) {
    const Placement& at = plan.placement;
    return std::make_tuple(plan.tensor1 * plan.tensor2, plan.pipeline, plan.strategy, plan.tensor1,
                           plan.micro_batch, plan.panels, plan.recompute, plan.schedule.kind,
                           plan.schedule.chunks, plan.zero, at, plan.around,
                           plan.algorithm == nullptr ? std::string_view() : plan.algorithm->id, plan.axes,
                           plan.experts, plan.context, plan.shard, plan.sums_each_backward, plan.offload);
}

/// What plans are compared by.
struct ComparedPlan {
    const Plan& plan;
    double time = 0;   ///< seconds
    double memory = 0; ///< bytes
    bool fits = false;
    double expected = 0; ///< RankedPlan::expected
};
inline ComparedPlan compared(const RankedPlan& one) {
    return {one.plan, one.reading.time.total, one.reading.memory.total(), one.reading.fits, one.expected};
}

/// Compares numbers only as far as it has to, so that most plans are left behind after one.
inline bool better(const ComparedPlan& one, const ComparedPlan& other) {
    if (one.fits != other.fits) {
        return one.fits;
    }
    if (!one.fits && one.memory != other.memory) {
        return one.memory < other.memory;
    }
    if (one.expected != other.expected) {
        return one.expected < other.expected;
    }
    return one.time != other.time ? one.time < other.time : plan_numbers(one.plan) < plan_numbers(other.plan);
}

/// Whether it needs less memory; of equal ones the faster.
inline bool smaller(const ComparedPlan& one, const ComparedPlan& other) {
    return one.memory != other.memory ? one.memory < other.memory : better(one, other);
}

/// Whether a plan is behind `other` that has its memory and its expected time and takes at least its time,
/// whatever its other numbers.
inline bool certainly_behind(const ComparedPlan& least, const RankedPlan& other) {
    const ComparedPlan its = compared(other);
    if (its.fits != least.fits) {
        return its.fits;
    }
    if (!its.fits && its.memory != least.memory) {
        return its.memory < least.memory;
    }
    if (its.expected != least.expected) {
        return its.expected < least.expected;
    }
    return its.time < least.time;
}

/// What plans share of which the ranking has the best one alone.
inline auto split(const Plan& plan) {
    return std::make_tuple(plan.strategy, plan.algorithm == nullptr ? std::string_view() : plan.algorithm->id,
                           plan.data, plan.pipeline, plan.tensor1, plan.tensor2);
}

/// The best until now, in order; with `once`, each split once.
class Best {
  public:
    Best(std::size_t most, bool once) : most_(most), once_(once) {}

    template <class Read> // -> PlanReading
    void add(const ComparedPlan& one, const Read& read) {
        const bool full = plans_.size() == most_;
        if (full && (most_ == 0 || !better(one, compared(*plans_.rbegin())))) {
            return;
        }
        const auto same = once_ ? splits_.find(split(one.plan)) : splits_.end();
        if (same != splits_.end()) {
            if (better(one, compared(*same->second))) {
                plans_.erase(same->second);
                same->second = plans_.insert({one.plan, read(), one.expected}).first;
            }
            return;
        }
        if (full) {
            if (once_) {
                splits_.erase(split(plans_.rbegin()->plan));
            }
            plans_.erase(std::prev(plans_.end()));
        }
        const auto at = plans_.insert({one.plan, read(), one.expected}).first;
        if (once_) {
            splits_.emplace(split(one.plan), at);
        }
    }

    /// Whether add() has no place for any plan of this split, memory and at least this time.
    [[nodiscard]] bool rejects(const ComparedPlan& least) const {
        if (plans_.size() == most_ && (most_ == 0 || certainly_behind(least, *plans_.rbegin()))) {
            return true;
        }
        const auto same = once_ ? splits_.find(split(least.plan)) : splits_.end();
        return same != splits_.end() && certainly_behind(least, *same->second);
    }

    std::vector<RankedPlan> in_order() && { return {plans_.begin(), plans_.end()}; }

  private:
    struct Before {
        bool operator()(const RankedPlan& a, const RankedPlan& b) const { return plan_before(a, b); }
    };
    using Plans = std::set<RankedPlan, Before>;

    std::size_t most_;
    bool once_;
    Plans plans_;
    std::map<decltype(split(Plan())), Plans::iterator> splits_;
};

/// Plans that no other beats in both time and memory, in the order of their times.
class Frontier {
  public:
    template <class Read> // -> PlanReading
    void add(const ComparedPlan& one, const Read& read) {
        const auto at = at_time(one.time);
        if (at != plans_.begin() && memory_before(at) <= one.memory) {
            return;
        }
        auto last = at;
        if (last != plans_.end() && last->reading.time.total == one.time) {
            const double its = last->reading.memory.total();
            if (its < one.memory ||
                (its == one.memory && !(plan_numbers(one.plan) < plan_numbers(last->plan)))) {
                return;
            }
        }
        while (last != plans_.end() && last->reading.memory.total() >= one.memory) {
            ++last;
        }
        plans_.insert(plans_.erase(at, last), {one.plan, read(), one.expected});
    }

    /// Whether add() has no place for any plan of this memory and at least this time.
    [[nodiscard]] bool rejects(const ComparedPlan& least) {
        if (rejected_by_ < plans_.size() && plans_[rejected_by_].reading.time.total < least.time &&
            plans_[rejected_by_].reading.memory.total() <= least.memory) {
            return true; // most plans are behind the one that the plan before them was behind
        }
        const auto at = at_time(least.time);
        if (at == plans_.begin() || memory_before(at) > least.memory) {
            return false;
        }
        rejected_by_ = static_cast<std::size_t>(at - plans_.begin()) - 1;
        return true;
    }

    std::vector<RankedPlan> plans() && { return std::move(plans_); }

  private:
    [[nodiscard]] std::vector<RankedPlan>::const_iterator at_time(double time) const {
        return std::ranges::lower_bound(plans_, time, {},
                                        [](const RankedPlan& one) { return one.reading.time.total; });
    }
    [[nodiscard]] static double memory_before(std::vector<RankedPlan>::const_iterator at) {
        return std::prev(at)->reading.memory.total();
    }

    std::vector<RankedPlan> plans_;
    std::size_t rejected_by_ = 0;
};

/// What of a search is ranked: by time alone, or with ties as as_fast and as_fast_for_memory have them; with
/// `once`, and with ties, each split once.
class PlanRanking {
  public:
    PlanRanking(std::size_t most, bool once, bool ties)
        : most_(most), ties_(ties && most > 0), best_(most, once || ties) {
        for (Kind& kind : kinds_) {
            kind.best = Best(most, true);
        }
    }

    template <class Read> // -> PlanReading
    void add(const ComparedPlan& one, const Read& read) {
        best_.add(one, read);
        if (!ties_ || !one.fits) {
            return;
        }
        fastest_ = std::min(fastest_, one.time);
        if (is_as_fast(one.time)) {
            Kind& its = kind(one.plan);
            its.best.add(one, read);
            its.frontier.add(one, read);
        }
    }

    /// Whether add() has no place for any plan of this split, memory and at least this time.
    [[nodiscard]] bool rejects(const ComparedPlan& least) {
        if (!best_.rejects(least)) {
            return false;
        }
        if (!ties_ || !least.fits || !is_as_fast(least.time)) {
            return true;
        }
        Kind& its = kind(least.plan);
        return its.best.rejects(least) && its.frontier.rejects(least);
    }

    [[nodiscard]] std::vector<RankedPlan> in_order() &&;

  private:
    /// Plans that are equally simple, of those that are as fast as the fastest.
    struct Kind {
        Best best{0, true};
        Frontier frontier;
    };

    [[nodiscard]] bool is_as_fast(double time) const { return time <= as_fast * fastest_; }
    [[nodiscard]] Kind& kind(const Plan& plan) { return kinds_[simplicity(plan)]; }

    std::size_t most_;
    bool ties_;
    Best best_; ///< by time
    double fastest_ = std::numeric_limits<double>::infinity();
    std::array<Kind, kinds_of_simplicity> kinds_;
};

} // namespace meshslice
