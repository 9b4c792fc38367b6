#pragma once

#include "core/question/question.h"

#include <string>
#include <vector>

namespace meshslice {

/// A field that a sweep gives one value after another.
struct SweptField {
    std::string key;
    std::vector<FieldValue> values; ///< at least one

    bool operator==(const SweptField&) const = default;
};

/// A question over another one and one or two of its fields: one of its numbers, and in its table all of
/// them, at every value of the fields; of two fields at every pair. Its fields are those of the other that
/// are not swept, and "number", the path of the number that its chart shows.
[[nodiscard]] Result<Question> sweep_of(Question over, std::vector<SweptField> swept);

} // namespace meshslice
