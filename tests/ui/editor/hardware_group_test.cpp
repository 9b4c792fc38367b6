#include "core/machine/catalogue.h"
#include "core/scenario/fields.h"
#include "ui/document/document.h"
#include "ui/editor/facts.h"
#include "ui/editor/hardware_group.h"
#include "ui/editor/number_field.h"
#include "ui/editor/scenario_panel.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class HardwareGroupTest : public ::testing::Test {
  protected:
    HardwareGroupTest() {
        Scenario scenario = default_scenario();
        scenario.hardware = *machine_preset("tpu-v5p");
        document.beginWith(project_of(scenario));
        panel.resize(320, 900);
        panel.show();
        QApplication::setActiveWindow(&panel);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&panel));
    }

    template <class Widget>
    Widget* named(const QString& name) {
        for (Widget* widget : group->findChildren<Widget*>()) {
            if (widget->accessibleName() == name) {
                return widget;
            }
        }
        return nullptr;
    }
    NumberField* field(const char* name) { return named<NumberField>(QLatin1String(name)); }
    QToolButton* heading() {
        for (QToolButton* button : group->findChildren<QToolButton*>()) {
            if (button->accessibleName().startsWith(QStringLiteral("Hardware numbers"))) {
                return button;
            }
        }
        return nullptr;
    }
    void type(NumberField* number, const char* text) {
        number->setFocus();
        number->selectAll();
        QTest::keyClicks(number, QLatin1String(text));
    }
    double links() const { return document.scenario().hardware.network.link_bandwidth(0).value(); }

    Document document;
    ScenarioPanel panel{&document};
    HardwareGroup* group = panel.hardware();
};

TEST_F(HardwareGroupTest, IsFoldedAwayUntilItIsWanted) {
    ASSERT_NE(heading(), nullptr);
    EXPECT_EQ(heading()->text().toStdString(), "Hardware numbers");
    EXPECT_FALSE(field("Link bandwidth")->isVisible());
    QTest::mouseClick(heading(), Qt::LeftButton);
    EXPECT_TRUE(field("Link bandwidth")->isVisible());
    EXPECT_EQ(field("Link bandwidth")->text().toStdString(), "90"); // GB/s
    QTest::mouseClick(heading(), Qt::LeftButton);
    EXPECT_FALSE(field("Link bandwidth")->isVisible());
}

/// Half of 90 GB/s, key by key in one undo step; the field shows what it comes to when it is left.
TEST_F(HardwareGroupTest, TakesAFactorOfThePreset) {
    group->setExpanded(true);
    NumberField* number = field("Link bandwidth");
    type(number, "x 0.5");
    EXPECT_EQ(links(), 45e9);
    EXPECT_EQ(number->text().toStdString(), "x 0.5") << "what is being typed stays";
    QTest::keyClick(number, Qt::Key_Tab);
    EXPECT_EQ(number->text().toStdString(), "45");
    EXPECT_EQ(document.undoStack()->count(), 1);
    type(number, "x 0.5");
    EXPECT_EQ(links(), 45e9) << "of the preset, not of what it is";
    document.undoStack()->undo();
    EXPECT_EQ(links(), 90e9);
    EXPECT_EQ(document.scenario().hardware, *machine_preset("tpu-v5p"));
}

TEST_F(HardwareGroupTest, MarksWhatDiffersAndTakesItBack) {
    group->setExpanded(true);
    type(field("Link bandwidth"), "45");
    type(field("Synchronization"), "2us");
    document.endEdit();
    EXPECT_EQ(heading()->text().toStdString(), "Hardware numbers, 2 edited");
    auto* back = named<QToolButton>(QStringLiteral("Back to 90 GB/s, what TPU v5p has"));
    ASSERT_NE(back, nullptr);
    EXPECT_TRUE(back->isVisible());
    QTest::mouseClick(back, Qt::LeftButton);
    EXPECT_EQ(links(), 90e9);
    EXPECT_EQ(heading()->text().toStdString(), "Hardware numbers, 1 edited");
    EXPECT_FALSE(back->isVisible());
    auto* all = group->findChild<QPushButton*>();
    ASSERT_NE(all, nullptr);
    QTest::mouseClick(all, Qt::LeftButton);
    EXPECT_EQ(document.scenario().hardware, *machine_preset("tpu-v5p"));
    EXPECT_FALSE(all->isVisible());
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario().hardware.sync.value, seconds(2e-6));
}

/// Each number that counts as edited is the one that is marked.
TEST_F(HardwareGroupTest, MarksAsManyAsItCounts) {
    group->setExpanded(true);
    const auto marked = [&] {
        QStringList all;
        for (const QLabel* label : group->findChildren<QLabel*>()) {
            if (label->buddy() != nullptr && label->font().bold()) {
                all += label->buddy()->accessibleName();
            }
        }
        return all.join(QStringLiteral(", ")).toStdString();
    };
    type(field("Link bandwidth"), "45");
    type(field("Synchronization"), "2us");
    document.endEdit();
    EXPECT_EQ(heading()->text().toStdString(), "Hardware numbers, 2 edited");
    EXPECT_EQ(marked(), "Link bandwidth, Synchronization");
    type(field("Horizontal links"), "60");
    document.endEdit();
    EXPECT_EQ(marked(), "Vertical links, Horizontal links, Synchronization")
        << "now that the axes differ each counts for itself; the mesh leaves the third alone";
    EXPECT_EQ(heading()->text().toStdString(), "Hardware numbers, 3 edited");
}

/// Unfolded or not, edited or not, the panel leaves the picture its room.
TEST_F(HardwareGroupTest, KeepsThePanelsWidth) {
    const int folded = panel.sizeHint().width();
    QTest::mouseClick(heading(), Qt::LeftButton);
    QApplication::processEvents();
    EXPECT_EQ(panel.sizeHint().width(), folded);
    type(field("Link bandwidth"), "45");
    type(field("Synchronization"), "2us");
    type(field("Peak"), "x 0.123456");
    document.endEdit();
    QApplication::processEvents();
    EXPECT_EQ(panel.sizeHint().width(), folded);
    EXPECT_EQ(panel.horizontalScrollBar()->maximum(), 0);
}

/// In the unit in which the number is round.
TEST_F(HardwareGroupTest, ShowsRoundNumbers) {
    EXPECT_EQ(field("On-chip memory")->text().toStdString(), "128"); // MiB
    Scenario paper = default_scenario();
    document.beginWith(project_of(paper));
    EXPECT_EQ(field("Send-receive launch")->text().toStdString(), "45"); // us
    EXPECT_TRUE(field("Link bandwidth")->toolTip().contains(QStringLiteral("such as 90 GB/s")))
        << field("Link bandwidth")->toolTip().toStdString();
}

/// The label has the same menu.
TEST_F(HardwareGroupTest, OffersASweepOnTheLabelToo) {
    for (const QLabel* label : group->findChildren<QLabel*>()) {
        if (label->buddy() == field("Link bandwidth")) {
            ASSERT_EQ(label->actions().size(), 2);
            EXPECT_EQ(label->actions().front()->text().toStdString(), "Sweep this field");
            const QSignalSpy asked(group, &ScenarioGroup::sweepAsked);
            label->actions().front()->trigger();
            ASSERT_EQ(asked.count(), 1);
            EXPECT_EQ(asked[0][0].toString().toStdString(), "links");
            EXPECT_EQ(label->actions().back()->text().toStdString(), "What the manual says");
            const QSignalSpy manual(group, &ScenarioGroup::manualAsked);
            label->actions().back()->trigger();
            ASSERT_EQ(manual.count(), 1);
            EXPECT_EQ(manual[0][0].toString().toStdString(), "bandwidth") << "whose other name it is";
            return;
        }
    }
    FAIL() << "there is no label";
}

/// Greyed where there is nothing around which values could be, and it says why.
TEST_F(HardwareGroupTest, OffersNoSweepOfWhatIsNotKnown) {
    const auto sweepOf = [&](const char* name) { return field(name)->actions().front(); };
    EXPECT_TRUE(sweepOf("Ring mesh multiple")->isEnabled()) << "TPU v5p has one";
    document.beginWith(project_of(default_scenario()));
    EXPECT_FALSE(sweepOf("Ring mesh multiple")->isEnabled());
    EXPECT_TRUE(sweepOf("Ring mesh multiple")->toolTip().contains(QStringLiteral("says nothing about")));
    EXPECT_TRUE(sweepOf("Link bandwidth")->isEnabled());
}

/// Each field's tooltip says where its number comes from.
TEST_F(HardwareGroupTest, SaysWhereANumberComesFrom) {
    const QString own = QString::fromStdString(document.scenario().hardware.sync.source).toHtmlEscaped();
    EXPECT_TRUE(field("Synchronization")->toolTip().contains(own))
        << field("Synchronization")->toolTip().toStdString();
    group->setExpanded(true);
    type(field("Synchronization"), "x 3");
    EXPECT_TRUE(field("Synchronization")->toolTip().contains(QStringLiteral("Edited; TPU v5p has")));
    EXPECT_TRUE(hardwareFacts(document.scenario().hardware).contains(QStringLiteral("preset: ")));
}

/// Nobody reads a sentence that is folded away.
TEST_F(HardwareGroupTest, UnfoldsForARefusal) {
    group->setExpanded(true);
    type(field("Link bandwidth"), "fast");
    EXPECT_TRUE(group->sentence().contains(QStringLiteral("is not a quantity in B/s")))
        << group->sentence().toStdString();
    EXPECT_EQ(links(), 90e9);
    group->setExpanded(false);
    document.refuseEdit("links", QStringLiteral("No."));
    EXPECT_TRUE(group->isExpanded());
}

/// Machine of no preset counts factors from what it had before the typing, not key by key.
TEST_F(HardwareGroupTest, CountsFromTheValueBeforeTheTyping) {
    Scenario scenario = document.scenario();
    scenario.hardware.name = "mine";
    document.beginWith(project_of(scenario));
    group->setExpanded(true);
    type(field("Link bandwidth"), "x 25");
    EXPECT_EQ(links(), 25 * 90e9);
}

} // namespace
} // namespace meshslice::ui
