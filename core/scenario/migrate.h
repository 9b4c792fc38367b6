#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// One step of bringing an old file up to date: changes a file of version n into one of version n + 1. It
/// changes only what the new version says otherwise; the reader of the newest version judges the rest.
using Migration = void (*)(nlohmann::json& file);

/// The steps of scenario files, the one from version 1 first. A new version of the file is one more step.
[[nodiscard]] const std::vector<Migration>& scenario_migrations();

/// Brings a file of `kind` ("scenario") up to the newest version, which is one more than there are steps, and
/// sets its number under `version_key`. Refuses a file without a version or with a newer one, before any of
/// its other keys is looked at: they may mean something else there.
[[nodiscard]] Result<void> migrate(nlohmann::json& file, std::string_view kind,
                                   const std::string& version_key, const std::vector<Migration>& steps,
                                   const std::string& origin);

} // namespace meshslice
