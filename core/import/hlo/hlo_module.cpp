#include "core/import/hlo/hlo_module.h"

#include "core/base/say.h"
#include "core/import/hlo/hlo_check.h"
#include "core/import/hlo/hlo_lists.h"

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

/// What the head says of results that stand where parameters do.
std::vector<std::pair<std::int64_t, std::int64_t>> donated_in(std::string_view head) {
    constexpr std::string_view key = "input_output_alias=";
    const std::size_t begin = head.find(key);
    return begin == std::string_view::npos ? std::vector<std::pair<std::int64_t, std::int64_t>>()
                                           : hlo_aliases(head.substr(begin + key.size()));
}

/// Follows an operation over its lines: until its brackets and texts are closed, and no comma is at the end.
class OpenHloText {
  public:
    void add(std::string_view line) {
        for (std::size_t at = 0; at < line.size(); ++at) {
            const char letter = line[at];
            if (quoted_) {
                at += letter == '\\' ? 1 : 0;
                quoted_ = letter != '"';
                continue;
            }
            if (line.substr(at).starts_with("//")) {
                break;
            }
            quoted_ = letter == '"';
            depth_ += std::string_view("{([").find(letter) != std::string_view::npos   ? 1
                      : std::string_view("})]").find(letter) != std::string_view::npos ? -1
                                                                                       : 0;
            last_ = letter == ' ' || letter == '\t' ? last_ : letter;
        }
    }
    [[nodiscard]] bool complete() const { return !quoted_ && depth_ <= 0 && last_ != ','; }
    /// Whether this line is of the next operation, whatever is still open.
    [[nodiscard]] bool ends_before(std::string_view line) const {
        if (quoted_ || (depth_ <= 0 && line.starts_with('}'))) {
            return !quoted_;
        }
        const bool marked = line.starts_with("ROOT ") || line.starts_with('%');
        line.remove_prefix(line.starts_with("ROOT ") ? 5 : 0);
        const std::size_t end = line.find_first_of(" ,={(");
        return (marked || depth_ <= 0) && end != std::string_view::npos &&
               line.substr(end).starts_with(" = ");
    }

  private:
    int depth_ = 0;
    bool quoted_ = false;
    char last_ = ' ';
};

class ModuleReader {
  public:
    ModuleReader(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

    Result<HloModule> read(const RunControl& control) {
        constexpr std::size_t looked_at = 4096;
        if (is_mlir(text_)) {
            return refuse(say("{}: {}", origin_, hlo_of_mlir_words()));
        }
        if (text_.substr(0, looked_at).find('\0') != std::string_view::npos) {
            return refuse(say("{} is not text; expected the text that XLA dumps of a program "
                              "(--xla_dump_hlo_as_text).",
                              origin_));
        }
        std::int64_t number = 0;
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', at), text_.size());
            if (const Result<void> sound = take(at, end, ++number); !sound) {
                return refuse(say("{}, line {}: {}", origin_, at_line_, sound.error().sentence));
            }
            at = end + 1;
            constexpr std::int64_t often = 1024;
            if (number % often == 0 && control.stop.stop_requested()) {
                return cancelled();
            }
        }
        Result<void> sound = close();
        sound = sound ? checked_runs() : sound;
        if (!sound) {
            return refuse(say("{}, line {}: {}", origin_, at_line_, sound.error().sentence));
        }
        if (inside_) {
            return refuse(
                say("{} ends within the computation {}; expected its }} and the rest of the program.",
                    origin_, made_.computations.back().name));
        }
        if (whole_ && !entry_ && !made_.computations.empty()) {
            return refuse(
                say("{} has no ENTRY; expected the computation that a program begins with.", origin_));
        }
        if (made_.computations.empty()) {
            return refuse(say("{} has no operation; expected what XLA dumps of a program.", origin_));
        }
        made_.entry = entry_.value_or(made_.computations.size() - 1);
        return std::move(made_);
    }

  private:
    /// A line, from its place in the text to its end.
    Result<void> take(std::size_t from, std::size_t to, std::int64_t number) {
        const std::string_view line = trimmed_line(text_.substr(from, to - from));
        if (open_ && open_->ends_before(line)) {
            if (Result<void> sound = close(); !sound) {
                return sound;
            }
        }
        if (!open_) {
            at_line_ = number;
            if (line.empty() || line.starts_with("//") || line.starts_with('#')) {
                return {};
            }
            if (line.starts_with("HloModule")) {
                return head(line);
            }
            if (!inside_ && line.ends_with('{') && line.find(" = ") == std::string_view::npos) {
                return begin_computation(line);
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
            open_.emplace();
            open_from_ = from;
        }
        open_->add(line);
        open_to_ = to;
        return open_->complete() ? close() : Result<void>();
    }
    /// Reads the operation that is open, if one is.
    Result<void> close() {
        if (!open_) {
            return {};
        }
        open_.reset();
        return operation(trimmed_line(text_.substr(open_from_, open_to_ - open_from_)), at_line_);
    }

    Result<void> head(std::string_view line) {
        if (whole_) {
            return refuse(said("A second program begins here; expected one in a file."));
        }
        whole_ = true;
        made_.name = computation_name(line.substr(std::string_view("HloModule").size()));
        made_.scheduled = line.find("is_scheduled=true") != std::string_view::npos;
        made_.donated = donated_in(line);
        return {};
    }
    Result<void> begin_computation(std::string_view line) {
        inside_ = true;
        entry_ = line.starts_with("ENTRY ") ? std::optional(made_.computations.size()) : entry_;
        std::string name = computation_name(line);
        const auto [known, fresh] = computations_.emplace(name, at_line_);
        if (!fresh) {
            return refuse(say("The computation {} is there before, in line {}; expected each name once.",
                              name, known->second));
        }
        begin(std::move(name));
        return {};
    }
    /// What loops and calls run has to be there, or their memory is not known.
    Result<void> checked_runs() {
        for (const HloComputation& computation : made_.computations) {
            for (const HloLine& line : computation.lines) {
                for (const std::string& name : line.operation.runs) {
                    if (!computations_.empty() && !computations_.contains(name)) {
                        at_line_ = line.line;
                        return refuse(say("{} runs {}; expected that computation in the text.",
                                          line.operation.name, name));
                    }
                }
            }
        }
        return {};
    }
    /// That each operand stands in a line above, and that the name is a new one.
    Result<void> checked_names(const HloOperation& read, std::int64_t number) {
        const bool has_names = inside_ && read.opcode != "parameter" && read.opcode != "constant";
        for (const HloOperand& one : has_names ? read.operands : std::vector<HloOperand>()) {
            if (!one.name.empty() && !lines_.contains(one.name)) {
                return refuse(
                    say("{} reads {}; expected a name that a line above defines in this computation.",
                        read.name, one.name));
            }
        }
        const auto [known, fresh] = lines_.emplace(read.name, number);
        return fresh ? Result<void>()
                     : refuse(say("{} is there before, in line {}; expected each name once in a computation.",
                                  read.name, known->second));
    }

    void begin(std::string name) {
        made_.computations.push_back({std::move(name), {}});
        shapes_.clear();
        lines_.clear();
    }

    Result<void> operation(std::string_view line, std::int64_t number) {
        if (++operations_ > most_hlo_operations) {
            return refuse(say("It is one of more than {} operations.", most_hlo_operations));
        }
        Result<HloOperation> read = read_hlo_operation(line);
        if (!read) {
            return refuse(read.error());
        }
        if (const Result<void> sound = checked_names(*read, number); !sound) {
            return sound;
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
    std::unordered_map<std::string, HloShape> shapes_;           ///< of the computation at hand, by name
    std::unordered_map<std::string, std::int64_t> lines_;        ///< of it, by what each defines
    std::unordered_map<std::string, std::int64_t> computations_; ///< with names, and where they begin
    std::optional<OpenHloText> open_;                            ///< an operation that goes on
    std::size_t open_from_ = 0, open_to_ = 0;
    std::int64_t at_line_ = 0; ///< where the operation, or another thing that is read, begins
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
