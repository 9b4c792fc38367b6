#include "core/import/hlo/hlo_memory.h"

#include <algorithm>
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

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

class MemoryWalk {
  public:
    explicit MemoryWalk(const HloModule& module) : module_(module) {}

    /// `inner`: of a loop or a call, whose parameters and results stand with what runs it.
    HloMemory walk(const HloComputation& computation, bool inner, int depth) {
        HloMemory made;
        values_.emplace_back();
        std::vector<double> within(computation.lines.size());
        LeafBuffers returned;
        const bool has_root = std::ranges::any_of(computation.lines, &HloLine::root);
        for (std::size_t k = 0; k < computation.lines.size(); ++k) {
            const HloOperation& one = computation.lines[k].operation;
            for (const HloOperand& operand : one.operands) {
                for (const std::size_t buffer : leaves_of(operand.name)) {
                    if (buffer != no_buffer) {
                        made.buffers[buffer].last = std::max(made.buffers[buffer].last, k);
                    }
                }
            }
            HloValue value = value_made(one, k, computation.lines.size() - 1, inner, made);
            value.elements = one.elements;
            if (has_root ? computation.lines[k].root : k + 1 == computation.lines.size()) {
                returned = value.leaves;
            }
            for (const std::string& name : depth < most_nested ? one.runs : std::vector<std::string>()) {
                within[k] = std::max(within[k], most_within(name, depth));
            }
            values_.back()[one.name] = std::move(value);
        }
        values_.pop_back();
        keep_results(returned, inner, made, computation.lines.size());
        add_up(made, std::move(within));
        return made;
    }

  private:
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
    static std::size_t add(const HloOperation& one, const HloShape& shape, std::size_t at, HloMemory& made) {
        if (shape.memory_space != 0 || shape.bits() == 0) {
            return no_buffer;
        }
        made.buffers.push_back({one.name, shape, at, at, false});
        return made.buffers.size() - 1;
    }
    static LeafBuffers add_all(const HloOperation& one, std::size_t at, HloMemory& made) {
        LeafBuffers leaves;
        for (const HloShape& shape : one.results) {
            leaves.push_back(add(one, shape, at, made));
        }
        return leaves;
    }

    HloValue value_made(const HloOperation& one, std::size_t at, std::size_t last, bool inner,
                        HloMemory& made) {
        const std::string& what = one.opcode;
        if (what == "parameter" || what == "constant") {
            if (inner && what == "parameter") {
                return {LeafBuffers(one.results.size(), no_buffer)};
            }
            LeafBuffers leaves = add_all(one, 0, made);
            for (const std::size_t buffer : leaves) {
                if (buffer != no_buffer) {
                    made.buffers[buffer].last = last;
                    made.buffers[buffer].input = true;
                }
            }
            return {std::move(leaves)};
        }
        const HloValue* const first = one.operands.empty() ? nullptr : value_of(one.operands[0].name);
        if (what == "get-tuple-element") {
            return {first == nullptr ? LeafBuffers() : leaves_of_element(*first, one)};
        }
        if (is_one_of(what, {"tuple", "bitcast", "while", "opt-barrier", "optimization-barrier"})) {
            return {leaves_of_all(one)};
        }
        if (what.ends_with("-done") || what.ends_with("-update")) {
            return {first != nullptr && first->started ? *first->started : leaves_of_all(one)};
        }
        if (what.ends_with("-start")) {
            return value_started(one, at, made);
        }
        if (what == "dynamic-update-slice" || one.calls.find("dynamic-update-slice") != std::string::npos ||
            one.calls.find("dynamic_update_slice") != std::string::npos ||
            one.name.find("dynamic-update-slice") != std::string::npos) {
            if (const auto place = updated(one); !place.empty()) {
                return {place};
            }
        }
        return {add_all(one, at, made)};
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
    HloValue value_started(const HloOperation& one, std::size_t at, HloMemory& made) const {
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

    /// What a loop or a call holds most at once, by itself.
    double most_within(const std::string& name, int depth) {
        if (const auto known = within_.find(name); known != within_.end()) {
            return known->second;
        }
        const HloComputation* const its = module_.computation(name);
        within_[name] = 0; // of one that runs itself
        const double most = its == nullptr || its->lines.empty() ? 0 : walk(*its, true, depth + 1).most();
        within_[name] = most;
        return most;
    }

    void keep_results(const LeafBuffers& returned, bool inner, HloMemory& made, std::size_t lines) const {
        std::vector<bool> elsewhere(made.buffers.size());
        for (std::size_t k = 0; k < returned.size(); ++k) {
            if (returned[k] == no_buffer) {
                continue;
            }
            const bool donated =
                std::ranges::find(module_.donated, static_cast<std::int64_t>(k),
                                  &std::pair<std::int64_t, std::int64_t>::first) != module_.donated.end();
            HloBuffer& buffer = made.buffers[returned[k]];
            buffer.last = lines - 1;
            elsewhere[returned[k]] = !buffer.input && (inner || donated);
        }
        std::size_t at = 0;
        std::erase_if(made.buffers, [&](const HloBuffer&) { return elsewhere[at++]; });
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

    const HloModule& module_;
    /// Of computations within each other, as buffers are numbered in each of them from 0.
    std::vector<std::unordered_map<std::string, HloValue>> values_;
    std::map<std::string, double> within_;
};

} // namespace

HloMemory hlo_memory(const HloModule& module) {
    return MemoryWalk(module).walk(module.main(), false, 0);
}

} // namespace meshslice
