#pragma once

#include "core/papers/study.h"
#include "core/question/answer.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// A number that was published, next to ours; both in words.
struct PublishedNumber {
    std::string statement, published, ours;
    std::string reading = {};             ///< how ours is got; empty: one way for all
    std::optional<double> deviation = {}; ///< a share; none: not judged
};
/// What was published without a number.
struct PublishedStatement {
    std::string statement;
    std::optional<bool> holds = {}; ///< none: not judged
    std::string numbers = {};       ///< ours, by which it was judged
};

/// How far ours are from what was published, and what of that holds. Empty where nothing was published.
[[nodiscard]] AnswerTrust trust_of_published(const std::vector<PublishedNumber>& numbers,
                                             const std::vector<PublishedStatement>& statements);
/// Of studies that ran, with what of their publications no study asks.
[[nodiscard]] AnswerTrust trust_of_studies(const std::vector<std::pair<const Study*, StudyResult>>& studies);

} // namespace meshslice
