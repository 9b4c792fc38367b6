#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/breakdown/breakdown_view.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/print.h"

#include <QFile>
#include <QPrinter>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// A4 on its side less its margins is 277 mm wide and 190 mm high: a picture is as wide, and never higher.
TEST(Print, APictureIsAsWideAsThePage) {
    HandMadeSession session(handMadeResults(true));
    BreakdownView breakdown(&session);
    breakdown.follow();
    TimelineView timeline(&session);
    timeline.follow();
    for (const View* view : {static_cast<const View*>(&breakdown), static_cast<const View*>(&timeline)}) {
        const Figure figure = figureForPage(*view, {277, 190});
        EXPECT_EQ(figure.size.width(), qRound(277 / 25.4 * 96));
        EXPECT_LE(figure.size.height(), qRound(190 / 25.4 * 96));
        EXPECT_EQ(figure.theme, Theme::light) << "whatever the window is";
        const Figure strip = figureForPage(*view, {277, 30});
        EXPECT_EQ(strip.size.height(), qRound(30 / 25.4 * 96)) << "no page is left";
    }
}

/// Printed into a file, it is one page with the words of the picture.
TEST(Print, WritesOnePage) {
    HandMadeSession session(handMadeResults(true));
    BreakdownView view(&session);
    view.follow();
    const QTemporaryDir folder;
    QPrinter printer;
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setOutputFileName(folder.filePath(QStringLiteral("page.pdf")));
    const Result<void> printed = print(view, printer);
    ASSERT_TRUE(printed) << printed.error().sentence;
    QFile file(printer.outputFileName());
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll();
    EXPECT_EQ(page.count("/Type /Page\n"), 1);
    EXPECT_GT(page.size(), 4000);
}

/// What is not of the scenario as it is now does not leave the program.
TEST(Print, RefusesAnOldPicture) {
    HandMadeSession session(handMadeResults(true));
    BreakdownView view(&session);
    view.follow();
    session.fail(QStringLiteral("It broke."));
    QPrinter printer;
    const Result<void> printed = print(view, printer);
    ASSERT_FALSE(printed);
    EXPECT_EQ(printed.error().sentence, "It broke.");
}

} // namespace
} // namespace meshslice::ui
