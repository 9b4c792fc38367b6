// How near the estimate comes to the simulation: of runs by chance, by algorithm and kind of ring, how many
// there were, and by how much the estimate was off, at worst and on average. Always the same runs. Usage:
// estimate_table [RUNS] (of each algorithm on each kind of ring; 40 if not given)

#include "core/estimate/estimate.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/drawn_run.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace meshslice;
    const long runs = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 40;
    std::printf("%-24s %-7s %5s %8s %8s\n", "algorithm", "kind", "runs", "worst", "mean");
    for (const Algorithm& algorithm : algorithms()) {
        for (const RunKind kind : all_run_kinds) {
            RunDice dice(13);
            long count = 0;
            double worst = 0;
            double sum = 0;
            std::string which;
            // Not every algorithm runs on every kind of ring.
            for (long tries = 0; count < runs && tries < 100 * runs; ++tries) {
                const auto drawn = dice.run(algorithm, kind);
                if (!drawn ||
                    recorded_intervals(drawn->program, drawn->hardware, drawn->schedule) > 3'000'000) {
                    continue;
                }
                const auto timeline = simulate(drawn->program, drawn->hardware, drawn->schedule);
                if (!timeline) {
                    continue; // It would take too long.
                }
                const Time estimated = estimate(drawn->program, drawn->hardware, drawn->schedule).total;
                const double off = in_seconds(estimated) / in_seconds((*timeline)->end()) - 1;
                ++count;
                sum += std::abs(off);
                if (std::abs(off) > std::abs(worst)) {
                    worst = off;
                    which = drawn->words;
                }
                if (std::getenv("ALL") && std::abs(off) > 0.05) {
                    std::printf("   %+.1f%% %s\n", 100 * off, drawn->words.c_str());
                }
            }
            if (count > 0) {
                std::printf("%-24s %-7s %5ld %+7.2f%% %7.2f%%", std::string(algorithm.id).c_str(),
                            std::string(name(kind)).c_str(), count, 100 * worst,
                            100 * sum / static_cast<double>(count));
                std::printf("  %s\n", which.c_str());
            }
        }
    }
    return 0;
}
