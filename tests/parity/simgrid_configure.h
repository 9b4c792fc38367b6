#pragma once

namespace meshslice::parity {

/// Sets SimGrid's network so that a flow takes what it is given; once an engine is there.
void configure_simgrid();

} // namespace meshslice::parity
