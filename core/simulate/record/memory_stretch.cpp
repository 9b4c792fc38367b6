#include "core/simulate/record/memory_stretch.h"

#include "core/base/say.h"

#include <cmath>

namespace meshslice {

std::string stream_name(MemoryStream stream) {
    return stream == MemoryStream::compute ? said("memory: GEMM") : said("memory: communication");
}

std::string_view access_name(DramSource source) {
    switch (source) {
    case DramSource::scatter_read:
    case DramSource::gather_read: return "read";
    case DramSource::scatter_write: return "update";
    case DramSource::gemm_write:
    case DramSource::gather_write: break;
    }
    return "write";
}

Time memory_time(std::span<const MemoryStretch> stretches) {
    double sum = 0;
    for (const MemoryStretch& one : stretches) {
        sum += one.share * static_cast<double>((one.end - one.start).value());
    }
    return Time(std::llround(sum));
}

} // namespace meshslice
