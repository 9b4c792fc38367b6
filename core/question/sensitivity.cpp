#include "core/question/sensitivity.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/machine/edit.h"
#include "core/machine/fields.h"
#include "core/plan/search/loaded_plan.h"
#include "core/plan/search/plan_question.h"
#include "core/question/offer.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

/// How many chips a pod or a host has: no number of a chip's speed.
constexpr std::string_view of_a_pod = "_in_chips";
/// How many ports a chip has to a switch.
constexpr std::string_view of_ports = "ports_per_chip";

bool is_zero(const FieldValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* number = std::get_if<double>(&value);
    return (whole != nullptr && *whole == 0) || (number != nullptr && *number == 0);
}

/// The key of the scenario's row of a number of the chip; none has one that steps do not know.
std::string key_in_scenario(const std::string& key) {
    return key.substr(0, key.find("_in_"));
}

/// A number that the scenario has a field of.
ScaledNumber of_field(const Scenario& scenario, const Field<Scenario>& field, const std::string& value) {
    const FieldValue now = field.get(scenario);
    const std::string why = field.objection ? field.objection(scenario) : std::string();
    return {said(field.name), value,
            [&field, now](double times) {
                return multiplied(field, now, times, said(field.name)).map([&](const FieldValue& product) {
                    return std::vector{FieldEdit{{}, field.key, product}};
                });
            },
            why.empty()};
}

/// The whole machine, with a number that only it has.
std::vector<FieldEdit> another_machine(const Machine& machine) {
    return {{{}, "hardware", JsonPart{write_machine(machine), machine.title}}};
}

ScaledNumber of_chip(const Scenario& scenario, const Field<Machine>& number) {
    return {said(number.name), text(number, number.get(scenario.hardware)),
            [&number, machine = scenario.hardware](double times) -> Result<std::vector<FieldEdit>> {
                Machine other = machine;
                return multiplied(number, number.get(machine), times, said(number.name))
                    .and_then([&](const FieldValue& value) { return edit(other, number, value); })
                    .map([&] { return another_machine(other); });
            },
            false};
}

/// Next to the name of its switch.
const char* short_name(const Field<Level>& number) {
    constexpr std::array names = {std::pair("ports_per_chip", "ports of a chip"),
                                  std::pair("port_bandwidth_in_bytes_per_s", "bandwidth of a port"),
                                  std::pair("latency_in_s", "latency"),
                                  std::pair("efficiency", "efficiency")};
    const auto* const found = std::ranges::find(names, std::string_view(number.key),
                                                [](const auto& one) { return std::string_view(one.first); });
    return found == names.end() ? number.name.c_str() : found->second;
}

ScaledNumber of_level(const Scenario& scenario, const Field<Level>& number, std::size_t level) {
    const Level& its = scenario.hardware.network.levels[level];
    const std::string name = fmt::format("{}: {}", title(its), said(short_name(number)));
    return {
        name, text(number, number.get(its)),
        [&number, level, name, machine = scenario.hardware](double times) -> Result<std::vector<FieldEdit>> {
            Machine other = machine;
            Level& scaled = other.network.levels[level];
            const Result<FieldValue> value = multiplied(number, number.get(scaled), times, name);
            if (!value) {
                return refuse(value.error());
            }
            if (const Result<void> taken = number.set(scaled, *value); !taken) {
                return refuse(taken.error());
            }
            number.source(scaled) =
                fmt::format("Edited; before it was {}: {}",
                            text(number, number.get(machine.network.levels[level])), number.source(scaled));
            other.name += "-edited";
            other.title += fmt::format(", {} x {:g}", name, times);
            return another_machine(other);
        },
        false};
}

void add_chip(std::vector<ScaledNumber>& all, const Scenario& scenario) {
    const std::string peak = fmt::format("peak_{}_", name(scenario.assume.schedule.type));
    for (const Field<Machine>& number : machine_numbers()) {
        const bool links = &number >= &link_number(0);
        // No time follows from the power of a chip.
        if (number.key.ends_with(of_a_pod) || number.key == "power_in_w" ||
            !number.applies(scenario.hardware) || is_zero(number.get(scenario.hardware)) ||
            (number.key.starts_with("peak_") && !number.key.starts_with(peak))) {
            continue;
        }
        const std::string key = number.key.starts_with("peak_") ? "peak" : key_in_scenario(number.key);
        const Field<Scenario>* row = links ? nullptr : field_of(scenario_fields(), key);
        if (row != nullptr && row->group == hardware_group) {
            all.push_back(of_field(scenario, *row, text(number, number.get(scenario.hardware))));
            all.back().ports = number.key.ends_with(of_ports);
        } else if (!links) {
            all.push_back(of_chip(scenario, number));
        }
    }
}

/// The links of all axes together, and those of each alone where there are several.
void add_links(std::vector<ScaledNumber>& all, const Scenario& scenario) {
    const int axes = scenario.hardware.network.torus_axes();
    const auto value = [&](int axis) { return text(scenario.hardware.network.link_bandwidth(axis)); };
    if (axes > 0 && scenario.hardware.network.axes_alike()) {
        all.push_back(of_field(scenario, scenario_field("links"), value(0)));
    }
    constexpr std::array keys = {"links_vertical", "links_horizontal", "links_third"};
    for (int axis = 0; axis < axes && axes > 1; ++axis) {
        all.push_back(of_field(scenario, scenario_field(keys[static_cast<std::size_t>(axis)]), value(axis)));
    }
}

struct AskedNumber {
    NumberEffect effect;
    std::string refusal = {}; ///< of the value that was refused last
};

/// One number's two times. Refused only where it was stopped.
Result<AskedNumber> effect_of(const Scenario& scenario, const ScaledNumber& number, const TimeOn& time) {
    AskedNumber asked{{number.name, number.value}};
    NumberEffect& effect = asked.effect;
    for (const bool twice : {true, false}) {
        const auto edits = number.edits(twice ? 2.0 : 0.5);
        if (!edits) {
            asked.refusal = edits.error().sentence;
            continue;
        }
        const Result<Timed> then =
            with_edits(scenario, *edits).and_then([&](const Scenario& other) { return time(other); });
        if (!then && then.error().kind == Error::Kind::cancelled) {
            return refuse(then.error());
        }
        if (then) {
            (twice ? effect.twice : effect.half) = *then;
            (twice ? effect.with_twice : effect.with_half) = *edits;
        } else {
            asked.refusal = then.error().sentence;
        }
    }
    return asked;
}

bool same_times(const NumberEffect& one, const NumberEffect& other) {
    return one.twice == other.twice && one.half == other.half;
}

bool matters(const NumberEffect& effect, const Timed& now) {
    const auto unfits = [&](const std::optional<Timed>& then) { return then && then->fits != now.fits; };
    return weight(effect, now) >= least_effect || unfits(effect.twice) || unfits(effect.half);
}

} // namespace

std::vector<ScaledNumber> scaled_numbers(const Scenario& scenario) {
    std::vector<ScaledNumber> all;
    add_chip(all, scenario);
    add_links(all, scenario);
    const std::vector<Level>& levels = scenario.hardware.network.levels;
    // The innermost and the outermost one are fields of the scenario.
    for (std::size_t level = 1; level + 1 < levels.size(); ++level) {
        for (const Field<Level>& number : switch_fields()) {
            if (levels[level].kind == LevelKind::switched && number.kind == FieldKind::quantity &&
                !is_zero(number.get(levels[level]))) {
                all.push_back(of_level(scenario, number, level));
                all.back().ports = number.key.ends_with(of_ports);
            }
        }
    }
    return all;
}

double weight(const NumberEffect& effect, const Timed& now) {
    const auto change = [&](const std::optional<Timed>& then) {
        return then && then->seconds > 0 && now.seconds > 0 ? std::abs(std::log(then->seconds / now.seconds))
                                                            : 0.0;
    };
    return std::max(change(effect.twice), change(effect.half));
}

Result<Sensitivity> sensitivity(const Scenario& scenario, const TimeOn& time, bool all,
                                const RunControl& control) {
    const Result<Timed> now = time(scenario);
    if (!now) {
        return refuse(now.error());
    }
    Sensitivity found{*now};
    const std::vector<ScaledNumber> numbers = scaled_numbers(scenario);
    NumberEffect before;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const bool asked = all || numbers[k].counts;
        const Result<AskedNumber> one =
            asked ? effect_of(scenario, numbers[k], time) : AskedNumber{{numbers[k].name}};
        if (!one) {
            return refuse(one.error());
        }
        const NumberEffect& effect = one->effect;
        if (asked && !effect.twice && !effect.half) {
            found.unanswered.push_back({effect.name, one->refusal});
        } else if (matters(effect, *now) && !(numbers[k].ports && same_times(effect, before))) {
            found.ranked.push_back(effect);
        } else if (!matters(effect, *now)) {
            found.no_effect.push_back(effect.name);
        }
        before = effect;
        if (control.progress) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(numbers.size()));
        }
    }
    // Of several that matter alike, first one that can be twice as large: no share of a peak can.
    std::ranges::stable_sort(found.ranked, std::ranges::greater{}, [&](const NumberEffect& one) {
        constexpr double alike = 0.05;
        const double of_one = weight(one, *now);
        return std::tuple(std::round(of_one / alike), one.twice && one.half, of_one);
    });
    return found;
}

TimeOn time_of_step(Depth depth, const RunControl& control) {
    return [depth, control](const Scenario& scenario) {
        const std::string& id = scenario.plan.algorithm;
        return (depth == Depth::estimate
                    ? estimated_step(scenario, id, {}, control.stop)
                    : training_step(scenario, id, Depth::simulate, {control.stop, nullptr, control.memory}))
            .map([](const TrainingStep& step) {
                return Timed{in_seconds(step.time), step.fits()};
            });
    };
}

Result<Timed> PlanClock::of(const PlanQuestion& question, const RankedPlan& plan) const {
    const double ideal = plan.reading.time.total;
    if (!expected) {
        return Timed{ideal, plan.reading.fits};
    }
    const std::optional<double> seconds = expected_seconds(question, plan.plan);
    if (!seconds) {
        return refuse(said("Nothing is expected of this plan by measured runs."));
    }
    const double takes = *seconds * corrected;
    return Timed{std::max(takes, ideal), plan.reading.fits, {}, takes >= ideal};
}

PlanClock clock_of(const PlanQuestion& question, const Plan& plan, const ExpectedStep& expected) {
    const std::optional<double> seconds = expected.known() ? expected_seconds(question, plan) : std::nullopt;
    return seconds ? PlanClock{true, expected.seconds / *seconds} : PlanClock();
}

TimeOn time_of_plan(const Plan& plan, const PlanClock& clock) {
    return [plan, clock](const Scenario& scenario) {
        return plan_question(scenario).and_then([&](const PlanQuestion& question) {
            return read_chosen_plan(ChosenPlan{question, plan}).and_then([&](const RankedPlan& one) {
                return clock.of(question, one);
            });
        });
    };
}

std::string ratio_words(const Timed& now, const Timed& then) {
    if (std::abs(std::log(then.seconds / now.seconds)) < least_effect) {
        return said("as fast");
    }
    const bool faster = then.seconds < now.seconds;
    std::string words = faster ? say("{:.2f}x faster", now.seconds / then.seconds)
                               : say("{:.2f}x slower", then.seconds / now.seconds);
    const bool ideal = now.expected && !then.expected; // nothing shorter can be expected
    return !ideal ? words : faster ? say("at most {}", words) : say("at least {}", words);
}

std::optional<Offer> offer_of(const NumberEffect& effect, const Timed& now) {
    const auto faster = [&](const std::optional<Timed>& then) {
        return then && then->seconds < now.seconds * (1 - least_effect);
    };
    const bool twice = faster(effect.twice);
    if (!twice && !faster(effect.half)) {
        return std::nullopt;
    }
    const Timed& then = twice ? *effect.twice : *effect.half;
    return Offer{say("{} x {} is {}: {} instead of {}", effect.name, twice ? "2" : "0.5",
                     ratio_words(now, then), seconds_text(then.seconds), seconds_text(now.seconds)),
                 twice ? effect.with_twice : effect.with_half};
}

std::string sensitivity_finding(const Sensitivity& found) {
    if (found.ranked.empty()) {
        return said("No number of the machine has an effect at twice or at half its value.");
    }
    struct Side {
        std::string words;
        double ratio = 1; ///< of the time then to now
    };
    Side gain, loss;
    const auto look = [&](const NumberEffect& effect, const std::optional<Timed>& then, const char* times) {
        const double ratio = then ? then->seconds / found.now.seconds : 1;
        Side& side = ratio < 1 ? gain : loss;
        if (ratio < 1 ? ratio < side.ratio : ratio > side.ratio) {
            side = {say("{} x {} ({})", effect.name, times, ratio_words(found.now, *then)), ratio};
        }
    };
    for (const NumberEffect& effect : found.ranked) {
        look(effect, effect.twice, "2");
        look(effect, effect.half, "0.5");
    }
    const bool gains = gain.ratio < 1 - least_effect;
    const bool loses = loss.ratio > 1 + least_effect;
    if (gains && loses) {
        return say("Most to gain from {}, most to lose from {}", gain.words, loss.words);
    }
    if (!gains && !loses) {
        return said("No number of the machine has an effect on the time at twice or at half its value.");
    }
    return gains ? say("Most to gain from {}", gain.words) : say("Most to lose from {}", loss.words);
}

std::string no_effect_words(const Sensitivity& found) {
    return found.no_effect.empty()
               ? std::string()
               : say("No effect (less than 0.5%): {}.", fmt::join(found.no_effect, said(", ")));
}

std::string unanswered_words(const Sensitivity& found) {
    std::vector<std::pair<std::string, std::vector<std::string>>> by_reason; // in the order of the numbers
    for (const UnansweredNumber& one : found.unanswered) {
        auto its = std::ranges::find(by_reason, one.reason, [](const auto& group) { return group.first; });
        if (its == by_reason.end()) {
            its = by_reason.insert(its, {one.reason, {}});
        }
        its->second.push_back(one.name);
    }
    std::string words;
    for (const auto& [reason, names] : by_reason) {
        words += (words.empty() ? std::string() : said(" ")) +
                 say("Without an answer: {}. {}", fmt::join(names, said(", ")), reason);
    }
    return words;
}

Chart sensitivity_chart(const Sensitivity& found, const std::string& title) {
    ChartPanel panel;
    panel.x = {found.now.expected ? said("expected time") : said("time"), ChartUnit::seconds};
    ChartSeries twice{.name = said("the number x 2"), .role = Role::transferVertical};
    ChartSeries half{.name = said("the number x 0.5"), .role = Role::exposed, .hollow = false};
    ChartSeries now{.name = said("now"), .kind = SeriesKind::line, .role = Role::text};
    double low = found.now.seconds, high = found.now.seconds;
    const auto add = [&](ChartSeries& series, const std::optional<Timed>& then) {
        series.values.push_back(then ? std::optional(then->seconds) : std::nullopt);
        series.details.push_back(then ? ratio_words(found.now, *then) : std::string());
        low = then ? std::min(low, then->seconds) : low;
        high = then ? std::max(high, then->seconds) : high;
    };
    for (std::size_t k = 0; k < found.ranked.size(); ++k) {
        const NumberEffect& one = found.ranked[k];
        panel.y.categories.push_back(fmt::format("{}  {}", one.name, one.value));
        panel.y.items.push_back(static_cast<int>(k));
        add(twice, one.twice);
        add(half, one.half);
        now.values.emplace_back(found.now.seconds);
    }
    const double margin = 0.05 * (high - low);
    panel.x.low = std::max(0.0, low - margin);
    panel.x.high = high + margin;
    panel.series = {std::move(now), std::move(twice), std::move(half)};
    Chart chart{title, {std::move(panel)}};
    if (const std::string none = no_effect_words(found); !none.empty()) {
        chart.notes.push_back(none);
    }
    if (const std::string unanswered = unanswered_words(found); !unanswered.empty()) {
        chart.notes.push_back(unanswered);
    }
    return chart;
}

Table sensitivity_table(const Sensitivity& found) {
    Table table{said("sensitivity"),
                {"number", "value", "time_now_s", "time_twice_s", "twice_over_now", "time_half_s",
                 "half_over_now", "fits_twice", "fits_half"},
                {}};
    const auto seconds = [](const std::optional<Timed>& then) {
        return then ? Table::Cell(then->seconds) : Table::Cell(std::string());
    };
    const auto ratio = [&](const std::optional<Timed>& then) {
        return then ? Table::Cell(then->seconds / found.now.seconds) : Table::Cell(std::string());
    };
    const auto fits = [](const std::optional<Timed>& then) {
        return Table::Cell(std::string(!then ? "" : then->fits ? "yes" : "no"));
    };
    for (const NumberEffect& one : found.ranked) {
        table.rows.push_back({one.name, plain_spaces(one.value), found.now.seconds, seconds(one.twice),
                              ratio(one.twice), seconds(one.half), ratio(one.half), fits(one.twice),
                              fits(one.half)});
    }
    return table;
}

} // namespace meshslice
