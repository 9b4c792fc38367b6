// Input that was made to harm, or that no person would make: a refusal, nothing else.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

// GCC defines names, clang answers questions.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string hostile_refusal(std::vector<std::string> arguments) {
    const Finished finished = meshslice_command(std::move(arguments));
    EXPECT_EQ(finished.exit_code, 2) << finished.err;
    EXPECT_EQ(finished.out, "");
    return finished.err;
}

/// ESC [ 2 J clears a terminal; U+009B is the same as ESC [.
TEST(HostileInput, ControlCharactersAreShownNotObeyed) {
    const TemporaryFolder folder;
    auto json =
        nlohmann::ordered_json::parse(file_content(source_file("tests/cli/scenarios/small-gemm-4x2.json")));
    json["\x1b[2J\u009b2J"] = 1;
    const std::string scenario = folder.file("scenario.json", json.dump());
    EXPECT_THAT(hostile_refusal({"simulate", "--scenario", scenario}),
                AllOf(HasSubstr(R"(\x1b[2J\xc2\x9b2J)"), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(hostile_refusal({"simulate", "--model", "a\nb\x1b[1m"}), HasSubstr(R"(a\x0ab\x1b[1m)"));
    EXPECT_THAT(hostile_refusal({"simulate", "--model", "\xff"}), HasSubstr(R"(\xff)"));
}

/// A name that could forge a line, turn the direction of a text, hide, or fill a table on every row.
TEST(HostileInput, NamesShowWhatTheyAre) {
    const TemporaryFolder folder;
    auto model = nlohmann::ordered_json::parse(file_content(source_file("resources/models/llama-3-8b.json")));
    const auto refused = [&](const std::string& title) {
        model["title"] = title;
        return hostile_refusal({"simulate", "--model", folder.file("m.json", model.dump())});
    };
    EXPECT_THAT(refused("x\nBest: Wang 1x1"), HasSubstr("\"/title\" has the character U+000A"));
    EXPECT_THAT(refused("x\u202ey"), HasSubstr("U+202E"));
    EXPECT_THAT(refused("x\u2066y"), HasSubstr("U+2066"));
    EXPECT_THAT(refused("x\u200by"), HasSubstr("U+200B"));
    EXPECT_THAT(refused("x\u2028y"), HasSubstr("U+2028"));
    EXPECT_THAT(refused("x\x1b[31m"), HasSubstr("U+001B"));
    EXPECT_THAT(refused(""), HasSubstr("\"/title\" is empty"));
    EXPECT_THAT(refused(std::string(101, 'x')), HasSubstr("101 letters"));
    model["title"] = std::string(98, 'x') + "\u00e4\u6587"; // 100 letters
    EXPECT_EQ(meshslice_command({"estimate", "--model", folder.file("m.json", model.dump())}).exit_code, 0);

    auto machine = nlohmann::ordered_json::parse(file_content(source_file("resources/machines/tpu-v4.json")));
    for (const char* key : {"name", "title"}) {
        auto other = machine;
        other[key] = "x\u202ey";
        EXPECT_THAT(hostile_refusal({"simulate", "--hardware", folder.file("h.json", other.dump())}),
                    AllOf(HasSubstr("h.json"), HasSubstr(key), HasSubstr("U+202E")));
    }
}

TEST(HostileInput, NothingHidesBehindANulByte) {
    const TemporaryFolder folder;
    std::string text = file_content(source_file("tests/cli/scenarios/small-gemm-4x2.json"));
    text.push_back('\0');
    EXPECT_THAT(hostile_refusal({"simulate", "--scenario", folder.file("a.json", text)}),
                HasSubstr("a NUL byte at line"));
    EXPECT_THAT(hostile_refusal({"simulate", "--scenario", folder.file("b.json", text + "rest")}),
                HasSubstr("a NUL byte"));
}

/// File names are bytes; JSON is UTF-8.
TEST(HostileInput, AFileNameThatIsNotUtf8IsReadAndNamed) {
    const TemporaryFolder folder;
    const std::string gemms =
        folder.file("g\xff.csv", "M,N,K,time\n1024,1024,1024,1e-4 s\n2048,2048,2048,8e-4 s\n");
    const nlohmann::json fit =
        meshslice_json({"calibrate", "--gemms", gemms, "--out", folder.path("h\xff.json")});
    EXPECT_THAT(fit.dump(),
                HasSubstr("g\xEF\xBF\xBD.csv")); // U+FFFD, which stands for what is not a character
}

/// Less than a picosecond and more than a day are not times of one operation.
TEST(HostileInput, MeasuredTimesThatCannotBeAreRefusedWithTheirLine) {
    const TemporaryFolder folder;
    for (const char* time : {"1.3e-152", "0", "-1", "1e300", "9e-13", "86401", "nan", "inf"}) {
        const std::string gemms =
            folder.file("g.csv", std::string("M,N,K,time\n1024,1024,512,") + time + " s\n");
        EXPECT_THAT(hostile_refusal({"calibrate", "--gemms", gemms, "--hardware", "tpu-v5e"}),
                    AllOf(HasSubstr("g.csv, line 2"), HasSubstr(time), HasSubstr("expected")));
    }
}

/// Jitter makes all 4,096 chips differ, so each is recorded: more than 500 MB of addresses hold.
TEST(HostileInput, TooLittleMemoryIsSaidSo) {
    if (sanitized) {
        GTEST_SKIP() << "A sanitizer reserves terabytes of addresses, which a limit forbids.";
    }
    const Finished finished = run_process(
        {"/bin/sh", "-c", "ulimit -v 500000; \"$0\" simulate --mesh 64x64 --jitter 1us", MESHSLICE_COMMAND});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, HasSubstr("Not enough memory for this run; try fewer chips or fewer slices."));
}

} // namespace
} // namespace meshslice::test
