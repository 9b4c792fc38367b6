#include "core/papers/catalogue/studies.h"

#include "core/base/text.h"
#include "core/papers/meshslice/studies.h"

#include <fmt/format.h>

namespace meshslice {

const std::vector<Study>& studies() {
    static const std::vector<Study> all = {
        // clang-format off
        weak_scaling_study,
        communication_share_study,
        product_shapes_study,
        strong_scaling_study,
        dataflows_study,
        mesh_shapes_study,
        slice_counts_study,
        real_cluster_study,
        layer_communication_study,
        end_to_end_study,
        traffic_study,
        // clang-format on
    };
    return all;
}

Result<const Study*> study(std::string_view id) {
    std::string ids;
    for (const Study& one : studies()) {
        if (one.id == id) {
            return &one;
        }
        ids += fmt::format("{}{}", ids.empty() ? "" : ", ", one.id);
    }
    return refuse(fmt::format("There is no study called \"{}\"; the names are {}.", shortened(id), ids));
}

} // namespace meshslice
