#include "core/simulate/machine/arbitration.h"

#include "core/cost/link_bandwidth.h"

#include <algorithm>

namespace meshslice {
namespace {

std::vector<double> capacities(const Program& program, const Wires& wires, std::size_t memories,
                               Bandwidth memory) {
    std::vector<double> capacities;
    for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
        for (int slot = 0; slot < program.torus.link_slots(); ++slot) {
            capacities.push_back(wires.bytes_per_second(chip, slot));
        }
    }
    capacities.insert(capacities.end(), memories, memory.value());
    return capacities;
}

} // namespace

bool memory_holds_links(const Program& program, const Plans& plans, const Machine& hardware) {
    const double memory = hardware.hbm_bandwidth.value.value();
    double fastest = 0;
    double jobs = 1; // The core.
    double by_links = 0;
    for (int a = 0; a < program.torus.axis_count(); ++a) {
        double reads = 0;
        bool copies = false;
        for (OperationId id = 0; id < plans.size(); ++id) {
            if (engine_of(program.operations[id]) != static_cast<std::size_t>(a)) {
                continue;
            }
            for (const OperationPlan& way : plans[id]) {
                reads = std::max(reads, static_cast<double>(way.cost.reads));
                copies = copies || way.cost.all_copying() > Time(0);
            }
        }
        if (reads > 0) {
            const double link = link_bandwidth(hardware.network, program.torus, static_cast<Axis>(a)).value();
            fastest = std::max(fastest, link);
            by_links += 2 * (reads + 1) * link; // Both ways, here and from the neighbours.
            jobs += copies ? 1 : 0;
        }
    }
    return jobs * fastest + by_links > memory;
}

Arbitration::Arbitration(const Program& program, const Wires& wires, std::size_t memories, Bandwidth memory)
    : wires_(&wires)
    , links_(static_cast<std::uint32_t>(program.torus.chips() * program.torus.link_slots()))
    , by_memory_(memories > 0)
    , shares_(capacities(program, wires, memories, memory)) {}

void Arbitration::begin_transfer(Time now, std::uint32_t flow, Chip chip, int slot, Bytes bytes, Chip sender,
                                 Chip receiver, std::int64_t reads) {
    std::vector<FairShare::Use> uses;
    double most = FairShare::unheld;
    if (wires_->shares(chip, slot)) {
        for (const std::uint32_t link : wires_->way(chip, slot)) {
            uses.push_back({link});
        }
    } else {
        most = wires_->bytes_per_second(chip, slot);
    }
    if (by_memory_) {
        const auto at_sender = static_cast<double>(reads);
        if (sender == receiver) {
            uses.push_back({links_ + static_cast<std::uint32_t>(sender), at_sender + 1});
        } else {
            uses.push_back({links_ + static_cast<std::uint32_t>(sender), at_sender});
            uses.push_back({links_ + static_cast<std::uint32_t>(receiver), 1});
        }
    }
    shares_.start(now, flow, std::move(uses), static_cast<double>(bytes.value()), most);
}

void Arbitration::begin_job(Time now, std::uint32_t flow, Chip memory, Bytes bytes, Time alone) {
    const double lasts = in_seconds(std::max(alone, Time(1)));
    if (bytes == Bytes(0)) { // Nothing is in its way.
        shares_.start(now, flow, {}, lasts, 1);
        return;
    }
    const auto moves = static_cast<double>(bytes.value());
    shares_.start(now, flow, {{links_ + static_cast<std::uint32_t>(memory)}}, moves, moves / lasts);
}

} // namespace meshslice
