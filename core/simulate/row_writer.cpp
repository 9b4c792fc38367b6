#include "core/simulate/row_writer.h"

#include <cstring>
#include <type_traits>

#ifdef __x86_64__
#include <emmintrin.h>
#endif

namespace meshslice {
namespace {

static_assert(std::is_trivially_copyable_v<Interval>);

#ifdef __x86_64__
/// `count` intervals, in words of 8 bytes.
void store_past_cache(Interval* to, const Interval* from, std::size_t count) {
    constexpr std::size_t words = sizeof(Interval) / sizeof(long long);
    static_assert(sizeof(Interval) % sizeof(long long) == 0);
    for (std::size_t k = 0; k < count * words; ++k) {
        long long word = 0;
        std::memcpy(&word, reinterpret_cast<const std::byte*>(from) + k * sizeof(word), sizeof(word));
        _mm_stream_si64(reinterpret_cast<long long*>(to) + k, word);
    }
}
#else
void store_past_cache(Interval* to, const Interval* from, std::size_t count) {
    std::memcpy(to, from, count * sizeof(Interval));
}
#endif

} // namespace

void RowWriter::hand_over() {
    store_past_cache(next_, gathered_.data(), count_);
    next_ += count_;
    count_ = 0;
}

void finish_writing_past_cache() {
#ifdef __x86_64__
    _mm_sfence();
#endif
}

} // namespace meshslice
