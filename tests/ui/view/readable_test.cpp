// Painted views as a screen reader meets them: through QAccessible alone.

#include "core/report/words/headline.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/charts/heat/heat_canvas.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/view/painted_view.h"
#include "ui/view/picture_area.h"

#include <QAccessible>
#include <QApplication>
#include <QImage>
#include <QTest>
#include <gmock/gmock.h>

#include <memory>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

/// What a reader finds below a widget that is not a widget itself.
std::vector<QAccessibleInterface*> partsOf(QAccessibleInterface* picture) {
    std::vector<QAccessibleInterface*> parts;
    for (int k = 0; k < picture->childCount(); ++k) {
        QAccessibleInterface* child = picture->child(k);
        EXPECT_NE(child, nullptr) << k;
        if (child != nullptr && child->object() == nullptr) {
            parts.push_back(child);
        }
    }
    return parts;
}

class ReadableTest : public ::testing::Test {
  protected:
    ReadableTest() {
        window.document()->restore(project_of(smallScenario()), {});
        window.resize(1280, 800);
        window.show();
        QApplication::setActiveWindow(&window);
        EXPECT_TRUE(QTest::qWaitFor(
            [this] { return window.session()->current() && !window.session()->isExplaining(); },
            patience_ms));
    }
    View* show(const char* id) {
        for (View* view : window.views()) {
            if (view->id() == QLatin1String(id)) {
                window.pictures()->show(view);
                EXPECT_TRUE(QTest::qWaitFor([&] { return view->sentence().isEmpty(); }, patience_ms));
                return view;
            }
        }
        return nullptr;
    }
    static std::string text(QAccessibleInterface* of, QAccessible::Text which) {
        return of->text(which).toStdString();
    }

    MainWindow window{Memory::forget};
};

/// A role, a name, what it says, and parts with names that lie within it.
TEST_F(ReadableTest, EveryPaintedViewIsReadWithItsParts) {
    int painted = 0;
    for (const View* one : window.views()) {
        if (qobject_cast<const PaintedView*>(one) == nullptr) {
            continue;
        }
        ++painted;
        View* view = show(one->id().toLatin1().constData());
        ASSERT_NE(view, nullptr);
        QApplication::processEvents();
        QAccessibleInterface* read = QAccessible::queryAccessibleInterface(view);
        ASSERT_NE(read, nullptr);
        EXPECT_EQ(read->role(), QAccessible::Chart) << view->id().toStdString();
        EXPECT_FALSE(read->text(QAccessible::Name).isEmpty()) << view->id().toStdString();
        EXPECT_GT(read->text(QAccessible::Description).size(), 20) << view->id().toStdString();
        const auto parts = partsOf(read);
        EXPECT_GE(parts.size(), 3U) << view->id().toStdString();
        for (QAccessibleInterface* part : parts) {
            EXPECT_FALSE(part->text(QAccessible::Name).isEmpty()) << view->id().toStdString();
            EXPECT_EQ(part->parent(), read);
            EXPECT_TRUE(part->state().offscreen ||
                        read->rect().adjusted(-2, -2, 2, 2).contains(part->rect().center()))
                << view->id().toStdString() << ": " << text(part, QAccessible::Name);
        }
    }
    EXPECT_GE(painted, 5);
}

TEST_F(ReadableTest, TheTimelineSaysItsHeadlineAndWhatIsSelected) {
    View* timeline = show("timeline");
    QAccessibleInterface* read = QAccessible::queryAccessibleInterface(timeline);
    const std::string line = words(headline(window.session()->current()->steps[0])).toStdString();
    EXPECT_THAT(text(read, QAccessible::Description), HasSubstr(line));
    const auto rows = partsOf(read);
    ASSERT_FALSE(rows.empty());
    EXPECT_THAT(text(rows[0], QAccessible::Name), HasSubstr("chip 0,0"));
    EXPECT_THAT(text(rows[0], QAccessible::Description), HasSubstr("busy for "));
    EXPECT_FALSE(rows[0]->state().selected);
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Period); // the first bar of a row
    ASSERT_TRUE(window.session()->selection()->selected());
    EXPECT_THAT(text(read, QAccessible::Description),
                HasSubstr(timeline->accessibleDescription().toStdString()));
    int selected = 0;
    for (QAccessibleInterface* row : partsOf(read)) {
        selected += row->state().selected ? 1 : 0;
    }
    EXPECT_EQ(selected, 1);
}

/// A reader that keeps a part learns that it is not there any more.
TEST_F(ReadableTest, PartsGoWithThePicture) {
    View* timeline = show("timeline");
    QAccessibleInterface* read = QAccessible::queryAccessibleInterface(timeline);
    const auto rows = partsOf(read);
    ASSERT_FALSE(rows.empty());
    Scenario next = smallScenario();
    next.mesh = {7, 3};
    ASSERT_TRUE(window.document()->edit(next, "mesh"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.session()->isComputing(); }, patience_ms));
    EXPECT_EQ(read->text(QAccessible::Description), timeline->sentence());
    EXPECT_TRUE(partsOf(read).empty());
    EXPECT_FALSE(rows[0]->isValid());
    EXPECT_TRUE(rows[0]->text(QAccessible::Name).isEmpty());
}

TEST_F(ReadableTest, CellsOfAHeatMapAreRead) {
    HeatCanvas canvas;
    canvas.resize(600, 400);
    HeatMap map;
    map.title = "Best at 2";
    map.x = "batch";
    map.y = "links";
    map.measure = "FLOP utilization";
    map.columns = {"1", "2"};
    map.rows = {"x 1"};
    map.cells.resize(2);
    for (int k = 0; k < 2; ++k) {
        map.cells[static_cast<std::size_t>(k)].done = true;
        map.cells[static_cast<std::size_t>(k)].value = 0.25 * (k + 1);
        map.cells[static_cast<std::size_t>(k)].item = k;
    }
    map.best = 1;
    canvas.show(map, {});
    QAccessibleInterface* read = QAccessible::queryAccessibleInterface(&canvas);
    EXPECT_EQ(text(read, QAccessible::Description), "Best at 2");
    const auto cells = partsOf(read);
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_TRUE(cells[1]->state().selected) << "the best, where the keyboard begins";
    EXPECT_FALSE(cells[0]->state().selected);
    EXPECT_THAT(text(cells[0], QAccessible::Name) + text(cells[0], QAccessible::Description),
                HasSubstr("25.0%"));
    EXPECT_EQ(read->indexOfChild(cells[1]), 1);
}

/// Who goes through the window with Tab sees where the keyboard is.
TEST_F(ReadableTest, ThePictureWithTheKeyboardIsFramed) {
    for (const char* id : {"timeline", "torus", "roofline", "lineup"}) {
        View* view = show(id);
        view->setFocus();
        ASSERT_TRUE(view->hasFocus()) << id;
        const QColor frame = view->palette().color(QPalette::Highlight);
        EXPECT_EQ(view->grab().toImage().pixelColor(1, view->height() / 2), frame) << id;
        view->clearFocus();
        EXPECT_NE(view->grab().toImage().pixelColor(1, view->height() / 2), frame) << id;
    }
}

} // namespace
} // namespace meshslice::ui
