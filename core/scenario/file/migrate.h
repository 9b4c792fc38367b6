#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// One step of bringing an old file up to date: changes a file of version n into one of version n + 1. It
/// changes only what the new version says otherwise; the reader of the newest version judges the rest.
using Migration = void (*)(nlohmann::json& file);

/// Version 1 of a scenario could plan for a machine of its own; version 2 has one machine. Changes a scenario
/// of version 1 into one of version 2, which keeps its plan where that is for its own machine. Where it is
/// for another, it is returned as a scenario by itself, with that machine.
[[nodiscard]] std::optional<nlohmann::json> one_machine(nlohmann::json& scenario);

/// The same of a lesson, whose steps say what changes: a step that shows plans gets the machine that they
/// were for, and the next one that does not gets the other back.
void one_machine_by_step(nlohmann::json& lesson);

/// The steps of scenario files, the one from version 1 first. A new version of the file is one more step.
[[nodiscard]] const std::vector<Migration>& scenario_migrations();

/// Brings a file of `kind` ("scenario") up to the newest version, which is one more than there are steps, and
/// sets its number under `version_key`. Refuses a file without a version or with a newer one, before any of
/// its other keys is looked at: they may mean something else there.
[[nodiscard]] Result<void> migrate(nlohmann::json& file, std::string_view kind,
                                   const std::string& version_key, const std::vector<Migration>& steps,
                                   const std::string& origin);

} // namespace meshslice
