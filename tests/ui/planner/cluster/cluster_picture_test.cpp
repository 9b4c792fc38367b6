#include "core/machine/catalogue.h"
#include "ui/planner/cluster/cluster_picture.h"

#include <QImage>
#include <QPainter>
#include <gtest/gtest.h>

#include <set>

namespace meshslice::ui {
namespace {

/// dp 4 x pp 2 x tp 2x1 in domains of 4 chips: two data-parallel pairs of a tensor-parallel pair in each.
PlanPlaces places(std::int64_t data = 4) {
    PlanPlaces made;
    made.hardware = *machine_preset("a100-nvs4");
    made.domain = 4;
    Plan& plan = made.of.plan;
    plan.tensor1 = 2;
    plan.data = data;
    plan.pipeline = 2;
    plan.placement = made.in_domain = {2, 1, 2, 1};
    made.traffic = {GroupTraffic{2, 2, 6e9, 0, 0.5}, GroupTraffic{data, 2, 4e9, 2e9, 0.25},
                    GroupTraffic{2, 1, 1e9, 1e9, 0.125}};
    return made;
}

TEST(ClusterPicture, KnowsWhoIsWhoseNeighbour) {
    const PlanChip own{0, 0, 1, 1};
    Plan plan;
    plan.strategy = TensorStrategy::summa;
    EXPECT_EQ(relation(plan, own, own), ChipRelation::itself);
    EXPECT_EQ(relation(plan, own, {1, 0, 1, 1}), ChipRelation::tensor);
    EXPECT_EQ(relation(plan, own, {0, 1, 1, 1}), ChipRelation::tensor);
    EXPECT_EQ(relation(plan, own, {0, 0, 3, 1}), ChipRelation::data);
    EXPECT_EQ(relation(plan, own, {0, 0, 1, 2}), ChipRelation::next);
    EXPECT_EQ(relation(plan, own, {0, 0, 1, 3}), ChipRelation::pipeline);
    EXPECT_EQ(relation(plan, own, {1, 0, 3, 1}), ChipRelation::none);
    EXPECT_EQ(relation(plan, own, {0, 1, 3, 1}), ChipRelation::none);
    // By 2D with context parallelism weights are cut along the first side alone.
    plan.strategy = TensorStrategy::two_d;
    EXPECT_EQ(relation(plan, own, {0, 1, 3, 1}), ChipRelation::data);
    EXPECT_EQ(relation(plan, own, {1, 1, 3, 1}), ChipRelation::none);
    EXPECT_TRUE(hold_same_weights(plan, own, {0, 1, 1, 1}));
    EXPECT_FALSE(hold_same_weights(plan, own, {1, 0, 1, 1}));
}

/// 16 chips in domains of 4: each chip once.
TEST(ClusterPicture, FewDomainsAreAllDrawn) {
    const auto boxes = domainBoxes(places(), {});
    ASSERT_EQ(boxes.size(), 4u);
    std::set<std::array<std::int64_t, 4>> seen;
    for (const DomainBox& box : boxes) {
        EXPECT_EQ(box.chips.size(), 4u);
        EXPECT_EQ(box.columns, 2);
        EXPECT_EQ(box.others, 0);
        for (const PlanChip& chip : box.chips) {
            seen.insert({chip.tensor1, chip.tensor2, chip.data, chip.pipeline});
        }
    }
    EXPECT_EQ(seen.size(), 16u);
}

/// 64 data-parallel chips, two in a domain: 32 x 2 domains. Own, the nearest 15 of 31 with the same weights,
/// and the other stage.
TEST(ClusterPicture, OfManyDomainsTheNearestOfEachGroupAreDrawn) {
    const auto boxes = domainBoxes(places(64), {0, 0, 5, 1});
    ASSERT_EQ(boxes.size(), 1u + 15 + 1);
    EXPECT_TRUE(boxes[0].heading.contains(QStringLiteral("one of 64"))) << boxes[0].heading.toStdString();
    EXPECT_EQ(boxes[0].chips.front(), (PlanChip{0, 0, 4, 1})) << "domain 2 of the data-parallel group";
    EXPECT_TRUE(boxes[1].heading.contains(QStringLiteral("31 more domains")));
    EXPECT_TRUE(boxes[1].heading.contains(QStringLiteral("nearest 15"))) << boxes[1].heading.toStdString();
    EXPECT_EQ(boxes[1].chips.front(), (PlanChip{0, 0, 0, 1}));
    EXPECT_EQ(boxes[3].chips.front(), (PlanChip{0, 0, 6, 1})) << "its own one is left out";
    EXPECT_TRUE(boxes[2].heading.isEmpty()) << "it follows in the same row";
    EXPECT_TRUE(boxes[16].heading.contains(QStringLiteral("one more domain,")));
    EXPECT_EQ(boxes[16].chips.front(), (PlanChip{0, 0, 4, 0})) << "the stage before the last";
}

TEST(ClusterPicture, ADomainThatIsNotFullSaysSo) {
    PlanPlaces half = places();
    half.domain = 8;
    const auto boxes = domainBoxes(half, {});
    EXPECT_EQ(boxes.front().chips.size(), 4u);
    EXPECT_EQ(boxes.front().others, 4);
    EXPECT_EQ(boxes.front().columns, 4) << "two rows of 4";
}

/// 8 chips along x: four stages of two tensor-parallel chips; 4 along y, data-parallel.
TEST(ClusterPicture, OnATorusAPlaneIsDrawn) {
    PlanPlaces torus = places();
    torus.torus = true;
    Plan& plan = torus.of.plan;
    plan.pipeline = 4;
    plan.axes = {Placement{2, 1, 1, 4}, Placement{1, 1, 4, 1}, Placement{}};
    const auto boxes = domainBoxes(torus, {});
    ASSERT_EQ(boxes.size(), 1u);
    EXPECT_EQ(boxes[0].columns, 8);
    ASSERT_EQ(boxes[0].chips.size(), 32u);
    EXPECT_EQ(boxes[0].chips[3], (PlanChip{1, 0, 0, 1}));
    EXPECT_EQ(boxes[0].chips[8 * 2 + 6], (PlanChip{0, 0, 2, 3}));
}

/// The third axis has two more copies for each of the four of the second: copy 4 is the first of plane 2.
TEST(ClusterPicture, OnATorusOfThreeAxesPlanesStandNextToEachOther) {
    PlanPlaces torus = places(8);
    torus.torus = true;
    Plan& plan = torus.of.plan;
    plan.pipeline = 4;
    plan.axes = {Placement{2, 1, 1, 4}, Placement{1, 1, 4, 1}, Placement{1, 1, 2, 1}};
    const auto boxes = domainBoxes(torus, {});
    ASSERT_EQ(boxes.size(), 2u);
    EXPECT_EQ(boxes[1].title, QStringLiteral("plane 2 of 2"));
    EXPECT_EQ(boxes[1].chips.front(), (PlanChip{0, 0, 4, 0}));
    EXPECT_EQ(boxes[1].chips.back(), (PlanChip{1, 0, 7, 3}));
}

/// Two tori of 2 x 4 chips share a data-parallel group of 8: the second one has its copies from 4 on.
TEST(ClusterPicture, SeveralToriStandNextToEachOther) {
    PlanPlaces tori = places(8);
    tori.torus = true;
    tori.hardware = *machine_preset("tpu-v6e");
    Plan& plan = tori.of.plan;
    plan.pipeline = 1;
    plan.axes = {Placement{2, 1, 1, 1}, Placement{1, 1, 4, 1}, Placement{}};
    const auto boxes = domainBoxes(tori, {});
    ASSERT_EQ(boxes.size(), 2u);
    EXPECT_EQ(boxes[1].title, QStringLiteral("torus 2 of 2"));
    EXPECT_EQ(boxes[1].chips.front(), (PlanChip{0, 0, 4, 0}));
    EXPECT_TRUE(boxes[0].heading.contains(QStringLiteral("network between 2")));
    EXPECT_TRUE(trafficLines(tori)[1].contains(QStringLiteral("cross the network between the tori, at 12.5")))
        << trafficLines(tori)[1].toStdString();
}

TEST(ClusterPicture, TrafficIsSaidWithNumbers) {
    const QStringList lines = trafficLines(places());
    ASSERT_EQ(lines.size(), 3);
    EXPECT_TRUE(lines[0].contains(QStringLiteral("2 chips, all in one fast domain")))
        << lines[0].toStdString();
    EXPECT_TRUE(lines[1].contains(QStringLiteral("4 chips, 2 in each fast domain")))
        << lines[1].toStdString();
    EXPECT_TRUE(lines[1].contains(QStringLiteral("cross the slow network")));
    EXPECT_TRUE(lines[2].contains(QStringLiteral("2 stages, each in another fast domain; all of the 1.00")))
        << lines[2].toStdString();
    // 3 of the 11 GB.
    EXPECT_TRUE(clusterFinding(places()).contains(QStringLiteral("(27%), most of it data parallel")))
        << clusterFinding(places()).toStdString();
}

TEST(ClusterPicture, EveryChipIsInsideAndApart) {
    for (const int width : {360, 700, 1400}) {
        const ClusterLayout layout = layoutCluster({width, 0}, places(), {});
        ASSERT_EQ(layout.chips.size(), 16u);
        for (std::size_t k = 0; k < layout.chips.size(); ++k) {
            EXPECT_TRUE(QRect(0, 0, width, layout.height).contains(layout.chips[k].area)) << width;
            EXPECT_EQ(layout.chipAt(layout.chips[k].area.center()), layout.chips[k].chip) << k;
        }
    }
    EXPECT_GT(layoutCluster({700, 2000}, places(), {}).chips[0].area.width(), 26) << "where there is room";
    const ClusterLayout layout = layoutCluster({700, 0}, places(), {});
    QImage image(700, layout.height, QImage::Format_RGB32);
    QPainter painter(&image);
    paintCluster(painter, image.size(), places(), {}, Theme::light);
    painter.end();
    const auto colourOf = [&](std::size_t chip) {
        return image.pixelColor(layout.chips[chip].area.topLeft() + QPoint(5, 5));
    };
    EXPECT_EQ(colourOf(0), color(Role::compute, Theme::light));
    EXPECT_EQ(colourOf(1), color(Role::transferHorizontal, Theme::light));
    EXPECT_EQ(colourOf(2), color(Role::transferThird, Theme::light));
    EXPECT_EQ(colourOf(3), color(Role::grid, Theme::light));
}

/// 4 x 4 chips of a torus in a window of 1280 x 800: a third of its height at least, and 4 in each row, also
/// where a row of larger cells would not fit.
TEST(ClusterPicture, AFewChipsFillTheWindow) {
    PlanPlaces torus = places();
    torus.torus = true;
    Plan& plan = torus.of.plan;
    plan.pipeline = 2;
    plan.axes = {Placement{2, 1, 1, 2}, Placement{1, 1, 4, 1}, Placement{}};
    for (const QSize size : {QSize(1280, 800), QSize(360, 800)}) {
        const ClusterLayout layout = layoutCluster(size, torus, {});
        ASSERT_EQ(layout.chips.size(), 16u);
        EXPECT_LE(layout.height, size.height());
        const QRect first = layout.chips[0].area;
        EXPECT_EQ(layout.chips[3].area.top(), first.top());
        EXPECT_GT(layout.chips[4].area.top(), first.top());
        EXPECT_LT(layout.chips[3].area.right(), size.width());
    }
    const ClusterLayout wide = layoutCluster({1280, 800}, torus, {});
    EXPECT_GE(wide.chips[15].area.bottom() - wide.chips[0].area.top(), 800 / 3);
}

/// dp 16 x pp 8 x tp 2x4 in domains of 8, which the window opens with. Of a file of 960 x 600 a caption of
/// two lines takes 40.
TEST(ClusterPicture, AThousandChipsFitASmallFile) {
    PlanPlaces many = places(16);
    many.domain = 8;
    Plan& plan = many.of.plan;
    plan.strategy = TensorStrategy::two_d;
    plan.tensor2 = 4;
    plan.pipeline = 8;
    plan.placement = many.in_domain = {2, 4, 1, 1};
    EXPECT_LE(layoutCluster({960, 560}, many, {}).height, 560);
}

} // namespace
} // namespace meshslice::ui
