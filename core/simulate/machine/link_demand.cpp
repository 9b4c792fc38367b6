#include "core/simulate/machine/link_demand.h"

#include <algorithm>
#include <cassert>

namespace meshslice {

TransferRates::TransferRates(const Plans& plans, const Wires& wires) : wires_(&wires) {
    for (const std::vector<OperationPlan>& ways : plans) {
        std::array<std::int64_t, 2>& reads = reads_.emplace_back();
        for (const OperationPlan& way : ways) { // All that send anything do it in the same way.
            for (std::size_t d = 0; d < reads.size(); ++d) {
                reads[d] = std::max(reads[d], way.cost.rate[d] > Bandwidth(0) ? way.cost.reads : 0);
            }
        }
    }
}

std::int64_t TransferRates::most(Chip sender, int slot, bool at_sender) const {
    std::int64_t most = 0;
    for (OperationId id = 0; id < reads_.size(); ++id) {
        most = std::max(most, rate(sender, slot, id, at_sender));
    }
    return most;
}

void LinkDemand::add(const RowWriter& row, Chip sender, int slot, bool sends) {
    const std::int64_t most = rates_->most(sender, slot, sends);
    if (most == 0) {
        return; // no transfer takes memory there
    }
    assert(count_ < most_streams);
    Stream& stream = streams_[count_];
    stream.row = &row;
    stream.at = row.end();
    stream.sender = sender;
    stream.slot = static_cast<std::int16_t>(slot);
    stream.sends = sends;
    changes_[count_++] = never;
    most_ += most;
}

Time LinkDemand::arrive(Stream& stream) const {
    const Interval* const end = stream.row->end();
    while (stream.at != end &&
           (stream.at->activity != Activity::transfer || stream.at->start == stream.at->end)) {
        ++stream.at;
    }
    if (stream.at == end) {
        return never;
    }
    if (stream.at->operation != stream.operation) {
        stream.operation = stream.at->operation;
        stream.takes = rates_->rate(stream.sender, stream.slot, stream.operation, stream.sends);
    }
    return stream.at->start;
}

void LinkDemand::find_next() {
    next_ = never;
    for (std::uint32_t k = 0; k < count_; ++k) {
        next_ = std::min(next_, changes_[k]);
    }
}

void LinkDemand::look_again() {
    for (std::uint32_t k = 0; k < count_; ++k) {
        if (changes_[k] == never && streams_[k].at != streams_[k].row->end()) {
            changes_[k] = arrive(streams_[k]);
            next_ = std::min(next_, changes_[k]);
        }
    }
}

void LinkDemand::note(Time now, std::vector<std::uint64_t>& numbers) const {
    const auto from_now = [&](Time time) {
        return time == never ? static_cast<std::uint64_t>(never.value())
                             : static_cast<std::uint64_t>((time - now).value());
    };
    numbers.push_back(static_cast<std::uint64_t>(take_));
    numbers.push_back(from_now(next_));
    for (std::uint32_t k = 0; k < count_; ++k) {
        const Stream& stream = streams_[k];
        numbers.push_back(from_now(changes_[k]));
        numbers.push_back(static_cast<std::uint64_t>(stream.row->end() - stream.at));
        numbers.push_back(static_cast<std::uint64_t>(stream.takes));
        numbers.push_back(std::uint64_t{stream.operation} * 2 + (stream.under_way ? 1 : 0));
    }
}

LinkDemand::Behind LinkDemand::behind() const {
    Behind behind{};
    for (std::uint32_t k = 0; k < count_; ++k) {
        behind[k] = streams_[k].row->end() - streams_[k].at;
    }
    return behind;
}

void LinkDemand::move_on(Time later, const Behind& behind) {
    next_ += next_ == never ? Time(0) : later;
    for (std::uint32_t k = 0; k < count_; ++k) {
        changes_[k] += changes_[k] == never ? Time(0) : later;
        streams_[k].at = streams_[k].row->end() - behind[k];
    }
}

void LinkDemand::go_to(Time time) {
    for (std::uint32_t k = 0; k < count_; ++k) {
        Stream& stream = streams_[k];
        if (changes_[k] >= time) {
            continue;
        }
        if (stream.under_way) {
            changes_[k] = change(stream);
        }
        if (changes_[k] < time) { // To the first that is not over by that time.
            stream.at = std::partition_point(stream.at, stream.row->end(),
                                             [&](const Interval& interval) { return interval.end < time; });
            changes_[k] = arrive(stream);
        }
        if (changes_[k] < time) {
            changes_[k] = change(stream);
        }
    }
    find_next();
}

} // namespace meshslice
