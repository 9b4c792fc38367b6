#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <QString>

#include <vector>

namespace meshslice::ui {

/// A machine that the user has named, in a file of its own.
struct OwnMachine {
    QString path;
    Machine machine;
};

/// The folder of the user's data where they are kept.
[[nodiscard]] QString ownMachinesFolder();
/// All of them, by their titles. A file that is not a machine is left out.
[[nodiscard]] std::vector<OwnMachine> ownMachines();
/// Keeps a machine under this title, in place of one that has it; its numbers keep their sources. The machine
/// as it was kept: it is based on no preset any more. Refuses an empty title and one of a preset, and says
/// why a file cannot be written.
[[nodiscard]] Result<Machine> keepOwnMachine(const Machine& machine, const QString& title);
/// Deletes the file.
[[nodiscard]] Result<void> removeOwnMachine(const OwnMachine& own);
/// Writes a machine as `--machine FILE` reads it, to share it.
[[nodiscard]] Result<void> writeMachineFile(const Machine& machine, const QString& path);

} // namespace meshslice::ui
