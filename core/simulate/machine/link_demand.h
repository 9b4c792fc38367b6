#pragma once

#include "core/simulate/machine/plan.h"
#include "core/simulate/machine/wires.h"
#include "core/simulate/record/row_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace meshslice {

/// What the transfers of a program take of memory, in bytes/s, while their links run at full speed. Refers to
/// the wires.
class TransferRates {
  public:
    TransferRates(const Plans& plans, const Wires& wires);

    /// What a transfer of an operation takes at its receiver, which writes what arrives, or at its sender,
    /// which reads what it sends.
    [[nodiscard]] std::int64_t rate(Chip sender, int slot, OperationId operation, bool at_sender) const {
        const std::int64_t reads = this->reads(operation, slot);
        return bytes_per_second(sender, slot) * (at_sender ? reads : std::min<std::int64_t>(reads, 1));
    }
    /// The most that a transfer of any operation takes.
    [[nodiscard]] std::int64_t most(Chip sender, int slot, bool at_sender) const;
    /// How often an operation reads what it sends by a link; 0 where it sends nothing in that direction.
    [[nodiscard]] std::int64_t reads(OperationId operation, int slot) const {
        return reads_[operation][static_cast<std::size_t>(slot % 2)];
    }

  private:
    [[nodiscard]] std::int64_t bytes_per_second(Chip sender, int slot) const {
        return std::llround(wires_->bytes_per_second(sender, slot));
    }
    const Wires* wires_;
    std::vector<std::array<std::int64_t, 2>> reads_; ///< by operation and Direction
};

/// What the links of one chip take of its memory, from change to change as time goes by. It is read from the
/// links' rows, which hold a transfer before it begins, so senders need not announce it.
class LinkDemand {
  public:
    static constexpr Time never = Time(std::numeric_limits<std::int64_t>::max());

    LinkDemand() = default;
    explicit LinkDemand(const TransferRates& rates) : rates_(&rates) {}

    /// Adds a link that shares with no other and leads from the chip (which `sends`) or to it; `sender` is
    /// the chip at its beginning. The row must stay where it is.
    void add(const RowWriter& row, Chip sender, int slot, bool sends);

    /// Bytes/s, at the time that has been reached.
    [[nodiscard]] std::int64_t take() const { return take_; }
    /// An upper bound of it.
    [[nodiscard]] std::int64_t most() const { return most_; }
    /// Goes to a time, over all changes before it.
    void go_to(Time time);
    /// When the next change comes, as far as transfers are known; all that begin before the present are
    /// known.
    [[nodiscard]] Time next() const { return next_; }
    /// Goes over all changes of that time.
    void pass() {
        const Time now = next_;
        Time next = never;
        do {
            next = never;
            for (std::uint32_t k = 0; k < count_; ++k) {
                Time at = changes_[k];
                if (at == now) {
                    at = change(streams_[k]);
                    changes_[k] = at;
                }
                next = std::min(next, at);
            }
        } while (next == now);
        next_ = next;
    }
    /// What follows from here on, appended as numbers that are the same later if everything is, with the
    /// times from `now` on. What it has yet to go through of the rows stands there: see behind().
    void note(Time now, std::vector<std::uint64_t>& numbers) const;
    static constexpr std::size_t most_streams = 12; ///< there and back, both ways along three axes
    /// By stream: how many intervals of its row it has yet to go through, the one under way among them.
    using Behind = std::array<std::ptrdiff_t, most_streams>;
    [[nodiscard]] Behind behind() const;
    /// The same, with each row.
    template <class Visit>
    void each_row(Visit visit) const {
        for (std::uint32_t k = 0; k < count_; ++k) {
            visit(streams_[k].row, streams_[k].row->end() - streams_[k].at);
        }
    }
    /// The rows have gone on by as much as they did before, `later`: as far behind as then.
    void move_on(Time later, const Behind& behind);

    /// Takes note of transfers that have become known since.
    void look_again();

  private:
    struct Stream {
        const RowWriter* row = nullptr;
        const Interval* at = nullptr; ///< the transfer that is under way or comes next; none known: the end
        std::int64_t takes = 0;       ///< of memory, while it is under way
        Chip sender = 0;
        std::int16_t slot = 0;
        bool sends = false;
        bool under_way = false;
        OperationId operation = std::numeric_limits<OperationId>::max(); ///< whose transfers take that
    };

    /// When the stream changes next, given that it has come to `at`.
    [[nodiscard]] Time arrive(Stream& stream) const;
    [[nodiscard]] Time change(Stream& stream) {
        stream.under_way = !stream.under_way;
        if (stream.under_way) {
            take_ += stream.takes;
            return stream.at->end;
        }
        take_ -= stream.takes;
        ++stream.at;
        return arrive(stream);
    }
    void find_next();

    const TransferRates* rates_ = nullptr;
    std::int64_t take_ = 0;
    std::int64_t most_ = 0;
    Time next_ = never;
    std::uint32_t count_ = 0;
    std::array<Time, most_streams> changes_{}; ///< by stream
    std::array<Stream, most_streams> streams_;
};

} // namespace meshslice
