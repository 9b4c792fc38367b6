#include "core/scenario/migrate.h"

#include "core/base/json_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace meshslice {

const std::vector<Migration>& scenario_migrations() {
    static const std::vector<Migration> steps; // version 1 is the first and the newest
    return steps;
}

Result<void> migrate(nlohmann::json& file, std::string_view kind, const std::string& version_key,
                     const std::vector<Migration>& steps, const std::string& origin) {
    JsonReader reader(file, origin);
    const std::int64_t version = reader.whole(version_key, 1, std::numeric_limits<std::int64_t>::max());
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    const auto newest = static_cast<std::int64_t>(steps.size()) + 1;
    if (version > newest) {
        return refuse(fmt::format(
            "{} is a {} of version {}; this program reads up to version {}, so a newer program is "
            "needed.",
            origin, kind, version, newest));
    }
    for (std::size_t step = static_cast<std::size_t>(version) - 1; step < steps.size(); ++step) {
        steps[step](file);
    }
    file[version_key] = newest;
    return {};
}

} // namespace meshslice
