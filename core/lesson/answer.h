#pragma once

#include "core/lesson/lesson.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace meshslice {

/// What somebody has typed for an answer.
struct TypedAnswer {
    enum class Kind : std::uint8_t {
        number,      ///< `value` is in the question's unit
        none,        ///< nothing, or no number
        without_unit ///< a number, and the question asks for a quantity
    };
    Kind kind = Kind::none;
    double value = 0;
};

/// "2 ms" or "2000 us" of seconds, "66%" or "66" of a share, "1.5x" or "1.5" of a factor, "2*64" of a number.
[[nodiscard]] TypedAnswer read_answer(std::string_view words, std::string_view unit);

enum class Verdict : std::uint8_t {
    right,
    too_small,
    too_large,
    other_prefix ///< the digits are right: milli for micro, or MB for GB
};
[[nodiscard]] Verdict judge(const LessonQuestion& question, double typed, double answer);

/// The answer as it may be typed: "2 ms", "66%", "1.5x".
[[nodiscard]] std::string answer_text(double value, std::string_view unit);
/// Such a text for a field that waits for one: "2 ms" of seconds; it says nothing about the answer.
[[nodiscard]] std::string answer_example(std::string_view unit);

} // namespace meshslice
