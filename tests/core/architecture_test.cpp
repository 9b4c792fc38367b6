// The rules that keep the rooms apart, asked of the source text. Each rule is a pure function from files to
// findings, so that a test can show that it is able to fail.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Source {
    std::string path; ///< from the root: "core/base/text.h"
    std::string text;
};

/// A room may include the rooms before it and itself. Counting comes before executing, which reports the
/// links' traffic in the words of counting; choosing an algorithm's options by estimate before the scenario,
/// whose resolved form names them; what is recorded before the machine and the engine that record it.
constexpr std::array rooms = {"core/base",
                              "core/figure",
                              "core/machine",
                              "core/model",
                              "core/torus",
                              "core/sharding",
                              "core/work",
                              "core/program",
                              "core/gemm",
                              "core/cost",
                              "core/run",
                              "core/count",
                              "core/execute",
                              "core/estimate",
                              "core/simulate/record",
                              "core/simulate/machine",
                              "core/simulate/cluster",
                              "core/simulate/engine",
                              "core/simulate/path",
                              "core/draw",
                              "core/tune",
                              "core/scenario",
                              "core/plan/pipeline",
                              "core/plan",
                              "core/plan/evaluate",
                              "core/plan/search",
                              "core/step",
                              "core/plan/inside",
                              "core/search",
                              "core/import",
                              "core/import/machines",
                              "core/calibrate",
                              "core/serve",
                              "core/evidence",
                              "core/evidence/inference",
                              "core/explain",
                              "core/question",
                              "core/question/serve/replica",
                              "core/question/serve",
                              "core/papers",
                              "core/papers/meshslice/setup",
                              "core/papers/meshslice",
                              "core/papers/transformers",
                              "core/papers/selene",
                              "core/papers/t3/runs",
                              "core/papers/t3",
                              "core/report/words",
                              "core/report/chart",
                              "core/report/trace",
                              "core/report",
                              "core/report/sweep",
                              "core/report/summary",
                              "core/report/document",
                              "core/report/paper",
                              "core/question/catalogue",
                              "core/question/catalogue/serve",
                              "core/lesson",
                              "ui/look",
                              "ui/controls",
                              "ui/document",
                              "ui/session",
                              "ui/editor",
                              "ui/view",
                              "ui/charts",
                              "ui/timeline",
                              "ui/lineup",
                              "ui/torus",
                              "ui/lab",
                              "ui/lessons",
                              "ui/roofline",
                              "ui/breakdown",
                              "ui/path",
                              "ui/products",
                              "ui/studies",
                              "ui/serve",
                              "ui/summary",
                              "ui/sweeps",
                              "ui/tuner",
                              "ui/planner",
                              "ui/measured",
                              "ui/calibration",
                              "ui/details",
                              "ui/variants",
                              "ui/settings",
                              "ui/recording",
                              "ui/commands",
                              "ui/shell",
                              "app/arguments",
                              "app",
                              "app/commands"};
constexpr std::array readings = {"core/execute", "core/simulate", "core/estimate", "core/count", "core/draw"};
constexpr std::ptrdiff_t most_lines = 600;
constexpr int most_files = 24;

bool within(const Source& source, std::string_view folder) {
    return source.path.starts_with(folder);
}

bool header(const Source& source) {
    return source.path.ends_with(".h");
}

/// "core/base/text.h" or "QWidget": what stands between the quotes or brackets.
std::vector<std::string> includes(const Source& source) {
    static const std::regex include(R"re([ \t]*#[ \t]*include[ \t]*[<"]([^>"]*)[>"].*)re");
    std::vector<std::string> found;
    std::istringstream lines(source.text);
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        // Most lines are none, and looking for a character is a hundred times as fast as matching.
        if (line.find('#') != std::string::npos && std::regex_match(line, match, include)) {
            found.push_back(match[1]);
        }
    }
    return found;
}

/// The folder, where it is ours and not a test's: "core/gemm" of "core/gemm/cannon.h".
std::optional<std::string> room(const std::string& path) {
    const bool ours = path.starts_with("core/") || path.starts_with("ui/") || path.starts_with("app/");
    return ours ? std::optional(path.substr(0, path.rfind('/'))) : std::nullopt;
}

/// The findings of a rule about one include of one file.
template <class Breaks>
std::vector<std::string> bad_includes(const std::vector<Source>& sources, Breaks breaks) {
    std::vector<std::string> findings;
    for (const Source& source : sources) {
        for (const std::string& include : includes(source)) {
            if (breaks(source, include)) {
                findings.push_back(fmt::format("{} includes {}", source.path, include));
            }
        }
    }
    return findings;
}

bool is_qt(const std::string& include) {
    static const std::regex qt("Q[A-Za-z]+(/.*)?|q[a-z]+\\.h");
    return std::regex_match(include, qt);
}

bool is_qt_charts(const std::string& include) {
    static const std::regex charts(
        "QtCharts.*|Q(Abstract)?Chart.*|Q.*(Series|Axis)|"
        "Q(BarSet|PieSlice|Legend|LegendMarker|BoxSet|CandlestickSet)|Q.*ModelMapper");
    return std::regex_match(include, charts);
}

bool is_heavy(const std::string& include) {
    static const std::regex heavy("nlohmann/json\\.hpp|(fmt|CLI|Eigen|boost)/.*");
    return std::regex_match(include, heavy) || is_qt_charts(include);
}

/// Comments and texts out of the way, so that a sentence about exit() is not a call of it.
std::string code_alone(const std::string& text) {
    static const std::regex words(R"re(//[^\n]*|/\*[^]*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')re");
    return std::regex_replace(text, words, " ");
}

std::vector<std::string> core_includes_qt(const std::vector<Source>& sources) {
    return bad_includes(sources, [](const Source& source, const std::string& include) {
        return within(source, "core/") && is_qt(include);
    });
}

std::vector<std::string> core_prints_or_exits(const std::vector<Source>& sources) {
    static const std::regex calls(
        R"re(\b(?:std::cout|std::cerr|std::clog|(?:fmt::|std::)?f?print(?:f|ln)?\s*\(|puts\s*\(|(?:quick_|_)?exit\s*\(|abort\s*\(|terminate\s*\())re");
    std::vector<std::string> findings =
        bad_includes(sources, [](const Source& source, const std::string& include) {
            return within(source, "core/") &&
                   (include == "iostream" || include == "cstdio" || include == "stdio.h");
        });
    for (const Source& source : sources) {
        const std::string code = within(source, "core/") ? code_alone(source.text) : std::string();
        std::smatch match;
        if (std::regex_search(code, match, calls)) {
            findings.push_back(fmt::format("{} has {}", source.path, match.str()));
        }
    }
    return findings;
}

/// A room may have folders, "ui/timeline/bars": they are parts of it.
std::optional<std::string> placed_room(const std::string& path) {
    auto own = room(path);
    if (own && std::find(rooms.begin(), rooms.end(), *own) == rooms.end()) {
        const std::string around = own->substr(0, own->rfind('/'));
        own = std::find(rooms.begin(), rooms.end(), around) == rooms.end() ? *own : around;
    }
    return own;
}

std::vector<std::string> rooms_look_down(const std::vector<Source>& sources) {
    std::vector<std::string> findings = bad_includes(sources, [](const Source& source,
                                                                 const std::string& include) {
        const auto own = placed_room(source.path);
        const auto other = placed_room(include);
        return own && other &&
               std::find(rooms.begin(), rooms.end(), *own) < std::find(rooms.begin(), rooms.end(), *other);
    });
    for (const Source& source : sources) {
        const auto own = placed_room(source.path);
        if (own && std::find(rooms.begin(), rooms.end(), *own) == rooms.end()) {
            findings.push_back(fmt::format("{} is in a room without a place in the order", source.path));
        }
    }
    return findings;
}

std::vector<std::string> readings_know_algorithms(const std::vector<Source>& sources) {
    return bad_includes(sources, [](const Source& source, const std::string& include) {
        const auto reads = [&](const char* reading) { return within(source, reading); };
        return std::any_of(readings.begin(), readings.end(), reads) && room(include) == "core/gemm";
    });
}

std::vector<std::string> lower_layers_know_upper(const std::vector<Source>& sources) {
    return bad_includes(sources, [](const Source& source, const std::string& include) {
        const bool ui = include.starts_with("ui/");
        const bool app = include.starts_with("app/");
        const bool tests = include.starts_with("tests/");
        return (within(source, "core/") && (ui || app || tests)) ||
               (within(source, "ui/") && (app || tests)) || (within(source, "app/") && tests);
    });
}

/// SimGrid's runs are a referee of our simulator only as long as they use nothing of it.
std::vector<std::string> referee_knows_the_player(const std::vector<Source>& sources) {
    return bad_includes(sources, [](const Source& source, const std::string& include) {
        return within(source, "tests/parity/simgrid_") &&
               (include.starts_with("core/simulate/") || include.starts_with("core/estimate/") ||
                include == "core/cost/operation_cost.h");
    });
}

/// Sentences are checked against their values by fmt when they are compiled; so only sources say them.
constexpr std::string_view sentences = "core/base/say.h";

std::vector<std::string> heavy_headers(const std::vector<Source>& sources) {
    return bad_includes(sources, [](const Source& source, const std::string& include) {
        return header(source) && source.path != sentences && (is_heavy(include) || include == sentences);
    });
}

std::vector<std::string> charts_outside_their_room(const std::vector<Source>& sources) {
    return bad_includes(sources, [](const Source& source, const std::string& include) {
        return !within(source, "ui/charts/") && !within(source, "tests/") && is_qt_charts(include);
    });
}

/// An include such as "../gemm/cannon.h" or "cannon.h" would slip past the rules above.
std::vector<std::string> includes_not_from_the_root(const std::vector<Source>& sources) {
    static const std::regex quoted(
        R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"(?!(?:app|core|tests|ui)/)([^"\n]*)")re");
    std::vector<std::string> findings;
    for (const Source& source : sources) {
        for (std::sregex_iterator at(source.text.begin(), source.text.end(), quoted), end; at != end; ++at) {
            const std::string include = (*at)[1];
            if (!include.ends_with(".moc")) {
                findings.push_back(fmt::format("{} includes \"{}\"", source.path, include));
            }
        }
    }
    return findings;
}

std::vector<std::string> long_files(const std::vector<Source>& sources) {
    std::vector<std::string> findings;
    for (const Source& source : sources) {
        const auto lines = std::count(source.text.begin(), source.text.end(), '\n');
        if (lines > most_lines) {
            findings.push_back(fmt::format("{} has {} lines", source.path, lines));
        }
    }
    return findings;
}

std::vector<std::string> large_rooms(const std::vector<Source>& sources) {
    std::map<std::string, int> files;
    for (const Source& source : sources) {
        if (const auto own = room(source.path)) {
            ++files[*own];
        }
    }
    std::vector<std::string> findings;
    for (const auto& [folder, count] : files) {
        if (count > most_files) {
            findings.push_back(fmt::format("{} has {} files", folder, count));
        }
    }
    return findings;
}

/// A defaulted == of a struct with a const char* compares addresses, which are alike as the compiler pleases.
std::vector<std::string> compares_addresses_of_words(const std::vector<Source>& sources) {
    static const std::regex type(R"re(\b(?:struct|class)\s+(\w+)[^;{}()<>]*\{)re");
    static const std::regex word(R"re(\bchar\s*(?:const)?\s*\*\s*\w+\s*(?:=[^;]*)?;)re");
    static const std::regex compared(R"re(\boperator\s*(?:==|<=>)[^;{]*=\s*default)re");
    std::vector<std::string> findings;
    for (const Source& source : sources) {
        const std::string code = code_alone(source.text);
        for (std::sregex_iterator at(code.begin(), code.end(), type); at != std::sregex_iterator(); ++at) {
            std::size_t end = static_cast<std::size_t>(at->position() + at->length());
            const std::size_t begin = end;
            for (int open = 1; open > 0 && end < code.size(); ++end) {
                open += int(code[end] == '{') - int(code[end] == '}');
            }
            const std::string body = code.substr(begin, end - begin);
            if (std::regex_search(body, word) && std::regex_search(body, compared)) {
                findings.push_back(source.path + " compares the addresses of words in " + at->str(1));
            }
        }
    }
    return findings;
}

/// Two types of one name in one namespace are one to the linker: whichever constructor or destructor it takes
/// works on the other's memory.
std::vector<std::string> types_defined_twice(const std::vector<Source>& sources) {
    static const std::regex type(
        R"re(\n(?:struct|class|enum class|enum)\s+(\w+)(?:\s+final)?(?:\s*:[^;{}]*)?\s*\{)re");
    std::map<std::string, std::string> places;
    std::vector<std::string> findings;
    for (const Source& source : sources) {
        if (!header(source)) {
            continue;
        }
        const std::string code = code_alone(source.text);
        const std::string space = within(source, "ui") ? "ui::" : within(source, "tests") ? "tests::" : "";
        for (std::sregex_iterator at(code.begin(), code.end(), type); at != std::sregex_iterator(); ++at) {
            const auto [place, added] = places.try_emplace(space + at->str(1), source.path);
            if (!added && place->second != source.path) {
                findings.push_back(
                    fmt::format("{} is defined in {} and {}", at->str(1), place->second, source.path));
            }
        }
    }
    return findings;
}

/// Names of our files in comments that lead to none.
std::vector<std::string> comments_name_lost_files(const std::vector<Source>& sources) {
    std::set<std::string, std::less<>> paths;
    std::ranges::transform(sources, std::inserter(paths, paths.end()), &Source::path);
    std::vector<std::string> findings;
    for (const Source& source : sources) {
        std::istringstream lines(source.text);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t comment = line.find("//");
            if (comment == std::string::npos) {
                continue;
            }
            for (const std::string_view folder : {"core/", "ui/", "app/", "tests/"}) {
                const std::size_t at = line.find(folder, comment);
                if (at == std::string::npos || line[at - 1] == '/') { // the last: within another path
                    continue;
                }
                const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_./", at);
                const std::string path = line.substr(at, end == std::string::npos ? end : end - at);
                const bool file = path.ends_with(".h") || path.ends_with(".cpp");
                if (file && !paths.contains(path)) {
                    findings.push_back(fmt::format("{} names {}", source.path, path));
                }
            }
        }
    }
    return findings;
}

const std::vector<Source>& tree() {
    static const std::vector<Source> sources = [] {
        namespace fs = std::filesystem;
        const fs::path root = MESHSLICE_SOURCE_DIR;
        std::vector<Source> found;
        for (const char* folder : {"app", "core", "tests", "ui"}) {
            for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
                const std::string ending = entry.path().extension().string();
                if (entry.is_regular_file() && (ending == ".h" || ending == ".cpp")) {
                    std::ifstream stream(entry.path(), std::ios::binary);
                    found.push_back({fs::relative(entry.path(), root).generic_string(),
                                     {std::istreambuf_iterator<char>(stream), {}}});
                }
            }
        }
        std::sort(found.begin(), found.end(),
                  [](const Source& a, const Source& b) { return a.path < b.path; });
        return found;
    }();
    return sources;
}

Source including(const std::string& path, const std::string& include) {
    return {path, "#pragma once\n\n#include " + include + "\n"};
}

TEST(Architecture, TheTreeIsRead) {
    EXPECT_GT(tree().size(), 50u);
    EXPECT_THAT(includes({"", "#include <a>\n  # include \"b/c.h\"\n// #include <d>\n"}),
                ElementsAre("a", "b/c.h"));
}

TEST(Architecture, CoreKnowsNoQt) {
    EXPECT_THAT(core_includes_qt(tree()), IsEmpty());
    EXPECT_THAT(
        core_includes_qt({including("core/a/b.h", "<QString>"), including("core/a/b.h", "<QtCore/qglobal.h>"),
                          including("ui/a/b.h", "<QString>"), including("core/a/b.h", "<string>")}),
        ElementsAre("core/a/b.h includes QString", "core/a/b.h includes QtCore/qglobal.h"));
}

TEST(Architecture, CoreNeitherPrintsNorExits) {
    EXPECT_THAT(core_prints_or_exits(tree()), IsEmpty());
    EXPECT_THAT(core_prints_or_exits({{"core/a/b.cpp", "#include <iostream>\n"},
                                      {"core/a/c.cpp", "std::exit(1);"},
                                      {"core/a/d.cpp", "fmt::print(\"\");"},
                                      {"core/a/e.cpp", "// exit(1) is not for us\nfingerprint(\"exit(1)\");"},
                                      {"app/a.cpp", "exit(1);"}}),
                ElementsAre("core/a/b.cpp includes iostream", "core/a/c.cpp has exit(",
                            "core/a/d.cpp has fmt::print("));
}

TEST(Architecture, ARoomIncludesOnlyRoomsBeforeIt) {
    EXPECT_THAT(rooms_look_down(tree()), IsEmpty());
    EXPECT_THAT(rooms_look_down({including("core/program/a.h", "\"core/gemm/b.h\""),
                                 including("core/gemm/b.h", "\"core/program/a.h\""),
                                 including("core/gemm/b.h", "\"core/gemm/a.h\""),
                                 including("core/simulate/machine/a.h", "\"core/simulate/engine/b.h\""),
                                 including("ui/controls/a.h", "\"ui/session/b.h\""),
                                 including("ui/timeline/bars/a.h", "\"ui/torus/b.h\""),
                                 including("ui/timeline/a.h", "\"ui/timeline/bars/b.h\""),
                                 {"core/misc/a.h", ""},
                                 {"core/gemm/a/b/c.h", ""}}),
                ElementsAre("core/program/a.h includes core/gemm/b.h",
                            "core/simulate/machine/a.h includes core/simulate/engine/b.h",
                            "ui/controls/a.h includes ui/session/b.h",
                            "ui/timeline/bars/a.h includes ui/torus/b.h",
                            "core/misc/a.h is in a room without a place in the order",
                            "core/gemm/a/b/c.h is in a room without a place in the order"));
}

TEST(Architecture, AReadingKnowsNoAlgorithm) {
    EXPECT_THAT(readings_know_algorithms(tree()), IsEmpty());
    EXPECT_THAT(readings_know_algorithms({including("core/simulate/a.cpp", "\"core/gemm/meshslice.h\""),
                                          including("core/step/a.cpp", "\"core/gemm/meshslice.h\"")}),
                ElementsAre("core/simulate/a.cpp includes core/gemm/meshslice.h"));
}

TEST(Architecture, CoreKnowsNoWindowAndTheWindowNoEntryPoint) {
    EXPECT_THAT(lower_layers_know_upper(tree()), IsEmpty());
    EXPECT_THAT(lower_layers_know_upper(
                    {including("core/a/b.h", "\"ui/a/b.h\""), including("core/a/b.h", "\"app/b.h\""),
                     including("ui/a/b.h", "\"app/b.h\""), including("app/b.h", "\"ui/a/b.h\"")}),
                ElementsAre("core/a/b.h includes ui/a/b.h", "core/a/b.h includes app/b.h",
                            "ui/a/b.h includes app/b.h"));
}

TEST(Architecture, TheRefereeKnowsNotOurSimulator) {
    EXPECT_THAT(referee_knows_the_player(tree()), IsEmpty());
    EXPECT_THAT(
        referee_knows_the_player({including("tests/parity/simgrid_a.cpp", "\"core/simulate/b.h\""),
                                  including("tests/parity/simgrid_a.h", "\"core/cost/operation_cost.h\""),
                                  including("tests/parity/simgrid_a.cpp", "\"core/program/dependencies.h\""),
                                  including("tests/parity/comparison.cpp", "\"core/simulate/b.h\"")}),
        ElementsAre("tests/parity/simgrid_a.cpp includes core/simulate/b.h",
                    "tests/parity/simgrid_a.h includes core/cost/operation_cost.h"));
}

/// Every file that includes ours would pay for them.
TEST(Architecture, OurHeadersIncludeNoHeavyOnes) {
    EXPECT_THAT(heavy_headers(tree()), IsEmpty());
    EXPECT_THAT(
        heavy_headers({including("core/a/b.h", "<nlohmann/json.hpp>"),
                       including("core/a/c.h", "<nlohmann/json_fwd.hpp>"),
                       including("core/a/d.cpp", "<nlohmann/json.hpp>"),
                       including("ui/charts/e.h", "<QValueAxis>"), including("app/f.h", "<CLI/CLI.hpp>"),
                       including("core/a/g.h", "\"core/base/say.h\""),
                       including("core/base/say.h", "<fmt/format.h>")}),
        ElementsAre("core/a/b.h includes nlohmann/json.hpp", "ui/charts/e.h includes QValueAxis",
                    "app/f.h includes CLI/CLI.hpp", "core/a/g.h includes core/base/say.h"));
}

TEST(Architecture, QtChartsStaysInItsRoom) {
    EXPECT_THAT(charts_outside_their_room(tree()), IsEmpty());
    EXPECT_THAT(charts_outside_their_room({including("ui/shell/a.cpp", "<QChartView>"),
                                           including("ui/shell/b.cpp", "<QtCharts/QChart>"),
                                           including("ui/shell/c.cpp", "<QStackedBarSeries>"),
                                           including("ui/shell/d.cpp", "<QWidget>"),
                                           including("ui/charts/e.cpp", "<QChartView>")}),
                ElementsAre("ui/shell/a.cpp includes QChartView", "ui/shell/b.cpp includes QtCharts/QChart",
                            "ui/shell/c.cpp includes QStackedBarSeries"));
}

TEST(Architecture, OurIncludesAreWrittenFromTheRoot) {
    EXPECT_THAT(includes_not_from_the_root(tree()), IsEmpty());
    EXPECT_THAT(includes_not_from_the_root(
                    {including("core/a/b.cpp", "\"../gemm/cannon.h\""), including("core/a/b.cpp", "\"b.h\""),
                     including("core/a/b.cpp", "\"core/a/b.h\""), including("core/a/b.cpp", "<b.h>"),
                     including("tests/ui/a.cpp", "\"a.moc\"")}),
                ElementsAre("core/a/b.cpp includes \"../gemm/cannon.h\"", "core/a/b.cpp includes \"b.h\""));
}

TEST(Architecture, AddressesOfWordsAreNotCompared) {
    EXPECT_THAT(compares_addresses_of_words(tree()), IsEmpty());
    EXPECT_THAT(
        compares_addresses_of_words(
            {{"core/a/b.h", "struct Part {\n    const char* name = \"\"; ///< \"a;\"\n    struct {\n } x;\n"
                            "    bool operator==(const Part&) const = default;\n};\n"},
             {"core/a/c.h", "struct Word {\n    const char* name;\n};\n"
                            "struct View {\n    std::string_view name;\n"
                            "    friend auto operator<=>(View, View) = default;\n};\n"}}),
        ElementsAre("core/a/b.h compares the addresses of words in Part"));
}

TEST(Architecture, NoTypeIsDefinedTwice) {
    EXPECT_THAT(types_defined_twice(tree()), IsEmpty());
    EXPECT_THAT(types_defined_twice({{"core/a/b.h", "\nstruct Offer {\n};\nclass Known;\n"},
                                     {"core/c/d.h", "\nclass Known {\n};\nstruct Offer : Base {\n};\n"},
                                     {"ui/e/f.h", "\nstruct Offer {\n};\n"}}),
                ElementsAre("Offer is defined in core/a/b.h and core/c/d.h"));
}

TEST(Architecture, CommentsNameFilesThatAreThere) {
    std::vector<Source> others = tree();
    std::erase_if(others, [](const Source& one) { return one.path == "tests/core/architecture_test.cpp"; });
    others.push_back({"tests/core/architecture_test.cpp", ""});
    EXPECT_THAT(comments_name_lost_files(others), IsEmpty());
    EXPECT_THAT(comments_name_lost_files({{"core/a/b.h", "int x; ///< (core/a/c.h); see core/a\n"},
                                          {"core/a/d.h", "// As core/a/b.h says.\n#include \"core/e.h\"\n"}}),
                ElementsAre("core/a/b.h names core/a/c.h"));
}

TEST(Architecture, NoFileIsLong) {
    EXPECT_THAT(long_files(tree()), IsEmpty());
    EXPECT_THAT(
        long_files({{"core/a/b.cpp", std::string(600, '\n')}, {"core/a/c.cpp", std::string(601, '\n')}}),
        ElementsAre("core/a/c.cpp has 601 lines"));
}

TEST(Architecture, NoRoomIsLarge) {
    EXPECT_THAT(large_rooms(tree()), IsEmpty());
    std::vector<Source> files;
    for (int i = 0; i <= most_files; ++i) {
        files.push_back({fmt::format("core/a/{}.h", i), ""});
    }
    EXPECT_THAT(large_rooms(files), ElementsAre("core/a has 25 files"));
}

} // namespace
} // namespace meshslice
