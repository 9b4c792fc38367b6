#include "core/question/line_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A file of this test's own, gone with it.
class LineFileTest : public testing::Test {
  protected:
    LineFileTest() {
        path_ = (std::filesystem::temp_directory_path() / ("meshslice-lines-" + std::to_string(::getpid())))
                    .string();
        std::filesystem::remove(path_);
    }
    ~LineFileTest() override { std::filesystem::remove(path_); }

    [[nodiscard]] std::string content() const {
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    static std::vector<std::string> lines_of(const Result<LineFile>& file) {
        std::vector<std::string> lines;
        EXPECT_TRUE(file->each([&](const std::string& line) {
            lines.push_back(line);
            return true;
        }));
        EXPECT_EQ(lines.size(), file->count());
        return lines;
    }

    std::string path_;
};

TEST_F(LineFileTest, GrowsAndIsReadAgain) {
    {
        Result<LineFile> file = LineFile::open(path_);
        ASSERT_TRUE(file) << file.error().sentence;
        EXPECT_THAT(lines_of(file), IsEmpty());
        EXPECT_TRUE(file->add("one"));
        EXPECT_EQ(content(), "one\n") << "at once";
        EXPECT_TRUE(file->add(""));
    }
    Result<LineFile> again = LineFile::open(path_);
    ASSERT_TRUE(again);
    EXPECT_THAT(lines_of(again), ElementsAre("one", ""));
    EXPECT_TRUE(again->add("three"));
    EXPECT_EQ(content(), "one\n\nthree\n");
}

/// Its writer was killed in the middle of the second line.
TEST_F(LineFileTest, CutsOffALineWithoutAnEnd) {
    std::ofstream(path_) << "one\ntw";
    Result<LineFile> file = LineFile::open(path_);
    ASSERT_TRUE(file);
    EXPECT_THAT(lines_of(file), ElementsAre("one"));
    EXPECT_EQ(file->rest(), "tw");
    EXPECT_EQ(content(), "one\ntw") << "opening it changes nothing";
    EXPECT_TRUE(file->cut_rest());
    EXPECT_TRUE(file->add("2"));
    EXPECT_EQ(content(), "one\n2\n");
}

/// 30 000 lines are more than one part of what is read at once.
TEST_F(LineFileTest, ReadsLinesAgainUntilItIsEnough) {
    {
        std::ofstream out(path_);
        for (int k = 0; k < 30'000; ++k) {
            out << "line " << k << '\n';
        }
    }
    Result<LineFile> file = LineFile::open(path_);
    ASSERT_TRUE(file) << file.error().sentence;
    EXPECT_EQ(file->count(), 30'000u);
    EXPECT_EQ(lines_of(file).back(), "line 29999");
    int taken = 0;
    EXPECT_TRUE(file->each([&](const std::string&) { return ++taken < 3; }));
    EXPECT_EQ(taken, 3);
    EXPECT_TRUE(file->add("new"));
    EXPECT_EQ(lines_of(file).size(), 30'001u) << "and what was added";
    EXPECT_EQ(lines_of(file).back(), "new");
}

TEST_F(LineFileTest, HasOneWriter) {
    const Result<LineFile> first = LineFile::open(path_);
    ASSERT_TRUE(first);
    const Result<LineFile> second = LineFile::open(path_);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().sentence, HasSubstr("another process writes it"));
}

TEST_F(LineFileTest, RefusesWhatIsNotAFile) {
    for (const std::string& path : {std::string("/dev/null"), std::string("/tmp"), path_ + "/no/such"}) {
        const Result<LineFile> file = LineFile::open(path);
        ASSERT_FALSE(file) << path;
        EXPECT_THAT(file.error().sentence, HasSubstr(path + " cannot be written: "));
    }
}

} // namespace
} // namespace meshslice
