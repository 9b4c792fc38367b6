// What users of a trial were asked to do with files, in the real window. Where a file goes is not asked of
// the desktop's dialog for files, whose list of completions takes the keys of a test.

#include "core/scenario/file/project.h"
#include "tests/ui/support/trial_window.h"
#include "ui/commands/dialogs/figure_dialog.h"
#include "ui/commands/export_commands.h"
#include "ui/commands/file_commands.h"

#include <QDoubleSpinBox>
#include <QFile>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <cmath>
#include <map>

namespace meshslice::ui {
namespace {

/// "A project with four variants", saved, and opened again.
TEST_F(TrialTasksTest, FourVariantsAreSavedAndOpened) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("four.meshslice.json"));
    type("Mesh rows", "4x4");
    QFile first(path);
    ASSERT_TRUE(first.open(QIODevice::WriteOnly));
    first.write(QByteArray::fromStdString(write_project(window.document()->project())));
    first.close();
    ASSERT_TRUE(window.files()->openPath(path));
    settle();
    const int before = actions;
    for (const char* batch : {"8", "16", "32"}) {
        press(Qt::Key_D, Qt::ControlModifier, &window);
        settle();
        type("Batch", batch);
    }
    press(Qt::Key_S, Qt::ControlModifier, &window);
    EXPECT_LE(actions - before, 10);
    EXPECT_FALSE(window.isWindowModified());
    const Project saved = window.document()->project();
    ASSERT_EQ(saved.variants.size(), 4u);
    press(Qt::Key_N, Qt::ControlModifier, &window);
    settle();
    EXPECT_EQ(window.document()->project().variants.size(), 1u);
    ASSERT_TRUE(window.files()->openPath(path));
    settle();
    EXPECT_EQ(window.document()->project(), saved);
}

/// Sizes of letters that an SVG draws, in points on paper, and how often: what its transforms make of them.
std::map<double, int> lettersOnPaper(const QString& svg, double millimetres_per_unit) {
    static const QRegularExpression group(QStringLiteral(
        "<g [^>]*transform=\"matrix\\(([^,]*),([^,]*),[^>]*font-size=\"([0-9.]+)\"[^>]*>\\s*<text "));
    std::map<double, int> sizes;
    for (auto found = group.globalMatch(svg); found.hasNext();) {
        const QRegularExpressionMatch one = found.next();
        const double scale = std::hypot(one.captured(1).toDouble(), one.captured(2).toDouble());
        const double points = one.captured(3).toDouble() * scale * millimetres_per_unit / 25.4 * 72;
        ++sizes[std::round(points * 100) / 100];
    }
    return sizes;
}

/// "One figure for a paper: 85 mm wide, with letters of 8 points", set in the dialog of figures, as a drawing
/// and as a page. The labels, 11 of a title's 15, have 8 points on paper and nothing but the caption less.
TEST_F(TrialTasksTest, AFigureOf85MillimetresWith8Points) {
    const QTemporaryDir folder;
    press(Qt::Key_4, Qt::ControlModifier, &window);
    for (const char* name : {"roofline.svg", "roofline.pdf"}) {
        const int before = actions;
        press(Qt::Key_E, Qt::ControlModifier, &window);
        QPointer<FigureDialog> dialog = window.exports()->dialog();
        ASSERT_TRUE(dialog);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
        choose(dialog->purposes(), QStringLiteral("One column of a paper"));
        EXPECT_EQ(dialog->widthField()->value(), 85.0);
        QTest::mouseDClick(dialog->lettersField()->findChild<QLineEdit*>(), Qt::LeftButton);
        dialog->lettersField()->selectAll();
        QTest::keyClicks(dialog->lettersField(), QStringLiteral("8"));
        QTest::keyClick(dialog->lettersField(), Qt::Key_Return);
        actions += 2;
        EXPECT_EQ(dialog->figure().points, 8.0);
        const QString path = folder.filePath(QLatin1String(name));
        window.exports()->exportTo(view<View>("roofline"), path, dialog->figure());
        dialog->close();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window.exports()->isBusy(); }, patience_ms));
        EXPECT_LE(actions - before, 5);
        EXPECT_TRUE(QFile::exists(path)) << name;
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QApplication::setActiveWindow(&window);
    }
    QFile drawing(folder.filePath(QStringLiteral("roofline.svg")));
    ASSERT_TRUE(drawing.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(drawing.readAll());
    static const QRegularExpression sizes(
        QStringLiteral("<svg width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\"\\s+viewBox=\"0 0 ([0-9.]+) "));
    const QRegularExpressionMatch size = sizes.match(svg);
    ASSERT_TRUE(size.hasMatch()) << svg.left(200).toStdString();
    EXPECT_EQ(size.captured(1).toDouble(), 85.0);
    const double unit = size.captured(1).toDouble() / size.captured(3).toDouble();
    const std::map<double, int> letters = lettersOnPaper(svg, unit);
    int usual = 0;
    int all = 0;
    for (const auto& [points, count] : letters) {
        all += count;
        usual += std::abs(points - 8.0) < 0.1 ? count : 0;
        EXPECT_GE(points, 7.2) << count << " words"; // 10 of 11 pixels
    }
    EXPECT_GE(all, 10);
    EXPECT_GT(usual, all / 3);
    QFile page(folder.filePath(QStringLiteral("roofline.pdf")));
    ASSERT_TRUE(page.open(QIODevice::ReadOnly));
    static const QRegularExpression box(QStringLiteral("/MediaBox \\[ *0 +0 +([0-9.]+) +([0-9.]+)"));
    const QRegularExpressionMatch media = box.match(QString::fromLatin1(page.readAll()));
    ASSERT_TRUE(media.hasMatch());
    EXPECT_NEAR(media.captured(1).toDouble() / 72 * 25.4, 85.0, 0.4);
    EXPECT_NEAR(media.captured(2).toDouble() / 72 * 25.4, size.captured(2).toDouble(), 0.4);
}

} // namespace
} // namespace meshslice::ui
