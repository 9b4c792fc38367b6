#pragma once

#include "core/question/serve/replica/replica.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// The KV cache of a chip in pages, of requests of these lengths, as an engine has it that leaves a tenth of
/// the chip's memory alone. Pages of a shared beginning are there once.
struct CachePages {
    std::int64_t page_tokens = 16; ///< as servers are simulated, and vLLM's default
    double page_bytes = 0;
    std::int64_t pages = 0;          ///< that there is room for
    std::int64_t request_pages = 0;  ///< of a request at its end, without what is shared
    std::int64_t prefix_pages = 0;   ///< of each shared beginning
    std::int64_t prefixes = 0;       ///< such beginnings; 0: nothing is shared
    std::int64_t most_requests = 0;  ///< that fit, of all that attend on a chip
    std::int64_t alone_requests = 0; ///< that would fit if nothing were shared
    std::int64_t at_work = 0;        ///< requests asked for that attend on a chip

    [[nodiscard]] std::int64_t taken() const { return prefixes * prefix_pages + at_work * request_pages; }
};
[[nodiscard]] CachePages cache_pages(const Replica& one, std::int64_t prefixes);

/// What the cache spares: s of a batch from its prompts to its last tokens, and the same where nothing is
/// kept and each token is computed from the whole text before it.
struct SparedByCache {
    double prefill = 0, decode = 0;
    double again = 0;
};
[[nodiscard]] SparedByCache spared_by_cache(const Replica& one);

/// What a longer context costs.
struct ContextCost {
    double context = 0;         ///< tokens of each request in the cache
    double request_bytes = 0;   ///< of a chip
    std::int64_t requests = 0;  ///< that fit into a replica
    double batch = 0;           ///< as many as asked for, or as fit
    ServedOperations step = {}; ///< of a decode step of that batch
    double per_chip = 0;        ///< tokens/s put out
};
/// Powers of two until not one request fits, and the context that was asked about.
[[nodiscard]] std::vector<ContextCost> context_costs(const Replica& one);

} // namespace meshslice
