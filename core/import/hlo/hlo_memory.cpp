#include "core/import/hlo/hlo_memory.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace meshslice {
namespace {

constexpr int most_nested = 32; ///< computations that run one another
constexpr std::size_t no_buffer = static_cast<std::size_t>(-1);

/// The buffers of an operation's arrays, one after the other; no_buffer: none of its own in HBM.
using LeafBuffers = std::vector<std::size_t>;

/// What an operation makes.
struct HloValue {
    LeafBuffers leaves;
    std::vector<std::size_t> elements = {};  ///< of a tuple: at which of the leaves each begins
    std::optional<LeafBuffers> started = {}; ///< what the done of a start finds
};

/// A buffer while its computation is walked.
struct WalkedBuffer {
    HloBuffer buffer;
    const HloOperation* made_by = nullptr;
    /// Of a loop's or a call's parameter: which of its arrays. What runs it holds that one.
    std::size_t parameter = no_buffer;
    std::size_t could_stand_in = no_buffer; ///< the buffer that it takes over if that has ended
    std::size_t stands_in = no_buffer;      ///< the buffer that it has taken over
    std::size_t taken_at = no_buffer;       ///< the operation whose result has taken this one over
    bool elsewhere = false;                 ///< counted with what runs the computation, or with a parameter

    [[nodiscard]] bool outside() const { return parameter != no_buffer; }
};
using WalkedBuffers = std::vector<WalkedBuffer>;

/// What runs a computation.
enum class RunBy { program, loop, other };

struct WalkedComputation {
    HloMemory memory;
    std::vector<bool> unchanged; ///< of a loop: which arrays it hands on as they are
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

/// Names of the memory of its operands, which read nothing.
bool only_names(const std::string& opcode) {
    return is_one_of(opcode,
                     {"get-tuple-element", "tuple", "bitcast", "opt-barrier", "optimization-barrier"});
}

/// Operations that XLA may do where an operand stands, element by element.
bool is_elementwise(const std::string& opcode) {
    static constexpr std::array<std::string_view, 37> all = {"abs",
                                                             "add",
                                                             "and",
                                                             "atan2",
                                                             "cbrt",
                                                             "ceil",
                                                             "clamp",
                                                             "compare",
                                                             "convert",
                                                             "cosine",
                                                             "copy",
                                                             "divide",
                                                             "erf",
                                                             "expm1",
                                                             "exponential",
                                                             "floor",
                                                             "exponential-minus-one",
                                                             "log",
                                                             "log-plus-one",
                                                             "logistic",
                                                             "maximum",
                                                             "minimum",
                                                             "multiply",
                                                             "negate",
                                                             "not",
                                                             "or",
                                                             "power",
                                                             "remainder",
                                                             "round-nearest-even",
                                                             "rsqrt",
                                                             "select",
                                                             "sign",
                                                             "sine",
                                                             "sqrt",
                                                             "subtract",
                                                             "tanh",
                                                             "xor"};
    return std::ranges::find(all, opcode) != all.end();
}

class MemoryWalk {
  public:
    explicit MemoryWalk(const HloModule& module) : module_(module) {}

    /// Parameters and results of what a loop or a call runs stand with what runs it.
    WalkedComputation walk(const HloComputation& computation, RunBy by, int depth) {
        WalkedBuffers made;
        values_.emplace_back();
        const std::size_t lines = computation.lines.size();
        std::vector<double> within(lines);
        std::vector<const Within*> inside(lines); // what holds that
        LeafBuffers returned;
        const bool has_root = std::ranges::any_of(computation.lines, &HloLine::root);
        for (std::size_t k = 0; k < lines; ++k) {
            const HloOperation& one = computation.lines[k].operation;
            for (const HloOperand& operand :
                 only_names(one.opcode) ? std::vector<HloOperand>() : one.operands) {
                for (const std::size_t buffer : leaves_of(operand.name)) {
                    if (buffer != no_buffer) {
                        made[buffer].buffer.last = std::max(made[buffer].buffer.last, k);
                    }
                }
            }
            std::vector<bool> unchanged;
            for (const std::string& name : depth < most_nested ? one.runs : std::vector<std::string>()) {
                const Within& its = within_of(name, name == one.body ? RunBy::loop : RunBy::other, depth);
                inside[k] = its.most > within[k] ? &its : inside[k];
                within[k] = std::max(within[k], its.most);
                unchanged = name == one.body ? its.unchanged : unchanged;
            }
            HloValue value = value_made(one, {k, lines - 1, by}, unchanged, made);
            value.elements = one.elements;
            if (has_root ? computation.lines[k].root : k + 1 == lines) {
                returned = value.leaves;
            }
            values_.back()[one.name] = std::move(value);
        }
        values_.pop_back();
        for (const std::size_t buffer : returned) {
            if (buffer != no_buffer && !made[buffer].outside()) {
                made[buffer].buffer.last = lines - 1;
            }
        }
        take_over(made);
        for (std::size_t& buffer : returned) {
            buffer = standing(made, buffer);
        }
        WalkedComputation walked;
        walked.unchanged = by == RunBy::loop ? keep_loop_results(returned, made) : std::vector<bool>();
        if (by != RunBy::loop) {
            keep_results(returned, by, made);
        }
        for (WalkedBuffer& one : made) {
            if (!one.outside() && !one.elsewhere && one.stands_in == no_buffer) {
                walked.memory.buffers.push_back(std::move(one.buffer));
            }
        }
        add_up(walked.memory, std::move(within));
        name_at_peak(walked.memory, computation, lines > 0 ? inside[walked.memory.peak] : nullptr);
        return walked;
    }

  private:
    struct Within {
        double most = 0;                ///< what it holds most at once, by itself
        std::vector<HloBuffer> at_peak; ///< these
        std::vector<bool> unchanged;
    };
    struct Place {
        std::size_t at, last; ///< of the operation, and of the computation's last one
        RunBy by;
    };

    /// Of the computation at hand; null where it has none of that name.
    [[nodiscard]] const HloValue* value_of(const std::string& name) const {
        const auto found = values_.back().find(name);
        return found == values_.back().end() ? nullptr : &found->second;
    }
    [[nodiscard]] LeafBuffers leaves_of(const std::string& name) const {
        const HloValue* const value = value_of(name);
        return value == nullptr ? LeafBuffers() : value->leaves;
    }
    /// Of the operands one after the other, as many as the operation has arrays: a tuple of tuples that lies
    /// about its arrays does not grow.
    [[nodiscard]] LeafBuffers leaves_of_all(const HloOperation& one) const {
        LeafBuffers all;
        for (const HloOperand& operand : one.operands) {
            const LeafBuffers its = leaves_of(operand.name);
            const std::size_t room = one.results.size() - all.size();
            all.insert(all.end(), its.begin(),
                       its.begin() + static_cast<std::ptrdiff_t>(std::min(room, its.size())));
        }
        return all;
    }

    /// A buffer of its own, where it is in HBM.
    static std::size_t add(const HloOperation& one, const HloShape& shape, std::size_t at,
                           WalkedBuffers& made) {
        if (shape.memory_space != 0 || shape.bits() == 0) {
            return no_buffer;
        }
        made.push_back({{one.name, shape, at, at, false}, &one});
        return made.size() - 1;
    }
    static LeafBuffers add_all(const HloOperation& one, std::size_t at, WalkedBuffers& made) {
        LeafBuffers leaves;
        for (const HloShape& shape : one.results) {
            leaves.push_back(add(one, shape, at, made));
        }
        return leaves;
    }
    /// One that takes over the buffer of an operand if nothing needs that any more; an operand without one
    /// stays without.
    static std::size_t add_instead(const HloOperation& one, const HloShape& shape, std::size_t at,
                                   std::size_t operand, WalkedBuffers& made) {
        const std::size_t its = operand == no_buffer ? no_buffer : add(one, shape, at, made);
        if (its != no_buffer) {
            made[its].could_stand_in = operand;
        }
        return its;
    }

    HloValue value_made(const HloOperation& one, const Place& place, const std::vector<bool>& unchanged,
                        WalkedBuffers& made) {
        const std::string& what = one.opcode;
        if (what == "parameter" || what == "constant") {
            LeafBuffers leaves = add_all(one, 0, made);
            for (std::size_t k = 0; k < leaves.size(); ++k) {
                if (leaves[k] == no_buffer) {
                    continue;
                }
                if (what == "parameter" && place.by != RunBy::program) {
                    made[leaves[k]].parameter = k;
                } else {
                    made[leaves[k]].buffer.last = place.last;
                    made[leaves[k]].buffer.input = true;
                }
            }
            return {std::move(leaves)};
        }
        const HloValue* const first = one.operands.empty() ? nullptr : value_of(one.operands[0].name);
        if (what == "get-tuple-element") {
            return {first == nullptr ? LeafBuffers() : leaves_of_element(*first, one)};
        }
        if (only_names(what)) {
            return {leaves_of_all(one)};
        }
        if (what == "while") {
            LeafBuffers leaves = leaves_of_all(one);
            for (std::size_t k = 0; k < leaves.size(); ++k) {
                const bool stays = k < unchanged.size() && unchanged[k];
                leaves[k] = stays ? leaves[k] : add_instead(one, one.results[k], place.at, leaves[k], made);
            }
            return {std::move(leaves)};
        }
        if (what.ends_with("-done") || what.ends_with("-update")) {
            return {first != nullptr && first->started ? *first->started : leaves_of_all(one)};
        }
        if (what.ends_with("-start")) {
            return value_started(one, place.at, made);
        }
        return {value_in_place(one, place.at, made)};
    }

    /// An operation whose results are its own, unless they update an operand or the text says that they stand
    /// in one.
    LeafBuffers value_in_place(const HloOperation& one, std::size_t at, WalkedBuffers& made) const {
        LeafBuffers operands(one.results.size(), no_buffer);
        for (const auto& [result, operand] : one.aliases) {
            const auto from = static_cast<std::size_t>(operand), to = static_cast<std::size_t>(result);
            const LeafBuffers its =
                from < one.operands.size() ? leaves_of(one.operands[from].name) : LeafBuffers();
            if (to < operands.size() && its.size() == 1) {
                operands[to] = its.front();
            }
        }
        if (one.aliases.empty() && (one.opcode == "dynamic-update-slice" ||
                                    one.calls.find("dynamic-update-slice") != std::string::npos ||
                                    one.calls.find("dynamic_update_slice") != std::string::npos ||
                                    one.name.find("dynamic-update-slice") != std::string::npos)) {
            if (const LeafBuffers place = updated(one); place.size() == 1) {
                return {add_instead(one, one.results[0], at, place.front(), made)};
            }
        }
        LeafBuffers leaves;
        for (std::size_t k = 0; k < one.results.size(); ++k) {
            leaves.push_back(operands[k] == no_buffer
                                 ? add(one, one.results[k], at, made)
                                 : add_instead(one, one.results[k], at, operands[k], made));
        }
        return leaves;
    }

    /// Of a tuple that lies about its elements all leaves.
    static LeafBuffers leaves_of_element(const HloValue& tuple, const HloOperation& one) {
        const auto element = static_cast<std::size_t>(one.element);
        const LeafBuffers& all = tuple.leaves;
        if (element >= tuple.elements.size() || tuple.elements[element] > all.size() ||
            one.results.size() > all.size() - tuple.elements[element]) {
            return all;
        }
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(tuple.elements[element]);
        return {begin, begin + static_cast<std::ptrdiff_t>(one.results.size())};
    }

    /// Where the operand stands that has the only result's shape; empty where none has.
    [[nodiscard]] LeafBuffers updated(const HloOperation& one) const {
        for (const HloOperand& operand : one.operands) {
            if (one.results.size() == 1 && operand.shape && operand.shape->sizes == one.results[0].sizes &&
                operand.shape->type == one.results[0].type) {
                return leaves_of(operand.name);
            }
        }
        return {};
    }

    /// The tuple of a start has its operands, and what waits for it; a copy has its result first, and an
    /// all-reduce results alone.
    HloValue value_started(const HloOperation& one, std::size_t at, WalkedBuffers& made) const {
        const LeafBuffers operands = leaves_of_all(one);
        const std::size_t count = one.operands.size();
        LeafBuffers leaves, results;
        for (std::size_t k = 0; k < one.results.size(); ++k) {
            const bool whole = one.opcode == "all-reduce-start" || one.results.size() < 2;
            const bool makes = whole                            ? true
                               : one.opcode == "copy-start"     ? k == 0
                               : one.opcode == "async-start"    ? k == count
                               : one.results.size() < 2 * count ? k >= count
                                                                : k >= count && k < 2 * count;
            const std::size_t operand = one.opcode == "copy-start" ? 0 : k;
            leaves.push_back(makes ? add(one, one.results[k], at, made)
                             : operand < operands.size() && (k < count || k == 1) ? operands[operand]
                                                                                  : no_buffer);
            if (makes) {
                results.push_back(leaves.back());
            }
        }
        return {std::move(leaves), {}, std::move(results)};
    }

    const Within& within_of(const std::string& name, RunBy by, int depth) {
        const auto key = std::pair(name, by);
        if (const auto known = within_.find(key); known != within_.end()) {
            return known->second;
        }
        within_[key] = {}; // of one that runs itself
        const HloComputation* const its = module_.computation(name);
        if (its != nullptr && !its->lines.empty()) {
            WalkedComputation walked = walk(*its, by, depth + 1);
            within_[key] = {walked.memory.most(), std::move(walked.memory.at_peak),
                            std::move(walked.unchanged)};
        }
        return within_[key];
    }

    /// The buffer that one has taken over, or itself.
    static std::size_t standing(const WalkedBuffers& made, std::size_t buffer) {
        while (buffer != no_buffer && made[buffer].stands_in != no_buffer) {
            buffer = made[buffer].stands_in;
        }
        return buffer;
    }
    /// Results that could stand in an operand do where nothing reads that one after the operation.
    static void take_over(WalkedBuffers& made) {
        for (WalkedBuffer& one : made) {
            const std::size_t at = standing(made, one.could_stand_in);
            if (at == no_buffer) {
                continue;
            }
            WalkedBuffer& operand = made[at];
            if (!operand.buffer.input && operand.buffer.last <= one.buffer.first &&
                operand.taken_at != one.buffer.first) {
                operand.buffer.last = one.buffer.last;
                operand.taken_at = one.buffer.first;
                one.stands_in = at;
            }
        }
    }

    void keep_results(const LeafBuffers& returned, RunBy by, WalkedBuffers& made) const {
        for (std::size_t k = 0; k < returned.size(); ++k) {
            if (returned[k] != no_buffer) {
                const bool donated =
                    std::ranges::find(module_.donated, static_cast<std::int64_t>(k),
                                      &std::pair<std::int64_t, std::int64_t>::first) != module_.donated.end();
                WalkedBuffer& one = made[returned[k]];
                one.elsewhere = !one.buffer.input && (by != RunBy::program || donated);
            }
        }
    }
    /// Which arrays stay as they are. Of the others those are elsewhere that can stand where the array was
    /// that they follow.
    std::vector<bool> keep_loop_results(const LeafBuffers& returned, WalkedBuffers& made) const {
        std::vector<bool> unchanged(returned.size());
        for (std::size_t k = 0; k < returned.size(); ++k) {
            if (returned[k] == no_buffer) {
                continue;
            }
            WalkedBuffer& one = made[returned[k]];
            unchanged[k] = one.parameter == k && one.taken_at == no_buffer;
            const auto before = std::ranges::find(made, k, &WalkedBuffer::parameter);
            const std::size_t first = one.buffer.first;
            one.elsewhere =
                !one.buffer.input && (before == made.end() || before->buffer.last < first ||
                                      (before->buffer.last == first && goes_over_elements(*one.made_by)));
        }
        return unchanged;
    }
    /// Whether the operation, or all that a fusion calls, goes element by element.
    [[nodiscard]] bool goes_over_elements(const HloOperation& one) const {
        const HloComputation* const calls = one.calls.empty() ? nullptr : module_.computation(one.calls);
        return calls == nullptr ? is_elementwise(one.opcode)
                                : std::ranges::all_of(calls->lines, [](const HloLine& line) {
                                      const std::string& what = line.operation.opcode;
                                      return is_elementwise(what) || only_names(what) ||
                                             is_one_of(what, {"parameter", "constant", "broadcast"});
                                  });
    }

    static void add_up(HloMemory& made, std::vector<double> within) {
        std::vector<double> change(within.size() + 1);
        for (const HloBuffer& one : made.buffers) {
            const double bytes = one.shape.padded_bytes();
            change[one.first] += bytes;
            change[one.last + 1] -= bytes;
            made.inputs += one.input ? bytes : 0;
        }
        double now = 0;
        for (std::size_t k = 0; k < within.size(); ++k) {
            now += change[k];
            made.held.push_back(now + within[k]);
        }
        made.peak = made.held.empty()
                        ? 0
                        : static_cast<std::size_t>(std::ranges::max_element(made.held) - made.held.begin());
        made.within = std::move(within);
    }

    /// `inside`: what the operation at the peak runs; null: nothing that holds something.
    static void name_at_peak(HloMemory& made, const HloComputation& computation, const Within* inside) {
        for (HloBuffer& one : made.buffers) {
            one.first_line = computation.lines[one.first].line;
            one.last_line = computation.lines[one.last].line;
            if (one.held_at(made.peak)) {
                made.at_peak.push_back(one);
            }
        }
        if (inside != nullptr) {
            made.at_peak.insert(made.at_peak.end(), inside->at_peak.begin(), inside->at_peak.end());
        }
    }

    const HloModule& module_;
    /// Of computations within each other, as buffers are numbered in each of them from 0.
    std::vector<std::unordered_map<std::string, HloValue>> values_;
    std::map<std::pair<std::string, RunBy>, Within> within_;
};

} // namespace

HloMemory hlo_memory(const HloModule& module) {
    return MemoryWalk(module).walk(module.main(), RunBy::program, 0).memory;
}

} // namespace meshslice
