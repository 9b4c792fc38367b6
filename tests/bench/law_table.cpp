// What holds of random scenarios, and how nearly: by law, of how many scenarios it was asked, how many break
// it by more than 1% and by more than 5% of their time, the mean and the worst. Always the same scenarios.
// Usage: [EACH=1] law_table [SCENARIOS] (1000 if not given; EACH: lists each that is off by more than 1%)

#include "tests/core/support/scenario_laws.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

struct Sum {
    int asked = 0;
    int over_1 = 0;
    int over_5 = 0;
    double all = 0;
    double worst = 0;
    std::string where;
};

} // namespace

int main(int argc, char** argv) {
    using namespace meshslice;
    const long scenarios = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1000;
    const bool each = std::getenv("EACH") != nullptr;
    std::map<Law, Sum> sums;
    for (long k = 0; k < scenarios; ++k) {
        const Breaches found = drawn_breaches(static_cast<std::uint32_t>(k));
        for (const Breaches::One& one : found.all) {
            Sum& sum = sums[one.law];
            ++sum.asked;
            sum.over_1 += one.share > 0.01 ? 1 : 0;
            sum.over_5 += one.share > 0.05 ? 1 : 0;
            sum.all += one.share;
            const std::string where = fmt::format("{}: {} {}", k, one.what, found.words);
            if (one.share > sum.worst) {
                sum.worst = one.share;
                sum.where = where;
            }
            if (each && one.share > 0.01) {
                fmt::print("{:.1f}% {}: {}\n", 100 * one.share, name(one.law), where);
            }
        }
    }
    fmt::print("{:32} {:>6} {:>7} {:>7} {:>8} {:>7}  {}\n", "law", "asked", "over 1%", "over 5%", "mean",
               "worst", "the worst");
    for (const auto& [law, sum] : sums) {
        fmt::print("{:32} {:6} {:7} {:7} {:7.3f}% {:6.2f}%  {}\n", name(law), sum.asked, sum.over_1,
                   sum.over_5, 100 * sum.all / sum.asked, 100 * sum.worst, sum.where);
    }
    return 0;
}
