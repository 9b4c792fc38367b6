// Recordings, read back by a library that is not ours.

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/stepper/stepper_page.h"
#include "ui/recording/gif_writer.h"
#include "ui/recording/record_dialog.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/shell/pictures/record.h"
#include "ui/torus/torus_view.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QBuffer>
#include <QComboBox>
#include <QDir>
#include <QImageReader>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <vector>

namespace meshslice::ui {
namespace {

/// The pictures of an animation, and how long each is seen, in milliseconds.
struct Animation {
    std::vector<QImage> pictures;
    std::vector<int> delays;
};
Animation readBack(QIODevice* file) {
    QImageReader reader(file, "gif");
    Animation read;
    while (reader.canRead()) {
        const QImage picture = reader.read();
        if (picture.isNull()) {
            break;
        }
        read.pictures.push_back(picture.convertToFormat(QImage::Format_RGB32));
        read.delays.push_back(reader.nextImageDelay());
    }
    return read;
}

QImage filled(const QSize& size, QRgb color) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(color);
    return image;
}

/// Three pictures of a blue square that moves: colours, places and times come back as they were.
TEST(GifWriterTest, WritesWhatIsReadBack) {
    const QSize size(40, 30);
    constexpr QRgb paper = qRgb(255, 255, 255);
    constexpr QRgb blue = qRgb(0, 0x72, 0xB2);
    GifWriter writer(size);
    for (int k = 0; k < 3; ++k) {
        QImage picture = filled(size, paper);
        for (int y = 0; y < 10; ++y) {
            for (int x = 0; x < 10; ++x) {
                picture.setPixel(10 * k + x, 5 + y, blue);
            }
        }
        ASSERT_TRUE(writer.add(picture, 25));
    }
    QByteArray bytes = writer.finish().value();
    QBuffer file(&bytes);
    file.open(QIODevice::ReadOnly);
    const Animation read = readBack(&file);
    ASSERT_EQ(read.pictures.size(), 3u);
    for (int k = 0; k < 3; ++k) {
        const QImage& picture = read.pictures[static_cast<std::size_t>(k)];
        EXPECT_EQ(picture.size(), size);
        EXPECT_EQ(picture.pixel(10 * k + 5, 10), blue) << k;
        EXPECT_EQ(picture.pixel(10 * ((k + 2) % 3) + 5, 10), paper) << "gone from where it was: " << k;
        EXPECT_EQ(read.delays[static_cast<std::size_t>(k)], 250);
    }
    EXPECT_TRUE(bytes.contains("NETSCAPE2.0")) << "repeated";
}

/// The role's colour stays the role's however many others there are.
TEST(GifWriterTest, KeepsTheColorsThatAreUsedMost) {
    QImage picture = filled({64, 64}, qRgb(0xE6, 0x9F, 0));
    for (int k = 0; k < 64 * 32; ++k) { // half of it in 2048 different ones
        picture.setPixel(k % 64, k / 64, qRgb(k % 256, (k * 7) % 256, k / 8));
    }
    const QImage in_colors = inItsColors(picture).convertToFormat(QImage::Format_RGB32);
    EXPECT_EQ(in_colors.pixel(5, 60), qRgb(0xE6, 0x9F, 0));
}

TEST(GifWriterTest, FindsWhatHasChanged) {
    const QImage before = filled({20, 10}, qRgb(1, 2, 3));
    QImage now = before;
    EXPECT_TRUE(changedPart(before, now).isEmpty());
    now.setPixel(3, 2, 0);
    now.setPixel(7, 8, 0);
    EXPECT_EQ(changedPart(before, now), QRect(3, 2, 5, 7));
    EXPECT_EQ(changedPart(QImage(), now), now.rect());
}

TEST(RecorderTest, NumbersPictures) {
    EXPECT_EQ(numberedPath(QStringLiteral("/a/torus.png"), 6, 80), QStringLiteral("/a/torus-007.png"));
    EXPECT_EQ(numberedPath(QStringLiteral("/a/torus.v2.png"), 999, 1500),
              QStringLiteral("/a/torus.v2-1000.png"));
}

class RecordTest : public ::testing::Test {
  protected:
    RecordTest() {
        (void)window.document()->edit(smallScenario(), "mesh");
        window.resize(1280, 800);
        window.show();
        EXPECT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    }
    static bool recorded(RecordDialog* dialog) {
        return QTest::qWaitFor([=] { return dialog->recorder() == nullptr; }, patience_ms);
    }
    template <class Kind>
    Kind* view() {
        for (View* one : window.views()) {
            if (auto* found = qobject_cast<Kind*>(one)) {
                return found;
            }
        }
        return nullptr;
    }

    const OwnSettings settings{QStringLiteral("record")};
    const QTemporaryDir folder;
    MainWindow window{Memory::forget};
};

/// Two seconds of four pictures each, of 960 x 540; the clock of the window stands where it stood.
TEST_F(RecordTest, RecordsTheTorus) {
    auto* const torus = view<TorusView>();
    torus->showMoment(Time(1'000'000));
    RecordDialog* const dialog = openRecordDialog(&window);
    EXPECT_EQ(dialog->what()->currentText(), QStringLiteral("Torus"));
    dialog->size()->setCurrentIndex(0);
    dialog->seconds()->setValue(2);
    dialog->rate()->setValue(4);
    EXPECT_TRUE(dialog->note()->text().startsWith(QStringLiteral("8 pictures")));
    const QString path = folder.filePath(QStringLiteral("torus.gif"));
    dialog->record(path);
    ASSERT_NE(dialog->recorder(), nullptr);
    EXPECT_TRUE(dialog->progressBar()->isVisible());
    EXPECT_FALSE(dialog->saveButton()->isEnabled());
    ASSERT_TRUE(recorded(dialog));
    EXPECT_TRUE(dialog->note()->text().contains(QStringLiteral("torus.gif")))
        << dialog->note()->text().toStdString();
    EXPECT_EQ(torus->shownMoment(), Time(1'000'000));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const Animation read = readBack(&file);
    ASSERT_EQ(read.pictures.size(), 8u);
    int total = 0;
    for (const int delay : read.delays) {
        total += delay;
    }
    EXPECT_EQ(total, 2000);
    EXPECT_EQ(read.pictures.front().size(), QSize(960, 540));
    int different = 0;
    for (std::size_t k = 1; k < read.pictures.size(); ++k) {
        different += read.pictures[k] == read.pictures[k - 1] ? 0 : 1;
    }
    EXPECT_GE(different, 6) << "something moves";
    dialog->close();
}

/// The stepper as files: one for each of its steps.
TEST_F(RecordTest, RecordsTheStepperAsPictures) {
    auto* const lab = view<LabView>();
    lab->turnTo(1);
    window.pictures()->show(lab);
    ASSERT_TRUE(QTest::qWaitFor([&] { return lab->stepper()->canvas()->isReady(); }, patience_ms));
    RecordDialog* const dialog = openRecordDialog(&window);
    EXPECT_EQ(dialog->what()->currentText(), QStringLiteral("Stepper")) << "that is in front";
    EXPECT_FALSE(dialog->rate()->isEnabled());
    dialog->format()->setCurrentIndex(1);
    dialog->colors()->setCurrentIndex(1);
    dialog->record(folder.filePath(QStringLiteral("steps.png")));
    ASSERT_TRUE(recorded(dialog));
    const QStringList files = QDir(folder.path()).entryList({QStringLiteral("steps-*.png")});
    ASSERT_EQ(files.size(), static_cast<qsizetype>(lab->stepper()->canvas()->lastMoment()) + 1);
    EXPECT_EQ(files.front(), QStringLiteral("steps-001.png"));
    const QImage first(folder.filePath(files.front()));
    EXPECT_EQ(first.size(), QSize(1280, 720));
    EXPECT_LT(qGray(first.pixel(1, 1)), 80) << "dark";
    EXPECT_NE(QImage(folder.filePath(files.back())), first);
    EXPECT_EQ(lab->stepper()->canvas()->moment(), 0u);
    dialog->close();
}

/// Given up in the middle: no file, and the window as it was.
TEST_F(RecordTest, IsGivenUp) {
    RecordDialog* const dialog = openRecordDialog(&window);
    const Time before = view<TorusView>()->shownMoment();
    const QString path = folder.filePath(QStringLiteral("never.gif"));
    dialog->record(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return dialog->recorder()->progress() > 0; }, patience_ms));
    QTest::mouseClick(dialog->cancelButton(), Qt::LeftButton);
    EXPECT_EQ(dialog->recorder(), nullptr);
    EXPECT_TRUE(dialog->saveButton()->isEnabled());
    EXPECT_FALSE(QFile::exists(path));
    EXPECT_EQ(view<TorusView>()->shownMoment(), before);
    QTest::mouseClick(dialog->cancelButton(), Qt::LeftButton);
    EXPECT_FALSE(dialog->isVisible()) << "then it closes";
}

} // namespace
} // namespace meshslice::ui
