#include "core/work/memory_use.h"

#include <cmath>
#include <cstdint>

namespace meshslice {

Bytes MemoryUse::bytes() const {
    return whole_bytes(total());
}

Bytes whole_bytes(double count) {
    constexpr double most = 0x1p62;
    return Bytes(static_cast<std::int64_t>(count < most ? std::ceil(count) : most));
}

} // namespace meshslice
