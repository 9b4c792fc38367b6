// Variants in the real window: made, edited, named, moved and compared with the mouse and the keys.

#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/charts/chart_view.h"
#include "ui/details/details_panel.h"
#include "ui/document/document.h"
#include "ui/editor/number_field.h"
#include "ui/editor/scenario_panel.h"
#include "ui/products/products_view.h"
#include "ui/session/runner.h"
#include "ui/session/session.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/variants/variant_answers.h"
#include "ui/variants/variant_strip.h"
#include "ui/view/picture_area.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QTest>
#include <QToolTip>
#include <gmock/gmock.h>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

class VariantStripTest : public ::testing::Test {
  protected:
    VariantStripTest() {
        document().restore(project_of(smallScenario()), {});
        window.resize(1280, 800);
        window.show();
        settle();
    }
    Document& document() { return *window.document(); }
    VariantStrip& strip() { return *window.variants(); }
    const CardFace& face(std::size_t card) { return strip().cards()[card]->face(); }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor(
            [this] {
                const bool known =
                    std::ranges::all_of(document().project().variants, [&](const Variant& one) {
                        return document().project().variants.size() == 1 ||
                               strip().answers()->of(one.scenario) != nullptr;
                    });
                return known && !window.session()->isComputing() && !window.session()->isExplaining();
            },
            patience_ms));
        QApplication::processEvents();
    }
    void duplicate() { strip().action("duplicate")->trigger(); }
    void setBatch(std::int64_t batch) {
        window.session()->edit([batch](Scenario& scenario) { scenario.batch = batch; }, "batch");
    }
    template <class Kind>
    Kind* view(const char* id) {
        auto* found = window.findChild<Kind*>(QLatin1String(id));
        window.pictures()->show(found);
        QApplication::processEvents();
        return found;
    }

    MainWindow window{Memory::forget};
};

TEST_F(VariantStripTest, IsHiddenWhileThereIsOne) {
    EXPECT_TRUE(strip().isHidden());
    EXPECT_FALSE(strip().action("delete")->isEnabled());
    QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier);
    settle();
    EXPECT_FALSE(strip().isHidden());
    ASSERT_EQ(strip().cards().size(), 2U);
    document().undoStack()->undo();
    settle();
    EXPECT_TRUE(strip().isHidden());
}

TEST_F(VariantStripTest, CardsSayTheAnswerAndTheDifference) {
    duplicate();
    setBatch(2 * document().scenario().batch);
    settle();
    EXPECT_EQ(face(0).letter, QStringLiteral("A"));
    EXPECT_EQ(face(1).letter, QStringLiteral("B"));
    EXPECT_TRUE(face(1).current);
    EXPECT_FALSE(face(0).answer.isEmpty());
    EXPECT_TRUE(face(1).difference.contains(QStringLiteral("for 2 times the FLOP")))
        << face(1).difference.toStdString();
    EXPECT_DOUBLE_EQ(face(1).length, 1);
    EXPECT_LT(face(0).length, 0.8);
    EXPECT_GT(face(0).computes, 0);
    EXPECT_LE(face(0).computes + face(0).waits, 1);
}

/// What is compared has nothing to do with the numbers of a variant itself.
TEST_F(VariantStripTest, ACardSaysWhatTheHeadlineSays) {
    duplicate();
    setBatch(2 * document().scenario().batch);
    settle();
    for (std::size_t card : {0U, 1U}) {
        QTest::mouseClick(strip().cards()[card], Qt::LeftButton);
        settle();
        EXPECT_EQ(document().project().current, card);
        EXPECT_TRUE(window.headline()->text().contains(face(card).answer.section(QLatin1Char(','), 0, 0)))
            << window.headline()->text().toStdString();
    }
}

TEST_F(VariantStripTest, ViewsShowBothAndTheDifference) {
    duplicate();
    Scenario next = document().scenario();
    next.plan.algorithm = "wang";
    next.compare = "cannon"; // a variant is compared now, not an algorithm
    ASSERT_TRUE(document().edit(next, "algorithm"));
    settle();
    const ResultsPtr results = window.session()->current();
    ASSERT_EQ(results->steps.size(), 2U);
    EXPECT_EQ(results->steps[0].algorithm, "wang");
    EXPECT_EQ(results->steps[1].algorithm, "meshslice");
    EXPECT_THAT(window.headline()->text().toStdString(), HasSubstr("B (Variant 2): Wang"));
    EXPECT_THAT(window.headline()->comparison().toStdString(), HasSubstr("A (Variant 1): MeshSlice"));

    const Table gemms = view<ProductsView>("products")->table();
    EXPECT_EQ(gemms.columns.front(), "algorithm");
    EXPECT_EQ(std::get<std::string>(gemms.rows.front().front()), "B (Variant 2)");

    const Table breakdown = view<ChartView>("breakdown")->table();
    EXPECT_EQ(breakdown.columns.front(), "variant");
    EXPECT_EQ(std::get<std::string>(breakdown.rows.front().front()), "B (Variant 2)");
    EXPECT_EQ(std::get<std::string>(breakdown.rows.back().front()), "A (Variant 1)");

    const Table timeline = view<TimelineView>("timeline")->table();
    EXPECT_EQ(timeline.columns.front(), "variant");

    const QString details = window.findChild<DetailsPanel*>()->toPlainText();
    EXPECT_TRUE(details.contains(QStringLiteral("What differs"))) << details.toStdString();
    EXPECT_TRUE(details.contains(QStringLiteral("B − A"))) << details.toStdString();
}

TEST_F(VariantStripTest, GoingToAAndBackComputesNothing) {
    duplicate();
    setBatch(2 * document().scenario().batch);
    settle();
    const auto before = window.session()->current()->steps;
    document().show(0);
    settle();
    ASSERT_FALSE(window.session()->current()->reference.has_value());
    EXPECT_EQ(window.session()->current()->steps[0].gemms[0].timeline, before[1].gemms[0].timeline)
        << "A was on the screen already";
}

/// What is compared with another variant is compared with no algorithm.
TEST_F(VariantStripTest, ComparesWithAVariantOrAnAlgorithm) {
    const auto compare = [this]() -> QComboBox* {
        for (QComboBox* list : window.scenarioPanel()->findChildren<QComboBox*>()) {
            if (list->accessibleName() == QStringLiteral("Compare with")) {
                return list;
            }
        }
        return nullptr;
    };
    ASSERT_NE(compare(), nullptr);
    EXPECT_TRUE(compare()->isEnabled());
    duplicate();
    settle();
    EXPECT_FALSE(compare()->isEnabled());
    EXPECT_THAT(compare()->toolTip().toStdString(), HasSubstr("compared with A, “Variant 1”"));
    document().pin(std::nullopt);
    settle();
    EXPECT_TRUE(compare()->isEnabled());
    EXPECT_THAT(compare()->toolTip().toStdString(), testing::Not(HasSubstr("No effect")));
}

/// The headline says why there is no B any more, and takes it back.
TEST_F(VariantStripTest, SaysThatTheShownVariantIsA) {
    duplicate();
    setBatch(2 * document().scenario().batch);
    settle();
    const std::string alone = "This is A itself: show another variant to compare it with A.";
    EXPECT_THAT(window.headline()->comparison().toStdString(), testing::Not(HasSubstr(alone)));
    strip().action("pin")->trigger();
    settle();
    EXPECT_THAT(window.headline()->comparison().toStdString(), HasSubstr(alone));
    strip().action("pin")->trigger(); // no A any more, and the same results
    settle();
    EXPECT_THAT(window.headline()->comparison().toStdString(), testing::Not(HasSubstr(alone)));
    strip().action("pin")->trigger();
    settle();
    EXPECT_THAT(window.headline()->comparison().toStdString(), HasSubstr(alone));
}

TEST_F(VariantStripTest, ALongNameIsTakenAndATooLongOneIsNotCutSilently) {
    duplicate();
    settle();
    VariantCard* card = strip().cards()[1];
    QTest::mouseDClick(card, Qt::LeftButton);
    const QString longer(100, QLatin1Char('n'));
    card->nameField()->setText(longer);
    QTest::keyClick(card->nameField(), Qt::Key_X);
    EXPECT_EQ(card->nameField()->text(), longer);
    EXPECT_EQ(QToolTip::text().toStdString(), "A name has at most 100 characters.");
    QTest::keyClick(card->nameField(), Qt::Key_Return);
    EXPECT_EQ(document().project().variants[1].name, std::string(100, 'n'));
    settle();
    window.grab(); // cut with an ellipsis
}

/// A low window keeps its room for the picture.
TEST_F(VariantStripTest, CardsFoldIntoOneLine) {
    duplicate();
    settle();
    const int high = strip().cards()[0]->height();
    window.resize(1280, 28 * window.fontMetrics().height());
    QApplication::processEvents();
    const int low = strip().cards()[0]->height();
    EXPECT_LT(low, high);
    EXPECT_LT(low, 2 * window.fontMetrics().height());
    window.resize(1280, 800);
    QApplication::processEvents();
    EXPECT_EQ(strip().cards()[0]->height(), high);
}

TEST_F(VariantStripTest, DoubleClickNames) {
    duplicate();
    settle();
    VariantCard* card = strip().cards()[1];
    QTest::mouseDClick(card, Qt::LeftButton);
    ASSERT_NE(card->nameField(), nullptr);
    QTest::keyClick(card->nameField(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(card->nameField(), QStringLiteral("half the links"));
    QTest::keyClick(card->nameField(), Qt::Key_Return);
    EXPECT_EQ(document().project().variants[1].name, "half the links");
    settle();
    EXPECT_EQ(face(1).name, QStringLiteral("half the links"));

    QTest::mouseDClick(card, Qt::LeftButton);
    QTest::keyClicks(card->nameField(), QStringLiteral("no"));
    QTest::keyClick(card->nameField(), Qt::Key_Escape);
    EXPECT_EQ(document().project().variants[1].name, "half the links");
}

TEST_F(VariantStripTest, AClickElsewhereTakesTheNameAndKeepsTheFocusThere) {
    duplicate();
    settle();
    QTest::mouseDClick(strip().cards()[1], Qt::LeftButton);
    QTest::keyClicks(strip().cards()[1]->nameField(), QStringLiteral("other"));
    strip().cards()[0]->setFocus();
    EXPECT_EQ(document().project().variants[1].name, "other");
    EXPECT_FALSE(strip().cards()[1]->hasFocus());
    settle();
    EXPECT_EQ(window.session()->current()->steps[0].variant, "B (other)") << "results know the name";
}

TEST_F(VariantStripTest, ACancelledRunIsNotBegunAgain) {
    duplicate();
    settle();
    const Gate gate(window.session()->runner()->job());
    setBatch(3 * document().scenario().batch);
    window.session()->cancelRun();
    EXPECT_FALSE(strip().answers()->job()->isBusy());
}

TEST_F(VariantStripTest, ANameThatIsTakenIsRefusedWithASentence) {
    duplicate();
    settle();
    QString told;
    QObject::connect(&strip(), &VariantStrip::told, &window,
                     [&](const QString& sentence) { told = sentence; });
    emit strip().cards()[1]->nameAsked(QStringLiteral("Variant 1"));
    EXPECT_TRUE(told.contains(QStringLiteral("Two variants are named"))) << told.toStdString();
    EXPECT_EQ(document().project().variants[1].name, "Variant 2");
}

TEST_F(VariantStripTest, DraggingMovesACard) {
    duplicate();
    duplicate();
    settle();
    VariantCard* first = strip().cards()[0];
    const VariantCard* last = strip().cards()[2];
    const QPoint from = first->rect().center();
    const QPoint to = first->mapFromGlobal(last->mapToGlobal(last->rect().center())) + QPoint(10, 0);
    QTest::mousePress(first, Qt::LeftButton, {}, from);
    const int steps = document().undoStack()->count();
    for (int k = 1; k <= 7; ++k) {
        const QPoint at = from + (to - from) * k / 7;
        QMouseEvent move(QEvent::MouseMove, at, first->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(first, &move);
    }
    QTest::mouseRelease(first, Qt::LeftButton, {}, to);
    EXPECT_EQ(document().undoStack()->count(), steps + 1);
    EXPECT_EQ(document().project().variants[2].name, "Variant 1");
    EXPECT_EQ(document().project().pinned, 2U);
    document().undoStack()->undo();
    EXPECT_EQ(document().project().variants[0].name, "Variant 1");
}

TEST_F(VariantStripTest, AVariantThatDoesNotRunSaysSo) {
    duplicate();
    settle();
    Scenario next = document().scenario();
    next.mesh = {7, 3};
    ASSERT_TRUE(document().edit(next, "mesh"));
    settle();
    EXPECT_EQ(face(1).trouble, QStringLiteral("does not run"));
    EXPECT_NE(face(0).trouble, QStringLiteral("does not run"));
    // And as A: B stands without it, and says why.
    document().pin(1);
    document().show(0);
    settle();
    EXPECT_THAT(window.headline()->comparison().toStdString(), HasSubstr("A (Variant 2) does not run: "));
    EXPECT_EQ(window.session()->current()->steps.size(), 1U);
}

TEST_F(VariantStripTest, VariantsOfDifferentWorkStandNextToEachOther) {
    duplicate();
    Scenario next = document().scenario();
    next.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    ASSERT_TRUE(document().edit(next, "task"));
    settle();
    ASSERT_EQ(window.session()->current()->steps.size(), 2U);
    for (const char* id : {"timeline", "roofline", "breakdown", "products"}) {
        View* shown = view<View>(id);
        EXPECT_TRUE(shown->sentence().isEmpty()) << id;
        EXPECT_FALSE(shown->table().rows.empty()) << id;
        window.grab();
    }
}

TEST_F(VariantStripTest, KeysShowTheNextVariant) {
    duplicate();
    settle();
    QTest::keyClick(&window, Qt::Key_PageDown, Qt::ControlModifier);
    EXPECT_EQ(document().project().current, 0U) << "after the last comes the first";
    QTest::keyClick(&window, Qt::Key_PageUp, Qt::ControlModifier);
    EXPECT_EQ(document().project().current, 1U);
}

/// The others' answers are computed while nobody waits; closing the window in between is safe.
TEST_F(VariantStripTest, TheWindowClosesWhileACardIsComputed) {
    const Gate gate(strip().answers()->job());
    duplicate();
    setBatch(2 * document().scenario().batch);
    duplicate();
    document().pin(std::nullopt);
    setBatch(3 * document().scenario().batch);
    window.close();
}

} // namespace
} // namespace meshslice::ui
