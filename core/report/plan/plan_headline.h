#pragma once

#include "core/plan/search/plan_question.h"
#include "core/report/plan/plan_findings.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What a plan's answer comes to, for the top of a window.
struct PlanHeadline {
    /// The big words: "3.23 s a step", or "7.10 s a step expected"; where a plan does not fit that comes
    /// first, "does not fit: 60.5 GB of 32.0 GB per chip".
    std::string big;
    /// The rest in one line: "45% of peak (MFU); 57.0 GB of 192 GB per chip; 512 chips; 12.3 days for 1T
    /// tokens".
    std::string small;
    /// What has to be known of it: that the batch is too small, or how many chips are taken. A sentence each.
    std::vector<std::string> findings;
    bool fits = true;

    bool operator==(const PlanHeadline&) const = default;
};
/// Of what the scenario has loaded, or the best plan; next to A's, how it compares is the first finding. What
/// is `expected` of it stands in front where plans are ranked by that.
[[nodiscard]] PlanHeadline plan_headline(const PlanAnswer& answer,
                                         const std::optional<PlansOfA>& of_a = std::nullopt,
                                         const ExpectedStep& expected = {});
/// The same in one line, as a screen reader or a file has it.
[[nodiscard]] std::string text(const PlanHeadline& headline);

/// A heading and the lines below it.
struct PlanSection {
    std::string heading; ///< "Why"
    std::vector<std::string> lines;

    bool operator==(const PlanSection&) const = default;
};
/// What there is to say of one plan of an answer: why it takes as long first, then its memory, how it is
/// spread and how it runs. With A, the parts that differ.
[[nodiscard]] std::vector<PlanSection> plan_sections(const PlanAnswer& answer, const RankedPlan& plan,
                                                     const std::optional<PlansOfA>& of_a = std::nullopt,
                                                     const ExpectedStep& expected = {});
/// Each part of a step's time that two plans differ in, the largest difference first: "1.20 s more pipeline
/// bubble".
[[nodiscard]] std::vector<std::string> part_differences(const RankedPlan& plan, const RankedPlan& other);

} // namespace meshslice
