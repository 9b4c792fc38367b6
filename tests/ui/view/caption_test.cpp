#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/breakdown/breakdown_view.h"
#include "ui/session/subject.h"
#include "ui/view/picture_file.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class CaptionTest : public ::testing::Test {
  protected:
    CaptionTest() { view.follow(); }

    QString written(const QSize& size) {
        const QString path = folder.filePath(QStringLiteral("breakdown.svg"));
        EXPECT_TRUE(savePicture(view, path, size, Theme::light));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return QString::fromUtf8(file.readAll());
    }

    QTemporaryDir folder;
    HandMadeSession session{handMadeResults(true)};
    BreakdownView view{&session};
};

/// A figure without its window still says what it is of: model, batch, type, chips, algorithms, version.
TEST_F(CaptionTest, EveryFileNamesItsScenario) {
    const QString caption = view.caption();
    EXPECT_TRUE(caption.startsWith(subject(session.state().scenario))) << caption.toStdString();
    EXPECT_TRUE(caption.contains(QStringLiteral("MeshSlice on 2x2 and Collective on 2x2")))
        << caption.toStdString();
    EXPECT_TRUE(caption.endsWith(QStringLiteral("MeshSlice Explorer " MESHSLICE_VERSION)));
    EXPECT_TRUE(written({1600, 1000}).contains(caption.toHtmlEscaped()));
}

/// In a column of a paper the line takes several lines, to its last word.
TEST_F(CaptionTest, IsWholeInANarrowFigure) {
    const QString svg = written({320, 900});
    QString read;
    static const QRegularExpression text(QStringLiteral("<text[^>]*>([^<]*)</text>"));
    for (const QRegularExpressionMatch& match : text.globalMatch(svg)) {
        read += match.captured(1).trimmed() + QLatin1Char(' ');
    }
    EXPECT_TRUE(read.contains(view.caption().toHtmlEscaped())) << read.toStdString();
}

TEST_F(CaptionTest, AThumbnailAndASentenceHaveNone) {
    EXPECT_FALSE(written({160, 100}).contains(QStringLiteral("MeshSlice Explorer " MESHSLICE_VERSION)));
    session.fail(QStringLiteral("The mesh 7x13 does not fit."));
    EXPECT_TRUE(view.caption().isEmpty());
}

} // namespace
} // namespace meshslice::ui
