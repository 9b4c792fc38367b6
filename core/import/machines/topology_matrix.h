#pragma once

#include "core/base/result.h"
#include "core/import/machines/machine_draft.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What `nvidia-smi topo -m` prints of a server: which GPUs have NVLinks between them, and which NICs stand
/// near which GPU.
struct TopologyMatrix {
    std::int64_t gpus = 0, nics = 0;
    /// NVLinks between two GPUs, row by row; 0: they talk over PCIe.
    std::vector<std::int64_t> nvlinks;
    std::vector<std::int64_t> near; ///< for each GPU, NICs under the same PCIe switch (PIX or PXB)

    [[nodiscard]] std::int64_t links(std::int64_t a, std::int64_t b) const {
        return nvlinks[static_cast<std::size_t>(a * gpus + b)];
    }
    /// GPUs that NVLinks join, directly or through others; the sizes of all such groups.
    [[nodiscard]] std::vector<std::int64_t> domains() const;
    bool operator==(const TopologyMatrix&) const = default;
};
/// Refuses what has no rows of GPUs, and rows that are too short; errors name the line.
[[nodiscard]] Result<TopologyMatrix> read_topology_matrix(std::string_view text, const std::string& origin);

/// A machine of such servers, and what the matrix does not say. Everything that is not the network within a
/// server is the chip's own. Refuses a server whose NVLink groups differ in size, as levels join units that
/// are alike, and a chip that forms a torus.
[[nodiscard]] Result<MachineDraft> machine_of(const TopologyMatrix& matrix, const Machine& chip,
                                              const std::string& origin);

} // namespace meshslice
