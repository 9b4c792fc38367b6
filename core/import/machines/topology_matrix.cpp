#include "core/import/machines/topology_matrix.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_gpus = 64;
/// PCI Express 4.0 and 5.0, 16 lanes of 16 or 32 GT/s, 128b/130b, one way.
constexpr double pcie4 = 31.5e9;
constexpr double pcie5 = 63e9;

/// The header underlines its names with codes for a terminal.
std::string without_codes(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\x1b' && at + 1 < text.size() && text[at + 1] == '[') {
            at = std::min(text.find('m', at), text.size() - 1);
            continue;
        }
        plain += text[at];
    }
    return plain;
}

std::vector<std::string> words_of_line(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : line) {
        if (c == ' ' || c == '\t' || c == '\r') {
            if (!word.empty()) {
                words.push_back(std::exchange(word, {}));
            }
        } else {
            word += c;
        }
    }
    if (!word.empty()) {
        words.push_back(std::move(word));
    }
    return words;
}

/// Whether a word is "GPU3", of this kind and a number.
bool names_a(std::string_view kind, std::string_view word) {
    return word.size() > kind.size() && word.starts_with(kind) &&
           std::ranges::all_of(word.substr(kind.size()), [](char c) { return c >= '0' && c <= '9'; });
}
bool names_a_nic(std::string_view word) {
    return names_a("NIC", word) || word.starts_with("mlx5_") || word.starts_with("mlx4_");
}

/// "NV18": 18; of others 0.
std::int64_t nvlinks_of(std::string_view cell) {
    std::int64_t links = 0;
    if (cell.starts_with("NV")) {
        std::from_chars(cell.data() + 2, cell.data() + cell.size(), links);
    }
    return links;
}

} // namespace

std::vector<std::int64_t> TopologyMatrix::domains() const {
    std::vector<std::int64_t> group(static_cast<std::size_t>(gpus));
    for (std::int64_t a = 0; a < gpus; ++a) {
        group[static_cast<std::size_t>(a)] = a;
    }
    for (std::int64_t a = 0; a < gpus; ++a) {
        for (std::int64_t b = 0; b < gpus; ++b) {
            if (links(a, b) > 0) {
                const std::int64_t from = group[static_cast<std::size_t>(b)];
                std::ranges::replace(group, from, group[static_cast<std::size_t>(a)]);
            }
        }
    }
    std::map<std::int64_t, std::int64_t> sizes;
    for (const std::int64_t one : group) {
        ++sizes[one];
    }
    std::vector<std::int64_t> all;
    for (const auto& [first, size] : sizes) {
        all.push_back(size);
    }
    return all;
}

Result<TopologyMatrix> read_topology_matrix(std::string_view text, const std::string& origin) {
    const std::string plain = without_codes(text);
    TopologyMatrix matrix;
    std::vector<std::string> columns;
    std::int64_t line_number = 0;
    for (std::size_t at = 0; at < plain.size();) {
        const std::size_t end = std::min(plain.find('\n', at), plain.size());
        const std::vector<std::string> words = words_of_line(std::string_view(plain).substr(at, end - at));
        at = end + 1;
        ++line_number;
        if (words.empty() || !(names_a("GPU", words.front()))) {
            continue;
        }
        if (columns.empty()) {
            for (const std::string& word : words) {
                if (!names_a("GPU", word) && !names_a_nic(word)) {
                    break;
                }
                columns.push_back(word);
            }
            matrix.gpus = std::ranges::count_if(columns, [](auto& word) { return names_a("GPU", word); });
            matrix.nics = std::ssize(columns) - matrix.gpus;
            if (matrix.gpus > most_gpus) {
                return refuse(say("{}, line {}: {} GPUs; expected {} or fewer.", origin, line_number,
                                  matrix.gpus, most_gpus));
            }
            continue;
        }
        if (words.size() < columns.size() + 1) {
            return refuse(say("{}, line {}: {} cells; expected one for each of {} columns.", origin,
                              line_number, words.size() - 1, columns.size()));
        }
        std::int64_t near = 0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const std::string& cell = words[k + 1];
            if (names_a("GPU", columns[k])) {
                matrix.nvlinks.push_back(nvlinks_of(cell));
            } else {
                near += cell == "PIX" || cell == "PXB" ? 1 : 0;
            }
        }
        matrix.near.push_back(near);
    }
    if (matrix.gpus == 0 || std::ssize(matrix.near) != matrix.gpus) {
        return refuse(say("{} has {} rows of GPUs; expected the output of `nvidia-smi topo -m`, with a row "
                          "for each of {} GPUs.",
                          origin, matrix.near.size(), matrix.gpus));
    }
    return matrix;
}

Result<MachineDraft> machine_of(const TopologyMatrix& matrix, const Machine& chip,
                                const std::string& origin) {
    const Level* const outside = outer_network(chip.network);
    if (outside == nullptr) {
        return refuse(say("{} forms a torus; expected a GPU, such as h100.", chip.title));
    }
    const std::vector<std::int64_t> domains = matrix.domains();
    if (std::ranges::count(domains, domains.front()) != std::ssize(domains)) {
        return refuse(say("{}: NVLinks join groups of {} and of {} GPUs; expected groups of one size.",
                          origin, *std::ranges::min_element(domains), *std::ranges::max_element(domains)));
    }
    const std::int64_t domain = domains.front();
    MachineDraft draft{chip, {}};
    std::vector<Level> levels;
    const Level& fast = chip.network.levels.front();
    if (domain > 1) {
        const std::int64_t links = std::ranges::max(matrix.nvlinks);
        const std::string source =
            fmt::format("{}: NV{} between GPUs of a group of {}", origin, links, domain);
        levels.push_back(switch_like(fast, domain, fast.line_rate(), source));
        draft.missing.push_back(
            say("What one NVLink carries: the {} that join two GPUs are taken as the rate of {}.", links,
                chip.title));
    }
    if (domain < matrix.gpus) {
        const bool newer = chip.pcie.value.value() > (pcie4 + pcie5) / 2;
        const double rate = chip.pcie.value.value() > 0 ? std::min(chip.pcie.value.value(), pcie5) : pcie4;
        levels.push_back(switch_like(fast, matrix.gpus / domain, rate,
                                     fmt::format("{}: no NVLink between such groups", origin)));
        draft.missing.push_back(
            say("How fast PCIe is between groups: taken as generation {}, x16.", newer ? 5 : 4));
    }
    Level network = *outside;
    if (matrix.nics > 0) {
        network.ports = {static_cast<double>(matrix.nics) / static_cast<double>(matrix.gpus),
                         fmt::format("{}: {} NICs for {} GPUs", origin, matrix.nics, matrix.gpus)};
    }
    levels.push_back(network);
    draft.missing.push_back(
        matrix.nics > 0
            ? say("What a NIC carries: taken as the {} of {}.", text(network.bandwidth.value), chip.title)
            : say("The NICs: the matrix has none, and those of {} are taken.", chip.title));
    draft.missing.push_back(say("Which GPU it is: peak, memory and latencies are those of {}.", chip.title));
    draft.machine.network.levels = std::move(levels);
    draft.machine.based_on = {};
    if (const Result<void> good = checked_levels(draft.machine.network); !good) {
        return refuse(good.error());
    }
    return draft;
}

} // namespace meshslice
