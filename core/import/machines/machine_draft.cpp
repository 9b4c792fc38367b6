#include "core/import/machines/machine_draft.h"

namespace meshslice {

Level switch_like(const Level& like, std::int64_t units, double bytes_per_s, const std::string& source) {
    Level level = like;
    level.kind = LevelKind::switched;
    level.axes.clear();
    level.units = {units, source};
    level.ports = {1, "The bandwidth is that of all links of a chip together"};
    level.bandwidth = {Bandwidth(bytes_per_s), source};
    return level;
}

} // namespace meshslice
