#include "core/base/json/json_reader.h"

#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/nearest.h"
#include "core/base/text/printable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_text_bytes = 4096;

/// What a value looks like in an error, cut to a readable length.
std::string shown(const nlohmann::json& value) {
    if (value.is_object()) {
        return "an object";
    }
    if (value.is_array()) {
        return "a list";
    }
    return shortened(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// What a file that is not JSON most likely is.
std::string guess(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        return "it is empty";
    }
    if (text.starts_with("version https://git-lfs")) {
        return "it is a Git LFS pointer, not the file itself";
    }
    if (text[first] == '<') {
        return "it looks like a web page";
    }
    return {};
}

/// "line 3, column 14" of the byte at `position`, counted from 1 as editors do.
std::string place(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, std::min(position > 0 ? position - 1 : 0, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto start = before.rfind('\n');
    const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    return fmt::format("line {}, column {}", line, column);
}

/// What the library waited for, from its own words: "... while parsing object key - ...".
std::string_view awaited(std::string_view library) {
    const auto parses = [&](std::string_view what) {
        return library.find(fmt::format("while parsing {} -", what)) != std::string_view::npos;
    };
    return library.ends_with("expected end of input") ? "the end of the text"
           : parses("object key")                     ? "a key in quotes"
           : parses("object separator")               ? "\":\""
           : parses("object")                         ? "\",\" or \"}\""
           : parses("array")                          ? "\",\" or \"]\""
                                                      : "a value";
}

/// "found }, expected a key in quotes (is there a comma too many?)", about the byte at `position`.
std::string syntax(std::string_view text, std::size_t position, std::string_view library) {
    constexpr std::string_view string = "invalid string: ";
    if (const std::size_t at = library.find(string); at != std::string_view::npos) {
        const std::string_view why = library.substr(at + string.size());
        return std::string(why.substr(0, why.find(';')));
    }
    const std::size_t at = position > 0 ? position - 1 : 0;
    const std::size_t before = text.substr(0, at).find_last_not_of(" \t\r\n");
    const bool comma = before != std::string_view::npos && text[before] == ',';
    const bool plain = at < text.size() && text[at] > ' ' && text[at] < '\x7f';
    return fmt::format("found {}, expected {}{}", plain ? std::string(1, text[at]) : "something else",
                       awaited(library), comma ? " (is there a comma too many?)" : "");
}

/// Reads a value in one walk, and stops at the first thing that is not allowed. The library's own filter for
/// this, a parser callback, takes quadratic time over a long list.
class StrictWalk : public nlohmann::json_sax<nlohmann::json> {
  public:
    StrictWalk(std::string_view text, std::string origin) : text_(text), origin_(std::move(origin)) {}

    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] nlohmann::json value() && { return std::move(root_); }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return true; } // of formats that are not text

    bool start_object(std::size_t) override { return open(nlohmann::json::object()); }
    bool key(string_t& name) override {
        const auto [place, is_new] =
            open_.back()->get_ref<nlohmann::json::object_t&>().emplace(name, nullptr);
        if (!is_new) {
            problem_ = fmt::format("{} gives the key \"{}\" twice in one object.", origin_, shortened(name));
        }
        named_ = &place->second;
        return problem_.empty();
    }
    bool end_object() override { return open_.pop_back(), true; }
    bool start_array(std::size_t) override { return open(nlohmann::json::array()); }
    bool end_array() override { return open_.pop_back(), true; }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::json::exception& error) override {
        const std::string kind = guess(text_);
        if (dynamic_cast<const nlohmann::json::out_of_range*>(&error)) {
            problem_ =
                fmt::format("{} holds a number that is out of range at {}.", origin_, place(text_, position));
        } else if (!kind.empty()) {
            problem_ = fmt::format("{} is not valid JSON: {}.", origin_, kind);
        } else if (position > text_.size()) {
            problem_ = fmt::format("{} is not valid JSON: it breaks off at its end, {}.", origin_,
                                   place(text_, position));
        } else {
            problem_ = fmt::format("{} is not valid JSON: syntax error at {}: {}.", origin_,
                                   place(text_, position), syntax(text_, position, error.what()));
        }
        return false;
    }

  private:
    /// Where the value that is read next stands: in a list at its end. Only the innermost open value grows,
    /// so the open ones stay where they are.
    nlohmann::json& next() {
        if (open_.empty()) {
            return root_;
        }
        if (open_.back()->is_object()) {
            return *named_;
        }
        return open_.back()->get_ref<nlohmann::json::array_t&>().emplace_back();
    }
    template <class Value>
    bool put(Value&& value) {
        next() = std::forward<Value>(value);
        return true;
    }
    bool open(nlohmann::json empty) {
        nlohmann::json& place = next();
        place = std::move(empty);
        open_.push_back(&place);
        if (open_.size() > static_cast<std::size_t>(most_json_depth)) {
            problem_ = fmt::format("{} is nested more than {} deep.", origin_, most_json_depth);
        }
        return problem_.empty();
    }

    std::string_view text_;
    std::string origin_;
    std::string problem_;
    nlohmann::json root_;
    std::vector<nlohmann::json*> open_; ///< objects and lists, the outer ones first
    nlohmann::json* named_ = nullptr;   ///< the value of the last key
};

/// The number, where the value is a whole number within the bounds and written as one.
std::optional<std::int64_t> whole_within(const nlohmann::json& value, std::int64_t least, std::int64_t most) {
    if (!value.is_number_integer()) {
        return std::nullopt;
    }
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return std::nullopt;
    }
    const auto number = value.get<std::int64_t>();
    return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

/// Characters of a text in UTF-8.
std::size_t letters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; }));
}

/// "; did you mean "batch"?", of a key that the reader would have asked for.
std::string likely_key(const std::string& key, const std::vector<std::string>& keys) {
    const std::vector<std::string> likely = likely_names(key, keys);
    return likely.empty() ? "." : fmt::format("; did you mean \"{}\"?", likely.front());
}

} // namespace

Result<void> check_name(std::string_view name) {
    if (name.empty()) {
        return refuse("is empty");
    }
    if (letters(name) > most_name_letters) {
        return refuse(fmt::format("has {} letters; expected at most {}", letters(name), most_name_letters));
    }
    const std::string hidden = hidden_character(name);
    return hidden.empty() ? Result<void>()
                          : refuse(fmt::format("has the character {}, which does not show", hidden));
}

Result<nlohmann::json> parse_json(std::string_view text, const std::string& origin) {
    if (text.size() > most_json_bytes) {
        return refuse(
            fmt::format("{} has {} bytes; at most {} are read.", origin, text.size(), most_json_bytes));
    }
    // The library takes a NUL byte for the end of the text and would not look at the rest.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return refuse(fmt::format("{} is not valid JSON: it has a NUL byte at {}; expected a text file.",
                                  origin, place(text, nul + 1)));
    }
    StrictWalk walk(text, origin);
    if (!nlohmann::json::sax_parse(text, &walk)) {
        return refuse(walk.problem());
    }
    return std::move(walk).value();
}

struct JsonReader::Shared {
    std::string origin;
    std::optional<Error> finding;
    std::vector<std::string> missing;        ///< "/mesh", before the finding
    std::vector<std::string>* all = nullptr; ///< findings; null: only the first is kept
};

JsonReader::JsonReader(const nlohmann::json& value, const std::string& origin, std::vector<std::string>* all)
    : JsonReader(value, "", std::make_shared<Shared>(Shared{origin, std::nullopt, {}, all})) {
    if (!value.is_object()) {
        note({fmt::format("{} holds {}; expected an object {{...}}.", origin, shown(value))});
    }
}

JsonReader::JsonReader(const nlohmann::json& value, std::string pointer, std::shared_ptr<Shared> shared)
    : value_(&value), pointer_(std::move(pointer)), shared_(std::move(shared)) {}

bool JsonReader::has(const std::string& key) const {
    return value_->is_object() && value_->contains(key) && !(*value_)[key].is_null();
}

std::optional<std::string> JsonReader::first_of(const std::vector<std::string>& keys) const {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const std::string& key) { return has(key); });
    return found == keys.end() ? std::nullopt : std::optional(*found);
}

bool JsonReader::is_text(const std::string& key) const {
    return has(key) && (*value_)[key].is_string();
}
bool JsonReader::is_object(const std::string& key) const {
    return has(key) && (*value_)[key].is_object();
}

const nlohmann::json* JsonReader::find(const std::string& key) {
    asked_.push_back(key);
    if (!value_->is_object() || !value_->contains(key)) {
        const std::string place = fmt::format("\"{}/{}\"", pointer_, key);
        if (!shared_->finding && std::ranges::find(shared_->missing, place) == shared_->missing.end()) {
            shared_->missing.push_back(place);
            if (shared_->all != nullptr) {
                shared_->all->push_back(fmt::format("{} lacks {}.", shared_->origin, place));
            }
        }
        return nullptr;
    }
    return &(*value_)[key];
}

void JsonReader::wrong(const std::string& key, const std::string& found, const std::string& expected) {
    note({fmt::format("{}: \"{}/{}\" is {}; expected {}.", shared_->origin, pointer_, key, found, expected)});
}

std::int64_t JsonReader::whole(const std::string& key, std::int64_t least, std::int64_t most) {
    const nlohmann::json* value = find(key);
    if (!value) {
        return least;
    }
    const std::optional<std::int64_t> number = whole_within(*value, least, most);
    if (!number) {
        wrong(key, shown(*value), fmt::format("a whole number from {} to {}", least, most));
    }
    return number.value_or(least);
}

double JsonReader::number(const std::string& key, double least, double most) {
    const nlohmann::json* value = find(key);
    if (!value) {
        return least;
    }
    const double read = value->is_number() ? value->get<double>() : std::nan("");
    if (!(read >= least && read <= most)) {
        wrong(key, shown(*value), fmt::format("a number from {:g} to {:g}", least, most));
        return least;
    }
    return read;
}

bool JsonReader::flag(const std::string& key) {
    const nlohmann::json* value = find(key);
    if (value && !value->is_boolean()) {
        wrong(key, shown(*value), "true or false");
        return false;
    }
    return value && value->get<bool>();
}

std::string JsonReader::text(const std::string& key) {
    const nlohmann::json* value = find(key);
    if (!value) {
        return {};
    }
    if (!value->is_string() || value->get_ref<const std::string&>().size() > most_text_bytes) {
        wrong(key, shown(*value), fmt::format("a text of at most {} bytes", most_text_bytes));
        return {};
    }
    auto words = value->get<std::string>();
    no_hidden(key, words, false);
    return words;
}

std::string JsonReader::name(const std::string& key) {
    std::string words = text(key);
    no_hidden(key, words, true);
    if (ok() && letters(words) > most_name_letters) {
        wrong(key, fmt::format("a name of {} letters", letters(words)),
              fmt::format("at most {}", most_name_letters));
    }
    return words;
}

void JsonReader::no_hidden(const std::string& key, const std::string& text, bool one_line) {
    if (const std::string hidden = hidden_character(text, one_line ? Lines::one : Lines::kept);
        !hidden.empty()) {
        note({fmt::format("{}: \"{}/{}\" has the character {}, which does not show.", shared_->origin,
                          pointer_, key, hidden)});
    }
}

std::vector<std::int64_t> JsonReader::whole_list(const std::string& key, std::int64_t least,
                                                 std::int64_t most) {
    const nlohmann::json* value = find(key);
    std::vector<std::int64_t> numbers;
    if (!value) {
        return numbers;
    }
    const std::string expected = fmt::format("a list of whole numbers from {} to {}", least, most);
    if (!value->is_array()) {
        wrong(key, shown(*value), expected);
        return numbers;
    }
    for (const nlohmann::json& entry : *value) {
        const std::optional<std::int64_t> number = whole_within(entry, least, most);
        if (!number) {
            wrong(key, fmt::format("a list with {}", shown(entry)), expected);
            return {};
        }
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<bool> JsonReader::flag_list(const std::string& key) {
    const nlohmann::json* value = find(key);
    std::vector<bool> flags;
    const std::string expected = "a list of true and false";
    if (value && !value->is_array()) {
        wrong(key, shown(*value), expected);
    } else if (value) {
        for (const nlohmann::json& entry : *value) {
            if (!entry.is_boolean()) {
                wrong(key, fmt::format("a list with {}", shown(entry)), expected);
                return {};
            }
            flags.push_back(entry.get<bool>());
        }
    }
    return flags;
}

std::vector<std::string> JsonReader::text_list(const std::string& key) {
    const nlohmann::json* value = find(key);
    std::vector<std::string> texts;
    const std::string expected = "a list of short texts";
    if (value && !value->is_array()) {
        wrong(key, shown(*value), expected);
    } else if (value) {
        for (const nlohmann::json& entry : *value) {
            if (!entry.is_string() || entry.get_ref<const std::string&>().size() > most_text_bytes) {
                wrong(key, fmt::format("a list with {}", shown(entry)), expected);
                return {};
            }
            texts.push_back(entry.get<std::string>());
            no_hidden(key, texts.back(), true);
        }
    }
    return texts;
}

std::vector<JsonReader> JsonReader::object_list(const std::string& key, std::size_t most) {
    const nlohmann::json* value = find(key);
    std::vector<JsonReader> objects;
    const std::string expected = fmt::format("a list of at most {} objects {{...}}", most);
    if (value && (!value->is_array() || value->size() > most)) {
        wrong(key, value->is_array() ? fmt::format("a list of {}", value->size()) : shown(*value), expected);
    } else if (value) {
        for (std::size_t k = 0; k < value->size(); ++k) {
            if (!(*value)[k].is_object()) {
                wrong(key, fmt::format("a list with {}", shown((*value)[k])), expected);
                return {};
            }
            objects.push_back({(*value)[k], fmt::format("{}/{}/{}", pointer_, key, k), shared_});
        }
    }
    return objects;
}

JsonReader JsonReader::object(const std::string& key) {
    static const nlohmann::json nothing = nlohmann::json::object();
    const nlohmann::json* value = find(key);
    if (value && !value->is_object()) {
        wrong(key, shown(*value), "an object {...}");
        value = nullptr;
    }
    return {value ? *value : nothing, fmt::format("{}/{}", pointer_, key), shared_};
}

std::string JsonReader::json_text(const std::string& key) {
    const nlohmann::json* value = find(key);
    return value ? value->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) : std::string();
}

void JsonReader::expect(bool holds, const std::string& key, const std::string& expectation) {
    if (!holds) {
        note({fmt::format("{}: \"{}/{}\" {}.", shared_->origin, pointer_, key, expectation)});
    }
}

void JsonReader::object_to(const std::string& key, const Error& error) {
    note({fmt::format("{}: \"{}/{}\": {}", shared_->origin, pointer_, key, error.sentence)});
}

void JsonReader::note(const Error& error) {
    if (shared_->all != nullptr) {
        shared_->all->push_back(error.sentence);
    }
    if (ok()) { // What is missing may make the rest wrong.
        shared_->finding = error;
    }
}

void JsonReader::no_other_keys() {
    if (!value_->is_object()) {
        return;
    }
    for (const auto& [key, value] : value_->items()) {
        if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
            const std::string found = fmt::format("\"{}/{}\"", pointer_, shortened(key));
            const Error error{
                value.is_null() ? fmt::format("{}: {} is null; leave out what there is nothing to say about.",
                                              shared_->origin, found)
                                : fmt::format("{} has an unknown key {}{}", shared_->origin, found,
                                              likely_key(key, asked_))};
            if (shared_->all != nullptr) {
                shared_->all->push_back(error.sentence);
            }
            if (!shared_->finding) { // It may be one that is missing, mistyped.
                shared_->finding = error;
            }
        }
    }
}

std::vector<std::string> JsonReader::other_keys() const {
    std::vector<std::string> others;
    if (value_->is_object()) {
        for (const auto& member : value_->items()) {
            if (std::find(asked_.begin(), asked_.end(), member.key()) == asked_.end()) {
                others.push_back(member.key());
            }
        }
    }
    return others;
}

bool JsonReader::ok() const {
    return !shared_->finding && shared_->missing.empty();
}

std::optional<Error> JsonReader::finding() const {
    return shared_->finding || shared_->missing.empty()
               ? shared_->finding
               : Error{fmt::format("{} lacks {}.", shared_->origin, listed(shared_->missing))};
}

bool looks_like_a_file(std::string_view words) {
    return words.find('/') != std::string_view::npos || words.ends_with(".json");
}

Result<std::string> read_text_file(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code status;
    const fs::file_status file = fs::status(path, status);
    if (file.type() == fs::file_type::not_found) {
        return refuse(fmt::format("There is no file {}.", path));
    }
    if (file.type() == fs::file_type::directory) {
        return refuse(fmt::format("{} is a directory; expected a file.", path));
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        return refuse(fmt::format("{} cannot be read; check its permissions.", path));
    }
    std::string text;
    std::vector<char> part(64u << 10);
    while (stream.read(part.data(), static_cast<std::streamsize>(part.size())) || stream.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > most_json_bytes) {
            return refuse(fmt::format("{} has more than {} bytes; expected a JSON file of at most that.",
                                      path, most_json_bytes));
        }
    }
    if (stream.bad()) {
        return refuse(fmt::format("{} broke off while it was read.", path));
    }
    return text;
}

} // namespace meshslice
