#pragma once

#include "core/serve/draws.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// A request: so many tokens in, so many tokens out.
struct ServingRequest {
    double arrival = 0; ///< s
    std::int64_t input = 1024, output = 256;
    std::int32_t group = -1; ///< what its prompt begins with, in Arrivals::groups; -1: nothing known
    /// A group after `group` that prompt and output make, for the next turn of a conversation; without the
    /// last token, which is put out and not yet in the cache.
    std::int32_t leaves = -1;
    std::int32_t priority = 0; ///< the smaller number goes first

    bool operator==(const ServingRequest&) const = default;
};

/// A beginning that prompts share, token by token: that of `parent`, and then so many tokens more.
struct PromptGroup {
    std::int32_t parent = -1; ///< one before this one in the list; -1: none
    std::int64_t tokens = 0;

    bool operator==(const PromptGroup&) const = default;
};

enum class LengthLaw {
    fixed,       ///< `nominal`
    uniform,     ///< from `spread` times `nominal` to `nominal`
    exponential, ///< of mean `nominal`
    lognormal,   ///< of mean `nominal`; `spread` is the deviation of the logarithm
};

/// How many tokens a prompt or an output has.
struct Lengths {
    LengthLaw law = LengthLaw::fixed;
    double nominal = 1024, spread = 0;
    std::int64_t least = 1, most = 1 << 20; ///< what is drawn beyond is cut to these

    bool operator==(const Lengths&) const = default;
};

/// A kind of request, of which there are several in a mixture.
struct RequestKind {
    double weight = 1; ///< share of the requests, next to the other kinds' weights
    Lengths input, output{LengthLaw::fixed, 256};
    std::int32_t group = -1, priority = 0;

    bool operator==(const RequestKind&) const = default;
};

enum class ArrivalLaw {
    poisson,     ///< independent of each other, `rate` of them in a second
    even,        ///< one every 1 / `rate` seconds
    bursts,      ///< `burst` of them at once; the bursts are Poisson, so that the mean is `rate`
    at_once,     ///< all at 0
    closed_loop, ///< `clients` begin at 0; each sends its next `client_delay` after its last token
    listed,      ///< when `list` says
};

/// Which requests come, and when.
struct Arrivals {
    ArrivalLaw law = ArrivalLaw::poisson;
    std::int64_t requests = 1000;
    double rate = 1; ///< requests in a second
    std::int64_t burst = 8;
    std::int64_t clients = 1;
    double client_delay = 0; ///< s
    std::vector<RequestKind> kinds{RequestKind{}};
    /// Requests to replay, in the order of their arrivals. Laws other than `listed` take only lengths, groups
    /// and priorities from it, and begin again where it ends.
    std::vector<ServingRequest> list;
    std::vector<PromptGroup> groups;
    std::uint64_t seed = 1;

    bool operator==(const Arrivals&) const = default;
};

/// The requests of `arrivals`, one after the other. Times, kinds and lengths have a stream of draws each, so
/// that another rate leaves the lengths as they are.
class RequestStream {
  public:
    /// `arrivals` has passed `check_serving` and outlives this.
    explicit RequestStream(const Arrivals& arrivals);

    /// Where the law says when requests come: the next one; none after the last.
    [[nodiscard]] std::optional<ServingRequest> next();
    /// Of a closed loop: what a client sends at this time; none after the last.
    [[nodiscard]] std::optional<ServingRequest> sent_at(double time);

    [[nodiscard]] std::int64_t count() const { return count_; } ///< of all requests there will be

  private:
    [[nodiscard]] ServingRequest drawn();
    [[nodiscard]] double next_time();

    const Arrivals& arrivals_;
    std::int64_t count_ = 0, given_ = 0;
    double time_ = 0, weights_ = 0;
    Draws times_, kinds_, inputs_, outputs_;
};

/// Tokens that a prompt of this group shares with others, from the beginning; 0 of -1.
[[nodiscard]] std::int64_t shared_tokens(const std::vector<PromptGroup>& groups, std::int32_t group);

} // namespace meshslice
