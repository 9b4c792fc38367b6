#include "core/program/dependencies.h"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

/// The operations that write `value`, in program order. There are few of them, except in SUMMA's streams.
using Writers = boost::container::small_vector<OperationId, 8>;
Writers writers(const Program& program, ValueId value) {
    Writers ids;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (writes(program.operations[id]) == value) {
            ids.push_back(id);
        }
    }
    return ids;
}

/// The writes that together make up what a reader sees, from `last` backwards: partial ones, up to and
/// including the first that writes the whole value.
template <class Iterator, class Take>
void take_writes(const Program& program, Iterator last, Iterator end, Take take) {
    for (; last != end; ++last) {
        take(*last);
        if (!writes_a_part(program.operations[*last])) {
            return;
        }
    }
}

/// The data that `reader` takes from `value`: the writes above it and, carried round the loop, those below it
/// in the loop, unless one above it in the loop has replaced them. What is written after the loop comes too
/// late.
void add_data(const Program& program, OperationId reader, ValueId value, std::vector<Dependency>& out) {
    const Writers ids = writers(program, value);
    const auto below = std::lower_bound(ids.begin(), ids.end(), reader);
    const Writers::const_reverse_iterator above(below);
    bool replaced_inside = false;
    take_writes(program, above, ids.rend(), [&](OperationId id) {
        out.push_back({id, reader, 0});
        replaced_inside = replaced_inside || program.in_loop(id);
    });
    if (!program.in_loop(reader) || replaced_inside) {
        return;
    }
    const Writers::const_reverse_iterator last_in_loop(
        std::lower_bound(ids.begin(), ids.end(), program.loop_end));
    take_writes(program, last_in_loop, above, [&](OperationId id) { out.push_back({id, reader, 1}); });
}

/// A fused collective need not wait for its GEMM, whose tiles it takes as they are made. What waits for the
/// collective then waits for the GEMM, too.
void feed_tile_by_tile(const Program& program, std::vector<Dependency>& all) {
    for (const Fusion& fusion : program.fusions) {
        std::erase_if(all, [&](const Dependency& one) {
            return one.before == fusion.producer && one.after == fusion.collective;
        });
        const std::size_t count = all.size();
        for (std::size_t k = 0; k < count; ++k) {
            if (all[k].before == fusion.collective && all[k].after != fusion.producer) {
                all.push_back({fusion.producer, all[k].after, all[k].distance});
            }
        }
    }
}

} // namespace

std::int64_t runs_needed(const Program& program, const Dependency& dependency, std::int64_t iteration) {
    if (!program.in_loop(dependency.before)) {
        return 1;
    }
    // What follows the loop counts as its next iteration.
    const bool inside = program.in_loop(dependency.after);
    return std::min((inside ? iteration : program.iterations) - dependency.distance + 1, program.iterations);
}

std::vector<Dependency> dependencies(const Program& program, Prefetch prefetch) {
    std::vector<Dependency> data;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        for (const ValueId value : reads(program.operations[id])) {
            add_data(program, id, value, data);
        }
    }
    std::vector<Dependency> all = data;
    const std::int64_t buffers = prefetch.depth + 1;
    for (const Dependency& read : data) {
        const ValueId value = writes(program.operations[read.before]);
        const bool reused = program.values[value].role == Value::Role::temporary &&
                            program.in_loop(read.before) && program.in_loop(read.after);
        // A value carried round the loop has one content more than the loop has iterations: the one from
        // before the loop.
        const std::int64_t distance = buffers - read.distance;
        if (!reused || distance > program.iterations) {
            continue; // There are buffers enough for all contents.
        }
        if (distance < program.iterations && read.before != read.after) {
            all.push_back({read.after, read.before, distance});
        }
        for (const OperationId writer : writers(program, value)) {
            if (writer >= program.loop_end) {
                all.push_back({read.after, writer, distance});
            }
        }
    }
    feed_tile_by_tile(program, all);
    return all;
}

std::vector<Dependency> contracted(const std::vector<Dependency>& dependencies,
                                   const std::vector<bool>& takes_time) {
    std::vector<Dependency> edges = dependencies;
    for (std::size_t id = 0; id < takes_time.size(); ++id) {
        if (takes_time[id]) {
            continue;
        }
        std::vector<Dependency> kept;
        for (const Dependency& in : edges) {
            if (in.before != id && in.after != id) {
                kept.push_back(in);
            }
            for (const Dependency& out : edges) {
                const bool through = in.after == id && out.before == id && in.before != id && out.after != id;
                if (through) {
                    kept.push_back({in.before, out.after, in.distance + out.distance});
                }
            }
        }
        edges = std::move(kept);
    }
    std::erase_if(edges, [](const Dependency& edge) { return edge.before == edge.after; });
    std::sort(edges.begin(), edges.end(), [](const Dependency& a, const Dependency& b) {
        return std::tie(a.after, a.before, a.distance) < std::tie(b.after, b.before, b.distance);
    });
    const auto same_pair = [](const Dependency& a, const Dependency& b) {
        return a.before == b.before && a.after == b.after;
    };
    edges.erase(std::unique(edges.begin(), edges.end(), same_pair), edges.end());
    return edges;
}

} // namespace meshslice
