#pragma once

#include "core/base/result.h"
#include "core/question/question.h"
#include "core/scenario/file/project.h"
#include "core/scenario/scenario.h"

#include <map>
#include <optional>
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
    /// The file and its variant alone, of a question that finds its own values in it (Question::kept).
    void declare_file(CLI::App& command);
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
    /// What the file holds, of a project file the variant that was named or the one that was shown last; none
    /// without a file.
    [[nodiscard]] Result<std::optional<Variant>> variant() const;
    /// What sentences call the file.
    [[nodiscard]] std::string origin() const;
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

/// What the words after --scenario name: a file, the standard input, or a shared text.
[[nodiscard]] Result<Project> project_of_file(const std::string& file);

} // namespace meshslice
