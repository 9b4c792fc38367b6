#include "core/simulate/record/interval.h"

#include <numeric>

namespace meshslice {

std::string_view name(Activity activity) {
    constexpr std::array<std::string_view, activity_count> names = {"compute", "launch", "sync", "transfer",
                                                                    "copy"};
    return names[static_cast<std::size_t>(activity)];
}

Time total(const ActivityTimes& times) {
    return std::accumulate(times.begin(), times.end(), Time(0));
}

} // namespace meshslice
