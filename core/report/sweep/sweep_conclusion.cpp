#include "core/report/sweep/sweep_conclusion.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/report/sweep/sweep_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

using Good = std::vector<const SweepPoint*>; ///< of the points of a sweep, in their order

/// Which number points are judged by, and those that have it.
struct JudgedBy {
    Measure measure;
    Good with, without;
};

/// The first number of the measures that all points have, or at least two and half of them.
std::optional<JudgedBy> judged_by(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                  const Good& good) {
    const auto by = [&](const Measure& one) {
        JudgedBy made{one, {}, {}};
        for (const SweepPoint* point : good) {
            (point->number(one.path).value_or(0) > 0 ? made.with : made.without).push_back(point);
        }
        return made;
    };
    const auto judges = [&](const JudgedBy& one) {
        const bool most = one.with.size() > 1 && one.with.size() >= one.without.size();
        return one.measure.better != Better::not_said && (one.without.empty() || most);
    };
    const std::vector<Measure> all = shown_as(sweep, points).measures;
    if (!sweep.number.empty()) { // asked for alone
        JudgedBy first = by(all.front());
        return judges(first) && first.without.empty() ? std::optional(std::move(first)) : std::nullopt;
    }
    const auto work = [](const SweepPoint* point) { return point->number("flop"); };
    const bool same_work = std::ranges::all_of(good, [&](const SweepPoint* point) {
        return work(point).has_value() && work(point) == work(good.front());
    });
    for (const bool times : {true, false}) {
        for (const Measure& one : all) {
            if ((one.unit == ChartUnit::seconds) != times || (times && !same_work)) {
                continue;
            }
            if (JudgedBy found = by(one); judges(found)) {
                return found;
            }
        }
    }
    return std::nullopt;
}

/// Judges points by one number.
class Judged {
  public:
    explicit Judged(Measure measure) : measure_(std::move(measure)) {}

    [[nodiscard]] double value(const SweepPoint& point) const { return *point.number(measure_.path); }
    [[nodiscard]] const Measure& measure() const { return measure_; }
    [[nodiscard]] std::string printed(const SweepPoint& point) const {
        return measured_words(measure_, value(point));
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
    Measure measure_;
};

/// Points that are printed alike, as "12.4 ms with batch 8, batch 16, batch 32 and 3 others".
std::string with_all(const Sweep& sweep, const Judged& by, const Good& alike) {
    constexpr std::size_t most_named = 3;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(alike.size(), most_named); ++k) {
        names.push_back(point_words(sweep, *alike[k]));
    }
    if (alike.size() > most_named) {
        names.push_back(say("{} others", alike.size() - most_named));
    }
    return say("{} with {}", by.printed(*alike.front()), listed(names));
}

/// From the first of the ordered points, or the last, those that are printed as it is.
Good printed_alike(const Judged& by, const Good& ordered, std::size_t from) {
    const auto begin = ordered.begin() + static_cast<std::ptrdiff_t>(from);
    const std::string words = by.printed(**begin);
    const auto end =
        std::find_if(begin, ordered.end(), [&](const SweepPoint* one) { return by.printed(*one) != words; });
    return {begin, end};
}

std::vector<std::string> best_sentences(const Sweep& sweep, const Judged& by, const Good& ordered) {
    const Good best = printed_alike(by, ordered, 0);
    std::vector<std::string> words = {
        best.size() == 1
            ? say("{}: {} is the best.", capitalized(by.measure().name), with_all(sweep, by, best))
            : say("{}: the best is {}.", capitalized(by.measure().name), with_all(sweep, by, best))};
    if (ordered.size() == best.size()) {
        return words;
    }
    const Good next = printed_alike(by, ordered, best.size());
    const SweepPoint &one = *best.front(), &other = *next.front();
    Good last(ordered.rbegin(), ordered.rend());
    last = printed_alike(by, last, 0);
    std::ranges::reverse(last);
    const bool two = by.printed(*last.front()) == by.printed(other);
    words.push_back(two ? say("Behind it is {}, {}.", with_all(sweep, by, next), by.behind(one, other))
                        : say("The next is {}, {}.", with_all(sweep, by, next), by.behind(one, other)));
    if (sweep.over->swept && sweep.over->swept->apart) {
        const std::string apart = sweep.over->swept->apart(by.measure(), one, other);
        words.back() += apart.empty() ? apart : said(" ") + apart;
    }
    if (!two) {
        words.push_back(say("The last is {}, {}.", with_all(sweep, by, last), by.behind(one, *last.front())));
    }
    return words;
}

/// Points of one field of positive numbers, ascending, with these numbers.
using Curve = std::vector<std::pair<double, const SweepPoint*>>;

/// `first`: the sweep's first point, from which the place of another says which value it has.
Curve curve_of(const Sweep& sweep, const SweepPoint* first, const Good& good) {
    const auto numbers = value_numbers(sweep.fields[0]);
    Curve curve;
    for (const SweepPoint* point : numbers ? good : Good()) {
        curve.emplace_back((*numbers)[static_cast<std::size_t>(point - first)], point);
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

constexpr double doubled = 2 * (1 - 1e-9);

/// The place where what a doubling brings changes most, with a doubling before it and one beyond it; the last
/// where there is none.
std::size_t bend_of(const Judged& by, const Curve& curve) {
    std::size_t bend = curve.size() - 1;
    double most = -1;
    for (std::size_t k = 1; k + 1 < curve.size(); ++k) {
        if (curve[k].first < doubled * curve.front().first || curve.back().first < doubled * curve[k].first) {
            continue;
        }
        const double change = std::abs(
            std::log(by_doubling(by, curve.front(), curve[k]) / by_doubling(by, curve[k], curve.back())));
        if (change > most) {
            most = change;
            bend = k;
        }
    }
    return bend;
}

constexpr double straight = 1.05; ///< a smaller difference does not need two sentences

/// Whether a doubling brings the same between all neighbours from one place to another. Of two that are more
/// than a doubling apart what each of these brings is not known.
bool is_even(const Judged& by, const Curve& curve, std::size_t from, std::size_t to) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (std::size_t k = from; k < to; ++k) {
        constexpr double about = 1 + 1e-9;
        if (curve[k + 1].first > 2 * about * curve[k].first) {
            return false;
        }
        const double times = by_doubling(by, curve[k], curve[k + 1]);
        least = std::min(least, times);
        most = std::max(most, times);
    }
    return most < straight * least;
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

std::string bend_sentence(const Sweep& sweep, const Judged& by, const SweepPoint* first, const Good& good) {
    const Curve curve = curve_of(sweep, first, good);
    if (curve.size() < 2) {
        return {};
    }
    const std::string name = sweep.name(0);
    const std::vector<std::string> values = sweep.words(0);
    const auto value_words = [&](std::size_t k) {
        return values[static_cast<std::size_t>(curve[k].second - first)];
    };
    const std::size_t end = curve.size() - 1, bend = bend_of(by, curve);
    const double before = by_doubling(by, curve.front(), curve[bend]);
    const double after = bend < end ? by_doubling(by, curve[bend], curve.back()) : before;
    const std::string whole = change_text(by_doubling(by, curve.front(), curve.back()));
    std::string words;
    if (curve.back().first < doubled * curve.front().first) {
        words = say("From {} to {} it {}.", value_words(0), value_words(end),
                    change_text(by.value(*curve.back().second) / by.value(*curve.front().second)));
    } else if (std::max(before / after, after / before) >= straight) {
        words = is_even(by, curve, 0, bend) && is_even(by, curve, bend, end)
                    ? say("Up to {} each doubling of the {} {}, beyond that it {}.", value_words(bend), name,
                          change_text(before), change_text(after))
                    : say("On average, up to {} a doubling of the {} {}, beyond that it {}.",
                          value_words(bend), name, change_text(before), change_text(after));
    } else if (!is_even(by, curve, 0, end)) {
        words = say("On average, a doubling of the {} {}.", name, whole);
    } else {
        words = curve.size() == 2 ? say("A doubling of the {} {}.", name, whole)
                                  : say("Each doubling of the {} {}.", name, whole);
    }
    const std::string cause = cause_words(sweep, curve);
    return cause.empty() ? words : words + said(" ") + cause;
}

/// So many times the number changes at most by one field alone, where the other stays.
double most_by_field(const Sweep& sweep, const Judged& by, const SweepPoint* first, const Good& good,
                     std::size_t which) {
    const std::size_t faster = sweep.fields[1].values.size(); // the second field changes faster
    const std::size_t others = sweep.fields[1 - which].values.size();
    std::vector<std::pair<const SweepPoint*, const SweepPoint*>> ends(others); ///< least and most of each
    for (const SweepPoint* one : good) {
        const auto place = static_cast<std::size_t>(one - first);
        auto& [least, most] = ends[which == 0 ? place % faster : place / faster];
        least = least == nullptr || by.value(*one) < by.value(*least) ? one : least;
        most = most == nullptr || by.value(*one) > by.value(*most) ? one : most;
    }
    double times = 1;
    for (const auto& [least, most] : ends) {
        times = least == nullptr ? times : std::max(times, by.value(*most) / by.value(*least));
    }
    return times;
}

std::string fields_sentence(const Sweep& sweep, const Judged& by, const SweepPoint* begin, const Good& good) {
    const double first = most_by_field(sweep, by, begin, good, 0),
                 second = most_by_field(sweep, by, begin, good, 1);
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
    const Curve curve = sweep.fields.size() == 1 ? curve_of(sweep, points.data(), good) : Curve();
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

Good best_first(const Judged& by, Good points) {
    std::ranges::stable_sort(points, {}, [&](const SweepPoint* one) {
        return by.measure().better == Better::less ? by.value(*one) : -by.value(*one);
    });
    return points;
}

/// Of points without the number that the others are judged by: which they are, and what is the best of all by
/// the next such number that all have.
std::vector<std::string> apart_sentences(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                         const JudgedBy& judged) {
    if (judged.without.empty()) {
        return {};
    }
    constexpr std::size_t most_named = 5;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(judged.without.size(), most_named); ++k) {
        names.push_back(point_words(sweep, *judged.without[k]));
    }
    if (judged.without.size() > most_named) {
        names.push_back(say("{} others", judged.without.size() - most_named));
    }
    std::vector<std::string> words = {
        say("Without {}, and so not in that order: {}.", judged.measure.name, listed(names))};
    Good all = judged.with;
    all.insert(all.end(), judged.without.begin(), judged.without.end());
    for (const Measure& one : shown_as(sweep, points).measures) {
        const bool of_all = std::ranges::all_of(
            all, [&](const SweepPoint* point) { return point->number(one.path).value_or(0) > 0; });
        if (of_all && one.unit == judged.measure.unit && one.better == judged.measure.better) {
            const Judged by(one);
            const Good ordered = best_first(by, all);
            words.push_back(say("By {}, which all have, the best of all is {}.", one.name,
                                with_all(sweep, by, printed_alike(by, ordered, 0))));
            break;
        }
    }
    return words;
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
    const std::optional<JudgedBy> judged = good.empty() ? std::nullopt : judged_by(sweep, points, good);
    if (!judged) {
        add(sweep_finding(sweep, points));
        return words;
    }
    const Judged by(judged->measure);
    const SweepPoint* const first = points.data();
    const Good ordered = best_first(by, judged->with);
    if (ordered.size() > 1 && by.printed(*ordered.front()) == by.printed(*ordered.back())) {
        add(judged->without.empty() ? say("{}: {} at every point that fits.",
                                          capitalized(judged->measure.name), by.printed(*ordered.front()))
                                    : say("{}: {} at every point that has one.",
                                          capitalized(judged->measure.name), by.printed(*ordered.front())));
    } else {
        std::ranges::for_each(best_sentences(sweep, by, ordered), add);
        add(sweep.fields.size() == 1 ? bend_sentence(sweep, by, first, judged->with)
                                     : fields_sentence(sweep, by, first, judged->with));
    }
    std::ranges::for_each(apart_sentences(sweep, points, *judged), add);
    add(fit_sentence(sweep, points, good));
    add(runs_sentence(sweep, points));
    return words;
}

} // namespace meshslice
