#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/controls/table_model.h"
#include "ui/lab/lab_canvas.h"
#include "ui/lab/lab_drag.h"
#include "ui/lab/lab_view.h"
#include "ui/look/picture_scale.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice::ui {
namespace {

class LabViewTest : public ::testing::Test {
  protected:
    LabViewTest() {
        view.resize(1000, 700);
        view.show();
        wait();
    }
    void wait() {
        EXPECT_TRUE(QTest::qWaitFor([&] { return view.isCurrent() || !view.notice()->text().isEmpty(); },
                                    patience_ms));
    }
    /// Types over what stands in a field, letter by letter.
    void type(LabField field, const char* text) {
        auto* line = qobject_cast<QLineEdit*>(view.field(field));
        ASSERT_NE(line, nullptr);
        line->selectAll();
        QTest::keyClicks(line, QLatin1String(text));
        EXPECT_TRUE(QTest::qWaitFor([&] { return !view.isTyping() && !view.job()->isBusy(); }, patience_ms));
    }
    [[nodiscard]] QString cell(int row, int column) {
        return view.plans()->index(row, column).data().toString();
    }

    HandMadeSession session;
    LabView view{&session};
};

/// A[I_X, J_Y] . B[J, K] -> C[I_X, K] on 4 x 2 chips: J is sharded in A alone, the book's case 2.
TEST_F(LabViewTest, BeginsWithCase2) {
    ASSERT_TRUE(view.canvas()->isReady());
    EXPECT_TRUE(view.canvas()->accessibleDescription().contains(QStringLiteral("Case 2: J is summed over")));
    EXPECT_GT(view.plans()->rowCount(), 5);
    QAbstractItemModelTester tester(view.plans(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(cell(0, 0), QStringLiteral("1"));
    EXPECT_TRUE(view.canvas()->readAloud().startsWith(QStringLiteral("Plan 1 of ")));
    // A, B, C and eight chips.
    EXPECT_EQ(view.canvas()->readableParts().size(), 11u);
    EXPECT_EQ(view.sentence(), QString());
}

TEST_F(LabViewTest, PointsAtTheLetterThatIsWrong) {
    type(LabField::right, "B[J_Z, K]");
    EXPECT_FALSE(view.isCurrent());
    EXPECT_EQ(view.plans()->rowCount(), 0);
    EXPECT_TRUE(view.notice()->text().contains(QStringLiteral("B[J_<u><b>Z</b></u>, K]")))
        << view.notice()->text().toStdString();
    EXPECT_TRUE(
        view.canvas()->sentence().startsWith(QStringLiteral("The mesh has no axis Z; it has X and Y.")));
    type(LabField::right, "B[J_Y, K]");
    EXPECT_TRUE(view.canvas()->isReady());
    EXPECT_EQ(view.notice()->text(), QString());
    EXPECT_TRUE(view.canvas()->accessibleDescription().contains(QStringLiteral("Case 3")));
    type(LabField::sizes, "I=6, J=8, K=8");
    EXPECT_TRUE(view.canvas()->sentence().contains(QStringLiteral("use 4 or 8")));
    type(LabField::mesh, "X=1024, Y=2");
    EXPECT_TRUE(view.canvas()->sentence().contains(QStringLiteral("256 chips")));
}

/// Step by step with keys and buttons: at first there is no C, at the end it lies as it was wanted.
TEST_F(LabViewTest, GoesThroughTheSteps) {
    LabCanvas* canvas = view.canvas();
    ASSERT_TRUE(canvas->isReady());
    EXPECT_FALSE(view.back()->isEnabled());
    EXPECT_TRUE(canvas->layoutNow().matrices[2].blocks.empty());
    QTest::keyClick(canvas, Qt::Key_Right);
    EXPECT_EQ(canvas->done(), 1u);
    QTest::mouseClick(view.back(), Qt::LeftButton);
    EXPECT_EQ(canvas->done(), 0u);
    QTest::keyClick(canvas, Qt::Key_End);
    EXPECT_EQ(canvas->done(), canvas->steps());
    EXPECT_FALSE(view.forward()->isEnabled());
    const LabLayout layout = canvas->layoutNow();
    ASSERT_EQ(layout.matrices[2].blocks.size(), 4u); // C[I_X, K]: four blocks of rows ...
    EXPECT_EQ(layout.matrices[2].blocks[1].chips, (std::vector<std::int64_t>{2, 3})); // ... each on two chips
    QTest::keyClick(canvas, Qt::Key_Home);
    QTest::mouseClick(view.forward(), Qt::LeftButton);
    EXPECT_EQ(canvas->done(), 1u);
}

TEST_F(LabViewTest, OutlinesWhatAChipHolds) {
    LabCanvas* canvas = view.canvas();
    ASSERT_TRUE(canvas->isReady());
    const QRectF chip = canvas->layoutNow().chips[5].area;
    QTest::mouseClick(canvas, Qt::LeftButton, {}, fromPicture(chip.toAlignedRect()).center());
    EXPECT_EQ(canvas->chip(), 5);
    // Chip 5 is X 2, Y 1: of 4096 rows the third quarter, of 8192 columns the second half; all of B.
    EXPECT_TRUE(canvas->accessibleDescription().contains(QStringLiteral(
        "chip 5 (X 2, Y 1) has A: I 2048 to 3071, J 4096 to 8191; B: J 0 to 8191, K 0 to 4095")))
        << canvas->accessibleDescription().toStdString();
    // All of B is one block: another click goes to the next chip that holds it.
    const QRectF block = canvas->layoutNow().matrices[1].blocks[0].area;
    QTest::mouseClick(canvas, Qt::LeftButton, {}, fromPicture(block.toAlignedRect()).center());
    EXPECT_EQ(canvas->chip(), 6);
    QTest::keyClick(canvas, Qt::Key_Up);
    EXPECT_EQ(canvas->chip(), 5);
}

TEST_F(LabViewTest, ShowsAnotherPlanAndItsCode) {
    ASSERT_GT(view.plans()->rowCount(), 1);
    view.table()->selectRow(1);
    EXPECT_EQ(view.selected(), 1);
    EXPECT_TRUE(view.canvas()->readAloud().startsWith(QStringLiteral("Plan 2 of ")));
    QTest::mouseClick(view.copy(), Qt::LeftButton);
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(
        QStringLiteral("in_specs=(P('X', 'Y'), P(None, None))")));
    type(LabField::result, "C[I_X, K]{U_Y}");
    EXPECT_EQ(view.selected(), 0);
    EXPECT_FALSE(view.copy()->isEnabled()); // shard_map has no partial sums
}

/// The plan that is selected is simulated, and the timeline and the torus below are of its program: the
/// picture says how long it takes, and another plan has another run.
TEST_F(LabViewTest, SimulatesTheSelectedPlan) {
    ASSERT_NE(view.run(), nullptr);
    EXPECT_GT(view.run()->seconds(), 0);
    EXPECT_TRUE(view.canvas()->shown().simulated.startsWith(QStringLiteral("Simulated: ")));
    view.tabs()->setCurrentIndex(1);
    EXPECT_EQ(view.timeline()->sentence(), QString());
    // 8 chips, each a core and the links of a 4 x 2 mesh of lines, that is 2 (3 x 2 + 4) in all.
    EXPECT_EQ(view.run()->gemm().timeline->rows().size(), 8U + 20U);
    EXPECT_EQ(view.timeline()->table().rows.empty(), false);
    EXPECT_EQ(view.torus()->sentence(), QString());
    const LabRun first = view.run();
    view.select(1);
    wait();
    ASSERT_NE(view.run(), nullptr);
    EXPECT_NE(view.run(), first);
    // The strip of the whole run, over the timeline.
    EXPECT_EQ(view.run()->density.cores.size(), density_parts);
    EXPECT_GT(*std::ranges::max_element(view.run()->density.cores), 0);
    EXPECT_GT(*std::ranges::max_element(view.run()->density.links), 0);
    Document document;
    LabSession own(&document, &document);
    own.show(view.run()->run, view.run()->density);
    EXPECT_EQ(own.current()->densities, std::vector{view.run()->density});
    // The clock of both: what is marked on the torus is marked in the timeline.
    view.tabs()->setCurrentIndex(2);
    QTest::keyClick(view.torus(), Qt::Key_Period);
    EXPECT_TRUE(view.torus()->isCurrent());
}

/// In a low window the blocks and the plans take turns, and in a higher one they stand below each other
/// again.
TEST_F(LabViewTest, ALowWindowShowsOnePictureAtATime) {
    EXPECT_EQ(view.tabs()->count(), 3);
    view.setMinimumHeight(1); // As in the window: a widget by itself is as high as its layout asks.
    view.resize(700, 320);
    QApplication::processEvents();
    EXPECT_EQ(view.tabs()->count(), 4);
    EXPECT_EQ(view.tabs()->currentIndex(), 0);
    EXPECT_TRUE(view.canvas()->isVisible());
    view.tabs()->setCurrentIndex(1);
    EXPECT_TRUE(view.table()->isVisible());
    EXPECT_FALSE(view.canvas()->isVisible());
    view.resize(1000, 700);
    QApplication::processEvents();
    EXPECT_EQ(view.tabs()->count(), 3);
    EXPECT_TRUE(view.canvas()->isVisible());
    EXPECT_TRUE(view.table()->isVisible());
}

TEST_F(LabViewTest, SaysWhyAPlanIsNotSimulated) {
    type(LabField::mesh, "X=2");
    view.setTexts({QStringLiteral("X=2"), QStringLiteral("I=8, J=8, K=8"), QStringLiteral("A[I_X, J]"),
                   QStringLiteral("B[J]"), QStringLiteral("C[I_X]"), QStringLiteral("tpu-v5e")});
    wait();
    EXPECT_EQ(view.run(), nullptr);
    EXPECT_TRUE(view.canvas()->shown().simulated.startsWith(QStringLiteral("Not simulated: ")))
        << view.canvas()->shown().simulated.toStdString();
    EXPECT_TRUE(view.timeline()->sentence().contains(QStringLiteral("one letter to sum over")))
        << view.timeline()->sentence().toStdString();
}

/// All shardings of a matrix on the mesh are there to choose: 11 on two axes, 3 on one.
TEST_F(LabViewTest, OffersEverySharding) {
    auto* box = qobject_cast<QComboBox*>(view.field(LabField::left)->parentWidget());
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->count(), 11);
    EXPECT_EQ(box->currentText(), QStringLiteral("A[I_X, J_Y]"));
    EXPECT_EQ(labShardings(QStringLiteral("X=4"), QStringLiteral("W_in[D_X, F]")),
              (QStringList{QStringLiteral("W_in[D, F]"), QStringLiteral("W_in[D_X, F]"),
                           QStringLiteral("W_in[D, F_X]")}));
    EXPECT_EQ(labShardings(QStringLiteral("X"), QStringLiteral("A[I, J]")), QStringList());
}

/// Y of A[I_X, J_Y] goes from the columns to the rows, where X is: I_XY, Y the minor axis. Onto the rows
/// again, it is taken off.
TEST_F(LabViewTest, LettersAreDraggedOntoMatrices) {
    LabCanvas* canvas = view.canvas();
    const auto drag = [&](std::size_t axis, Operand which, double right, double down) {
        const LabLayout layout = canvas->layoutNow();
        const QRectF area = layout.matrices[static_cast<std::size_t>(which)].area;
        const auto point = [](const QPointF& at) {
            return fromPicture(QRect(at.toPoint(), QSize(1, 1))).center();
        };
        const QPoint to = point({area.left() + right * area.width(), area.top() + down * area.height()});
        QTest::mousePress(canvas, Qt::LeftButton, {}, point(layout.axes[axis].area.center()));
        QTest::mouseMove(canvas, to);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
        wait();
    };
    drag(1, Operand::left, 0.1, 0.5);
    EXPECT_EQ(view.text(LabField::left), QStringLiteral("A[I_XY, J]"));
    drag(1, Operand::left, 0.1, 0.5);
    EXPECT_EQ(view.text(LabField::left), QStringLiteral("A[I_X, J]"));
    drag(1, Operand::right, 0.5, 0.1);
    EXPECT_EQ(view.text(LabField::right), QStringLiteral("B[J, K_Y]"));
    // C as it is wanted, which is not there yet.
    drag(1, Operand::result, 0.9, 0.1);
    EXPECT_EQ(view.text(LabField::result), QStringLiteral("C[I_X, K_Y]"));
    // Beside every matrix it is let go.
    drag(0, Operand::result, 0.5, 3);
    EXPECT_EQ(view.text(LabField::result), QStringLiteral("C[I_X, K_Y]"));
    EXPECT_TRUE(view.canvas()->isReady());
}

/// In int8 everything takes half of the bytes, and the matrix units multiply twice as fast.
TEST_F(LabViewTest, TheTypeOfTheElementsCounts) {
    const auto best = [&] { return view.canvas()->shown().plan; };
    const double received = best()->received, compute = best()->compute_s;
    auto* type = qobject_cast<QComboBox*>(view.field(LabField::type));
    ASSERT_NE(type, nullptr);
    type->setCurrentIndex(type->findData(QStringLiteral("int8")));
    emit type->activated(type->currentIndex());
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    EXPECT_DOUBLE_EQ(best()->received, received / 2);
    EXPECT_DOUBLE_EQ(best()->compute_s, compute / 2);
    EXPECT_TRUE(view.caption().contains(QStringLiteral("int8"))) << view.caption().toStdString();
}

/// Of two axes that split one dimension the first counts slower: said, as nobody sees it from the letters.
TEST(LabLayout, SaysWhichAxisIsMajor) {
    LabTexts texts = labExample();
    for (const char* const axes : {"XY", "YX"}) {
        texts[2] = QStringLiteral("A[I_%1, J]").arg(QLatin1String(axes));
        texts[4] = QStringLiteral("C[I_%1, K]").arg(QLatin1String(axes));
        const auto question = readLab(texts);
        ASSERT_TRUE(question);
        const auto plans = sharded_plans(question->gemm, question->mesh, question->sizes, question->kind,
                                         question->hardware);
        ASSERT_TRUE(plans);
        const LabShown shown{&*question, &plans->plans[0], 1, 1, 0, 0};
        const LabLayout layout = layoutLab(QSizeF(1200, 600), shown);
        EXPECT_TRUE(labNotes(layout.matrices[0], shown)
                        .join(QLatin1Char(' '))
                        .contains(QStringLiteral("of I, %1 is major").arg(QLatin1Char(axes[0]))));
        EXPECT_FALSE(
            labNotes(layout.matrices[1], shown).join(QLatin1Char(' ')).contains(QStringLiteral("major")));
    }
}

/// Blocks fill their matrix, chips do not overlap, and everything is inside, at every size and mesh.
TEST(LabLayout, KeepsEverythingInside) {
    LabTexts texts = labExample();
    for (const char* mesh : {"X=4, Y=2", "X=8, Y=1", "X=16, Y=16"}) {
        texts[0] = QLatin1String(mesh);
        const auto question = readLab(texts);
        ASSERT_TRUE(question) << mesh;
        const Result<ShardedPlans> plans = sharded_plans(question->gemm, question->mesh, question->sizes,
                                                         question->kind, question->hardware);
        ASSERT_TRUE(plans) << mesh;
        const LabShown shown{&*question, &plans->plans[0], 1, 1, plans->plans[0].plan.steps.size(), 0};
        for (const QSizeF size : {QSizeF(560, 560), QSizeF(900, 330), QSizeF(1800, 800)}) {
            const QRectF all(QPointF(0, 0), size);
            const LabLayout layout = layoutLab(size, shown);
            for (const LabMatrix& matrix : layout.matrices) {
                EXPECT_TRUE(all.contains(matrix.area)) << mesh << size.width();
                EXPECT_TRUE(all.contains(matrix.notes)) << mesh << size.width();
                double covered = 0;
                for (const LabBlock& block : matrix.blocks) {
                    covered += block.area.width() * block.area.height();
                    EXPECT_FALSE(block.chips.empty());
                }
                EXPECT_NEAR(covered, matrix.area.width() * matrix.area.height(), 1e-6 * covered);
            }
            for (std::size_t k = 1; k < layout.chips.size(); ++k) {
                EXPECT_TRUE(all.contains(layout.chips[k].area));
                EXPECT_FALSE(layout.chips[k].area.intersects(layout.chips[k - 1].area));
            }
        }
    }
}

/// The Tab key reads the fields line by line, as they stand.
TEST_F(LabViewTest, TabGoesAsTheFieldsStand) {
    std::vector<const QWidget*> order;
    for (const QWidget* field :
         {view.field(LabField::mesh), view.field(LabField::sizes), view.field(LabField::hardware),
          static_cast<QWidget*>(view.copy()), view.field(LabField::left), view.field(LabField::right),
          view.field(LabField::result), view.field(LabField::type)}) {
        order.push_back(field->focusProxy() != nullptr ? field->focusProxy() : field); // of a list its line's
    }
    std::vector<const QWidget*> passed;
    const QWidget* at = order.front();
    do {
        if (std::ranges::find(order, at) != order.end()) {
            passed.push_back(at);
        }
        at = at->nextInFocusChain();
    } while (at != order.front());
    EXPECT_EQ(passed, order);
}

/// The buttons of the first page's steps take room from the tabs there, and nowhere else; a lesson frames
/// them.
TEST_F(LabViewTest, StepButtonsComeBack) {
    auto* tabs = view.findChild<QTabWidget*>()->tabBar();
    const auto wide = [&] {
        QApplication::processEvents();
        return tabs->width();
    };
    view.resize(460, 700);
    const int with = wide();
    EXPECT_TRUE(view.forward()->isVisible());
    view.turnTo(2);
    EXPECT_GT(wide(), with);
    EXPECT_FALSE(view.forward()->isVisible());
    view.turnTo(0);
    EXPECT_EQ(wide(), with);
    EXPECT_TRUE(view.forward()->isVisible());
}

} // namespace
} // namespace meshslice::ui
