#pragma once

#include "core/base/quantity.h"
#include "core/cost/traffic/memory_policy.h"
#include "core/simulate/record/memory_stretch.h"
#include "core/torus/torus.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace meshslice {

/// Bytes that a memory is to move.
struct MemoryWork {
    double bytes = 0;
    double cost = 1;  ///< of a byte, in plain reads or writes
    MemoryAccess use; ///< what is recorded of it
};

/// The memories of chips that make their GEMMs in stages. Each serves its two streams as a MemoryPolicy says;
/// what that is changes only when something begins or ends, so between two events every rate is constant.
///   ideal: every stream has the whole memory;
///   round robin: communication has the whole memory while there is any, and the GEMM stands still;
///   communication-aware: max-min fair, so that a GEMM which reads less than half of it is not slowed;
///   compute first: communication has what the GEMM's reads leave, and nothing while it writes.
/// Links of collectives that no GEMM feeds take what they carry first; the streams share the rest, and under
/// round robin the GEMM stands still for the links' share of the time, too. Ideal memory has room for all.
/// A GEMM never computes faster than its reads come.
class MemoryController {
  public:
    MemoryController(std::size_t chips, Bandwidth memory, MemoryPolicy policy);

    /// A stage computes: `alone` of time with a memory of its own, reading `bytes` evenly.
    void compute(Time now, Chip chip, Time alone, double bytes);
    /// A stage writes.
    void write(Time now, Chip chip, const MemoryWork& work);
    /// One more job of communication; `name` is the caller's.
    void queue(Time now, Chip chip, const MemoryWork& work, std::uint32_t name);

    /// Links begin to use so much more of a chip's memory, or less: bytes a second, of plain accesses.
    void load(Time now, Chip chip, std::int64_t more);

    /// What links of collectives that no GEMM feeds move, bytes a second, and what that costs in plain
    /// accesses.
    struct LinkUse {
        std::int64_t accesses = 0, bytes = 0;
    };
    /// Links begin to move so much more, or (`sign` -1) no longer do. Recorded and nothing else: what they
    /// take from others is said by load().
    void note(Time now, Chip chip, const LinkUse& more, int sign, const MemoryAccess& use);

    /// When something will end, unless anything changes before; of what has changed since the last call.
    struct Completion {
        Chip chip = 0;
        MemoryStream stream = MemoryStream::compute;
        Time at;
    };
    [[nodiscard]] std::span<const Completion> settle(Time now);

    /// Whether what the stream is at ends now; if so it is taken from the stream. Otherwise what was expected
    /// has changed since.
    [[nodiscard]] bool over(Time now, Chip chip, MemoryStream stream);
    /// The job that over() has taken last from a chip's communication.
    [[nodiscard]] std::uint32_t taken(Chip chip) const {
        return chips_[static_cast<std::size_t>(chip)].taken;
    }

    /// How many stretches of both streams of all chips are recorded so far. Those of links are not among
    /// them: they are no more than the transfers on both ends' links begin and end.
    [[nodiscard]] std::int64_t recorded() const { return recorded_; }
    /// What every chip's memory has served, without what GEMMs read.
    [[nodiscard]] std::vector<ServedStreams> take_served();

  private:
    enum class Doing : std::uint8_t { nothing, computes, writes };
    struct Job {
        double left; ///< bytes times what they cost
        double cost;
        MemoryAccess use;
        std::uint32_t name;
    };
    struct One {
        Doing doing = Doing::nothing;
        double left = 0;  ///< picoseconds of computing, bytes of writing times what they cost
        double reads = 0; ///< bytes a picosecond, while it computes
        double cost = 1;  ///< of a byte, while it writes
        MemoryAccess use; ///< then
        std::deque<Job> jobs;
        ServedStreams served;
        Time since;                   ///< of the rates
        std::array<double, 2> rate{}; ///< by MemoryStream: of `left`, and of the first job
        std::int64_t links = 0;       ///< bytes a second that links take
        LinkUse noted;                ///< of links
        Time noted_since;
        Time noted_from = Time(-1); ///< when the one that is named began
        MemoryAccess noted_use;
        std::array<Time, 2> ends{Time(-1), Time(-1)};
        std::uint32_t taken = 0;
        bool changed = false;
    };

    One& change(Time now, Chip chip);
    void serve(One& one, MemoryStream stream, Time now);
    void share(One& one) const;
    [[nodiscard]] std::array<double, 2> left(const One& one) const;

    double memory_; ///< bytes a picosecond
    MemoryPolicy policy_;
    std::vector<One> chips_;
    std::int64_t recorded_ = 0;
    std::vector<Chip> changed_;
    std::vector<Completion> completions_;
};

} // namespace meshslice
