#include "core/import/hlo/hlo_module.h"

#include "core/base/say.h"
#include "core/import/hlo/hlo_check.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace meshslice {
namespace {

constexpr std::size_t most_hlo_operations = 2'000'000;

std::string_view trimmed_line(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    const std::size_t end = line.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : line.substr(begin, end - begin + 1);
}

/// "main.5" of "ENTRY %main.5 (p: f32[8]) -> f32[8] {".
std::string computation_name(std::string_view line) {
    if (line.starts_with("ENTRY ")) {
        line.remove_prefix(6);
    }
    line = trimmed_line(line);
    if (line.starts_with('%')) {
        line.remove_prefix(1);
    }
    return std::string(line.substr(0, line.find_first_of(" (,")));
}

/// A whole number at the beginning; none where there is another letter.
std::optional<std::int64_t> number_at_begin(std::string_view text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    constexpr std::size_t most_digits = 9;
    if (end == 0 || end > most_digits) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    for (const char digit : text.substr(0, end)) {
        value = 10 * value + (digit - '0');
    }
    return value;
}

/// "{0}: (2, {}, may-alias)" of the head: result 0 stands where parameter 2 does. A result alone is "{}".
std::vector<std::pair<std::int64_t, std::int64_t>> donated_in(std::string_view head) {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    constexpr std::string_view key = "input_output_alias={";
    const std::size_t begin = head.find(key);
    if (begin == std::string_view::npos) {
        return all;
    }
    int depth = 1;
    std::size_t at = begin + key.size();
    for (std::size_t open = at; at < head.size() && depth > 0; ++at) {
        if (head[at] == '{') {
            open = depth == 1 ? at : open;
            ++depth;
        } else if (head[at] == '}') {
            --depth;
        } else if (head[at] == '(' && depth == 1) {
            const auto parameter = number_at_begin(head.substr(at + 1));
            const auto result = number_at_begin(head.substr(open + 1));
            const bool alone = head.substr(open).starts_with("{}");
            if (parameter && (result || alone)) {
                all.emplace_back(result.value_or(0), *parameter);
            }
            const std::size_t end = head.find(')', at);
            at = end == std::string_view::npos ? head.size() - 1 : end;
        }
    }
    return all;
}

class ModuleReader {
  public:
    ModuleReader(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

    Result<HloModule> read(const RunControl& control) {
        std::int64_t number = 0;
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', at), text_.size());
            const std::string_view line = trimmed_line(text_.substr(at, end - at));
            at = end + 1;
            if (const Result<void> sound = take(line, ++number); !sound) {
                return refuse(say("{}, line {}: {}", origin_, number, sound.error().sentence));
            }
            constexpr std::int64_t often = 1024;
            if (number % often == 0 && control.stop.stop_requested()) {
                return cancelled();
            }
        }
        if (made_.computations.empty()) {
            return refuse(say("{} has no operation; expected what XLA dumps of a program.", origin_));
        }
        made_.entry = entry_.value_or(made_.computations.size() - 1);
        return std::move(made_);
    }

  private:
    Result<void> take(std::string_view line, std::int64_t number) {
        if (line.empty() || line.starts_with("//") || line.starts_with('#')) {
            return {};
        }
        if (line.starts_with("HloModule")) {
            whole_ = true;
            made_.name = computation_name(line.substr(std::string_view("HloModule").size()));
            made_.scheduled = line.find("is_scheduled=true") != std::string_view::npos;
            made_.donated = donated_in(line);
            return {};
        }
        if (!inside_ && line.ends_with('{') && line.find('(') != std::string_view::npos) {
            inside_ = true;
            entry_ = line.starts_with("ENTRY ") ? std::optional(made_.computations.size()) : entry_;
            begin(computation_name(line));
            return {};
        }
        if (inside_ && line.starts_with('}')) {
            inside_ = false;
            return {};
        }
        if (!inside_ && whole_) {
            return {}; // tables of names, which dumps have around their computations
        }
        if (!inside_ && made_.computations.empty()) {
            begin({});
        }
        return operation(line, number);
    }

    void begin(std::string name) {
        made_.computations.push_back({std::move(name), {}});
        shapes_.clear();
    }

    Result<void> operation(std::string_view line, std::int64_t number) {
        if (++operations_ > most_hlo_operations) {
            return refuse(say("It is one of more than {} operations.", most_hlo_operations));
        }
        Result<HloOperation> read = read_hlo_operation(line);
        if (!read) {
            return refuse(read.error());
        }
        bool filled = false;
        for (HloOperand& one : read->operands) {
            const auto known = shapes_.find(one.name);
            if (!one.shape && known != shapes_.end()) {
                one.shape = known->second;
                filled = true;
            }
        }
        if (filled) {
            if (const Result<void> sound = checked_operation(*read); !sound) {
                return sound;
            }
        }
        if (read->results.size() == 1) {
            shapes_.emplace(read->name, read->results.front());
        }
        made_.computations.back().lines.push_back({number, *std::move(read), line.starts_with("ROOT ")});
        return {};
    }

    std::string_view text_;
    const std::string& origin_;
    HloModule made_;
    std::optional<std::size_t> entry_;
    bool whole_ = false, inside_ = false;
    std::size_t operations_ = 0;
    std::unordered_map<std::string, HloShape> shapes_; ///< of the computation at hand, by name
};

} // namespace

const HloComputation* HloModule::computation(std::string_view name) const {
    const auto found = std::ranges::find(computations, name, &HloComputation::name);
    return found == computations.end() ? nullptr : &*found;
}

Result<HloModule> read_hlo_module(std::string_view text, const std::string& origin,
                                  const RunControl& control) {
    return ModuleReader(text, origin).read(control);
}

} // namespace meshslice
