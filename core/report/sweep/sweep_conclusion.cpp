#include "core/report/sweep/sweep_conclusion.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/sweep/sweep_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

using Good = std::vector<const SweepPoint*>;

/// Which number the points are judged by.
std::optional<Measure> judged_by(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                 const Good& good) {
    const auto all_have = [&](const Measure& one) {
        return one.better != Better::not_said && std::ranges::all_of(good, [&](const SweepPoint* point) {
                   return point->number(one.path).value_or(0) > 0;
               });
    };
    const std::vector<Measure> all = shown_as(sweep, points).measures;
    if (!sweep.number.empty()) {
        return all_have(all.front()) ? std::optional(all.front()) : std::nullopt;
    }
    const auto work = [](const SweepPoint* point) { return point->number("flop"); };
    const bool same_work = std::ranges::all_of(good, [&](const SweepPoint* point) {
        return work(point).has_value() && work(point) == work(good.front());
    });
    const std::optional<Measure> time = time_of(sweep, points);
    if (same_work && time && all_have(*time)) {
        return time;
    }
    const auto found = std::ranges::find_if(
        all, [&](const Measure& one) { return one.unit != ChartUnit::seconds && all_have(one); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

/// Judges points by one number.
class Judged {
  public:
    Judged(const Sweep& sweep, Measure measure) : sweep_(&sweep), measure_(std::move(measure)) {}

    [[nodiscard]] double value(const SweepPoint& point) const { return *point.number(measure_.path); }
    [[nodiscard]] const Measure& measure() const { return measure_; }
    /// So many times as good the first is: at least 1 where it is not behind.
    [[nodiscard]] double times(const SweepPoint& one, const SweepPoint& other) const {
        return measure_.better == Better::less ? value(other) / value(one) : value(one) / value(other);
    }
    /// "12.4 ms with batch 8".
    [[nodiscard]] std::string with(const SweepPoint& point) const {
        return say("{} with {}", measured_words(measure_, value(point)), point_words(*sweep_, point));
    }
    /// "23% more", "2.1 times as much": of a point that is not as good.
    [[nodiscard]] std::string behind(const SweepPoint& best, const SweepPoint& point) const {
        const double ratio = value(point) / value(best);
        constexpr double twice = 2;
        return ratio >= twice ? say("{} times as much", number_text(ratio))
               : ratio >= 1   ? say("{} more", percent_text(ratio - 1))
                              : say("{} less", percent_text(1 - ratio));
    }

  private:
    const Sweep* sweep_;
    Measure measure_;
};

std::string best_sentence(const Sweep& sweep, const Judged& by, const Good& ordered) {
    const SweepPoint& best = *ordered.front();
    const std::string first = say("{}: {} is the best", capitalized(by.measure().name), by.with(best));
    if (ordered.size() == 1) {
        return first + said(".");
    }
    const SweepPoint& next = *ordered[1];
    const SweepPoint& worst = *ordered.back();
    const std::string apart = sweep.over->swept && sweep.over->swept->apart
                                  ? sweep.over->swept->apart(sweep, best, next)
                                  : std::string();
    const std::string words = ordered.size() == 2
                                  ? say("{}; {} is behind, {}.", first, by.with(next), by.behind(best, next))
                                  : say("{}; the next is {}, {}, and the last {}, {}.", first, by.with(next),
                                        by.behind(best, next), by.with(worst), by.behind(best, worst));
    return apart.empty() ? words : words + said(" ") + apart;
}

/// Points of one field of positive numbers, ascending, with these numbers.
using Curve = std::vector<std::pair<double, const SweepPoint*>>;

Curve curve_of(const Sweep& sweep, const Good& good) {
    const auto numbers = value_numbers(sweep.fields[0]);
    Curve curve;
    for (const SweepPoint* point : numbers ? good : Good()) {
        const auto& values = sweep.fields[0].values;
        const auto at = std::ranges::find(values, point->values[0]) - values.begin();
        curve.emplace_back((*numbers)[static_cast<std::size_t>(at)], point);
    }
    std::ranges::sort(curve, {}, &Curve::value_type::first);
    const bool usable =
        std::ranges::adjacent_find(curve, std::ranges::equal_to(), &Curve::value_type::first) == curve.end();
    return usable && !curve.empty() && curve.front().first > 0 ? curve : Curve();
}

/// What a doubling of the field makes of the number between two points: a factor.
double by_doubling(const Judged& by, const Curve::value_type& from, const Curve::value_type& to) {
    return std::pow(by.value(*to.second) / by.value(*from.second),
                    std::log(2.0) / std::log(to.first / from.first));
}

std::string change_text(double times) {
    constexpr double printed = 0.005;
    return std::abs(times - 1) < printed ? said("leaves it as it is")
           : times > 1                   ? say("adds {}", percent_text(times - 1))
                                         : say("takes away {}", percent_text(1 - times));
}

/// The place where what a doubling brings changes most: neither the first point nor the last.
std::size_t bend_of(const Judged& by, const Curve& curve) {
    std::size_t bend = 1;
    double most = -1;
    for (std::size_t k = 1; k + 1 < curve.size(); ++k) {
        const double change = std::abs(
            std::log(by_doubling(by, curve.front(), curve[k]) / by_doubling(by, curve[k], curve.back())));
        if (change > most) {
            most = change;
            bend = k;
        }
    }
    return bend;
}

std::string value_words_at(const Sweep& sweep, const SweepPoint& point) {
    const auto& values = sweep.fields[0].values;
    const auto at = std::ranges::find(values, point.values[0]) - values.begin();
    return sweep.words(0)[static_cast<std::size_t>(at)];
}

/// "; waits rise from 3% to 28% of the time".
std::string cause_words(const Sweep& sweep, const Curve& curve) {
    const auto& swept = sweep.over->swept;
    if (!swept || swept->cause.path.empty()) {
        return {};
    }
    const std::optional<double> first = curve.front().second->number(swept->cause.path);
    const std::optional<double> last = curve.back().second->number(swept->cause.path);
    constexpr double worth_saying = 0.01;
    if (!first || !last || std::abs(*last - *first) < worth_saying) {
        return {};
    }
    return *last > *first ? say("From the first to the last, {} rises from {} to {}.", swept->cause.name,
                                percent_text(*first), percent_text(*last))
                          : say("From the first to the last, {} falls from {} to {}.", swept->cause.name,
                                percent_text(*first), percent_text(*last));
}

std::string bend_sentence(const Sweep& sweep, const Judged& by, const Good& good) {
    const Curve curve = curve_of(sweep, good);
    if (curve.size() < 2) {
        return {};
    }
    const std::string name = sweep.name(0);
    std::string words;
    if (curve.size() == 2) {
        words = say("A doubling of the {} {}.", name, change_text(by_doubling(by, curve[0], curve[1])));
    } else {
        const std::size_t bend = bend_of(by, curve);
        const double before = by_doubling(by, curve.front(), curve[bend]);
        const double after = by_doubling(by, curve[bend], curve.back());
        constexpr double straight = 1.05; // a smaller difference does not need two sentences
        words = std::max(before / after, after / before) < straight
                    ? say("Each doubling of the {} {}.", name,
                          change_text(by_doubling(by, curve.front(), curve.back())))
                    : say("Up to {} each doubling of the {} {}, beyond that it {}.",
                          value_words_at(sweep, *curve[bend].second), name, change_text(before),
                          change_text(after));
    }
    const std::string cause = cause_words(sweep, curve);
    return cause.empty() ? words : words + said(" ") + cause;
}

/// So many times the number changes at most by one field alone, where the other stays.
double most_by_field(const Judged& by, const Good& good, std::size_t which) {
    double most = 1;
    for (const SweepPoint* one : good) {
        for (const SweepPoint* other : good) {
            if (one->values[1 - which] == other->values[1 - which]) {
                most = std::max(most, by.times(*one, *other));
            }
        }
    }
    return most;
}

std::string fields_sentence(const Sweep& sweep, const Judged& by, const Good& good) {
    const double first = most_by_field(by, good, 0), second = most_by_field(by, good, 1);
    const bool first_more = first >= second;
    return say("The {} changes it by up to {} times, the {} by up to {} times.",
               sweep.name(first_more ? 0 : 1), number_text(std::max(first, second)),
               sweep.name(first_more ? 1 : 0), number_text(std::min(first, second)));
}

/// "Fits up to batch 64.", where one field of numbers has one such end; else how many do.
std::string fit_sentence(const Sweep& sweep, const std::vector<SweepPoint>& points, const Good& good) {
    const auto large =
        std::ranges::count_if(points, [](const SweepPoint& one) { return one.runs() && !one.fits(); });
    if (large == 0) {
        return {};
    }
    if (good.empty()) {
        return said("No point fits into a chip's memory.");
    }
    const Curve curve = sweep.fields.size() == 1 ? curve_of(sweep, good) : Curve();
    const auto numbers = sweep.fields.size() == 1 ? value_numbers(sweep.fields[0]) : std::nullopt;
    if (numbers && !curve.empty()) {
        double lowest = std::numeric_limits<double>::infinity(), highest = 0; // of those that do not fit
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (points[k].runs() && !points[k].fits()) {
                lowest = std::min(lowest, (*numbers)[k]);
                highest = std::max(highest, (*numbers)[k]);
            }
        }
        if (lowest > curve.back().first) {
            return say("It fits into a chip's memory up to {}.", point_words(sweep, *curve.back().second));
        }
        if (highest < curve.front().first) {
            return say("It fits into a chip's memory from {} on.", point_words(sweep, *curve.front().second));
        }
    }
    return fitting_words(good.size(), points.size());
}

std::string runs_sentence(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    const auto refused = std::ranges::find_if(points, [](const SweepPoint& one) { return !one.runs(); });
    return refused == points.end()
               ? std::string()
               : say("{} of {} points do not run, such as {}: {}",
                     std::ranges::count_if(points, [](const SweepPoint& one) { return !one.runs(); }),
                     points.size(), point_words(sweep, *refused), refused->objection);
}

} // namespace

std::vector<std::string> sweep_conclusion(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    Good good;
    for (const SweepPoint& point : points) {
        if (point.runs() && point.fits()) {
            good.push_back(&point);
        }
    }
    std::vector<std::string> words;
    const auto add = [&](std::string sentence) {
        if (!sentence.empty()) {
            words.push_back(std::move(sentence));
        }
    };
    const std::optional<Measure> measure = good.empty() ? std::nullopt : judged_by(sweep, points, good);
    if (!measure) {
        add(sweep_finding(sweep, points));
        return words;
    }
    const Judged by(sweep, *measure);
    Good ordered = good;
    std::ranges::stable_sort(ordered, {}, [&](const SweepPoint* one) {
        return measure->better == Better::less ? by.value(*one) : -by.value(*one);
    });
    const auto shown = [&](const SweepPoint* one) { return measured_words(*measure, by.value(*one)); };
    if (ordered.size() > 1 && shown(ordered.front()) == shown(ordered.back())) {
        add(say("{}: {} at every point that fits.", capitalized(measure->name), shown(ordered.front())));
    } else {
        add(best_sentence(sweep, by, ordered));
        add(sweep.fields.size() == 1 ? bend_sentence(sweep, by, good) : fields_sentence(sweep, by, good));
    }
    add(fit_sentence(sweep, points, good));
    add(runs_sentence(sweep, points));
    return words;
}

} // namespace meshslice
