#pragma once

#include "core/cost/collective/exchange_bound.h"
#include "core/torus/twisted_torus.h"

namespace meshslice {

/// The book's time of an exchange of all chips of a twisted torus, of links of W bytes/s each way. An
/// all-to-all of V bytes over n chips whose shortest ways to all others are T links together: every link
/// carries the same, V T / (6 n^2) over W. All others are V over the six links of a chip, as on a torus
/// without the twist. `hop`: s; the longest way counts. Not of a send-receive.
[[nodiscard]] ExchangeBound twisted_bound(Collective what, double bytes, const TwistedTorus& torus,
                                          Bandwidth link, double hop);

} // namespace meshslice
