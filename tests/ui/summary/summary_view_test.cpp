#include "core/base/text.h"
#include "core/evidence/expected_plan.h"
#include "core/evidence/measured_scenario.h"
#include "core/machine/catalogue.h"
#include "core/question/offer.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/document/document.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/summary/summary_view.h"

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QTest>
#include <QUndoStack>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace meshslice::ui {
namespace {

/// Few chips on a mesh that is not the best, so that there is something to find.
Scenario tall() {
    Scenario scenario = default_scenario();
    scenario.model = *model_preset("llama-3-8b");
    scenario.mesh = {8, 2};
    scenario.batch = 16;
    return scenario;
}

class SummaryViewTest : public ::testing::Test {
  protected:
    SummaryViewTest() {
        document.restore(project_of(tall()), {});
        session.follow();
        view->setPalette(widgetPalette(Theme::light));
        view->resize(1200, 900);
        view->follow();
        view->show();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return session.current() != nullptr && !session.isExplaining() && view->isComplete(); },
            patience_ms));
        QApplication::processEvents();
    }
    void settle_hidden() {
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                return session.current() != nullptr && session.current()->scenario == document.scenario();
            },
            patience_ms));
        QApplication::processEvents();
    }
    [[nodiscard]] const SummaryPicture& picture() const { return view->picture(); }

    Document document;
    Session session{&document};
    std::unique_ptr<SummaryView> view = std::make_unique<SummaryView>(&session);
};

/// To lay out a picture that is hidden would make every edit wait for it.
TEST_F(SummaryViewTest, AsksForItsHeightWhenItIsShown) {
    settle();
    const int tall = view->minimumHeight();
    EXPECT_GT(tall, 300);
    view->hide();
    Scenario next = document.scenario();
    next.mesh = {16, 1};
    view->setMinimumHeight(7);
    ASSERT_TRUE(document.edit(next, "mesh"));
    settle_hidden();
    EXPECT_EQ(view->minimumHeight(), 7);
    view->show();
    EXPECT_GT(view->minimumHeight(), 300);
}

/// The number of the run, and the same in what is read aloud.
TEST_F(SummaryViewTest, SaysTheAnswer) {
    settle();
    if (const QString folder = qEnvironmentVariable("MESHSLICE_TEST_PICTURES"); !folder.isEmpty()) {
        EXPECT_TRUE(view->grab().save(QDir(folder).filePath(QStringLiteral("summary.png"))));
    }
    const TrainingStep& step = session.current()->steps.front();
    EXPECT_EQ(picture().shown().summary.seconds, in_seconds(step.time));
    const QString read = view->readAloud();
    EXPECT_TRUE(read.contains(words(text(step.time)))) << read.toStdString();
    EXPECT_TRUE(read.contains(QStringLiteral("of the peak"))) << read.toStdString();
    EXPECT_FALSE(picture().shown().near.empty());
    EXPECT_FALSE(view->readableParts().empty());
}

/// A click on a finding makes it B, next to the scenario as A, and its time is the one that was said; one
/// step back takes it away.
TEST_F(SummaryViewTest, AFindingBecomesB) {
    settle();
    ASSERT_FALSE(view->buttons().empty());
    const Finding finding = picture().shown().findings->front();
    QPushButton* const button = view->buttons().front();
    ASSERT_TRUE(button->isVisible());
    EXPECT_TRUE(button->accessibleName().contains(words(finding.offer.sentence)));
    const Project before = document.project();
    QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_EQ(document.project().variants.size(), 2u);
    EXPECT_EQ(document.project().pinned, 0u);
    EXPECT_EQ(document.project().current, 1u);
    settle();
    ASSERT_TRUE(session.current()->reference) << "A stands next to it";
    EXPECT_DOUBLE_EQ(in_seconds(session.current()->steps[0].time), finding.then.seconds);
    EXPECT_EQ(session.current()->scenario.mesh, with_edits(tall(), finding.offer.edits)->mesh);
    document.undoStack()->undo();
    EXPECT_TRUE(document.project() == before);
}

/// From a third variant the current one becomes A, whatever was pinned before.
TEST_F(SummaryViewTest, TheCurrentVariantBecomesA) {
    Scenario other = tall();
    other.mesh = {2, 8};
    ASSERT_TRUE(document.add("other", other));
    settle();
    ASSERT_EQ(document.project().pinned, 0u);
    ASSERT_FALSE(picture().bars().empty());
    QTest::mouseClick(view.get(), Qt::LeftButton, {}, picture().bars().front().bar.center().toPoint());
    ASSERT_EQ(document.project().variants.size(), 3u);
    EXPECT_EQ(document.project().pinned, 1u);
    EXPECT_EQ(document.project().current, 2u);
    document.undoStack()->undo();
    EXPECT_EQ(document.project().variants.size(), 2u);
    EXPECT_EQ(document.project().pinned, 0u);
}

/// The keys go to a bar and take it: the machine of B has that number twice or half as large.
TEST_F(SummaryViewTest, TheKeysTakeANumber) {
    settle();
    const NumberEffect first = picture().shown().numbers->ranked.front();
    const bool twice = picture().bars().front().twice;
    QTest::keyClick(view.get(), Qt::Key_Return);
    EXPECT_EQ(document.project().variants.size(), 1u) << "none is marked";
    QTest::keyClick(view.get(), Qt::Key_Down);
    EXPECT_TRUE(view->accessibleDescription().contains(words(first.name)));
    QTest::keyClick(view.get(), Qt::Key_Return);
    ASSERT_EQ(document.project().variants.size(), 2u);
    EXPECT_TRUE(document.scenario() == *with_edits(tall(), twice ? first.with_twice : first.with_half));
}

/// While an edit is computed nothing of the older scenario stands there as if it were the new one's.
TEST_F(SummaryViewTest, ShowsNothingStale) {
    settle();
    ASSERT_TRUE(view->isCurrent());
    const Gate gate(view->findingsJob());
    Scenario next = tall();
    next.batch = 32;
    ASSERT_TRUE(document.edit(next, "batch"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.current() != nullptr; }, patience_ms));
    EXPECT_EQ(session.current()->scenario.batch, 32);
    EXPECT_FALSE(picture().shown().findings);
    EXPECT_FALSE(picture().shown().numbers);
    EXPECT_FALSE(picture().shown().instead_of_findings.isEmpty());
    EXPECT_FALSE(view->isCurrent());
    EXPECT_TRUE(std::ranges::none_of(view->buttons(), &QWidget::isVisible));
}

/// It computes only while it is seen, and ends when it is closed in the middle.
TEST_F(SummaryViewTest, ComputesWhileItIsSeen) {
    settle();
    const Gate gate(view->findingsJob());
    Scenario next = tall();
    next.batch = 32;
    ASSERT_TRUE(document.edit(next, "batch"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view->findingsJob()->isBusy(); }, patience_ms));
    view->hide();
    EXPECT_TRUE(QTest::qWaitFor([&] { return gate.hasGivenUp(); }, patience_ms));
    EXPECT_FALSE(view->findingsJob()->isBusy());
    view->show();
    EXPECT_TRUE(view->findingsJob()->isBusy());
    view.reset();
}

/// Nothing that is written covers anything else, from a narrow window to a wide one.
TEST_F(SummaryViewTest, NothingCoversAnything) {
    settle();
    for (const int width : {420, 700, 960, 1040, 1600, 2400}) {
        const SummaryPicture drawn(picture().shown(), width, Theme::light, true);
        std::vector<QRectF> all = drawn.written();
        all.insert(all.end(), drawn.buttons().begin(), drawn.buttons().end());
        for (std::size_t a = 0; a < all.size(); ++a) {
            EXPECT_GE(all[a].left(), 0) << width;
            EXPECT_LE(all[a].right(), width + 1) << width;
            for (std::size_t b = a + 1; b < all.size(); ++b) {
                const QRectF both = all[a].intersected(all[b]);
                EXPECT_FALSE(both.width() > 1 && both.height() > 2) << width << ": " << a << ", " << b;
            }
        }
    }
}

/// In a narrow window, too, what is seen at a glance stands above what is read: the bars and what would
/// change them before how far to trust it.
TEST_F(SummaryViewTest, BarsStandAboveProse) {
    settle();
    SummaryShown shown = picture().shown();
    shown.near = {{"run", QStringLiteral("measured 1 s"), QStringLiteral("a paper"), {}}};
    const SummaryPicture drawn(shown, 640, Theme::light, true);
    ASSERT_FALSE(drawn.parts().empty());
    ASSERT_FALSE(drawn.buttons().empty());
    EXPECT_LT(drawn.parts().front().area.bottom(), 400) << "without scrolling in a window of 960 x 600";
    EXPECT_LT(drawn.buttons().back().bottom(), drawn.runs().front().top());
}

/// A picture for a file has all of it, whatever its shape, and a table every number.
TEST_F(SummaryViewTest, IsAPictureAndATable) {
    settle();
    for (const QSize& size : {QSize(800, 600), QSize(1600, 500)}) {
        QImage image(size, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        view->paintPicture(painter, size, Theme::light);
        painter.end();
        int dark = 0;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2) {
                dark += qGray(image.pixel(x, y)) < 128 ? 1 : 0;
            }
        }
        EXPECT_GT(dark, 200);
    }
    const Table table = view->table();
    EXPECT_TRUE(std::ranges::any_of(table.rows,
                                    [](const auto& row) { return std::get<std::string>(row[0]) == "x 2"; }));
    EXPECT_FALSE(view->caption().isEmpty());
}

/// The training run has the plan's time, as measured runs let expect it with the ideal one below, and a
/// finding of it becomes B too.
TEST_F(SummaryViewTest, OfATrainingRunItIsThePlans) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("h100");
    scenario.model = *model_preset("llama-3-8b");
    scenario.sequence = 8192;
    scenario.batch = 64;
    scenario.planning.chips = 16;
    document.restore(project_of(scenario), {});
    session.setTask(Task::training);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view->isComplete(); }, patience_ms))
        << view->sentence().toStdString();
    EXPECT_TRUE(view->sentence().isEmpty()) << view->sentence().toStdString();
    const PlanAnswer& answer = session.plans()->current()->answer;
    const ExpectedStep expected = expected_of(answer.question, answer.chosen());
    ASSERT_TRUE(expected.known());
    EXPECT_EQ(picture().shown().summary.seconds, expected.seconds);
    EXPECT_NE(picture().shown().summary.ideal.find(seconds_text(answer.chosen().reading.time.total)),
              std::string::npos);
    ASSERT_TRUE(picture().shown().numbers);
    ASSERT_FALSE(picture().shown().findings->empty());
    const Finding finding = picture().shown().findings->front();
    QTest::mouseClick(view->buttons().front(), Qt::LeftButton);
    ASSERT_EQ(document.project().variants.size(), 2u);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return session.plans()->current() &&
                   session.plans()->current()->expectedOfChosen().seconds == finding.then.seconds;
        },
        patience_ms));
}

/// A click on a measured run next to the plan makes it the scenario, in one undo step; one that cannot be
/// expressed says why and changes nothing.
TEST_F(SummaryViewTest, AMeasuredRunBecomesTheScenario) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("h100");
    scenario.model = *model_preset("llama-3-8b");
    scenario.sequence = 8192;
    scenario.batch = 64;
    scenario.planning.chips = 16;
    document.restore(project_of(scenario), {});
    session.setTask(Task::training);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view->isComplete(); }, patience_ms));
    const std::vector<SummaryShown::NearRun> near = picture().shown().near;
    ASSERT_EQ(picture().runs().size(), near.size());
    std::size_t taken = near.size();
    for (std::size_t k = 0; k < near.size(); ++k) {
        EXPECT_FALSE(near[k].source.isEmpty());
        const QPoint middle = fromPicture(picture().runs()[k].toRect()).center();
        if (near[k].whyNot.isEmpty()) {
            taken = k;
            continue;
        }
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, middle);
        EXPECT_TRUE(document.scenario() == scenario) << near[k].whyNot.toStdString();
    }
    ASSERT_LT(taken, near.size()) << "of this model on this chip some run in bf16 is known";
    QTest::mouseClick(view.get(), Qt::LeftButton, {}, fromPicture(picture().runs()[taken].toRect()).center());
    const Scenario& loaded = document.scenario();
    const TrainingRow& row = *measured_run(near[taken].id);
    EXPECT_EQ(loaded.chips(), std::llround(row.chips));
    EXPECT_EQ(loaded.batch, std::llround(row.batch));
    EXPECT_EQ(loaded.plan.split.data, std::llround(row.data));
    EXPECT_TRUE(loaded.planning.measured_step);
    document.undoStack()->undo();
    EXPECT_TRUE(document.scenario() == scenario);
}

} // namespace
} // namespace meshslice::ui
