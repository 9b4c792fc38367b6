#include "core/simulate/record/memory_stretch.h"

#include "core/base/say.h"

#include <cmath>

namespace meshslice {

std::string stream_name(MemoryStream stream) {
    switch (stream) {
    case MemoryStream::compute: return said("memory: GEMM");
    case MemoryStream::communication: return said("memory: communication");
    case MemoryStream::collectives: break;
    }
    return said("memory: collectives");
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

std::string_view access_name(const MemoryAccess& use) {
    return use.both ? "read and write" : access_name(use.source);
}

Time memory_time(std::span<const MemoryStretch> stretches) {
    double sum = 0;
    for (const MemoryStretch& one : stretches) {
        sum += one.share * static_cast<double>((one.end - one.start).value());
    }
    return Time(std::llround(sum));
}

} // namespace meshslice
