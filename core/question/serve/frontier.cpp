#include "core/question/serve/frontier.h"

#include "core/base/say.h"
#include "core/base/text/parse.h"
#include "core/evidence/inference/serving_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace meshslice {
namespace {

/// One after the other, and eight for each doubling later.
std::vector<std::int64_t> frontier_batches(std::int64_t most) {
    std::vector<std::int64_t> made;
    for (double batch = 1; batch <= static_cast<double>(most);) {
        made.push_back(static_cast<std::int64_t>(batch));
        batch = std::max(batch + 1, std::round(batch * std::exp2(0.125)));
    }
    return made;
}

void mark_best(std::vector<ServingPoint>& points) {
    std::vector<ServingPoint*> order;
    for (ServingPoint& point : points) {
        if (point.fits) {
            order.push_back(&point);
        }
    }
    std::ranges::sort(order, [](const ServingPoint* a, const ServingPoint* b) {
        return std::pair(a->times.per_user, a->times.per_chip) >
               std::pair(b->times.per_user, b->times.per_chip);
    });
    double most = 0;
    for (ServingPoint* point : order) {
        point->best = point->times.per_chip > most;
        most = std::max(most, point->times.per_chip);
    }
}

/// How far a point is from a goal: 1 or less meets it.
double worst_of(const ServedTimes& times, const std::vector<ServingLimit>& limits, std::string& which) {
    double worst = 0;
    for (const ServingLimit& limit : limits) {
        const double value = limit.of(times);
        const double over = limit.below ? value / limit.value : limit.value / value;
        if (over > worst) {
            worst = over;
            which = limit.quantity;
        }
    }
    return worst;
}

} // namespace

double accepted_tokens(double drafts, double acceptance) {
    return acceptance < 1 ? (1 - std::pow(acceptance, drafts + 1)) / (1 - acceptance) : drafts + 1;
}

double acceptance_of(double drafts, double accepted) {
    double low = 0, high = 1;
    constexpr int halvings = 60;
    for (int k = 0; k < halvings; ++k) {
        const double middle = (low + high) / 2;
        (accepted_tokens(drafts, middle) < accepted ? low : high) = middle;
    }
    return (low + high) / 2;
}

Result<Replica> replica_of(const ServingAsked& asked, std::int64_t tensor) {
    const ServingLayout layout = asked.layout(tensor);
    if (const std::string objection = layout_objection(asked.model, layout); !objection.empty()) {
        return refuse(objection);
    }
    const ServedGroup group{tensor, asked.replica_chips(tensor),
                            asked.data > 1 || asked.expert_groups > 1 || asked.drafts > 0};
    Result<ServedChip> chip = served_chip(asked.machine, group, asked.engine, asked.efficiency);
    if (!chip) {
        return refuse(chip.error());
    }
    for (double* rate : {&chip->chip.peak_16, &chip->chip.peak_8, &chip->chip.peak_4}) {
        *rate *= asked.scale.arithmetic;
    }
    chip->chip.memory_rate *= asked.scale.memory_rate;
    chip->chip.memory *= asked.scale.memory;
    chip->chip.link_rate *= asked.scale.links;
    chip->chip.rate_beyond_domain *= asked.scale.links;
    Replica made{asked.model, *std::move(chip), asked.efficiency};
    made.layout = layout;
    if (!layout.plain()) {
        Result<LayoutExchanges> exchanges =
            LayoutExchanges::of(asked.machine, asked.model, layout, asked.efficiency == Efficiency::ideal);
        if (!exchanges) {
            return refuse(exchanges.error());
        }
        made.exchanges = std::make_shared<const LayoutExchanges>(*std::move(exchanges));
    }
    made.tensor = static_cast<double>(tensor);
    made.batch = static_cast<double>(asked.batch);
    made.input = static_cast<double>(asked.input);
    made.output = static_cast<double>(asked.output);
    made.weight_bytes = asked.weight_bytes;
    made.cache_bytes = asked.cache_bytes;
    made.bits = asked.bits;
    made.data = static_cast<double>(asked.data);
    made.stages = static_cast<double>(asked.stages);
    const std::int64_t holders = tensor * asked.data; // of experts
    const double experts = asked.model.whole.experts;
    made.expert_groups = static_cast<double>(asked.expert_groups > 0 ? asked.expert_groups
                                             : asked.data > 1        ? holders
                                                                     : 1);
    if (made.expert_groups > 1 && (holders % static_cast<std::int64_t>(made.expert_groups) != 0 ||
                                   std::fmod(experts, made.expert_groups) != 0)) {
        return refuse(
            say("{} experts on {} chips cannot be shared by {} groups; expected a number that divides "
                "both.",
                experts, holders, made.expert_groups));
    }
    made.shared = std::floor(asked.shared * made.input);
    made.drafts = static_cast<double>(asked.drafts);
    if (asked.drafts > 0) {
        constexpr double fitted_drafts = 3; // of the rows that `accepted` was fitted to
        const double fitted = at(fitted_serving().values(made.chip.chip, {}), InferenceConstant::accepted);
        made.accepted = accepted_tokens(
            made.drafts, asked.acceptance > 0 ? asked.acceptance : acceptance_of(fitted_drafts, fitted));
    }
    if (made.chip.serving && made.weight_bytes < 1 && experts > 0) {
        InferenceAsked formats;
        InferenceModel model = asked.model.whole;
        for (const ServedPart& part : asked.model.parts) {
            model.window = std::max(model.window, part.window);
        }
        formats.model = &model;
        formats.chip = &made.chip.chip;
        formats.bits = made.bits;
        set_formats_of_experts(formats, asked.integers);
        made.other_weight_bytes = formats.other_weight_bytes;
        made.other_bits = formats.other_bits;
        made.bits = asked.bits_are_said ? made.bits : formats.bits;
    }
    return made;
}

std::int64_t widest_split(const Machine& machine) {
    const Level* const domain = switched_domain(machine.network);
    constexpr std::int64_t most_on_rings = 256;
    return domain != nullptr ? domain->units.value : machine.network.torus_axes() > 0 ? most_on_rings : 1;
}

std::vector<std::int64_t> possible_splits(const ServingAsked& asked) {
    std::int64_t most = widest_split(asked.machine);
    // Beyond a fast domain only what was asked for needs it.
    if (asked.chips > 0) {
        most = std::min(most, asked.chips);
    }
    std::vector<std::int64_t> made;
    for (std::int64_t tensor = 1; tensor <= most; tensor *= 2) {
        const std::int64_t chips = asked.replica_chips(tensor);
        const auto shared = [&](std::int64_t by) { return by == 0 || by % chips == 0; };
        if (shared(asked.chips) && shared(asked.prefill_chips) && shared(asked.decode_chips) &&
            layout_objection(asked.model, asked.layout(tensor)).empty()) {
            made.push_back(tensor);
        }
    }
    return made;
}

Result<Replica> chosen_replica(const ServingAsked& asked) {
    if (asked.tensor > 0) {
        return replica_of(asked, asked.tensor);
    }
    Result<Replica> last = refuse(say("No split of the chips divides the heads."));
    for (const std::int64_t tensor : possible_splits(asked)) {
        last = replica_of(asked, tensor);
        if (!last || fits(*last)) {
            break;
        }
    }
    return last;
}

ServedTimes served_times(const Replica& one) {
    ServedTimes made;
    const double prompts = step_seconds(one, ServedPhase::prefill, 0);
    made.ttft = request_start(one) + prompts;
    made.tpot = step_seconds(one, ServedPhase::decode, middle_context(one)) / one.accepted;
    made.e2e = made.ttft + (one.output - 1) * made.tpot;
    made.per_user = 1 / made.tpot;
    made.per_chip = one.batch * one.output / made.e2e / one.chips();
    made.decode_per_chip = one.batch / made.tpot / one.chips();
    made.prompt_per_chip = one.batch * one.input / prompts / one.chips();
    made.prefilled = one.batch / prompts;
    made.decoded = one.output > 1 ? one.batch / (made.tpot * (one.output - 1)) : 0;
    return made;
}

Result<std::vector<ServingPoint>> serving_frontier(const ServingAsked& asked, const RunControl& control) {
    std::vector<std::int64_t> splits = possible_splits(asked);
    if (asked.tensor > 0) {
        splits = {asked.tensor};
    }
    std::vector<ServingPoint> points;
    Error refusal = {say("No split of the chips divides the heads.")};
    for (const std::int64_t tensor : splits) {
        Result<Replica> one = replica_of(asked, tensor);
        if (!one) {
            refusal = one.error();
            continue;
        }
        refusal.sentence = say("Not one request of {} fits into the chips' memory.", asked.model.title);
        constexpr std::int64_t most = 8192;
        for (const std::int64_t batch : frontier_batches(std::min(most, most_batch(*one) * 3 / 2))) {
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            one->batch = static_cast<double>(batch);
            const double memory = served_memory(*one).total();
            points.push_back({tensor, batch, served_times(*one), memory, memory <= one->chip.chip.memory});
        }
    }
    if (points.empty()) {
        return refuse(refusal);
    }
    mark_best(points);
    return points;
}

double ServingLimit::of(const ServedTimes& times) const {
    return quantity == "ttft"   ? times.ttft
           : quantity == "tpot" ? times.tpot
           : quantity == "e2e"  ? times.e2e
                                : times.per_user;
}
bool ServingLimit::met(const ServedTimes& times) const {
    return below ? of(times) <= value : of(times) >= value;
}

Result<std::vector<ServingLimit>> parse_goal(const std::string& words) {
    std::vector<ServingLimit> limits;
    std::size_t begin = 0;
    while (begin <= words.size()) {
        const std::size_t end = std::min(words.find(',', begin), words.size());
        const std::string one = words.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t sign = one.find_first_of("<>");
        ServingLimit limit;
        std::string quantity = one.substr(0, sign);
        for (const auto& [ending, percentile] : {std::pair("_p50", 50), {"_p95", 95}, {"_p99", 99}}) {
            if (quantity.ends_with(ending)) {
                quantity.resize(quantity.size() - 4);
                limit.percentile = percentile;
            }
        }
        limit.quantity = quantity;
        const bool rate = quantity == "tokens_per_s_per_user";
        const bool known = rate || quantity == "ttft" || quantity == "tpot" || quantity == "e2e";
        const Result<double> value = sign == std::string::npos
                                         ? Result<double>(0.0)
                                         : parse_quantity(one.substr(sign + 1), rate ? "" : "s");
        const bool bare = !rate && !one.empty() && one.back() >= '0' && one.back() <= '9'; // seconds or what?
        limit.below = sign != std::string::npos && one[sign] == '<';
        if (!known || !value || !(*value > 0) || limit.below == rate || bare) {
            return refuse(say("\"{}\" is not a limit; expected ttft, tpot or e2e below a time, or "
                              "tokens_per_s_per_user above a number, such as \"ttft<500ms,tpot<30ms\".",
                              one));
        }
        limit.value = *value;
        limits.push_back(limit);
    }
    return limits;
}

ServingAdvice serving_advice(const std::vector<ServingPoint>& points,
                             const std::vector<ServingLimit>& limits) {
    ServingAdvice made;
    double least = std::numeric_limits<double>::max();
    for (const ServingPoint& point : points) {
        if (!point.fits) {
            continue;
        }
        std::string which;
        const double over = worst_of(point.times, limits, which);
        if (over < least) {
            least = over;
            made.nearest = point;
            made.missed = which;
        }
        if (over > 1) {
            continue;
        }
        if (made.meeting.empty() || made.meeting.back().tensor != point.tensor) {
            made.meeting.push_back(point); // splits come one after the other, the smallest first
        } else if (point.times.per_chip > made.meeting.back().times.per_chip) {
            made.meeting.back() = point;
        }
    }
    return made;
}

} // namespace meshslice
