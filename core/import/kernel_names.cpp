#include "core/import/device_trace.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace meshslice {
namespace {

struct NamePart {
    std::string_view part; ///< in small letters
    DeviceWork work;
};
/// The first part that a name has says what it does. Names of kernels: NCCL and RCCL, cuBLAS, CUTLASS,
/// rocBLAS (Tensile's begin with Cijk), FlashAttention, cuDNN's fused attention, vLLM; of operations: XLA's
/// HLO.
constexpr std::array name_parts = {
    NamePart{"nccl", DeviceWork::communication},
    NamePart{"rccl", DeviceWork::communication},
    NamePart{"nvshmem", DeviceWork::communication},
    NamePart{"deep_ep", DeviceWork::communication},
    NamePart{"all-reduce", DeviceWork::communication},
    NamePart{"all-gather", DeviceWork::communication},
    NamePart{"all-to-all", DeviceWork::communication},
    NamePart{"reduce-scatter", DeviceWork::communication},
    NamePart{"collective-permute", DeviceWork::communication},
    NamePart{"collective-broadcast", DeviceWork::communication},
    NamePart{"cross_device_reduce", DeviceWork::communication},
    NamePart{"allreduce", DeviceWork::communication},
    NamePart{"allgather", DeviceWork::communication},
    NamePart{"memcpy", DeviceWork::copy},
    NamePart{"memset", DeviceWork::copy},
    NamePart{"copy-start", DeviceWork::copy},
    NamePart{"copy-done", DeviceWork::copy},
    NamePart{"infeed", DeviceWork::copy},
    NamePart{"outfeed", DeviceWork::copy},
    NamePart{"flash", DeviceWork::attention},
    NamePart{"fmha", DeviceWork::attention},
    NamePart{"attention", DeviceWork::attention},
    NamePart{"attn", DeviceWork::attention},
    NamePart{"gemm", DeviceWork::multiply},
    NamePart{"xmma", DeviceWork::multiply},
    NamePart{"nvjet", DeviceWork::multiply},
    NamePart{"cutlass", DeviceWork::multiply},
    NamePart{"cublas", DeviceWork::multiply},
    NamePart{"cijk_", DeviceWork::multiply},
    NamePart{"matmul", DeviceWork::multiply},
    NamePart{"convolution", DeviceWork::multiply},
    NamePart{"dot_general", DeviceWork::multiply},
    NamePart{"wgrad", DeviceWork::multiply},
};

} // namespace

std::string_view name(DeviceWork work) {
    switch (work) {
    case DeviceWork::multiply: return "multiplication";
    case DeviceWork::attention: return "attention";
    case DeviceWork::other: return "other kernels";
    case DeviceWork::copy: return "copies";
    case DeviceWork::communication: return "communication";
    }
    return "";
}

std::string_view name(TraceWriter writer) {
    switch (writer) {
    case TraceWriter::kineto: return "PyTorch's profiler";
    case TraceWriter::xprof: return "XProf";
    case TraceWriter::nsight: return "Nsight Systems";
    case TraceWriter::chakra: return "a writer of Chakra's execution traces";
    case TraceWriter::meshslice: return "MeshSlice Explorer";
    case TraceWriter::other: return "a writer of Chrome traces";
    }
    return "";
}

DeviceWork work_of(std::string_view kernel) {
    std::string small(kernel);
    std::ranges::transform(small, small.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    for (const NamePart& one : name_parts) {
        if (small.find(one.part) != std::string::npos) {
            return one.work;
        }
    }
    return small == "dot" || small.starts_with("dot.") ? DeviceWork::multiply : DeviceWork::other;
}

} // namespace meshslice
