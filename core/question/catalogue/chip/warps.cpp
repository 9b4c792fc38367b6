// A warp whose lanes take different branches (How to Scale Your Model, chapter 12).

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/execute/chip/warp.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/chip_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_warp_lanes = 128, most_warp_instructions = 1'000'000;

QuestionField instructions_field(FieldRow row, std::string first) {
    row.kind = FieldKind::whole;
    row.most = most_warp_instructions;
    return {.row = std::move(row), .first = std::move(first)};
}

std::vector<QuestionField> warp_fields() {
    QuestionField branches{.row = {.key = "branches",
                                   .name = said("Branches"),
                                   .label = said("Branches"),
                                   .help = said("Lanes that take it x its instructions, with commas between "
                                                "branches: 20x8, 12x5"),
                                   .flag = "--branches",
                                   .flag_help = "20x8,12x5: for each branch the lanes that take it x its "
                                                "instructions (default 20x8,12x5)"},
                           .first = "20x8,12x5",
                           .width = 2};
    QuestionField width{.row = {.key = "width",
                                .name = said("Warp width"),
                                .label = said("Warp"),
                                .help = said("Lanes of a warp: 32 on NVIDIA's GPUs, 64 on AMD's of CDNA"),
                                .flag = "--width",
                                .flag_help = "N: lanes of a warp (default 32)",
                                .kind = FieldKind::whole,
                                .least = 1,
                                .most = most_warp_lanes},
                        .first = "32"};
    return {
        std::move(branches), std::move(width),
        instructions_field({.key = "before",
                            .name = said("Instructions before"),
                            .label = said("Before"),
                            .help = said("That all lanes do before they branch"),
                            .flag = "--before",
                            .flag_help = "N: instructions that all lanes do before they branch (default 2)"},
                           "2"),
        instructions_field({.key = "after",
                            .name = said("Instructions after"),
                            .label = said("After"),
                            .help = said("That all lanes do once they are together again"),
                            .flag = "--after",
                            .flag_help = "N: instructions that all do once they are together again (default "
                                         "2)"},
                           "2")};
}

struct FoundWarp {
    std::vector<WarpBranch> branches;
    std::int64_t width = 32, before = 0, after = 0;
    std::vector<WarpStretch> timeline;

    [[nodiscard]] std::int64_t cycles() const { return timeline.empty() ? 0 : timeline.back().ends; }
    /// Were all lanes to take the longest branch.
    [[nodiscard]] std::int64_t together() const {
        std::int64_t longest = 0;
        for (const WarpBranch& one : branches) {
            longest = std::max(longest, one.instructions);
        }
        return before + longest + after;
    }
};

Result<FoundWarp> find_warp(const Asked& asked) {
    const auto whole = [&](const char* key) { return static_cast<std::int64_t>(asked.number(key)); };
    FoundWarp found{{}, whole("width"), whole("before"), whole("after"), {}};
    const std::string words = asked.text("branches");
    std::int64_t lanes = 0;
    for (std::size_t from = 0; from <= words.size();) {
        const std::size_t comma = std::min(words.find(',', from), words.size());
        std::string one = words.substr(from, comma - from);
        std::erase(one, ' ');
        const std::size_t cross = one.find('x');
        const auto its = parse_whole(one.substr(0, cross));
        const auto instructions = parse_whole(cross == std::string::npos ? "" : one.substr(cross + 1));
        if (!its || !instructions || *its < 1 || *its > most_warp_lanes || *instructions < 1 ||
            *instructions > most_warp_instructions) {
            return refuse(
                say("{} has \"{}\"; expected lanes x instructions, such as 20x8, up to {} lanes and "
                    "{} instructions.",
                    asked.called("branches"), shortened(one), most_warp_lanes, most_warp_instructions));
        }
        found.branches.push_back({*its, *instructions});
        lanes += *its;
        from = comma + 1;
    }
    if (lanes != found.width) {
        const std::int64_t half = found.width / 2;
        const std::string works = half == 0 ? "1x8" : fmt::format("{}x8,{}x5", found.width - half, half);
        return refuse(say("{} has {} lanes, and a warp has {}; expected branches whose lanes add up to the "
                          "warp's, such as {}.",
                          asked.called("branches"), lanes, found.width, works));
    }
    found.timeline = warp_timeline(found.branches, found.before, found.after);
    return found;
}

Tree values_of(const FoundWarp& found) {
    Tree stretches = Tree::array();
    for (const WarpStretch& one : found.timeline) {
        stretches.push_back({{"begins", one.begins},
                             {"ends", one.ends},
                             {"active_lanes", std::ranges::count(one.active, true)}});
    }
    return {{"width", found.width},
            {"cycles", found.cycles()},
            {"together_cycles", found.together()},
            {"slower_ratio", static_cast<double>(found.cycles()) / static_cast<double>(found.together())},
            {"active_share", active_share(found.timeline)},
            {"stretches", std::move(stretches)}};
}

Table warp_stretch_table(const FoundWarp& found) {
    Table table{said("Stretches"), {"begins", "ends", "active_lanes", "masked_lanes"}, {}};
    for (const WarpStretch& one : found.timeline) {
        const auto active = static_cast<std::int64_t>(std::ranges::count(one.active, true));
        table.rows.push_back({one.begins, one.ends, active, found.width - active});
    }
    return table;
}

std::vector<Paragraph> words_of(const FoundWarp& found) {
    std::vector<Paragraph> words = {
        {fmt::format("A warp of {} lanes in {} branch{}\n\n", found.width, found.branches.size(),
                     found.branches.size() == 1 ? "" : "es")}};
    words.push_back({{},
                     {{"cycles", std::to_string(found.cycles()),
                       fmt::format("{} if all lanes took the longest branch", found.together())},
                      {"active", percent_text(active_share(found.timeline)), "of the lanes' cycles"}}});
    words.push_back({"\n"});
    Paragraph stretches;
    stretches.lines.push_back({"cycles", "active lanes", "masked"});
    for (const WarpStretch& one : found.timeline) {
        const auto active = static_cast<std::int64_t>(std::ranges::count(one.active, true));
        stretches.lines.push_back({fmt::format("{} to {}", one.begins, one.ends), std::to_string(active),
                                   std::to_string(found.width - active)});
    }
    stretches.words_last = false;
    words.push_back(std::move(stretches));
    return words;
}

Answer answer_of(const FoundWarp& found) {
    Chart chart = warp_chart(found.branches, found.before, found.after);
    Answer answer{values_of(found), chart.title, say("A warp of {} lanes", found.width), Confidence::exact};
    answer.words = words_of(found);
    answer.tables.push_back(NamedTable::of("stretches", warp_stretch_table(found)));
    answer.charts.push_back({"lanes", std::move(chart)});
    answer.notes = {said("An instruction takes a cycle; that a GPU runs another warp while one waits, and "
                         "that short branches become predicated instructions, is not counted.")};
    return answer;
}

} // namespace

Question warps_question() {
    Question question{"warps",
                      said("Warp divergence"),
                      "warps",
                      said("Shows how a warp does branches that its lanes take differently: one after the "
                           "other, with the other lanes masked"),
                      {},
                      warp_fields(),
                      [](const Asked& asked, const RunControl& /*control*/) {
                          return find_warp(asked).map([](const FoundWarp& one) { return values_of(one); });
                      },
                      [](const Asked& asked, const RunControl& /*control*/) {
                          return find_warp(asked).map([](const FoundWarp& one) { return answer_of(one); });
                      }};
    question.files = {{AnswerFile::Of::chart, "lanes", "--svg", "FILE.svg: draws lanes against cycles"}};
    question.examples = {"--branches 20x8,12x5", "--branches 1x40,31x2 --before 10 --after 10",
                         "--branches 16x4,8x4,4x4,4x4 --json"};
    return question;
}

} // namespace meshslice
