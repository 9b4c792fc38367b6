#include "app/processes.h"

#include "core/base/text/parse.h"
#include "core/question/catalogue/sweep_question.h"
#include "core/question/sweep_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace meshslice {
namespace {

/// How many processes were started together: Open MPI's and MPICH's launchers say it, and Slurm's with PMIx.
std::int64_t processes_started() {
    const auto number = [](const char* variable) {
        const char* const words = std::getenv(variable);
        return words == nullptr ? std::int64_t{0} : parse_whole(words).value_or(0);
    };
    const std::int64_t slurm = std::getenv("PMIX_RANK") != nullptr ? number("SLURM_NTASKS") : 0;
    return std::max({number("OMPI_COMM_WORLD_SIZE"), number("PMI_SIZE"), slurm});
}

} // namespace

Result<Processes> Processes::joined() {
    Processes made;
    const std::int64_t started = processes_started();
    if (started < 2) {
        return made;
    }
    namespace fs = std::filesystem;
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    const fs::path library =
        program.parent_path().parent_path() / "lib" / "meshslice" / "libmeshslice_processes.so";
    // Stays loaded; MPI's own parts look for its names.
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* const join = loaded == nullptr ? nullptr : dlsym(loaded, "meshslice_join_processes");
    if (join == nullptr) {
        return refuse(fmt::format(
            "{} processes were started together, and {} cannot be loaded, which joins them; install "
            "the package meshslice-mpi, build where libopenmpi-dev is installed, or start one process.",
            started, library.string()));
    }
    made.link_.reset(reinterpret_cast<ProcessLink* (*)()>(join)());
    if (made.link_->count() != started) {
        return refuse(
            fmt::format("{} processes were started together, and Open MPI joins {}; start them with its own "
                        "mpirun, or one process.",
                        started, made.link_->count()));
    }
    made.first_ = made.link_->place() == 0;
    return made;
}

Question Processes::sweep() const {
    return sweep_question_by([link = link_](const Sweep& sweep, const TakePoint& take, std::size_t from,
                                            const RunControl& control) {
        return link->place() == 0 ? hand_out_sweep(sweep, take, from, control, *link)
                                  : work_on_sweep(sweep, *link);
    });
}

void Processes::finish() const {
    if (link_ != nullptr) {
        first_ ? end_work(*link_) : decline_work(*link_);
    }
}

std::vector<std::string> without_outputs(std::vector<std::string> words) {
    constexpr std::array of_files = {"--out", "--svg", "--heat-map", "--csv"};
    std::vector<std::string> kept;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::string flag = words[k].substr(0, words[k].find('='));
        const bool writes = std::ranges::find(of_files, flag) != of_files.end();
        if (!writes && flag != "--resume") {
            kept.push_back(std::move(words[k]));
        } else if (writes && flag == words[k] && k + 1 < words.size() && !words[k + 1].starts_with("--")) {
            ++k; // its value
        }
    }
    return kept;
}

void print_nothing() {
    (void)std::freopen("/dev/null", "w", stdout);
    (void)std::freopen("/dev/null", "w", stderr);
}

} // namespace meshslice
