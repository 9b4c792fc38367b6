#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace meshslice {

/// What went wrong in the user's world, as a sentence a colleague would say: what, where, and what was
/// expected instead. Mistakes of our own are asserts, never an Error.
struct Error {
    enum class Kind {
        wrong_input, ///< the user can mend it; the sentence says how
        cancelled,   ///< somebody asked for the work to stop; nothing is wrong
    };

    std::string sentence;
    Kind kind = Kind::wrong_input;

    bool operator==(const Error&) const = default;
};

/// Either a value or the sentence that says why there is none.
template <class T>
using Result = tl::expected<T, Error>;

/// Refuses with a sentence: `return refuse(fmt::format(...))`.
[[nodiscard]] inline tl::unexpected<Error> refuse(std::string sentence) {
    return tl::unexpected(Error{std::move(sentence), Error::Kind::wrong_input});
}

[[nodiscard]] inline tl::unexpected<Error> refuse(Error error) {
    return tl::unexpected(std::move(error));
}

[[nodiscard]] inline tl::unexpected<Error> cancelled() {
    return tl::unexpected(Error{"The computation was cancelled.", Error::Kind::cancelled});
}

} // namespace meshslice
