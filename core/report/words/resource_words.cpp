#include "core/report/words/resource_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/program/operation_words.h"
#include "core/program/ring_schedule.h"

#include <fmt/format.h>

#include <array>

namespace meshslice {

std::string resource_words(Place place, const Torus& torus) {
    constexpr std::array<std::string_view, engine_count> words = {
        "the vertical links", "the horizontal links", "the third axis' links", "compute"};
    if (place != Place::core && torus.axis_count() == 1) {
        return said("the ring's links");
    }
    return said(words[static_cast<std::size_t>(place)]);
}

std::string part_words(Part part, const Torus& torus) {
    switch (part) {
    case Part::compute: return said("compute");
    case Part::memory: return said("memory");
    case Part::latency: return said("latency");
    case Part::vertical_links: return resource_words(Place::vertical_links, torus);
    case Part::horizontal_links: return resource_words(Place::horizontal_links, torus);
    case Part::links:
        return said(torus.axis_count() > 2 ? "the links of all axes" : "the links of both axes");
    case Part::third_links: break;
    }
    return resource_words(Place::third_links, torus);
}

std::string bound_words(const Bottleneck& bottleneck, const Torus& torus) {
    if (!bottleneck.part) {
        return said("no single faster part would help");
    }
    if (!bottleneck.nothing_overlaps && bottleneck.balanced()) {
        return is_links(*bottleneck.part)
                   ? say("balanced ({} matter most)", part_words(*bottleneck.part, torus))
                   : say("balanced ({} matters most)", part_words(*bottleneck.part, torus));
    }
    // Who waits for links because every step begins late is not helped by faster links.
    return bottleneck.nothing_overlaps && *bottleneck.part != Part::latency
               ? say("no overlap, waits mostly for {}", part_words(bottleneck.largest_wait(), torus))
               : say("bound by {}", part_words(*bottleneck.part, torus));
}

std::string saving_words(const Bottleneck& bottleneck, const Torus& torus) {
    if (!bottleneck.part) {
        return {};
    }
    const Part part = *bottleneck.part;
    const std::string what = part == Part::compute  ? said("twice the FLOP/s")
                             : part == Part::memory ? said("twice the HBM bandwidth")
                             : part == Part::latency
                                 ? said("launches and synchronizations in half the time")
                                 : say("twice the bandwidth of {}", part_words(part, torus));
    return say("{} would save {} of the time", what, percent_text(bottleneck.most()));
}

std::string shard_words(const Program& program, RingMode mode, const Row& row, const Interval& interval,
                        std::int64_t pieces) {
    if (row.is_core || interval.operation >= program.operations.size()) {
        return {};
    }
    const Operation& operation = program.operations[interval.operation];
    const std::string matrix = travelling_matrix(program, interval.operation);
    const auto moves = matrix.empty()
                           ? std::nullopt
                           : communication(program, operation, mode,
                                           variant(program, operation, interval.iteration, row.chip));
    if (!moves) {
        return {};
    }
    const Torus& torus = program.torus;
    const auto chip_at = [&](std::int32_t position) {
        return place_text(torus, torus.along(row.chip, row.axis, position));
    };
    const Collective pattern = moves->ring.collective();
    const std::int32_t own = torus.coordinate(row.chip, row.axis);
    std::string words = matrix;
    if (pattern == Collective::broadcast) {
        words = say("{} from chip {}", matrix, chip_at(moves->ring.root()));
    } else if (pattern == Collective::reduce) {
        words = say("{} for chip {}", matrix, chip_at(moves->ring.root()));
    } else if (pattern == Collective::send_receive) {
        words = say("{} passed on by chip {}", matrix, chip_at(own));
    } else if (const auto chunk =
                   moves->ring.chunk(row.direction, static_cast<std::int32_t>(interval.step / pieces), own)) {
        words = pattern == Collective::all_to_all
                    ? say("{} from chip {} for chip {}", matrix, chip_at(moves->ring.exchanged_from(*chunk)),
                          chip_at(moves->ring.exchanged_to(*chunk)))
                : pattern == Collective::reduce_scatter ? say("{} for chip {}", matrix, chip_at(*chunk))
                                                        : say("{} from chip {}", matrix, chip_at(*chunk));
    }
    return program.iterations > 1 && program.in_loop(interval.operation)
               ? say("slice {} of {}, {}", interval.iteration + 1, program.iterations, words)
               : words;
}

} // namespace meshslice
