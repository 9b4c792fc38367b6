#include "core/import/machines/plain_yaml.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace meshslice {
namespace {

using Json = nlohmann::json;

bool is_blank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r';
}

bool is_word(char letter) {
    return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9');
}

Json value_of(const std::string& words) {
    if (words == "true" || words == "True") {
        return true;
    }
    if (words == "false" || words == "False") {
        return false;
    }
    if (words.empty() || words == "null" || words == "None" || words == "~") {
        return nullptr;
    }
    std::string digits; // 1_000 is a number in both
    std::ranges::copy_if(words, std::back_inserter(digits), [](char letter) { return letter != '_'; });
    constexpr std::string_view begins = "+-.0123456789";
    constexpr std::string_view in_numbers = "+-.0123456789eE";
    if (begins.find(digits.empty() ? 'x' : digits.front()) != std::string_view::npos &&
        digits.find_first_not_of(in_numbers) == std::string::npos) {
        char* end = nullptr;
        const double number = std::strtod(digits.c_str(), &end);
        if (end == digits.c_str() + digits.size() && std::isfinite(number)) {
            constexpr double most_whole = 9e15; // exact in a double
            const bool whole =
                digits.find_first_of(".eE") == std::string::npos && std::abs(number) < most_whole;
            return whole ? Json(static_cast<std::int64_t>(number)) : Json(number);
        }
    }
    return words;
}

class PlainYaml {
  public:
    PlainYaml(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

    Result<Json> read() {
        Json made = Json::object();
        if (to_named_dictionary()) {
            made = flow(0);
        } else {
            skip_to_content();
            if (text_.substr(at_).starts_with("---")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
                skip_to_content();
            }
            made = at_ < text_.size() && opens() ? flow(0) : block(column(), 0);
            skip_to_content();
            if (!wrong_ && at_ < text_.size()) {
                fail(say("found \"{}\" after the end", rest_of_line()));
            }
        }
        return wrong_ ? Result<Json>(refuse(*wrong_)) : Result<Json>(std::move(made));
    }

  private:
    /// Stands on the brace of the first line such as `name = {` or `name: type = {`.
    bool to_named_dictionary() {
        for (std::size_t line = 0; line < text_.size(); line = text_.find('\n', line)) {
            line += text_[line] == '\n' ? 1 : 0;
            const std::size_t end = std::min(text_.find('\n', line), text_.size());
            const std::string_view words = text_.substr(line, end - line);
            const std::size_t equals = words.find('=');
            const std::size_t brace = words.find('{');
            if (!words.empty() && is_word(words.front()) && equals != std::string_view::npos &&
                brace != std::string_view::npos && equals < brace && words.find_first_of("#'\"") > equals &&
                words.find_first_not_of(" \t", equals + 1) == brace) {
                at_ = line + brace;
                return true;
            }
            if (end == text_.size()) {
                break;
            }
            line = end;
        }
        return false;
    }

    [[nodiscard]] bool ended() const { return wrong_ || at_ >= text_.size(); }
    [[nodiscard]] bool opens() const { return text_[at_] == '[' || text_[at_] == '{'; }
    [[nodiscard]] std::size_t column() const {
        const std::size_t line = at_ == 0 ? std::string_view::npos : text_.rfind('\n', at_ - 1);
        return at_ - (line == std::string_view::npos ? 0 : line + 1);
    }
    [[nodiscard]] std::string rest_of_line() const {
        return shortened(std::string(text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_)));
    }
    [[nodiscard]] bool comment() const {
        return text_[at_] == '#' &&
               (at_ == 0 || is_blank(text_[at_ - 1]) || text_[at_ - 1] == '\n' || text_[at_ - 1] == ',');
    }
    void fail(const std::string& what) {
        if (!wrong_) {
            const auto line =
                std::count(text_.begin(),
                           text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n') +
                1;
            wrong_ = Error{say("{}, line {}: {}; expected YAML of keys, values, and lists in brackets.",
                               origin_, line, what)};
        }
    }

    /// Over blanks, line ends and comments.
    void skip_to_content() {
        while (at_ < text_.size()) {
            if (is_blank(text_[at_]) || text_[at_] == '\n') {
                ++at_;
            } else if (comment()) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else {
                return;
            }
        }
    }
    /// Over blanks and a comment; whether the line goes on after them.
    bool skip_on_line() {
        while (at_ < text_.size() && is_blank(text_[at_])) {
            ++at_;
        }
        if (at_ < text_.size() && comment()) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        }
        return at_ < text_.size() && text_[at_] != '\n';
    }

    std::string quoted() {
        const char mark = text_[at_++];
        std::string words;
        while (at_ < text_.size() && text_[at_] != mark && text_[at_] != '\n') {
            if (mark == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()) {
                ++at_;
            }
            words += text_[at_++];
        }
        if (at_ >= text_.size() || text_[at_] != mark) {
            fail(say("a text without its end"));
            return {};
        }
        ++at_;
        return words;
    }

    /// A value without brackets, up to one of `ends` or a comment.
    Json scalar(std::string_view ends) {
        if (text_[at_] == '"' || text_[at_] == '\'') {
            return quoted();
        }
        constexpr std::string_view unknown = "&*!|>@`%";
        if (unknown.find(text_[at_]) != std::string_view::npos) {
            fail(say("found \"{}\"", rest_of_line()));
            return {};
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != '\n' && !comment() &&
               ends.find(text_[at_]) == std::string_view::npos) {
            ++at_;
        }
        std::size_t end = at_;
        while (end > begin && is_blank(text_[end - 1])) {
            --end;
        }
        return value_of(std::string(text_.substr(begin, end - begin)));
    }

    std::string key(std::string_view ends) {
        if (text_[at_] == '"' || text_[at_] == '\'') {
            return quoted();
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != ':' && text_[at_] != '\n' &&
               ends.find(text_[at_]) == std::string_view::npos) {
            ++at_;
        }
        std::size_t end = at_;
        while (end > begin && is_blank(text_[end - 1])) {
            --end;
        }
        return std::string(text_.substr(begin, end - begin));
    }
    bool take_colon(const std::string& key) {
        while (at_ < text_.size() && is_blank(text_[at_])) {
            ++at_;
        }
        if (at_ >= text_.size() || text_[at_] != ':' || key.empty()) {
            fail(say("found \"{}\" without a value", shortened(key)));
            return false;
        }
        ++at_;
        return true;
    }
    void put(Json& made, const std::string& key, Json value) {
        if (made.contains(key)) {
            fail(say("\"{}\" is there twice", shortened(key)));
        } else {
            made[key] = std::move(value);
        }
    }

    /// "[1, 2]" or "{a: 1}", from its bracket on.
    Json flow(int depth) {
        const bool mapping = text_[at_++] == '{';
        const char end = mapping ? '}' : ']';
        Json made = mapping ? Json::object() : Json::array();
        if (depth >= most_json_depth) {
            fail(say("more than {} brackets in each other", most_json_depth));
        }
        while (true) {
            skip_to_content();
            if (ended()) {
                fail(say("a bracket without its end"));
                return made;
            }
            if (text_[at_] == end) {
                ++at_;
                return made;
            }
            std::string name;
            if (mapping) {
                name = key(",}");
                if (!take_colon(name)) {
                    return made;
                }
                skip_to_content();
                if (ended()) {
                    continue;
                }
            }
            Json value = opens() ? flow(depth + 1) : scalar(mapping ? ",}" : ",]");
            if (mapping) {
                put(made, name, std::move(value));
            } else {
                made.push_back(std::move(value));
            }
            skip_to_content();
            if (!ended() && text_[at_] == ',') {
                ++at_;
            } else if (!ended() && text_[at_] != end) {
                fail(say("found \"{}\" in brackets", rest_of_line()));
            }
        }
    }

    /// A value that ends with its line, or with its bracket's.
    Json on_line(int depth) {
        Json value = opens() ? flow(depth + 1) : scalar("");
        if (!wrong_ && skip_on_line()) {
            fail(say("found \"{}\" after a value", rest_of_line()));
        }
        return value;
    }

    /// "a: 1", "a:" or "- 1" in a list, none of which is a value.
    [[nodiscard]] bool holds_keys_or_list() const {
        if (opens() || text_[at_] == '"' || text_[at_] == '\'') {
            return false;
        }
        std::string_view line = text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
        line = line.substr(0, line.find(" #"));
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        return line.starts_with("- ") || line.ends_with(':') || line.find(": ") != std::string_view::npos;
    }

    /// Keys, or a list of values, that begin in a column.
    Json block(std::size_t indent, int depth) {
        Json made = Json::object();
        if (depth >= most_json_depth) {
            fail(say("more than {} levels", most_json_depth));
        }
        while (!ended() && column() == indent) {
            if (text_.substr(at_).starts_with("- ")) {
                if (made.empty()) {
                    made = Json::array();
                }
                at_ += 2;
                if (!made.is_array() || !skip_on_line()) {
                    fail(say("found \"{}\"", rest_of_line()));
                    break;
                }
                if (holds_keys_or_list()) {
                    fail(say("found \"{}\"", rest_of_line()));
                    break;
                }
                made.push_back(on_line(depth));
            } else {
                if (made.is_array()) { // may stand in the column of its key
                    break;
                }
                const std::string name = key("");
                if (!take_colon(name)) {
                    break;
                }
                if (skip_on_line()) {
                    put(made, name, on_line(depth));
                } else {
                    skip_to_content();
                    const bool deeper =
                        !ended() && (column() > indent || text_.substr(at_).starts_with("- "));
                    put(made, name, deeper ? block(column(), depth + 1) : Json());
                }
            }
            skip_to_content();
        }
        if (!ended() && column() > indent) {
            fail(say("found \"{}\" further in than its keys", rest_of_line()));
        }
        return made;
    }

    std::string_view text_;
    const std::string& origin_;
    std::size_t at_ = 0;
    std::optional<Error> wrong_;
};

} // namespace

Result<Json> parse_plain_yaml(std::string_view text, const std::string& origin) {
    if (text.size() > most_json_bytes) {
        return refuse(say("{} is larger than {}; expected a file of hardware.", origin,
                          bytes_text(static_cast<double>(most_json_bytes))));
    }
    const std::size_t valid = valid_bytes(text);
    if (valid < text.size()) {
        return refuse(say("{}, line {}: byte 0x{:02X} is not UTF-8; expected a file of text.", origin,
                          1 + std::ranges::count(text.substr(0, valid), '\n'),
                          static_cast<unsigned char>(text[valid])));
    }
    return PlainYaml(text, origin).read();
}

Result<Json> parse_json_or_yaml(std::string_view text, const std::string& origin) {
    Result<Json> json = parse_json(text, origin);
    if (json) {
        return json;
    }
    Result<Json> yaml = parse_plain_yaml(text, origin);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return yaml || first == std::string_view::npos || text[first] != '{' ? yaml : json;
}

} // namespace meshslice
