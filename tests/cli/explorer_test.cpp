// The window's program as a shell meets it: what it writes without a display, and what it refuses. Only where
// it is built.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

Finished explorer(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), MESHSLICE_EXPLORER);
    return run_process(arguments);
}

/// That every view is written, tests/ui/shell/pictures/capture_test.cpp asks.
TEST(Explorer, CaptureWritesTheWindowAndTheViewsThatAreNamed) {
    const TemporaryFolder folder;
    const std::string scenario = source_file("resources/examples/one-product-4x4.json");
    const Finished finished =
        explorer({"--scenario", scenario, "--capture", folder.path("views"), "--size", "1280x800", "--theme",
                  "dark", "--views", "timeline,roofline,breakdown"});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    std::vector<std::string> written;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("views"))) {
        written.push_back(entry.path().filename().string());
        EXPECT_GT(entry.file_size(), 100u) << entry.path();
        // The program says what it has written.
        EXPECT_THAT(finished.out, HasSubstr(entry.path().filename().string() + "\n"));
    }
    EXPECT_THAT(written, IsSupersetOf({"window.png", "timeline.png", "timeline.svg", "roofline.pdf",
                                       "breakdown.csv"}));
    EXPECT_EQ(written.size(), 1u + 3 * 4) << "the window, and three views as PNG, SVG, PDF and CSV";
    // The size of a PNG stands in its header, big end first: 1280 = 0x500, 800 = 0x320.
    EXPECT_EQ(file_content(folder.path("views/window.png")).substr(16, 8),
              std::string("\0\0\5\0\0\0\3\x20", 8));
}

/// Both programs are of one version, and neither needs a display to say it.
TEST(Explorer, SaysItsVersionAndItsHelp) {
    const std::string version = printed({"version"}); // "meshslice 0.1.0 (commit ...)"
    const std::string rest = version.substr(std::string("meshslice").size());
    EXPECT_EQ(explorer({"--version"}).out, "meshslice-explorer" + rest);
    EXPECT_EQ(explorer({"-V"}).out, "meshslice-explorer" + rest);
    const Finished help = explorer({"--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.out, AllOf(HasSubstr("meshslice-explorer [FILE] [flags]"),
                                HasSubstr("--theme light|dark|system"), Not(HasSubstr("--manual"))));
    EXPECT_THAT(explorer({"--thme", "dark"}).err, EndsWith("did you mean --theme?\n"));
    const std::string page = explorer({"--manual"}).out;
    EXPECT_THAT(page, AllOf(StartsWith(".TH MESHSLICE\\-EXPLORER 1 "), HasSubstr("\\-\\-capture DIR")));
}

/// Boxes instead of letters are said once.
TEST(Explorer, SaysThatThereAreNoFonts) {
    const TemporaryFolder folder;
    const std::string none = folder.file("fonts.conf", "<?xml version=\"1.0\"?><fontconfig><cachedir>" +
                                                           folder.path("cache") + "</cachedir></fontconfig>");
    const Finished finished =
        run_process({"/bin/sh", "-c", "FONTCONFIG_FILE=\"$1\" exec \"$0\" --capture \"$2\" --views roofline",
                     MESHSLICE_EXPLORER, none, folder.path("views")});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    const std::size_t said = finished.err.find("No font is installed");
    ASSERT_NE(said, std::string::npos) << finished.err;
    EXPECT_EQ(finished.err.find("No font is installed", said + 1), std::string::npos);
}

TEST(Explorer, RefusesInOneSentence) {
    const TemporaryFolder folder;
    const std::string truncated = folder.file("truncated.json", "{");
    const std::string impossible = folder.file("impossible.json", [] {
        std::string scenario = file_content(source_file("resources/examples/one-product-4x4.json"));
        return scenario.replace(scenario.find("\"slices\": \"auto\""), 16, "\"slices\": 3");
    }());
    const std::string views = folder.path("views");
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"--scenario", folder.path("missing.json"), "--capture", views}, "missing.json"},
        {{"--scenario", truncated, "--capture", views}, "truncated.json"},
        {{truncated, "--capture", views}, "truncated.json is not valid JSON"},
        {{"--scenario", impossible, "--capture", views}, "Slice counts that work"},
        {{"--capture", folder.path("truncated.json/views")}, "cannot be created"},
        {{"--theme", "purple", "--capture", views}, "purple"},
        {{"--size", "10x10", "--capture", views}, "10"},
        {{"--size", "800x600"}, "--capture"},
        {{"--capture", views, "--views", "timeline,rooftop"}, "no view \"rooftop\"; there are timeline, "},
        {{"--dance"}, "There is no flag \"--dance\" here; "}};
    for (const auto& [arguments, words] : cases) {
        const Finished finished = explorer(arguments);
        EXPECT_EQ(finished.exit_code, 2) << testing::PrintToString(arguments);
        EXPECT_TRUE(finished.out.empty()) << finished.out;
        EXPECT_THAT(finished.err, AllOf(HasSubstr(words), EndsWith(".\n")))
            << testing::PrintToString(arguments);
    }
}

} // namespace
} // namespace meshslice::test
