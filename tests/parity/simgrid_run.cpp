#include "tests/parity/simgrid_run.h"

#include "tests/parity/simgrid_fed_rings.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace meshslice::parity {
namespace {

constexpr int waits_for_ever = 2;

/// The forked process: it ends here, without the destructors and buffers that are its parent's.
[[noreturn]] void run_and_end(const Program& program, const Settings& settings, int out) {
    const auto start = std::chrono::steady_clock::now();
    const std::optional<Outcome> outcome = program.fusions.empty() ? outcome_on_simgrid(program, settings)
                                                                   : outcome_of_fed_rings(program, settings);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (!outcome) {
        _exit(waits_for_ever);
    }
    const SimGridRun run{*outcome, took.count()};
    _exit(write(out, &run, sizeof run) == sizeof run ? 0 : 1);
}

std::string ending(int status) {
    if (WIFSIGNALED(status)) {
        return fmt::format("was ended by signal {}", WTERMSIG(status));
    }
    return WEXITSTATUS(status) == waits_for_ever ? "waits for something that never comes"
                                                 : fmt::format("ended with {}", WEXITSTATUS(status));
}

} // namespace

Result<SimGridRun> run_on_simgrid(const Program& program, const Settings& settings) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    const pid_t child = fork();
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (child == 0) {
        close(ends[0]);
        run_and_end(program, settings, ends[1]);
    }
    close(ends[1]);
    SimGridRun run;
    const ssize_t got = read(ends[0], &run, sizeof run);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (got != static_cast<ssize_t>(sizeof run)) {
        return refuse(fmt::format("SimGrid's run of {} on {} {}.", text(program.shape),
                                  shape_text(program.torus), ending(status)));
    }
    return run;
}

} // namespace meshslice::parity
