#pragma once

#include <cstdint>

namespace meshslice::ui {

/// What the user is busy with. It rules the frame: form, headline, details, cards and views are about it. A
/// new task is one line here, one in the bar of tasks, and its places in the register of views.
enum class Task : std::uint8_t {
    gemm,     ///< one GEMM on the mesh
    block,    ///< one block of a model on the mesh
    training, ///< the whole training run, planned over all chips
    serving,  ///< how a model answers requests
    papers,   ///< what publications say
    lab       ///< questions that need no scenario
};

/// Some of the tasks: one bit for each.
using Tasks = unsigned;
[[nodiscard]] constexpr Tasks only(Task task) {
    return 1U << static_cast<unsigned>(task);
}
[[nodiscard]] constexpr bool has(Tasks tasks, Task task) {
    return (tasks & only(task)) != 0;
}
/// Those that a mesh is simulated for, and those that are about the document's scenario.
inline constexpr Tasks on_a_mesh = only(Task::gemm) | only(Task::block);
inline constexpr Tasks of_scenario = on_a_mesh | only(Task::training);
/// Those that a file is written with, and opened in again.
inline constexpr Tasks of_document = of_scenario | only(Task::serving);

} // namespace meshslice::ui
