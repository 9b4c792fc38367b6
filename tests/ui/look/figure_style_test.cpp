#include "ui/look/figure_style.h"

#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// Also above a picture that has none of its own; in the window every picture keeps its own.
TEST(FigureStyle, ItsTitleStandsInPlaceOfThePictures) {
    const QString own = QStringLiteral("All links wait");
    {
        const FigureStyle style(QStringLiteral("Figure 3"), {});
        EXPECT_EQ(pictureTitle(own), QStringLiteral("Figure 3"));
        EXPECT_EQ(pictureTitle({}), QStringLiteral("Figure 3"));
        EXPECT_EQ(style.ownTitle(), own);
        EXPECT_EQ(figureTitle(), QStringLiteral("Figure 3"));
    }
    const FigureStyle style(std::nullopt, {});
    EXPECT_EQ(pictureTitle({}), QString());
    EXPECT_EQ(pictureTitle(own), own);
    EXPECT_EQ(figureTitle(), std::nullopt);
}

} // namespace
} // namespace meshslice::ui
