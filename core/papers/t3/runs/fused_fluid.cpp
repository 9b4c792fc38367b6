#include "core/papers/t3/runs/fused_fluid.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/cost/workgroup_product.h"

#include <algorithm>
#include <utility>

namespace meshslice {
namespace {

constexpr double longest_step = 50e-9;
constexpr double least_bytes = 1e-3; ///< less is rounding

struct Shares {
    double compute = 0, communication = 0; ///< bytes/s
};

/// Max-min fair of two streams.
Shares fair(double compute, double communication, double memory) {
    if (compute + communication <= memory) {
        return {compute, communication};
    }
    const double half = memory / 2;
    if (compute <= half) {
        return {compute, memory - compute};
    }
    return communication <= half ? Shares{memory - communication, communication} : Shares{half, half};
}

class Fluid {
  public:
    Fluid(const AllReducedGemm& gemm, const Machine& hardware, MemoryPolicy policy, bool sends, double every)
        : product_(workgroup_product(gemm.shape, hardware, gemm.type))
        , stages_(static_cast<double>(product_.stages))
        , policy_(policy)
        , sends_(sends)
        , every_(every)
        , memory_(hardware.hbm_bandwidth.value.value())
        , link_(hardware.network.link_bandwidth(0).value())
        , flight_(in_seconds(hardware.stores().link_flight.value))
        , cost_(sends ? hardware.stores().near_memory_cost.value : 1)
        , chunk_(gemm.chunk_bytes())
        , to_send_(sends ? gemm.output_bytes() - gemm.chunk_bytes() : 0) {}

    FusedRun run() {
        while (stage_ < product_.stages || arrived() < to_send_ - least_bytes) {
            step();
        }
        sample(true);
        result_.end = now_;
        return std::move(result_);
    }

  private:
    /// Bytes that have arrived by now, as many as were sent a flight time ago.
    double arrived() {
        const double then = now_ - flight_;
        while (oldest_ + 1 < sent_by_.size() && sent_by_[oldest_ + 1].first <= then) {
            ++oldest_;
        }
        if (sent_by_.empty() || then < sent_by_.front().first) {
            return 0;
        }
        const auto [since, sent] = sent_by_[oldest_];
        if (oldest_ + 1 == sent_by_.size()) {
            return sent;
        }
        const auto [until, later] = sent_by_[oldest_ + 1];
        return sent + (later - sent) * (then - since) / (until - since);
    }

    /// What the link may have sent by now.
    double may_send() { return std::min({made_, to_send_, in_first_chunk() ? chunk_ : arrived() + chunk_}); }

    [[nodiscard]] bool in_first_chunk() const { return sent_ < chunk_ - least_bytes; }

    void step() {
        const bool first_chunk = in_first_chunk();
        const double room = sends_ ? may_send() - sent_ : 0;
        // Rates per byte sent: read and update, of the first chunk the update alone.
        const double per_byte = cost_ + (first_chunk ? 0 : 1);
        const bool computes = stage_ < product_.stages && !writing_;
        const double reads = product_.read_bytes / product_.compute;
        const bool running = stage_ < product_.stages;
        const double asked = room > least_bytes ? link_ * per_byte : 0;
        const double wanted = !running ? 0 : computes ? reads : memory_;
        const Shares shares =
            policy_ == MemoryPolicy::round_robin
                ? Shares{std::min(wanted, memory_ - std::min(asked, memory_)), std::min(asked, memory_)}
                : fair(wanted, asked, memory_);
        const double pace = policy_ == MemoryPolicy::round_robin ? 1 - shares.communication / memory_
                            : reads > 0                          ? std::min(1.0, shares.compute / reads)
                                                                 : 1.0;
        const double sending = shares.communication / per_byte;
        double length = longest_step;
        if (running) {
            length = std::min(length, computes ? compute_left() / pace : write_left_ / shares.compute);
        }
        if (room > least_bytes) {
            length = std::min(length, std::max(room / sending, longest_step / 1000));
        }
        advance(length, computes ? pace : 0, running && !computes ? shares.compute : 0,
                room > least_bytes ? std::min(sending, room / length) : 0, first_chunk);
    }

    [[nodiscard]] double compute_left() const { return product_.compute / stages_ - computed_; }

    void advance(double length, double pace, double writing, double sending, bool first_chunk) {
        now_ += length;
        const double bytes = sending * length;
        sent_ += bytes;
        if (sends_) {
            sent_by_.emplace_back(now_, sent_);
        }
        add(DramStream::scatter_read, first_chunk ? 0 : bytes);
        add(DramStream::scatter_update, cost_ * bytes);
        add(DramStream::gemm_read, pace * length * product_.read_bytes / product_.compute);
        add(DramStream::gemm_write, writing * length);
        computed_ += pace * length;
        if (writing_) {
            write_left_ -= writing * length;
        }
        const double shortest = longest_step * 1e-6;
        if (stage_ < product_.stages && !writing_ && compute_left() < shortest) {
            begin_writing();
        }
        if (writing_ && write_left_ < least_bytes) {
            end_stage();
        }
        sample(false);
    }

    /// A stage's stores; those of the first chunk are posted to the link and are nothing to this DRAM.
    void begin_writing() {
        const double output = product_.written_bytes / stages_;
        const double posted = sends_ ? std::clamp(chunk_ - made_, 0.0, output) : 0;
        writing_ = true;
        write_left_ = cost_ * (output - posted);
    }

    void end_stage() {
        made_ += product_.written_bytes / stages_;
        computed_ = 0;
        writing_ = false;
        ++stage_;
    }

    void add(DramStream stream, double bytes) { result_.moved[static_cast<std::size_t>(stream)] += bytes; }

    void sample(bool last) {
        if (every_ > 0 && (last || now_ >= next_sample_)) {
            result_.samples.push_back({now_, result_.moved});
            next_sample_ = now_ + every_;
        }
    }

    WorkgroupProduct product_;
    double stages_;
    MemoryPolicy policy_;
    bool sends_;
    double every_;
    double memory_, link_, flight_, cost_, chunk_, to_send_;

    double now_ = 0, next_sample_ = 0;
    std::int64_t stage_ = 0;
    double computed_ = 0; ///< seconds of this stage
    bool writing_ = false;
    double write_left_ = 0; ///< bytes of this stage, times their cost
    double made_ = 0, sent_ = 0;
    std::vector<std::pair<double, double>> sent_by_; ///< by time; ascending
    std::size_t oldest_ = 0;                         ///< the last entry a flight time ago
    FusedRun result_;
};

/// In steps of 50 ns this is 4 million of them, and each is remembered.
constexpr double longest_followed = 0.2;

Result<void> short_enough(const AllReducedGemm& gemm, const Machine& hardware) {
    const Result<AllReduceTimes> times = all_reduce_times(gemm, hardware);
    if (!times) {
        return refuse(times.error());
    }
    const double together = times->gemm + times->scatter;
    if (together > longest_followed) {
        return refuse(say("The GEMM and its reduce-scatter take {} on {}; up to {} can be followed here.",
                          seconds_text(together), hardware.title, seconds_text(longest_followed)));
    }
    return {};
}

} // namespace

Result<FusedRun> fused_fluid(const AllReducedGemm& gemm, const Machine& hardware, MemoryPolicy policy,
                             double every) {
    return short_enough(gemm, hardware).map([&] { return Fluid(gemm, hardware, policy, true, every).run(); });
}

Result<FusedRun> gemm_alone(const AllReducedGemm& gemm, const Machine& hardware, double every) {
    return short_enough(gemm, hardware).map([&] {
        return Fluid(gemm, hardware, MemoryPolicy::communication_aware, false, every).run();
    });
}

} // namespace meshslice
