#include "core/scenario/examples.h"
#include "core/scenario/file/shared_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(SharedText, IsTheSameProjectAgain) {
    for (const ExampleProject& example : example_projects()) {
        const std::string text = shared_text(example.project);
        EXPECT_THAT(text, StartsWith("meshslice:1:"));
        EXPECT_EQ(text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:"),
                  std::string::npos)
            << "letters that no shell and no address changes";
        EXPECT_LT(text.size(), 4000u) << "fits into a message";
        EXPECT_EQ(read_project(text, "text"), example.project);
    }
}

TEST(SharedText, MayBeBrokenIntoLines) {
    std::string text = shared_text(Project());
    for (std::size_t at = 60; at < text.size(); at += 61) {
        text.insert(at, "\n");
    }
    EXPECT_EQ(read_project(" " + text + "\r\n", "text"), Project());
}

TEST(SharedText, IsRefusedWhereItIsDamaged) {
    const std::string text = shared_text(Project());
    const auto refusal = [](const std::string& words) {
        const auto project = read_project(words, "text");
        return project ? std::string() : project.error().sentence;
    };
    EXPECT_THAT(refusal(text.substr(0, text.size() - 5)), HasSubstr("damaged or cut"));
    EXPECT_THAT(refusal("meshslice:1"), HasSubstr("is cut; expected meshslice:1:CHECKSUM:LETTERS"));
    EXPECT_THAT(refusal("meshslice:2" + text.substr(11)), HasSubstr("has version \"2\""));
    EXPECT_THAT(refusal(text + "%"), HasSubstr("has \"%\" among its letters"));
    // Each letter counts: whichever is changed, nothing is read.
    for (std::size_t at = text.size() - 400; at < text.size(); ++at) {
        std::string other = text;
        other[at] = other[at] == 'A' ? 'B' : 'A';
        EXPECT_NE(refusal(other), "") << at;
    }
    // The checksum of no bytes agrees with them, and nothing can be unpacked.
    EXPECT_THAT(refusal("meshslice:1:00000000:"), HasSubstr("cannot be unpacked"));
}

} // namespace
} // namespace meshslice
