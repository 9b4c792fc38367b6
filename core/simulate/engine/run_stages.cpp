// What a run does with GEMMs that are made in stages by work-groups, and with collectives that they feed.

#include "core/cost/traffic/program_traffic.h"
#include "core/simulate/engine/run.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

/// Names of jobs in memory.
std::uint32_t job(const FedCollective& fed, bool adds) {
    return 2 * static_cast<std::uint32_t>(fed.fusion) + (adds ? 1 : 0);
}

} // namespace

/// The `k`-th piece of a run that is sent, by its number in the ring's order.
std::int64_t EngineRun::number_of(const Feed& feed, const FedCollective& fed, std::int64_t k) const {
    return fed.order == ChunkOrder::staggered ? k : feed.order[static_cast<std::size_t>(k)];
}

/// `k`: of all pieces that the chip has sent, or that have arrived, in all runs.
MemoryAccess EngineRun::use_of_piece(const FedCollective& fed, std::int64_t k, DramSource source) const {
    const OperationId collective = program_.fusions[static_cast<std::size_t>(fed.fusion)].collective;
    return {collective, static_cast<std::uint32_t>(k / fed.sends()),
            static_cast<std::uint16_t>(k % fed.sends()), source};
}

void EngineRun::set_up_stages(const Machine& hardware) {
    controller_.emplace(classes_.count(), hardware.hbm_bandwidth.value, schedule_.arbitration);
    feeds_.resize(classes_.count() * program_.fusions.size());
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        for (std::size_t fusion = 0; fusion < program_.fusions.size(); ++fusion) {
            const FedCollective& fed = fed_collective(fusion);
            if (fed.order == ChunkOrder::staggered) {
                continue; // Its pieces need no counting by chunk.
            }
            const auto chunks = static_cast<std::size_t>(fed.chunks);
            Feed& feed = feed_of(static_cast<Chip>(chip), static_cast<std::int32_t>(fusion));
            feed.made_of_a_chunk.assign(chunks, 0);
            feed.added_to_a_chunk.assign(chunks, 0);
        }
    }
    dram_.resize(classes_.count());
    uses_.resize(links_.size());
    dram_of_a_run_.resize(program_.operations.size());
    for (OperationId id = 0; id < program_.operations.size(); ++id) {
        const bool as_it_is = plans_[id].front().gemm || plans_[id].front().fed;
        const DramTraffic all = as_it_is ? DramTraffic() : dram_traffic(program_, id, schedule_);
        std::ranges::transform(all.bytes, dram_of_a_run_[id].bytes.begin(),
                               [&](double bytes) { return bytes / static_cast<double>(program_.runs(id)); });
    }
}

/// A stage of a GEMM begins to compute.
void EngineRun::compute_stage(Chip chip) {
    Engine& engine = engines_[engine_index(chip, core_engine)];
    const StagedGemm& gemm = *engine.plan->gemm;
    const Time all = wires_.compute(member(chip), gemm.compute);
    engine.began = now_;
    controller_->compute(now_, chip, Time(part_of(all.value(), gemm.stages, engine.stage / 2)),
                         gemm.read_bytes / static_cast<double>(gemm.stages));
}

/// ... and then to write what it has made, except what goes straight to the neighbour.
void EngineRun::write_stage(Chip chip) {
    Engine& engine = engines_[engine_index(chip, core_engine)];
    const StagedGemm& gemm = *engine.plan->gemm;
    const std::int64_t bytes =
        gemm.bytes_written(engine.stage / 2, program_.torus.coordinate(member(chip), gemm.axis));
    engine.began = now_;
    dram(chip, DramSource::gemm_write) += static_cast<double>(bytes);
    controller_->write(now_, chip,
                       {static_cast<double>(bytes),
                        gemm.write_cost,
                        {engine.operation, engine.iteration, engine.stage, DramSource::gemm_write}});
}

/// Half a stage is over, unless memory has slowed it since this was foreseen: it has computed, or what it
/// made is written.
void EngineRun::stage_over(Chip chip) {
    if (!controller_->over(now_, chip, MemoryStream::compute)) {
        return;
    }
    Engine& engine = engines_[engine_index(chip, core_engine)];
    const StagedGemm& gemm = *engine.plan->gemm;
    const std::int32_t position = program_.torus.coordinate(member(chip), gemm.axis);
    if (engine.stage % 2 == 0 || gemm.bytes_written(engine.stage / 2, position) > 0) {
        record(cores_[static_cast<std::size_t>(chip)],
               {engine.began, now_, engine.iteration, engine.stage, engine.operation, Activity::compute});
    }
    ++engine.stage;
    if (engine.stage % 2 == 1) {
        write_stage(chip);
        return;
    }
    const std::int64_t stages = engine.stage / 2;
    if (gemm.fusion >= 0) {
        made_pieces(chip, gemm, gemm.pieces_made(stages) - gemm.pieces_made(stages - 1));
    }
    if (stages == gemm.stages) {
        engine.stage = 0;
        finish(chip, core_engine);
    } else {
        compute_stage(chip);
    }
    if (gemm.fusion >= 0) {
        send_pieces(chip, fed_collective(static_cast<std::size_t>(gemm.fusion)));
    }
}

/// Pieces are made. In unstaggered order each is complete, and next to be sent, once the neighbour's part of
/// it has been added as well, except in the chunk that goes straight on, to which nothing arrives.
void EngineRun::made_pieces(Chip chip, const StagedGemm& gemm, std::int64_t count) {
    Feed& feed = feed_of(chip, gemm.fusion);
    if (gemm.order == ChunkOrder::staggered) {
        feed.made += count;
        return;
    }
    const FedCollective& fed = fed_collective(static_cast<std::size_t>(gemm.fusion));
    const std::int32_t position = program_.torus.coordinate(member(chip), gemm.axis);
    for (const std::int64_t end = feed.made + count; feed.made < end; ++feed.made) {
        const std::int64_t number = gemm.send_of(feed.made, position);
        const auto chunk = static_cast<std::size_t>(number / fed.pieces);
        ++feed.made_of_a_chunk[chunk];
        if (number < fed.sends() &&
            (chunk == 0 || feed.added_to_a_chunk[chunk] >= feed.made_of_a_chunk[chunk])) {
            feed.order.push_back(static_cast<std::uint16_t>(number));
        }
    }
}

/// The neighbour's part of a piece has been added: in the order in which it sent them.
void EngineRun::added_piece(Chip chip, const FedCollective& fed) {
    Feed& feed = feed_of(chip, fed.fusion);
    const std::int64_t k = feed.added++;
    if (fed.order == ChunkOrder::staggered) {
        return;
    }
    const Chip sender = links_[link_index(chip, link_slot(fed.axis, Direction::forward))].sender;
    // What the neighbour sends as its chunk n is this chip's chunk n + 1.
    const std::int64_t number = number_of(feed_of(sender, fed.fusion), fed, k) + fed.pieces;
    const auto chunk = static_cast<std::size_t>(number / fed.pieces);
    ++feed.added_to_a_chunk[chunk];
    if (number < fed.sends() && feed.made_of_a_chunk[chunk] >= feed.added_to_a_chunk[chunk]) {
        feed.order.push_back(static_cast<std::uint16_t>(number));
    }
}

/// A fused collective is launched: from now on its pieces may go.
void EngineRun::feed_links(Chip chip, std::size_t axis) {
    const Engine& engine = engines_[engine_index(chip, axis)];
    const FedCollective& fed = *engine.plan->fed;
    links_[link_index(chip, link_slot(fed.axis, Direction::forward))].to_send = 0; // They are counted here.
    Feed& feed = feed_of(chip, fed.fusion);
    feed.runs = done(chip, engine.operation);
    feed.launched = true;
    ++feed.begun;
    send_pieces(chip, fed);
    if (const Chip sender = links_[link_index(chip, link_slot(fed.axis, Direction::forward))].sender;
        sender != chip) {
        send_pieces(sender, fed);
    }
}

/// Reads the next piece that is complete and, where the link is free, sends one that is read. A piece is
/// complete when this chip has made its part and, except in the first chunk, the neighbour's has been added.
/// The next chip must have begun the same run: until then the buffer that the piece goes to may hold another.
void EngineRun::send_pieces(Chip chip, const FedCollective& fed) {
    Feed& feed = feed_of(chip, fed.fusion);
    if (!feed.launched) {
        return;
    }
    const Chip next = links_[link_index(chip, link_slot(fed.axis, Direction::forward))].receiver;
    const bool expected = feed_of(next, fed.fusion).begun > feed.runs;
    const std::int64_t sent_before = feed.runs * fed.sends();
    const std::int64_t made_before = feed.runs * fed.chunks * fed.pieces;
    for (bool moved = true; moved;) {
        moved = false;
        const std::int64_t k = feed.read_begun - sent_before;
        // One piece is read ahead of the one on the link.
        const bool may_read = k < fed.sends() && feed.read_begun <= feed.sent_begun;
        const bool in_order = fed.order == ChunkOrder::staggered;
        const bool made = feed.made > made_before + k;
        const bool added = k < fed.pieces || feed.added > feed.read_begun - fed.pieces;
        const bool complete = in_order ? made && added : k < static_cast<std::int64_t>(feed.order.size());
        if (may_read && complete) {
            const std::int64_t number = number_of(feed, fed, k);
            ++feed.read_begun;
            if (number < fed.pieces) { // Stored straight to the neighbour.
                ++feed.read;
                moved = true;
            } else {
                const auto bytes = static_cast<double>(fed.piece_bytes(number));
                dram(chip, DramSource::scatter_read) += bytes;
                const MemoryAccess use = use_of_piece(fed, sent_before + number, DramSource::scatter_read);
                controller_->queue(now_, chip, {bytes, 1, use}, job(fed, false));
            }
        }
        if (expected && !feed.sending && feed.sent_begun < feed.read) {
            send_piece(chip, fed);
            moved = true;
        }
    }
    if (feed.sent == sent_before + fed.sends() && feed.added >= sent_before + fed.sends() &&
        feed.made >= made_before + fed.chunks * fed.pieces) {
        feed.launched = false;
        events_.push(now_, {chip, What::idle, static_cast<std::uint8_t>(fed.axis)});
    }
}

void EngineRun::send_piece(Chip chip, const FedCollective& fed) {
    Feed& feed = feed_of(chip, fed.fusion);
    const Engine& engine = engines_[engine_index(chip, static_cast<std::size_t>(fed.axis))];
    const std::int64_t k = number_of(feed, fed, feed.sent_begun - feed.runs * fed.sends());
    const int slot = link_slot(fed.axis, Direction::forward);
    const Time chunk = wires_.transfer(member(chip), slot, fed.transfer);
    const Time ends = now_ + Time(part_of(chunk.value(), fed.pieces, k % fed.pieces));
    LinkState& link = links_[link_index(chip, slot)];
    record(link_rows_[link_index(chip, slot)], {now_, ends, engine.iteration, static_cast<std::uint16_t>(k),
                                                engine.operation, Activity::transfer});
    ++feed.sent_begun;
    feed.sending = true;
    // In order, however late by chance.
    feed.lands = std::max(feed.lands, ends + fed.flight + wires_.late(member(chip), slot, link.synced++));
    const auto fusion = static_cast<std::uint8_t>(fed.fusion);
    events_.push(ends, {chip, What::crossed, fusion});
    events_.push(feed.lands, {link.receiver, What::landed, fusion});
}

/// A piece has left the link of `chip`.
void EngineRun::crossed(Chip chip, const FedCollective& fed) {
    Feed& feed = feed_of(chip, fed.fusion);
    feed.sending = false;
    ++feed.sent;
    send_pieces(chip, fed);
}

/// A piece has arrived at `chip`, whose memory adds it to what is there.
void EngineRun::landed(Chip chip, const FedCollective& fed) {
    Feed& feed = feed_of(chip, fed.fusion);
    const Chip sender = links_[link_index(chip, link_slot(fed.axis, Direction::forward))].sender;
    const std::int64_t k = number_of(feed_of(sender, fed.fusion), fed, feed.landed++);
    const MemoryAccess use = use_of_piece(fed, k, DramSource::scatter_write);
    const auto bytes = static_cast<double>(fed.piece_bytes(use.step));
    dram(chip, DramSource::scatter_write) += bytes;
    controller_->queue(now_, chip, {bytes, fed.update_cost, use}, job(fed, true));
}

/// Whether what travels are sums.
bool EngineRun::adds_up(OperationId id) const {
    return plans_[id].front().communication->ring.adds() ||
           std::holds_alternative<AddSendRecv>(program_.operations[id]);
}

/// A transfer of a collective that no GEMM feeds will use the memories at both ends of its link.
void EngineRun::use_memory(Chip chip, int slot, Time begins, Time ends) {
    const Engine& engine = engines_[engine_index(chip, static_cast<std::size_t>(slot / 2))];
    if (engine.plan->recorded[0] <= 0 || begins == ends) {
        return;
    }
    const Bytes bytes =
        engine.plan->communication->step_bytes(static_cast<Direction>(slot % 2), schedule_.type);
    const double rate = static_cast<double>(bytes.value()) / in_seconds(ends - begins);
    const bool adds = adds_up(engine.operation);
    LinkUses uses;
    for (std::size_t end = 0; end < 2; ++end) {
        const double moved = end == 0 ? engine.plan->recorded[0] : 1; // What arrives is written once.
        uses.takes[end] = std::llround(engine.plan->accesses[end] * rate);
        uses.moves[end] = {std::llround(engine.plan->recorded[end] * rate), std::llround(moved * rate)};
    }
    uses.of = {engine.operation, engine.iteration, links_[link_index(chip, slot)].step,
               adds ? DramSource::scatter_write : DramSource::gather_write, true};
    uses_[link_index(chip, slot)].push_back(uses);
    events_.push(begins, {chip, What::taken, static_cast<std::uint8_t>(slot)});
    events_.push(ends, {chip, What::freed, static_cast<std::uint8_t>(slot)});
}

/// ... begins to (1), or has ended (-1). Transfers of a link follow one another.
void EngineRun::link_uses(Chip chip, int slot, std::int64_t sign) {
    auto& all = uses_[link_index(chip, slot)];
    const LinkUses& uses = all.front();
    const std::array<Chip, 2> ends = {chip, links_[link_index(chip, slot)].receiver};
    for (std::size_t end = 0; end < 2; ++end) {
        if (uses.takes[end] > 0) {
            controller_->load(now_, ends[end], sign * uses.takes[end]);
        }
        controller_->note(now_, ends[end], uses.moves[end], static_cast<int>(sign), uses.of);
    }
    if (sign < 0) {
        all.pop_front();
    }
}

/// Memory has read or added a piece, unless that takes longer by now.
void EngineRun::job_over(Chip chip) {
    if (!controller_->over(now_, chip, MemoryStream::communication)) {
        return;
    }
    const std::uint32_t over = controller_->taken(chip);
    const FedCollective& fed = fed_collective(over / 2);
    if (over % 2 == 1) {
        added_piece(chip, fed);
    } else {
        ++feed_of(chip, fed.fusion).read;
    }
    send_pieces(chip, fed);
}

} // namespace meshslice
