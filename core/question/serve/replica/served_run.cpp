#include "core/question/serve/replica/served_run.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/run/slice_merger.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace meshslice {
namespace {

/// A time in which a request keeps its slot, or its place in the queue.
struct SlotStay {
    double start = 0, end = 0;
    std::int64_t request = 0;
    std::vector<std::size_t> stages{};
};

/// Stretches of one request that follow each other without a gap.
std::vector<SlotStay> stays_of(const std::vector<RequestStretch>& all,
                               const std::vector<std::size_t>& stages) {
    std::vector<SlotStay> stays;
    std::map<std::int64_t, std::size_t> last; // by request
    for (const std::size_t index : stages) {
        const RequestStretch& one = all[index];
        const auto found = last.find(one.request);
        if (found != last.end() && stays[found->second].end == one.start) {
            stays[found->second].end = one.end;
            stays[found->second].stages.push_back(index);
        } else {
            last[one.request] = stays.size();
            stays.push_back({one.start, one.end, one.request, {index}});
        }
    }
    std::ranges::sort(stays, {}, [](const SlotStay& stay) { return std::pair(stay.start, stay.request); });
    return stays;
}

bool waits(RequestStage stage) {
    return stage == RequestStage::waiting || stage == RequestStage::preempted;
}

Role role_of(RequestStage stage) {
    constexpr std::array<Role, 5> roles = {Role::waits, Role::compute, Role::backward, Role::exposed,
                                           Role::transferHorizontal};
    return roles[static_cast<std::size_t>(stage)];
}

} // namespace

std::string name(RequestStage stage) {
    const std::array<std::string, 5> names = {said("waiting"), said("prefill"), said("decode"),
                                              said("preempted"), said("transfer")};
    return names[static_cast<std::size_t>(stage)];
}

ServedRun::ServedRun(std::shared_ptr<const ServingResult> result, std::int64_t prefill,
                     const ServedStretch& shown, Inside inside)
    : result_(std::move(result)), prefill_(prefill), shown_(shown), inside_(std::move(inside)) {
    const std::size_t servers = result_->servers.size();
    std::vector<std::vector<std::size_t>> steps(servers), at_work(servers), waiting(servers);
    const auto seen = [&](const auto& one) { return one.end > shown_.from && one.start < shown_.to; };
    for (std::size_t index = 0; index < result_->stretches.size(); ++index) {
        if (const ServerStretch& one = result_->stretches[index]; seen(one)) {
            steps[static_cast<std::size_t>(one.server)].push_back(index);
        }
    }
    std::vector<std::size_t> order(result_->stages.size());
    for (std::size_t index = 0; index < order.size(); ++index) {
        order[index] = index;
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t index) { return result_->stages[index].start; });
    for (const std::size_t index : order) {
        if (const RequestStretch& one = result_->stages[index]; seen(one) && one.server >= 0) {
            (waits(one.stage) ? waiting : at_work)[static_cast<std::size_t>(one.server)].push_back(index);
        }
    }
    for (std::size_t server = 0; server < servers; ++server) {
        const auto number = static_cast<std::int32_t>(server);
        lanes_.push_back({number, Kind::steps, 0, std::move(steps[server])});
        add_requests(number, at_work[server]);
        add_requests(number, waiting[server]);
    }
}

void ServedRun::add_requests(std::int32_t server, const std::vector<std::size_t>& stages) {
    const std::size_t first = lanes_.size();
    std::vector<double> free; // s, by slot
    for (const SlotStay& stay : stays_of(result_->stages, stages)) {
        std::size_t slot = 0;
        while (slot < free.size() && free[slot] > stay.start) {
            ++slot;
        }
        if (slot == free.size()) {
            free.push_back(0);
            const Kind kind = waits(result_->stages[stay.stages.front()].stage) ? Kind::queue : Kind::slot;
            lanes_.push_back({server, kind, static_cast<int>(slot), {}});
        }
        free[slot] = stay.end;
        std::vector<std::size_t>& bars = lanes_[first + slot].bars;
        bars.insert(bars.end(), stay.stages.begin(), stay.stages.end());
    }
}

std::string ServedRun::title() const {
    return shown_.from > 0 ? say("Servers and their requests from {} to {}", seconds_text(shown_.from),
                                 seconds_text(shown_.to))
                           : said("Servers and their requests");
}

Lane ServedRun::lane(std::size_t lane) const {
    const Line& line = lanes_[lane];
    Lane made;
    const std::int64_t number = line.server + 1;
    made.place = prefill_ == 0            ? say("server {}", number)
                 : line.server < prefill_ ? say("prefill server {}", number)
                                          : say("decode server {}", number - prefill_);
    made.name = line.kind == Kind::steps  ? said("steps")
                : line.kind == Kind::slot ? say("slot {}", line.number + 1)
                                          : say("queue {}", line.number + 1);
    made.at = static_cast<std::size_t>(line.server);
    constexpr int queues = 1 << 20; // slots come before them
    made.number = made.order = line.kind == Kind::steps  ? 0
                               : line.kind == Kind::slot ? 1 + line.number
                                                         : queues + line.number;
    return made;
}

std::size_t ServedRun::slice_count() const {
    std::size_t count = 0;
    for (const Line& line : lanes_) {
        count += line.bars.size();
    }
    return count;
}

RunSlice ServedRun::slice(const Line& line, std::size_t bar) const {
    const auto made = [&](double start, double end, Role role) {
        const Time from = seconds(std::max(start, shown_.from)), to = seconds(std::min(end, shown_.to));
        return RunSlice{from, to, to - from, bar, 1, role};
    };
    if (line.kind == Kind::steps) {
        const ServerStretch& one = result_->stretches[line.bars[bar]];
        return made(one.start, one.end, one.prompts > 0 ? Role::compute : Role::backward);
    }
    const RequestStretch& one = result_->stages[line.bars[bar]];
    return made(one.start, one.end, role_of(one.stage));
}

void ServedRun::visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const {
    const Line& line = lanes_[lane];
    SliceMerger merger(stretch, pixel, sink);
    std::size_t low = 0, high = line.bars.size();
    while (low < high) { // the first that ends within
        const std::size_t middle = low + (high - low) / 2;
        if (slice(line, middle).end <= stretch.begin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (std::size_t bar = low; bar < line.bars.size(); ++bar) {
        const RunSlice one = slice(line, bar);
        if (one.start >= stretch.end) {
            break;
        }
        merger.add(one);
    }
}

RunLabel ServedRun::label(std::size_t lane, std::uint64_t item) const {
    const Line& line = lanes_[lane];
    RunLabel made;
    if (line.kind == Kind::steps) {
        const ServerStretch& one = result_->stretches[line.bars[item]];
        made.category = one.prompts > 0 ? "prompt step" : "decode steps";
        made.name = one.prompts > 0
                        ? say("prefill {} tokens, decode batch {}", one.prompt_tokens, one.decoding)
                        : say("decode, batch {}", one.decoding);
        made.arguments = {{"steps", static_cast<std::int64_t>(one.steps)},
                          {"decoding", one.decoding},
                          {"prompts", static_cast<std::int64_t>(one.prompts)},
                          {"prompt_tokens", one.prompt_tokens}};
        made.briefs = {made.name, std::to_string(one.prompts > 0 ? one.prompt_tokens : one.decoding)};
        return made;
    }
    const RequestStretch& one = result_->stages[line.bars[item]];
    const RequestOutcome& request = result_->requests[static_cast<std::size_t>(one.request)];
    made.category = std::string(name(one.stage));
    made.name = say("request {}: {}", one.request + 1, name(one.stage));
    made.arguments = {{"request", one.request + 1}, {"input", request.input},   {"output", request.output},
                      {"ttft_s", request.ttft()},   {"tpot_s", request.tpot()}, {"e2e_s", request.e2e()}};
    made.briefs = {made.name, std::to_string(one.request + 1)};
    return made;
}

RunTotals ServedRun::totals() const {
    RunTotals totals;
    totals.seconds = shown_.to - shown_.from;
    for (const Line& line : lanes_) {
        for (std::size_t bar = 0; bar < line.bars.size(); ++bar) {
            const RunSlice one = slice(line, bar);
            totals.busy[static_cast<std::size_t>(one.role)] += in_seconds(one.busy);
        }
    }
    return totals;
}

std::optional<RunKey> ServedRun::inside(std::size_t lane, std::uint64_t item) const {
    const Line& line = lanes_[lane];
    return inside_ && line.kind == Kind::steps ? inside_(result_->stretches[line.bars[item]]) : std::nullopt;
}

} // namespace meshslice
