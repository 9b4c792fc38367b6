#include "core/machine/catalogue.h"
#include "core/papers/meshslice/profile_fit.h"

#include <gmock/gmock.h>

#include <cmath>

namespace meshslice {
namespace {

/// Twelfth powers of the ten relative deviations, as the fit has it.
double twelfth_powers(const Machine& hardware, double& largest, double& mean) {
    double sum = 0;
    int count = 0;
    largest = 0;
    mean = 0;
    const auto claims = *paper_claims(hardware);
    for (const ClaimOutcome& one : claims) {
        if (one.paper) {
            const double deviation = std::abs(one.deviation());
            sum += std::pow(deviation, 12);
            largest = std::max(largest, deviation);
            mean += deviation;
            ++count;
        }
    }
    EXPECT_EQ(count, 10);
    mean /= count;
    return sum;
}

/// The profile meets the ten numbers within 7% each and 4% on average, and a few percent more or less of
/// any constant that was fitted is no better.
TEST(ProfileFit, TheProfileIsABest) {
    const Machine profile = *machine_preset("tpu-v4-paper");
    double largest = 0;
    double mean = 0;
    const double found = twelfth_powers(profile, largest, mean);
    EXPECT_LT(largest, 0.07);
    EXPECT_LT(mean, 0.04);
    for (const double factor : {0.93, 1.07}) {
        Machine other = profile;
        other.sync.value = seconds(in_seconds(profile.sync.value) * factor);
        EXPECT_GT(twelfth_powers(other, largest, mean), found) << "sync x " << factor;
        other = profile;
        other.network.set_link_bandwidth(Bandwidth(profile.network.link_bandwidth(0).value() * factor));
        EXPECT_GT(twelfth_powers(other, largest, mean), found) << "bandwidth x " << factor;
    }
    Machine less = profile;
    less.launch[Collective::send_receive].value = seconds(42e-6);
    EXPECT_GT(twelfth_powers(less, largest, mean), found); // more is out of bounds
}

TEST(ProfileFit, StopsWhenItIsTold) {
    std::stop_source stop;
    stop.request_stop();
    const auto fit = fit_profile(*machine_preset("tpu-v4-paper"), RunControl{stop.get_token(), nullptr});
    ASSERT_FALSE(fit);
}

} // namespace
} // namespace meshslice
