#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A file larger than this is not one of ours: the largest real config.json is some 100 kB.
inline constexpr std::size_t most_json_bytes = 16u << 20;
/// Deeper nesting than any of our formats needs, and shallow enough that no recursive walk can overflow the
/// stack.
inline constexpr int most_json_depth = 32;

/// Longer names fill tables and files that repeat them on every line.
inline constexpr std::size_t most_name_letters = 100;

/// Refuses a name that is empty, longer than `most_name_letters`, or has hidden characters: "is empty".
[[nodiscard]] Result<void> check_name(std::string_view name);

/// Parses JSON strictly: one value, no comments, no repeated keys, at most `most_json_depth` deep and
/// `most_json_bytes` long. `origin` names the text in errors.
[[nodiscard]] Result<nlohmann::json> parse_json(std::string_view text, const std::string& origin);

/// Reads one object of a parsed file, field by field. A getter that finds something wrong notes the first
/// such finding as a sentence with file, place, what was found and what was expected, and returns a harmless
/// default, so that reading code stays a straight line; `ok()` says whether all went well, `finding()` what
/// did not.
class JsonReader {
  public:
    /// Where `all` is given, every finding is added to it, not only the first one; it outlives the reader.
    JsonReader(const nlohmann::json& value, const std::string& origin,
               std::vector<std::string>* all = nullptr);

    [[nodiscard]] bool has(const std::string& key) const;
    /// The first of the keys that is there and not null; none.
    [[nodiscard]] std::optional<std::string> first_of(const std::vector<std::string>& keys) const;
    [[nodiscard]] bool is_text(const std::string& key) const;
    [[nodiscard]] bool is_object(const std::string& key) const;

    /// Whole numbers must be written without a fraction and lie within [least, most].
    std::int64_t whole(const std::string& key, std::int64_t least, std::int64_t most);
    double number(const std::string& key, double least, double most);
    bool flag(const std::string& key);
    /// At most 4096 bytes, and nothing that does not show what it does (see hidden_character).
    std::string text(const std::string& key);
    /// A text of one line and at most `most_name_letters` letters.
    std::string name(const std::string& key);
    std::vector<std::int64_t> whole_list(const std::string& key, std::int64_t least, std::int64_t most);
    std::vector<bool> flag_list(const std::string& key);
    /// Each at most 4096 bytes.
    std::vector<std::string> text_list(const std::string& key);
    /// The object under the key; shares this reader's finding.
    JsonReader object(const std::string& key);
    /// The objects of a list under the key, of at most `most`; they share this reader's finding.
    std::vector<JsonReader> object_list(const std::string& key, std::size_t most);
    /// The value under the key as JSON text, to hand to another reader.
    std::string json_text(const std::string& key);

    /// Notes a finding about `key` in the caller's own words: "must be ...".
    void expect(bool holds, const std::string& key, const std::string& expectation);
    /// Notes an objection to the value of `key`, a whole sentence, with the file and the place.
    void object_to(const std::string& key, const Error& error);
    /// Notes an error that another reader made of a part.
    void note(const Error& error);

    /// Refuses keys that no getter has asked for. Such a key is said before one that is missing.
    void no_other_keys();
    /// Those keys: of files of which only a part is read.
    [[nodiscard]] std::vector<std::string> other_keys() const;

    [[nodiscard]] bool ok() const;
    /// The first finding, or all keys that are missing, or nothing.
    [[nodiscard]] std::optional<Error> finding() const;

  private:
    struct Shared; ///< of the readers of one file: its name, and the first finding
    JsonReader(const nlohmann::json& value, std::string pointer, std::shared_ptr<Shared> shared);

    const nlohmann::json* find(const std::string& key);
    void wrong(const std::string& key, const std::string& found, const std::string& expected);
    void no_hidden(const std::string& key, const std::string& text, bool one_line);

    const nlohmann::json* value_; ///< the parsed file must outlive its readers
    std::string pointer_;         ///< JSON pointer of this object
    std::shared_ptr<Shared> shared_;
    std::vector<std::string> asked_;
};

/// Whether words that may be a name are a file's.
[[nodiscard]] bool looks_like_a_file(std::string_view words);
/// Reads a text file whole; says why when it is missing, a directory, empty, unreadable or above
/// `most_json_bytes`.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path);

} // namespace meshslice
