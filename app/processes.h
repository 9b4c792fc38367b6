#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace meshslice {

class ProcessLink;
struct Question;

/// The processes that mpirun or srun started together, this one among them. They answer sweeps together; the
/// first one prints and writes files, and answers all else alone.
class Processes {
  public:
    /// Refused where there are several and the program has no library to reach them with.
    [[nodiscard]] static Result<Processes> joined();

    [[nodiscard]] bool several() const { return link_ != nullptr; }
    [[nodiscard]] bool first() const { return first_; }
    /// The question about sweeps, answered by all; of several.
    [[nodiscard]] Question sweep() const;
    /// Once, when this process has done its part: the first one ends the others' work, and the others wait
    /// for that.
    void finish() const;

  private:
    std::shared_ptr<ProcessLink> link_; ///< null where there is only this one
    bool first_ = true;
};

/// What a process that is not the first one takes of the arguments, `words` after the command's name: all
/// but what writes files.
[[nodiscard]] std::vector<std::string> without_outputs(std::vector<std::string> words);

/// Sends what this process would print nowhere.
void print_nothing();

} // namespace meshslice
