#pragma once

#include "core/question/catalogue/study/study_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// Why ours has no number: the point, or the one under "over", does not run or does not have it, or
/// there is nothing to divide by.
enum class NoneOfOurs : std::uint8_t {
    does_not_run,
    over_does_not_run,
    lacks_number,
    over_lacks_number,
    not_above_zero
};

/// A published number next to ours.
struct JudgedClaim {
    const SweptClaim* claim = nullptr;
    std::optional<double> ours = {};
    NoneOfOurs none = NoneOfOurs::does_not_run; ///< where there is none

    /// Of a published 0 none, or infinite.
    [[nodiscard]] double deviation() const;
    /// Why it does not hold, as a sentence; empty where it does, and where nothing is judged.
    [[nodiscard]] std::string why_not() const;
    /// As a table has it.
    [[nodiscard]] std::string ours_text() const;
    /// None where nothing is judged.
    [[nodiscard]] std::optional<bool> holds() const;

  private:
    [[nodiscard]] std::string why_none(const std::string& published) const;
};

/// The claims of a study by its points, in their order; they point into the study.
[[nodiscard]] std::vector<JudgedClaim> judged_claims(const StudyFile& study,
                                                     const std::vector<SweepPoint>& points);
/// Of points that run; none where fewer than two have the number.
[[nodiscard]] std::optional<bool> judged(const SweptOrdering& ordering,
                                         const std::vector<SweepPoint>& points);
/// By which it was judged: "batch 8: 1.2, batch 16: 1.8".
[[nodiscard]] std::string numbers_of(const StudyFile& study, const SweptOrdering& ordering,
                                     const std::vector<SweepPoint>& points);

/// Refused where none of the points runs, or the first that does lacks a number that the study asks for.
[[nodiscard]] Result<void> checked_points(const StudyFile& study, const std::vector<SweepPoint>& points);

/// The sweep as a picture, with published numbers where ours of the same points stand.
[[nodiscard]] Chart study_chart(const StudyFile& study, const std::vector<SweepPoint>& points);

} // namespace meshslice
