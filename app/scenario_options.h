#pragma once

#include "core/base/result.h"
#include "core/question/question.h"
#include "core/scenario/scenario.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace meshslice {

/// The command line's flags that describe a scenario, as they were typed: those of the scenario's field
/// table, a scenario file and a file of measurements.
class ScenarioOptions {
  public:
    /// Declares the flags on a command, of the fields with one of these tags (ScenarioTag); 0: of all but
    /// those that only plans have. This object must outlive the parsing, at the same address.
    void declare(CLI::App& command, unsigned only = 0, const std::vector<std::string>& without = {});
    /// Leaves the flags of fields with one of these tags (ScenarioTag) out of the command's help.
    static void hide(CLI::App& command, unsigned tags);

    /// What was given for a flag; empty: it was not.
    [[nodiscard]] std::string given(std::string_view flag) const;
    /// Takes the flag for given, where it was not.
    void assume(const std::string& flag, const std::string& words);
    void forget(const std::string& flag) { typed_.erase(flag); }

    /// The scenario they describe: a file's or the default one, changed by every flag that was given. Refuses
    /// flags that have no effect in it, neither with its algorithm nor with any that the command runs.
    [[nodiscard]] Result<Scenario> read(const OtherAlgorithms& others = {}) const;
    /// What it reads, where those are files; some are names of presets, or empty.
    [[nodiscard]] std::vector<std::string> files() const;

  private:
    struct Typed {
        std::string once;
        std::vector<std::string> repeated;
    };
    std::map<std::string, Typed, std::less<>> typed_; ///< by flag
    bool runs_ = true;                                ///< programs on the mesh, not only plans
};

/// A scenario file's, or that of a variant of a project file, by its name or place; without words the one
/// that was shown last. The default scenario where there is neither a file nor a variant.
[[nodiscard]] Result<Scenario> scenario_of_file(const std::string& file, const std::string& variant);

} // namespace meshslice
