#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A scenario with a name, to be held next to others.
struct Variant {
    std::string name; ///< not empty, and no other's of the project
    Scenario scenario;

    bool operator==(const Variant&) const = default;
};

/// A named moment of the time axis, which all variants share; or a note on what a core or link does then.
struct TimeMark {
    std::string name; ///< not empty; of a note its text
    Time at;
    std::string part{}; ///< the core or link, as faults name it: "3,5 east"; empty: all of the moment
    /// Of a note on a part, whose run it is about: a variant's name, or where algorithms are compared the
    /// algorithm's; empty: all.
    std::string run{};

    [[nodiscard]] bool is_note() const { return !part.empty(); }

    bool operator==(const TimeMark&) const = default;
};

/// What a project asks of its scenarios. Which of a block and a GEMM is run, each scenario says.
enum class ProjectTask : std::uint8_t {
    step,     ///< one block, or one GEMM, on the mesh
    training, ///< the whole training run, planned over all chips
    serving   ///< how the model answers requests
};

/// What a file of the window holds: variants of one question, of which one is edited and one may be pinned,
/// to compare the others with, and the moments that were marked.
struct Project {
    /// So many stay readable next to each other; older files may have a plan for each of 64.
    static constexpr std::size_t most_variants = 128;
    static constexpr std::size_t most_marks = 99;
    static constexpr std::size_t longest_mark_name = 200; ///< bytes
    /// In picoseconds, 53 days: longer than any run may take (core/simulate/engine/simulate.h).
    static constexpr std::int64_t latest_mark = 4'600'000'000'000'000'000;

    std::vector<Variant> variants{{first_name(), default_scenario()}}; ///< at least one
    std::size_t current = 0;           ///< the one that is edited and shown: B
    std::optional<std::size_t> pinned; ///< the one that it is compared with: A
    std::vector<TimeMark> marks;       ///< in the order of time
    ProjectTask task = ProjectTask::step;

    [[nodiscard]] static std::string first_name() { return "Variant 1"; }
    [[nodiscard]] const Scenario& scenario() const { return variants[current].scenario; }
    /// "Variant 2": of no variant yet.
    [[nodiscard]] std::string free_name() const;
    /// Whether nothing but a scenario is in it.
    [[nodiscard]] bool plain() const {
        return variants.size() == 1 && variants[0].name == first_name() && marks.empty() &&
               task == ProjectTask::step;
    }
    bool operator==(const Project&) const = default;
};

/// A project of one variant.
[[nodiscard]] Project project_of(const Scenario& scenario);

/// Checks every scenario, the names, the marks and the places of the current and the pinned variant; puts the
/// marks in order.
[[nodiscard]] Result<Project> checked(const Project& project);

/// The version of the file that `write_project` writes.
[[nodiscard]] int project_version();

/// Reads a project file, or a scenario file as a project of one variant; as strict as read_scenario().
[[nodiscard]] Result<Project> read_project(std::string_view json, const std::string& origin,
                                           std::vector<std::string>* all = nullptr);
/// A plain project is written as a scenario file, which every program that reads scenarios reads.
[[nodiscard]] std::string write_project(const Project& project);

/// One scenario of a file: that of the variant with this name or, counted from 1, at this place; "A" and
/// "B" are the pinned and the current one. With no words the one that was edited last.
[[nodiscard]] Result<Variant> variant_of(const Project& project, std::string_view words);

} // namespace meshslice
