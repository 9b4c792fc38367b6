#include "core/machine/machine.h"

namespace meshslice {

const RingStores& Machine::stores() const {
    static const RingStores none;
    return ring_stores ? *ring_stores : none;
}

} // namespace meshslice
