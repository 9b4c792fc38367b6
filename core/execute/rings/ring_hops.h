#pragma once

#include "core/execute/execution_watcher.h"
#include "core/execute/link_loads.h"
#include "core/program/ring_schedule.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// One step of one ring, of which `first` is the chip at position 0: every chip sends a part of one chunk to
/// its neighbour. `held`: the chunks at each position. All messages of a step are taken before any is
/// delivered, so that nothing travels two hops in one step. What crosses the links is added to `crossed`,
/// unless that is null.
template <class Number>
void one_hop(const Communication& steps, std::int32_t step, const Torus& torus, Chip first,
             std::vector<std::vector<std::vector<Number>>>& held, LinkLoads& loads,
             std::vector<LinkMessage<Number>>* crossed) {
    struct Message {
        std::size_t to;
        std::size_t chunk;
        std::size_t begin;
        std::vector<Number> numbers;
    };
    std::vector<Message> messages;
    for (std::int32_t here = 0; here < steps.ring.positions(); ++here) {
        const Chip chip = torus.along(first, steps.axis, here);
        for (const Direction direction : both_directions) {
            const RingSchedule::Part part = steps.ring.part(direction, steps.chunk_elements);
            const auto chunk = steps.ring.chunk(direction, step, here);
            const auto receiver = torus.neighbour(chip, steps.axis, direction);
            if (part.size() == 0 || !chunk || !receiver) {
                continue;
            }
            const std::vector<Number>& numbers =
                held[static_cast<std::size_t>(here)][static_cast<std::size_t>(*chunk)];
            messages.push_back(
                {static_cast<std::size_t>(torus.coordinate(*receiver, steps.axis)),
                 static_cast<std::size_t>(*chunk), static_cast<std::size_t>(part.begin),
                 std::vector<Number>(numbers.begin() + part.begin, numbers.begin() + part.end)});
            loads.cross({chip, steps.axis, direction}, part.size());
            if (crossed != nullptr) {
                crossed->push_back(
                    {{chip, steps.axis, direction}, *chunk, steps.ring.adds(), messages.back().numbers});
            }
        }
    }
    for (const Message& message : messages) {
        std::vector<Number>& target = held[message.to][message.chunk];
        for (std::size_t k = 0; k < message.numbers.size(); ++k) {
            Number& number = target[message.begin + k];
            number = steps.ring.adds() ? number + message.numbers[k] : message.numbers[k];
        }
    }
}

/// All steps of one ring.
template <class Number>
void hop_by_hop(const Communication& steps, const Torus& torus, Chip first,
                std::vector<std::vector<std::vector<Number>>>& held, LinkLoads& loads) {
    for (std::int32_t step = 0; step < steps.ring.steps(); ++step) {
        one_hop<Number>(steps, step, torus, first, held, loads, nullptr);
    }
}

} // namespace meshslice
