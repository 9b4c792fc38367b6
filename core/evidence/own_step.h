#pragma once

#include "core/evidence/expected_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// A part of an expected step that could explain by itself why a measured one took longer or shorter.
struct GapPart {
    std::string name;
    double seconds = 0; ///< as expected
    double times = 1;   ///< so many times as long it would explain the whole gap

    bool operator==(const GapPart&) const = default;
};

/// The parts of an expected step by name, which add up to it.
[[nodiscard]] std::vector<GapPart> named_parts(const StepSeconds& step);

/// A step that the user has timed, next to what was expected of its plan.
struct OwnStep {
    double seconds = 0;       ///< as measured
    double expected = 0;      ///< seconds
    double ratio = 1;         ///< measured / expected
    bool inside = true;       ///< of the interval
    double low = 0, high = 0; ///< of another measurement of this plan, as narrowed() has it
    /// The largest parts first, up to three; of a shorter step those that are longer than the gap.
    std::vector<GapPart> parts;
    double hidden = 0; ///< seconds of communication that is expected to be hidden
    /// How well ratios of this plan's time to those of other plans are known; none where they are not.
    std::optional<StepRatio> to_others = {};

    [[nodiscard]] double gap() const { return seconds - expected; }

    bool operator==(const OwnStep&) const = default;
};

/// Of a known expectation and a positive time.
[[nodiscard]] OwnStep own_step(double measured_s, const ExpectedStep& expected);

/// What is expected of another plan of the same model, chip and software: its expectation and each part of it
/// times the ratio, as nothing says which part the measurement moved. The interval is by how well such ratios
/// are known; where that is wider than the old one, or not known, the old one's width stays.
[[nodiscard]] ExpectedStep narrowed(const ExpectedStep& other, const OwnStep& own);

/// The step of an answer's chosen plan that a scenario has as measured; none where it has none, or where
/// nothing is expected of that plan.
[[nodiscard]] std::optional<OwnStep> own_step_of(const PlanAnswer& answer,
                                                 const std::optional<double>& measured_s);
/// expected_of() a plan of an answer, narrowed() by that measured step where there is one: the number that
/// stands in front wherever the plan is shown.
[[nodiscard]] ExpectedStep corrected_of(const PlanAnswer& answer, const RankedPlan& plan,
                                        const std::optional<double>& measured_s);

} // namespace meshslice
