#include "core/execute/chips.h"

#include "core/execute/add_product.h"
#include "core/execute/blocks.h"
#include "core/execute/in_parts.h"
#include "core/execute/link_loads.h"
#include "core/execute/rings/fed_rings.h"
#include "core/execute/rings/fed_steps.h"
#include "core/execute/rings/ring_hops.h"
#include "core/execute/runs.h"
#include "core/program/ring_schedule.h"

#include <Eigen/Core>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

using namespace runs;

template <class Number>
using Map = Eigen::Map<Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>>;
template <class Number>
using ConstMap = Eigen::Map<const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>>;

template <class Number>
Map<Number> map(DenseMatrix<Number>& matrix) {
    return {matrix.data.data(), matrix.rows, matrix.columns};
}
template <class Number>
ConstMap<Number> map(const DenseMatrix<Number>& matrix) {
    return {matrix.data.data(), matrix.rows, matrix.columns};
}

/// The matrix itself, or its transpose, which is put into `room`.
template <class Number>
const DenseMatrix<Number>& turned(bool transpose, const DenseMatrix<Number>& matrix,
                                  DenseMatrix<Number>& room) {
    if (!transpose) {
        return matrix;
    }
    room = DenseMatrix<Number>(matrix.columns, matrix.rows);
    map(room) = map(matrix).transpose();
    return room;
}

template <class Number>
class EigenChips final : public Chips<Number> {
  public:
    EigenChips(const Program& program, const Schedule& schedule, std::stop_token stop)
        : program_(program), schedule_(schedule), stop_(std::move(stop)), loads_(program.torus) {
        const auto chips = static_cast<std::size_t>(program.torus.chips());
        for (const Value& value : program.values) {
            memory_.emplace_back(chips, DenseMatrix<Number>(value.rows, value.columns));
        }
    }

    void run(const Operation& operation, std::int64_t iteration) override {
        std::visit([&](const auto& kind) { apply(kind, iteration); }, operation);
    }

    void scatter(ValueId id, const DenseMatrix<Number>& matrix) override {
        DenseMatrix<Number> room;
        const DenseMatrix<Number>& whole = turned(program_.layouts[id].transposed, matrix, room);
        for_each_shard(id, [&](auto shard, std::int64_t row, std::int64_t column, Number share) {
            shard = map(whole).block(row, column, shard.rows(), shard.cols()) * share;
        });
    }
    DenseMatrix<Number> gather(ValueId id, std::int64_t rows, std::int64_t columns, bool& disagree) override {
        DenseMatrix<Number> whole(rows, columns);
        if (program_.layouts[id].sums.size() > 0) {
            add_partial_sums(id, whole);
            return whole;
        }
        for_each_shard(id, [&](auto shard, std::int64_t row, std::int64_t column, Number) {
            map(whole).block(row, column, shard.rows(), shard.cols()) = shard;
        });
        for_each_shard(id, [&](auto shard, std::int64_t row, std::int64_t column, Number) {
            disagree = disagree || map(whole).block(row, column, shard.rows(), shard.cols()) != shard;
        });
        return whole;
    }

    void keep_made(const Fusion& fusion) override {
        const auto& scatter = std::get<ReduceScatter>(program_.operations[fusion.collective]);
        const auto parts = static_cast<std::size_t>(program_.torus.size(scatter.axis));
        Chunks run;
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            Chunk& own = run.emplace_back();
            for (std::size_t chunk = 0; chunk < parts; ++chunk) {
                const Chunk numbers = flat(piece(chip, scatter.source, scatter.dimension, chunk, parts));
                own.insert(own.end(), numbers.begin(), numbers.end());
            }
        }
        made_.push_back(std::move(run));
    }

    FusedStores run_fused(const Fusion& fusion, const TrackedRing& ring) override {
        TileEvents<Number> events;
        FusedStores stores = feed_rings(program_, schedule_, fusion, ring, std::exchange(made_, {}), sums_,
                                        watcher_ != nullptr ? &events : nullptr);
        if (watcher_ != nullptr) {
            tell_fed_steps(program_, fusion, events, *this, loads_, *watcher_);
            return stores;
        }
        const Axis axis = std::get<ReduceScatter>(program_.operations[fusion.collective]).axis;
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            loads_.cross({chip, axis, Direction::forward}, stores.sent[static_cast<std::size_t>(chip)]);
        }
        return stores;
    }

    void take_sums(const Fusion& fusion, std::size_t run) override {
        const auto& scatter = std::get<ReduceScatter>(program_.operations[fusion.collective]);
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            value(chip, scatter.result).data = sums_[run][static_cast<std::size_t>(chip)];
        }
    }

    std::vector<LinkTraffic> traffic() const override {
        return loads_.traffic(element_bytes(schedule_.type));
    }

    std::vector<DenseMatrix<Number>>& on_all_chips(ValueId id) override { return memory_[id]; }

    void watch(ExecutionWatcher<Number>* watcher) override { watcher_ = watcher; }

  private:
    using Chunk = std::vector<Number>;
    using Chunks = std::vector<Chunk>;

    DenseMatrix<Number>& value(Chip chip, ValueId id) { return memory_[id][static_cast<std::size_t>(chip)]; }

    template <class Visit>
    void for_each_shard(ValueId id, Visit visit) {
        const Layout& layout = program_.layouts[id];
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            DenseMatrix<Number>& shard = value(chip, id);
            visit(map(shard), part_of(program_.torus, layout.rows, chip) * shard.rows,
                  part_of(program_.torus, layout.columns, chip) * shard.columns, share_of(layout.sums, chip));
        }
    }
    /// Of a partial sum, how many times the whole a chip holds: its place of all but the first, which has
    /// what is missing to one.
    Number share_of(const Axes& sums, Chip chip) const {
        const std::int64_t terms = parts(program_.torus, sums);
        const std::int64_t place = part_of(program_.torus, sums, chip);
        return static_cast<Number>(place > 0 ? place : 1 - terms * (terms - 1) / 2);
    }
    /// Of chips that hold the same partial sum, one counts.
    void add_partial_sums(ValueId id, DenseMatrix<Number>& whole) {
        const Layout& layout = program_.layouts[id];
        std::vector<bool> counted;
        Chip chip = 0;
        for_each_shard(id, [&](auto shard, std::int64_t row, std::int64_t column, Number) {
            const std::int64_t rows = whole.rows / shard.rows();
            const std::int64_t columns = whole.columns / shard.cols();
            const std::int64_t term = part_of(program_.torus, layout.sums, chip++);
            const auto which = static_cast<std::size_t>((term * rows + row / shard.rows()) * columns +
                                                        column / shard.cols());
            counted.resize(std::max(counted.size(), which + 1));
            if (!counted[which]) {
                counted[which] = true;
                map(whole).block(row, column, shard.rows(), shard.cols()) += shard;
            }
        });
    }

    void apply(const Slice& slice, std::int64_t iteration) {
        for_each_slice(slice.source, slice.result, slice.slicing, iteration,
                       [](auto whole_part, auto part) { part = whole_part; });
    }
    void apply(const PutSlice& put, std::int64_t iteration) {
        for_each_slice(put.target, put.source, put.slicing, iteration,
                       [](auto whole_part, auto part) { whole_part = part; });
    }

    template <class Copy>
    void for_each_slice(ValueId whole_id, ValueId part_id, const Slicing& slicing, std::int64_t iteration,
                        Copy copy) {
        const bool rows = slicing.dimension == Dimension::rows;
        const Value& shape = program_.values[whole_id];
        const auto indices =
            slice_indices(slicing, rows ? shape.rows : shape.columns, slicing.number(iteration));
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            auto whole = map(value(chip, whole_id));
            auto part = map(value(chip, part_id));
            for (std::size_t k = 0; k < indices.size(); ++k) {
                const auto at = static_cast<Eigen::Index>(k);
                if (rows) {
                    copy(whole.row(indices[k]), part.row(at));
                } else {
                    copy(whole.col(indices[k]), part.col(at));
                }
            }
        }
    }

    void apply(const Multiply& multiply, std::int64_t) {
        DenseMatrix<Number> turned_left, turned_right;
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            const DenseMatrix<Number>& left =
                turned(multiply.transpose_left, value(chip, multiply.left), turned_left);
            const DenseMatrix<Number>& right =
                turned(multiply.transpose_right, value(chip, multiply.right), turned_right);
            DenseMatrix<Number>& result = value(chip, multiply.result);
            if (!multiply.accumulate) {
                std::ranges::fill(result.data, Number(0));
            }
            in_parts(result.columns, left.columns * result.rows, stop_,
                     [&](std::int64_t first, std::int64_t count) {
                         add_product(left.data.data(), right.data.data() + first * right.rows,
                                     result.data.data() + first * result.rows, result.rows, left.columns,
                                     count);
                     });
        }
    }

    void apply(const Add& add, std::int64_t) {
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            map(value(chip, add.target)) += map(value(chip, add.source));
        }
    }

    void apply(const AllGather& gather, std::int64_t iteration) {
        const Value& shard = program_.values[gather.source];
        const auto load = [&](Chip chip, std::int32_t here, Chunks& chunks) {
            chunks[static_cast<std::size_t>(here)] = value(chip, gather.source).data;
        };
        const auto store = [&](Chip chip, std::int32_t, Chunks& chunks) {
            for (std::size_t position = 0; position < chunks.size(); ++position) {
                DenseMatrix<Number> got(shard.rows, shard.columns);
                got.data = chunks[position];
                put(got, value(chip, gather.result),
                    {gather.dimension, gather.blocks, static_cast<std::int64_t>(position),
                     static_cast<std::int64_t>(chunks.size())});
            }
        };
        move(gather, gather.axis, iteration, shard.elements(), load, store);
    }

    void apply(const ReduceScatter& scatter, std::int64_t iteration) {
        const auto load = [&](Chip chip, std::int32_t, Chunks& chunks) {
            for (std::size_t position = 0; position < chunks.size(); ++position) {
                chunks[position] =
                    joined(value(chip, scatter.source),
                           {scatter.dimension, scatter.blocks, static_cast<std::int64_t>(position),
                            static_cast<std::int64_t>(chunks.size())})
                        .data;
            }
        };
        const auto store = [&](Chip chip, std::int32_t here, Chunks& chunks) {
            value(chip, scatter.result).data = chunks[static_cast<std::size_t>(here)];
        };
        move(scatter, scatter.axis, iteration, program_.values[scatter.result].elements(), load, store);
    }

    void apply(const AllToAll& exchange, std::int64_t iteration) {
        const auto ways = communication(program_, exchange, schedule_.ring);
        const auto positions = program_.torus.size(exchange.axis);
        const std::int32_t pieces = ways ? ways->ring.pieces() : 1;
        const auto first = [&](std::int32_t from, std::int32_t to) {
            return static_cast<std::size_t>((from * positions + to) * pieces);
        };
        // Of what one chip sends another.
        const Value& source = program_.values[exchange.source];
        const bool by_rows = exchange.split == Dimension::rows;
        const std::int64_t height = by_rows ? source.rows / positions : source.rows;
        const std::int64_t width = by_rows ? source.columns : source.columns / positions;
        const auto load = [&](Chip chip, std::int32_t here, Chunks& chunks) {
            for (std::int32_t to = 0; to < positions; ++to) {
                const Chunk all = joined(value(chip, exchange.source),
                                         {exchange.split, exchange.split_blocks, to, positions})
                                      .data;
                for (std::int32_t one = 0; one < pieces; ++one) {
                    const auto size = static_cast<std::ptrdiff_t>(all.size()) / pieces;
                    chunks[first(here, to) + static_cast<std::size_t>(one)] =
                        Chunk(all.begin() + size * one, all.begin() + size * (one + 1));
                }
            }
        };
        const auto store = [&](Chip chip, std::int32_t here, Chunks& chunks) {
            for (std::int32_t from = 0; from < positions; ++from) {
                const auto begin = chunks.begin() + static_cast<std::ptrdiff_t>(first(from, here));
                DenseMatrix<Number> got(height, width);
                got.data.clear();
                std::for_each(begin, begin + pieces, [&](const Chunk& one) {
                    got.data.insert(got.data.end(), one.begin(), one.end());
                });
                put(got, value(chip, exchange.result),
                    {exchange.joined, exchange.joined_blocks, from, positions});
            }
        };
        const std::int64_t chunk = program_.values[exchange.source].elements() / positions / pieces;
        move(exchange, exchange.axis, iteration, chunk, load, store,
             std::int64_t{positions} * positions * pieces);
    }

    void apply(const TakePart& take, std::int64_t) {
        const auto parts = static_cast<std::size_t>(program_.torus.size(take.axis));
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            const auto here = static_cast<std::size_t>(program_.torus.coordinate(chip, take.axis));
            map(value(chip, take.result)) = piece(chip, take.source, take.dimension, here, parts);
        }
    }

    void apply(const Broadcast& broadcast, std::int64_t iteration) {
        const auto [root, number, on_one_chip] = turn(broadcast.panels, broadcast.axis, iteration);
        const auto load = [&, root = root, number = number, count = on_one_chip](Chip chip, std::int32_t here,
                                                                                 Chunks& chunks) {
            if (here == root) {
                cut(flat(piece(chip, broadcast.source, broadcast.dimension, number, count)), chunks);
            }
        };
        const auto store = [&](Chip chip, std::int32_t, Chunks& chunks) {
            unflatten(chunks, piece(chip, broadcast.result, broadcast.dimension,
                                    static_cast<std::size_t>(broadcast.part),
                                    static_cast<std::size_t>(broadcast.parts)));
        };
        const std::int64_t panel = program_.values[broadcast.result].elements() / broadcast.parts;
        move(broadcast, broadcast.axis, iteration, panel / broadcast.packets, load, store, broadcast.packets);
    }

    void apply(const Reduce& reduce, std::int64_t iteration) {
        const auto [root, number, on_one_chip] = turn(reduce.panels, reduce.axis, iteration);
        const auto load = [&](Chip chip, std::int32_t, Chunks& chunks) {
            cut(flat(piece(chip, reduce.source, reduce.dimension, static_cast<std::size_t>(reduce.part),
                           static_cast<std::size_t>(reduce.parts))),
                chunks);
        };
        const auto store = [&, root = root, number = number,
                            count = on_one_chip](Chip chip, std::int32_t here, Chunks& chunks) {
            if (here == root) {
                unflatten(chunks, piece(chip, reduce.target, reduce.dimension, number, count));
            }
        };
        const std::int64_t panel = program_.values[reduce.source].elements() / reduce.parts;
        move(reduce, reduce.axis, iteration, panel / reduce.packets, load, store, reduce.packets);
    }

    void apply(const Shift& shift, std::int64_t iteration) {
        const auto load = [&](Chip chip, std::int32_t here, Chunks& chunks) {
            chunks[static_cast<std::size_t>(here)] = value(chip, shift.source).data;
        };
        const auto store = [&](Chip chip, std::int32_t here, Chunks& chunks) {
            const auto moves =
                communication(program_, shift, schedule_.ring, variant(program_, shift, iteration, chip));
            const std::int32_t hops = moves ? moves->ring.hops() : 0;
            value(chip, shift.result).data = chunks[behind(here, hops, chunks.size())];
        };
        move(shift, shift.axis, iteration, program_.values[shift.source].elements(), load, store);
    }

    void apply(const SendRecv& sends, std::int64_t iteration) {
        const auto parts = static_cast<std::size_t>(sends.parts);
        const std::int64_t chunk = program_.values[sends.result].elements() / sends.parts;
        const auto in_source = static_cast<std::size_t>(program_.values[sends.source].elements() / chunk);
        std::vector<Chunk> at_hand = along_every(sends, sends.source, in_source - 1, in_source);
        for (std::int64_t turn = sends.count - sends.parts; turn < sends.count; ++turn) {
            if (turn >= 0) { // Otherwise it starts with what was there.
                send_receive(sends, iteration, at_hand);
            }
            const auto part = static_cast<std::size_t>(turn + sends.parts - sends.count);
            for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
                put_along(sends.dimension, at_hand[static_cast<std::size_t>(chip)],
                          piece(chip, sends.result, sends.dimension, part, parts));
            }
        }
    }

    void apply(const AddSendRecv& sends, std::int64_t iteration) {
        std::vector<Chunk> sums = along_every(sends, sends.sum, 0, 1);
        for (std::int64_t part = 0; part < sends.parts; ++part) {
            const std::vector<Chunk> own = along_every(sends, sends.source, static_cast<std::size_t>(part),
                                                       static_cast<std::size_t>(sends.parts));
            for (std::size_t chip = 0; chip < sums.size(); ++chip) {
                std::ranges::transform(sums[chip], own[chip], sums[chip].begin(), std::plus());
            }
            if (part < sends.count) {
                send_receive(sends, iteration, sums);
            }
        }
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            put_along(sends.dimension, sums[static_cast<std::size_t>(chip)],
                      piece(chip, sends.result, sends.dimension, 0, 1));
        }
    }

    /// One piece of a value of every chip, its elements along the dimension of the SendRecv.
    template <class Kind>
    std::vector<Chunk> along_every(const Kind& sends, ValueId id, std::size_t position, std::size_t count) {
        std::vector<Chunk> chunks;
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            chunks.push_back(along(sends.dimension, piece(chip, id, sends.dimension, position, count)));
        }
        return chunks;
    }

    /// One SendRecv: the two parts of the chunk that every chip has at hand move one chip on, each in its
    /// direction.
    template <class Kind>
    void send_receive(const Kind& sends, std::int64_t iteration, std::vector<Chunk>& at_hand) {
        const auto elements = static_cast<std::int64_t>(at_hand.front().size());
        const auto load = [&](Chip chip, std::int32_t here, Chunks& chunks) {
            chunks[static_cast<std::size_t>(here)] = at_hand[static_cast<std::size_t>(chip)];
        };
        const auto store = [&](Chip chip, std::int32_t here, Chunks& chunks) {
            Chunk& joined = at_hand[static_cast<std::size_t>(chip)];
            joined = chunks[behind(here, 1, chunks.size())];
            const Chunk& ahead = chunks[behind(here, -1, chunks.size())];
            if (const auto moves = communication(program_, sends, schedule_.ring)) {
                const RingSchedule::Part back = moves->ring.part(Direction::backward, elements);
                std::copy(ahead.begin() + back.begin, ahead.begin() + back.end, joined.begin() + back.begin);
            }
        };
        move(sends, sends.axis, iteration, elements, load, store);
    }

    void apply(const TakeChunks& take, std::int64_t iteration) {
        for_each_chunk_half(take, take.source, take.result, iteration,
                            [](auto chunk, auto half) { half = chunk; });
    }
    void apply(const PutChunks& put, std::int64_t iteration) {
        for_each_chunk_half(put, put.target, put.source, iteration,
                            [](auto chunk, auto half) { chunk = half; });
    }

    /// After some SendRecvs a chip holds the first half of the chunk from behind and the second half of the
    /// one from ahead: `copy(half of a chunk of the whole, half of the part)` for either, turn by turn.
    template <class Kind, class Copy>
    void for_each_chunk_half(const Kind& kind, ValueId whole, ValueId joined, std::int64_t iteration,
                             Copy copy) {
        const auto positions = static_cast<std::size_t>(program_.torus.size(kind.axis));
        const auto parts = static_cast<std::size_t>(kind.turns.count);
        for (Chip chip = 0; chip < program_.torus.chips(); ++chip) {
            const std::int32_t here = program_.torus.coordinate(chip, kind.axis);
            for (std::size_t part = 0; part < parts; ++part) {
                const auto hops = static_cast<std::int32_t>(kind.turns.first.at(iteration)) +
                                  static_cast<std::int32_t>(part);
                auto halves = piece(chip, joined, kind.dimension, part, parts);
                auto from_behind =
                    piece(chip, whole, kind.dimension, behind(here, hops, positions), positions);
                auto from_ahead =
                    piece(chip, whole, kind.dimension, behind(here, -hops, positions), positions);
                const bool rows = kind.dimension == Dimension::rows;
                const Eigen::Index size = rows ? halves.rows() : halves.cols();
                const Eigen::Index first = schedule_.ring == RingMode::one_way ? size : size - size / 2;
                if (rows) {
                    copy(from_behind.topRows(first), halves.topRows(first));
                    copy(from_ahead.bottomRows(size - first), halves.bottomRows(size - first));
                } else {
                    copy(from_behind.leftCols(first), halves.leftCols(first));
                    copy(from_ahead.rightCols(size - first), halves.rightCols(size - first));
                }
            }
        }
    }

    /// Whose turn it is: the root's position, which of its panels, and how many it has.
    struct PanelTurn {
        std::int32_t root;
        std::size_t number;
        std::size_t on_one_chip;
    };
    PanelTurn turn(const Panels& panels, Axis axis, std::int64_t iteration) const {
        const std::int64_t on_one_chip = panels.count / program_.torus.size(axis);
        const std::int64_t number = panels.number(iteration);
        return {static_cast<std::int32_t>(number / on_one_chip),
                static_cast<std::size_t>(number % on_one_chip), static_cast<std::size_t>(on_one_chip)};
    }

    /// The position `hops` behind `here` on a ring.
    static std::size_t behind(std::int32_t here, std::int32_t hops, std::size_t positions) {
        const auto ring = static_cast<std::int32_t>(positions);
        return static_cast<std::size_t>(((here - hops) % ring + ring) % ring);
    }

    /// The `position`-th of `count` equal pieces of a value along a dimension.
    auto piece(Chip chip, ValueId id, Dimension dimension, std::size_t position, std::size_t count) {
        auto whole = map(value(chip, id));
        const bool rows = dimension == Dimension::rows;
        const auto parts = static_cast<Eigen::Index>(count);
        const auto at = static_cast<Eigen::Index>(position);
        const Eigen::Index height = rows ? whole.rows() / parts : whole.rows();
        const Eigen::Index width = rows ? whole.cols() : whole.cols() / parts;
        // A map of the matrix itself outlives this call; a block of the local map would not.
        using Strided =
            Eigen::Map<Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;
        Number* begin = whole.data() + (rows ? at * height : at * width * whole.rows());
        return Strided(begin, height, width, Eigen::OuterStride<>(whole.rows()));
    }

    /// What a ring holds of a chunk that has not arrived.
    static constexpr Number not_there() {
        return std::numeric_limits<Number>::has_quiet_NaN ? std::numeric_limits<Number>::quiet_NaN()
                                                          : Number(0);
    }

    /// Runs one communication on every ring of its axis: `load(chip, position, chunks)` fills a chip's chunks
    /// before the first step, `store` takes them after the last; while somebody looks on, after every step.
    template <class Kind, class Load, class Store>
    void move(const Kind& kind, Axis axis, std::int64_t iteration, std::int64_t chunk_elements, Load load,
              Store store, std::int64_t packets = 0) {
        struct Ring {
            Chip first;
            std::optional<Communication> steps;
            std::vector<Chunks> held;
        };
        const std::int32_t positions = program_.torus.size(axis);
        const auto chunk_count = static_cast<std::size_t>(packets > 0 ? packets : positions);
        const auto begin = [&](Chip first) {
            Ring ring{
                first,
                communication(program_, kind, schedule_.ring, variant(program_, kind, iteration, first)),
                std::vector<Chunks>(static_cast<std::size_t>(positions))};
            for (std::int32_t here = 0; here < positions; ++here) {
                Chunks& chunks = ring.held[static_cast<std::size_t>(here)];
                chunks.assign(chunk_count, Chunk(static_cast<std::size_t>(chunk_elements), not_there()));
                load(program_.torus.along(first, axis, here), here, chunks);
            }
            return ring;
        };
        const auto end = [&](Ring& ring) {
            for (std::int32_t here = 0; here < positions; ++here) {
                store(program_.torus.along(ring.first, axis, here), here,
                      ring.held[static_cast<std::size_t>(here)]);
            }
        };
        std::vector<Ring> watched;
        for (Chip first = 0; first < program_.torus.chips(); ++first) {
            if (program_.torus.coordinate(first, axis) != 0) {
                continue;
            }
            Ring ring = begin(first);
            if (watcher_ != nullptr) {
                watched.push_back(std::move(ring));
                continue;
            }
            if (ring.steps) {
                hop_by_hop(*ring.steps, program_.torus, first, ring.held, loads_);
            }
            end(ring);
        }
        std::int32_t steps = 0;
        for (Ring& ring : watched) {
            end(ring); // What a chip has from the beginning.
            steps = std::max(steps, ring.steps ? ring.steps->ring.steps() : 0);
        }
        for (std::int32_t step = 0; step < steps; ++step) {
            std::vector<LinkMessage<Number>> crossed;
            for (Ring& ring : watched) {
                if (ring.steps && step < ring.steps->ring.steps()) {
                    one_hop(*ring.steps, step, program_.torus, ring.first, ring.held, loads_, &crossed);
                    end(ring);
                }
            }
            watcher_->stepped(*this, std::move(crossed));
        }
    }

    const Program& program_;
    const Schedule& schedule_;
    std::stop_token stop_;
    ExecutionWatcher<Number>* watcher_ = nullptr;
    LinkLoads loads_;
    std::vector<std::vector<DenseMatrix<Number>>> memory_; ///< by value and chip
    std::vector<Chunks> made_; ///< by a GEMM that feeds a collective, chunks end to end; by run and chip
    std::vector<Chunks> sums_; ///< of the collective; by run and chip
};

} // namespace

template <class Number>
std::unique_ptr<Chips<Number>> chips_of(const Program& program, const Schedule& schedule,
                                        const std::stop_token& stop) {
    return std::make_unique<EigenChips<Number>>(program, schedule, stop);
}

template std::unique_ptr<Chips<std::int64_t>> chips_of(const Program&, const Schedule&,
                                                       const std::stop_token&);
template std::unique_ptr<Chips<float>> chips_of(const Program&, const Schedule&, const std::stop_token&);
template std::unique_ptr<Chips<double>> chips_of(const Program&, const Schedule&, const std::stop_token&);

} // namespace meshslice
