#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/dialogs/figure_dialog.h"
#include "ui/commands/export_commands.h"
#include "ui/document/document.h"
#include "ui/look/figure_style.h"
#include "ui/look/picture_scale.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/view/picture_area.h"
#include "ui/view/picture_file.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class FigureDialogTest : public ::testing::Test {
  protected:
    FigureDialogTest() {
        window.document()->restore(project_of(smallScenario()), {});
        window.resize(1280, 800);
        window.show();
        EXPECT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
        window.pictures()->show(window.views().front());
        window.exports()->exportCurrent();
        dialog = window.exports()->dialog();
    }
    MainWindow window{Memory::forget};
    FigureDialog* dialog = nullptr;
};

TEST_F(FigureDialogTest, AColumnOfAPaperIs85Millimetres) {
    ASSERT_NE(dialog, nullptr);
    dialog->purposes()->setCurrentIndex(0);
    emit dialog->purposes()->activated(0);
    const Figure figure = dialog->figure();
    EXPECT_EQ(figure.size.width(), qRound(85 / 25.4 * 96));
    EXPECT_EQ(figure.points, 8.0);
    EXPECT_TRUE(figure.as_high_as_needed);
    EXPECT_TRUE(figure.printed);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("figure.png"));
    window.exports()->exportTo(window.views().front(), path, figure);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.exports()->isBusy(); }, patience_ms));
    const QImage image(path);
    EXPECT_NEAR(image.width(), 85 / 25.4 * 300, 4) << "300 dots per inch";
    EXPECT_NEAR(image.dotsPerMeterX() * 0.085, image.width(), 10);
}

TEST_F(FigureDialogTest, AnotherUnitKeepsTheSize) {
    const QSize before = dialog->figure().size;
    EXPECT_EQ(dialog->widthField()->value(), 160) << "of a report";
    dialog->units()->setCurrentIndex(0);
    EXPECT_NEAR(dialog->widthField()->value(), 160 * 96 / 25.4, 0.5);
    EXPECT_NEAR(dialog->figure().size.width(), before.width(), 1);
    dialog->units()->setCurrentIndex(1);
    EXPECT_NEAR(dialog->figure().size.height(), before.height(), 1);
}

TEST_F(FigureDialogTest, LettersAndCaptionChangeThePictureAndNotTheWindow) {
    const auto shown = [&] { return dialog->preview()->pixmap().toImage(); };
    const QImage first = shown();
    ASSERT_FALSE(first.isNull());
    dialog->lettersField()->setValue(16);
    const QImage large = shown();
    EXPECT_NE(large, first);
    EXPECT_EQ(pictureScale(), 1.0);
    dialog->captionField()->clear();
    QTest::keyClicks(dialog->captionField(), QStringLiteral("Figure 3"));
    EXPECT_NE(shown(), large);
    EXPECT_EQ(dialog->figure().caption, QStringLiteral("Figure 3"));
    dialog->captioned()->setChecked(false);
    EXPECT_EQ(dialog->figure().caption, QString());
    EXPECT_FALSE(dialog->captionField()->isEnabled());
}

/// The scenario may change while the dialog is open; the line below the figure is of what is drawn.
TEST_F(FigureDialogTest, TheCaptionFollowsTheScenario) {
    EXPECT_TRUE(dialog->captionField()->text().contains(QStringLiteral("MeshSlice on")));
    const QString before = dialog->captionField()->text();
    window.session()->edit([](Scenario& scenario) { scenario.batch *= 2; }, "batch");
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return window.session()->current() != nullptr && dialog->captionField()->text() != before; },
        patience_ms));
    EXPECT_FALSE(dialog->figure().caption.has_value()) << "the view's own";
}

TEST_F(FigureDialogTest, RemembersWhatItWasFor) {
    emit dialog->purposes()->activated(2);
    FigureDialog again(window.views().front(), dialog->figure(), &window);
    EXPECT_EQ(again.purposes()->currentIndex(), 2);
    again.lettersField()->setValue(11);
    EXPECT_EQ(again.purposes()->currentText(), QStringLiteral("Something else"));
}

/// Words that are cut are said, and only those: on the usual pages there are none, in 40 x 30 mm there are.
TEST_F(FigureDialogTest, SaysExactlyWhenWordsAreCut) {
    for (int page = 0; page < static_cast<int>(usual_pages.size()); ++page) {
        emit dialog->purposes()->activated(page);
        FigureFacts facts;
        (void)figureImage(*window.views().front(), dialog->figure(), &facts);
        EXPECT_EQ(dialog->note()->text().contains(QStringLiteral("cut")), facts.cut > 0) << page;
    }
    dialog->asHighAsNeeded()->setChecked(false);
    dialog->widthField()->setValue(40);
    dialog->heightField()->setValue(30);
    dialog->lettersField()->setValue(14);
    EXPECT_TRUE(dialog->note()->text().contains(QStringLiteral("Too small for letters of 14 pt")))
        << dialog->note()->text().toStdString();
}

/// What was chosen stays for the next time, also where nothing was written: Escape forgets nothing.
TEST_F(FigureDialogTest, EscapeKeepsTheSettings) {
    emit dialog->purposes()->activated(0);
    dialog->noted()->setChecked(false);
    dialog->lettersField()->setValue(7);
    QTest::keyClick(dialog, Qt::Key_Escape);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.exports()->dialog() == nullptr; }, patience_ms));
    window.exports()->exportCurrent();
    dialog = window.exports()->dialog();
    EXPECT_EQ(dialog->widthField()->value(), 85);
    EXPECT_EQ(dialog->lettersField()->value(), 7);
    EXPECT_TRUE(dialog->asHighAsNeeded()->isChecked());
    EXPECT_FALSE(dialog->noted()->isChecked());
}

/// The height is written into its field, which is not the user's to fill then.
TEST_F(FigureDialogTest, TheHeightFollowsTheWidthUnlessItIsTyped) {
    emit dialog->purposes()->activated(0);
    EXPECT_FALSE(dialog->heightField()->isEnabled());
    const double high = dialog->heightField()->value();
    EXPECT_GT(high, 30);
    dialog->lettersField()->setValue(12);
    EXPECT_GT(dialog->heightField()->value(), high);
    dialog->asHighAsNeeded()->setChecked(false);
    EXPECT_TRUE(dialog->heightField()->isEnabled());
    dialog->heightField()->setValue(60);
    EXPECT_EQ(dialog->figure().millimetres, QSizeF(85, 60));
}

/// The finding stands in the field; other words are drawn instead, none leave no title and its room to the
/// picture. What the user has typed stays when the scenario changes.
TEST_F(FigureDialogTest, TheTitleCanBeAnother) {
    const auto shown = [&] { return dialog->preview()->pixmap().toImage(); };
    EXPECT_FALSE(dialog->titleField()->text().isEmpty());
    EXPECT_FALSE(dialog->figure().title.has_value()) << "the picture's own";
    const QImage own = shown();
    QTest::mouseClick(dialog->titleField(), Qt::LeftButton);
    dialog->titleField()->selectAll();
    QTest::keyClicks(dialog->titleField(), QStringLiteral("Overlap"));
    EXPECT_EQ(dialog->figure().title, QStringLiteral("Overlap"));
    EXPECT_NE(shown(), own);
    window.session()->edit([](Scenario& scenario) { scenario.batch *= 2; }, "batch");
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    EXPECT_EQ(dialog->titleField()->text(), QStringLiteral("Overlap"));
    dialog->titleField()->selectAll();
    QTest::keyClick(dialog->titleField(), Qt::Key_Delete);
    EXPECT_EQ(dialog->figure().title, QString());
    const QImage without = shown();
    dialog->titled()->setChecked(false);
    EXPECT_EQ(dialog->figure().title, QString());
    EXPECT_FALSE(dialog->titleField()->isEnabled());
    EXPECT_EQ(shown(), without);
}

/// Every picture draws a title of the user's: with two different ones no figure is the same.
TEST_F(FigureDialogTest, EveryViewTakesATitle) {
    for (View* view : window.views()) {
        if (!view->isCurrent() || view->isUnused()) {
            continue;
        }
        Figure figure{{800, 600}, Theme::light, {}, QString()};
        FigureFacts facts;
        const QImage first = figureImage(*view, figure, &facts);
        const QString own = facts.own_title;
        if (own.isEmpty()) {
            continue; // a sentence in place of a picture
        }
        figure.title = QStringLiteral("Overlap");
        const QImage second = figureImage(*view, figure);
        figure.title = QString();
        const QImage third = figureImage(*view, figure);
        EXPECT_NE(first, second) << view->id().toStdString();
        EXPECT_NE(second, third) << view->id().toStdString();
        figure.title = own;
        EXPECT_EQ(figureImage(*view, figure), first) << view->id().toStdString();
    }
}

/// The drawing names the family, and one of its kind for where it is missing.
TEST_F(FigureDialogTest, TheFontCanBeAnother) {
    const QComboBox* families = dialog->families();
    EXPECT_TRUE(dialog->figure().family.isEmpty()) << "the window's";
    if (families->count() < 2) {
        GTEST_SKIP() << "There is no font installed to choose.";
    }
    dialog->families()->setCurrentIndex(1);
    const QString family = families->itemText(1);
    EXPECT_EQ(dialog->figure().family, family);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("figure.svg"));
    window.exports()->exportTo(window.views().front(), path, dialog->figure());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.exports()->isBusy(); }, patience_ms));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(file.readAll());
    EXPECT_TRUE(svg.contains(QStringLiteral("font-family=\"%1, ").arg(family)));
    EXPECT_EQ(svg.count(QStringLiteral("font-family=")),
              svg.count(QStringLiteral("font-family=\"%1, ").arg(family)))
        << "all of them";
    FigureDialog again(window.views().front(), dialog->figure(), &window);
    EXPECT_EQ(again.families()->currentText(), family);
    EXPECT_EQ(pictureFamily(), QString()) << "the window keeps its own";
}

TEST_F(FigureDialogTest, CopiesPictureAndTable) {
    dialog->copyPicture();
    EXPECT_FALSE(QGuiApplication::clipboard()->image().isNull());
    dialog->copyTable();
    EXPECT_TRUE(QTest::qWaitFor(
        [] {
            return QGuiApplication::clipboard()->text().startsWith(QStringLiteral("algorithm\tlayer\tpass"));
        },
        patience_ms))
        << QGuiApplication::clipboard()->text().left(80).toStdString();
}

/// Whatever a figure's size is, nothing crashes and no picture is empty.
TEST_F(FigureDialogTest, EveryViewHasAFigureOfAColumn) {
    const Figure figure{{321, 227}, Theme::light, 8.0, {}, 300, true};
    for (View* view : window.views()) {
        const QImage image = figureImage(*view, figure);
        EXPECT_NEAR(image.width(), 321 * 300 / 96.0, 2) << view->id().toStdString();
    }
}

/// Enter takes over the number that is typed, and nothing is saved.
TEST_F(FigureDialogTest, EnterInASizeTakesItOver) {
    int saved = 0;
    QObject::connect(dialog, &FigureDialog::saveAsked, dialog, [&] { ++saved; });
    dialog->disconnect(window.exports()); // whose file dialog would wait for somebody
    dialog->asHighAsNeeded()->setChecked(false);
    for (QDoubleSpinBox* field : {dialog->widthField(), dialog->heightField(), dialog->lettersField()}) {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("30"));
        QTest::keyClick(field, Qt::Key_Return);
        EXPECT_EQ(field->value(), 30.0);
    }
    EXPECT_EQ(saved, 0);
    EXPECT_TRUE(dialog->isVisible());
}

/// 0 mm is not a size: a sentence says so, and nothing can be saved until there is one.
TEST_F(FigureDialogTest, RefusesASizeThatIsNone) {
    dialog->asHighAsNeeded()->setChecked(false);
    const auto type = [&](QDoubleSpinBox* field, const char* number) {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(number));
        QTest::keyClick(field, Qt::Key_Return);
    };
    EXPECT_TRUE(dialog->refusal()->isHidden());
    type(dialog->widthField(), "0");
    EXPECT_EQ(dialog->widthField()->value(), 0.0);
    EXPECT_EQ(dialog->refusal()->text(), QStringLiteral("The width must be at least 10 mm."));
    EXPECT_TRUE(dialog->refusal()->isVisible());
    EXPECT_FALSE(dialog->saveButton()->isEnabled());
    type(dialog->widthField(), "85");
    EXPECT_TRUE(dialog->refusal()->isHidden());
    EXPECT_TRUE(dialog->saveButton()->isEnabled());
    type(dialog->heightField(), "5");
    EXPECT_EQ(dialog->refusal()->text(), QStringLiteral("The height must be at least 10 mm."));
    type(dialog->heightField(), "60");
    type(dialog->lettersField(), "3");
    EXPECT_EQ(dialog->refusal()->text(), QStringLiteral("The letters must be at least 4 pt."));
}

/// 85 mm are 321.26 pixels; a drawing has the millimetres.
TEST_F(FigureDialogTest, ADrawingIsAsWideAsItWasAsked) {
    emit dialog->purposes()->activated(0);
    dialog->asHighAsNeeded()->setChecked(false);
    dialog->heightField()->setValue(110);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("figure.svg"));
    window.exports()->exportTo(window.views().front(), path, dialog->figure());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.exports()->isBusy(); }, patience_ms));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("<svg width=\"85mm\" height=\"110mm\""));
}

/// In a column of a paper a title of a whole sentence goes over several lines, whichever the view; none of it
/// is cut, and none of it stands in the picture once more.
TEST_F(FigureDialogTest, ALongTitleIsWholeIn85Millimetres) {
    emit dialog->purposes()->activated(0);
    Figure figure = dialog->figure();
    figure.title = QStringLiteral("Slicing hides more of the communication than it costs in synchronization, "
                                  "until slices are so small that each waits for the one before it");
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->reasons() != nullptr; }, patience_ms));
    const QTemporaryDir folder;
    static const QRegularExpression texts(QStringLiteral("<text[^>]*>([^<]*)</text>"));
    for (View* view : window.views()) {
        if (!view->isCurrent()) {
            continue; // it would have to be computed first
        }
        const QString path = folder.filePath(QStringLiteral("figure.svg"));
        ASSERT_TRUE(savePicture(*view, path, figure)) << view->title().toStdString();
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        QString shown;
        for (auto found = texts.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();) {
            shown += found.next().captured(1).trimmed() + QLatin1Char(' ');
        }
        EXPECT_EQ(shown.count(*figure.title), 1)
            << view->title().toStdString() << ": " << shown.left(400).toStdString();
    }
}

/// The preview takes the room that the dialog gives it.
TEST_F(FigureDialogTest, ThePreviewGrowsWithTheDialog) {
    QCoreApplication::processEvents();
    const int before = dialog->preview()->pixmap(Qt::ReturnByValue).width();
    EXPECT_GT(before, 400);
    dialog->resize(dialog->size() + QSize(300, 300));
    QCoreApplication::processEvents();
    EXPECT_GT(dialog->preview()->pixmap(Qt::ReturnByValue).width(), before);
}

/// In the smallest window with the largest letters it scrolls, and its buttons are in sight.
TEST_F(FigureDialogTest, FitsInASmallWindowWithLargeLetters) {
    dialog->close();
    window.resize(960, 600);
    for (const double factor : {1.0, 2.0}) {
        const QFont usual = QApplication::font();
        QFont large = usual;
        large.setPointSizeF(usual.pointSizeF() * factor);
        QApplication::setFont(large);
        Figure figure;
        figure.size = {800, 500};
        FigureDialog small(window.views().front(), figure, &window);
        small.show();
        QCoreApplication::processEvents();
        EXPECT_LE(small.width(), 960) << factor;
        EXPECT_LE(small.height(), 600) << factor;
        const QPoint corner = small.saveButton()->mapTo(&small, small.saveButton()->rect().bottomRight());
        EXPECT_TRUE(small.rect().contains(corner)) << factor;
        QApplication::setFont(usual);
    }
}

} // namespace
} // namespace meshslice::ui
