#include "core/base/text/printable.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(Printable, HiddenCharactersAreNamedByTheirNumber) {
    EXPECT_EQ(hidden_character("MeshSlice, S = 8, 4\u00d78, \u6587\u5b57 \u2009"), "");
    EXPECT_EQ(hidden_character("a\tb"), "U+0009");
    EXPECT_EQ(hidden_character("a\tb\n", Lines::kept), "");
    EXPECT_EQ(hidden_character("a\x7f"), "U+007F");
    EXPECT_EQ(hidden_character("a\u0085"), "U+0085");
    EXPECT_EQ(hidden_character("\ufeff"
                               "a"),
              "U+FEFF");
    EXPECT_EQ(hidden_character("a\u200f"), "U+200F");
    EXPECT_EQ(hidden_character("a\U000e0041"), "U+E0041");
}

/// XML 1.0 has no control characters but tab, CR and LF, and no U+FFFE.
TEST(Printable, XmlHoldsNoControlCharacters) {
    EXPECT_EQ(for_xml("a\x1b[31m\x07<b>\n"), "a\ufffd[31m\ufffd<b>\n");
    EXPECT_EQ(for_xml("a\xff\ufffe\u6587"), "a\ufffd\ufffd\u6587");
}

} // namespace
} // namespace meshslice
