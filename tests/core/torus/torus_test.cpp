#include "core/torus/routes.h"
#include "core/torus/torus.h"

#include <gmock/gmock.h>

#include <set>

namespace meshslice {
namespace {

TEST(Torus, NumbersChipsRowByRow) {
    const Torus torus = *Torus::create({3, 5});
    EXPECT_EQ(torus.chips(), 15);
    EXPECT_EQ(torus.coordinate(7, Axis::vertical), 1); // Chip (1, 2) is 1 * 5 + 2.
    EXPECT_EQ(torus.coordinate(7, Axis::horizontal), 2);
    EXPECT_EQ(torus.coordinate(7, Axis::third), 0);
    EXPECT_EQ(torus.along(7, Axis::vertical, 2), 12);
    EXPECT_EQ(place_text(torus, 7), "1,2");
    EXPECT_EQ(shape_text(torus), "3x5");
}

TEST(Torus, WrapsRoundEachAxis) {
    const Torus torus = *Torus::create({3, 5});
    EXPECT_EQ(torus.neighbour(4, Axis::horizontal, Direction::forward), 0);
    EXPECT_EQ(torus.neighbour(0, Axis::horizontal, Direction::backward), 4);
    EXPECT_EQ(torus.neighbour(12, Axis::vertical, Direction::forward), 2);
    EXPECT_EQ(torus.neighbour(0, Axis::third, Direction::forward), std::nullopt);
}

TEST(Torus, EndsAtTheEdgeOfAnOpenAxis) {
    const Torus torus = *Torus::create({{3, true}, {5, false}});
    EXPECT_EQ(torus.neighbour(4, Axis::horizontal, Direction::forward), std::nullopt);
    EXPECT_EQ(torus.neighbour(4, Axis::horizontal, Direction::backward), 3);
    // Vertically 15 links each way; horizontally 4 in each of 3 rows, each way.
    EXPECT_EQ(torus.links().size(), 2u * 15 + 2u * 12);
}

TEST(Torus, EveryRingComesBackAfterItsSize) {
    const Torus torus = *Torus::create({4, 2, 3});
    EXPECT_EQ(torus.links().size(), 24u * 6);
    for (Chip chip = 0; chip < torus.chips(); ++chip) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const Direction direction : both_directions) {
                Chip here = chip;
                std::set<Chip> seen;
                for (std::int32_t hop = 0; hop < torus.size(static_cast<Axis>(axis)); ++hop) {
                    seen.insert(here);
                    here = *torus.neighbour(here, static_cast<Axis>(axis), direction);
                }
                EXPECT_EQ(here, chip);
                EXPECT_EQ(seen.size(), static_cast<std::size_t>(torus.size(static_cast<Axis>(axis))));
            }
        }
    }
}

TEST(Torus, AnAxisOfOneChipHasNoLinks) {
    EXPECT_TRUE(Torus::create({1, 1})->links().empty());
    EXPECT_EQ(Torus::create({1, 8})->links().size(), 16u);
    EXPECT_EQ(Torus().chips(), 1);
}

TEST(Torus, RefusesWhatIsNoTorus) {
    for (const std::vector<std::int32_t>& sizes :
         {std::vector<std::int32_t>{}, {2, 2, 2, 2}, {0, 4}, {4, -1}, {65536, 2}, {2147483647, 2147483647}}) {
        const Result<Torus> torus = Torus::create(sizes);
        ASSERT_FALSE(torus);
        EXPECT_TRUE(torus.error().sentence.ends_with('.'));
    }
}

struct MeshWords {
    const char* words;
    std::vector<std::int32_t> sizes; ///< empty: refused
};
TEST(ParseMesh, ReadsNumbersJoinedByX) {
    for (const MeshWords& row : {MeshWords{"32x8", {32, 8}},
                                 {"8", {8}},
                                 {"4x4x4", {4, 4, 4}},
                                 {"", {}},
                                 {"x", {}},
                                 {"32x", {}},
                                 {"x8", {}},
                                 {"32x0", {}},
                                 {"-2x4", {}},
                                 {"1x2x3x4", {}},
                                 {"3.5x2", {}},
                                 {"32X8", {}},
                                 {"99999999999999999999x1", {}},
                                 {"70000x1", {}}}) {
        const auto sizes = parse_mesh(row.words);
        EXPECT_EQ(sizes.has_value(), !row.sizes.empty()) << row.words;
        if (sizes) {
            EXPECT_EQ(*sizes, row.sizes);
        }
    }
}

/// Along the rows to and fro, or along the columns where the rows are odd in number; without a wrap-around
/// home by the first column.
TEST(RingThrough, GoesToAndFro) {
    using testing::ElementsAre;
    EXPECT_THAT(*ring_through(*Torus::create({2, 3})), ElementsAre(0, 1, 2, 5, 4, 3));
    EXPECT_THAT(*ring_through(*Torus::create({3, 2})), ElementsAre(0, 2, 4, 5, 3, 1));
    EXPECT_THAT(*ring_through(*Torus::create({{4, false}, {3, false}})),
                ElementsAre(0, 1, 2, 5, 4, 7, 8, 11, 10, 9, 6, 3));
    EXPECT_THAT(*ring_through(*Torus::create({1, 1})), ElementsAre(0));
}

/// A cylinder of odd sides: down the first column, up the second to its second chip, to the last column, down
/// and round to its first chip, and home by the first row.
TEST(RingThrough, ComesHomeOnACylinder) {
    EXPECT_THAT(*ring_through(*Torus::create({{3, true}, {3, false}})),
                testing::ElementsAre(0, 3, 6, 7, 4, 5, 8, 2, 1));
}

bool adjacent(const Torus& torus, Chip one, Chip other) {
    for (int slot = 0; slot < torus.link_slots(); ++slot) {
        if (torus.neighbour(one, static_cast<Axis>(slot / 2), static_cast<Direction>(slot % 2)) == other) {
            return true;
        }
    }
    return false;
}

/// Whatever the torus: all chips once, each next to the one before, and home again. Where it says there is
/// none, there is none: a line has two ends, and a grid without any wrap-around is coloured like a chess
/// board.
TEST(RingThrough, IsAClosedWalkThroughAllChips) {
    int walks = 0;
    for (const std::int32_t a : {1, 2, 3, 4, 5, 7}) {
        for (const std::int32_t b : {1, 2, 3, 5, 6}) {
            for (const std::int32_t c : {1, 2, 3}) {
                for (int wraps = 0; wraps < 8; ++wraps) {
                    const Torus torus =
                        *Torus::create({{a, (wraps & 1) != 0}, {b, (wraps & 2) != 0}, {c, (wraps & 4) != 0}});
                    const auto walk = ring_through(torus);
                    if (!walk) {
                        const int longer = (a > 1) + (b > 1) + (c > 1);
                        const bool odd = torus.chips() % 2 == 1;
                        EXPECT_TRUE(longer == 1 || odd) << shape_text(torus);
                        const bool closes = (a > 1 && (wraps & 1) != 0) || (b > 1 && (wraps & 2) != 0) ||
                                            (c > 1 && (wraps & 4) != 0);
                        EXPECT_FALSE(closes) << shape_text(torus) << ' ' << wraps;
                        continue;
                    }
                    ++walks;
                    const std::set<Chip> seen(walk->begin(), walk->end());
                    ASSERT_EQ(seen.size(), static_cast<std::size_t>(torus.chips())) << shape_text(torus);
                    ASSERT_EQ(walk->size(), seen.size());
                    for (std::size_t k = 0; k < walk->size() && torus.chips() > 1; ++k) {
                        ASSERT_TRUE(adjacent(torus, (*walk)[k], (*walk)[(k + 1) % walk->size()]))
                            << shape_text(torus) << ' ' << wraps;
                    }
                }
            }
        }
    }
    EXPECT_GT(walks, 300);
}

/// What the sizes alone say is what the walk comes to: home where its last chip is next to its first, else
/// folded, where an axis is, or refused.
TEST(WalkIsFolded, SaysWhatTheWalkDoes) {
    int folded = 0, refused = 0;
    for (const std::int32_t a : {1, 2, 3, 4, 5}) {
        for (const std::int32_t b : {1, 2, 3, 6}) {
            for (const std::int32_t c : {1, 2, 3}) {
                for (int kinds = 0; kinds < 27; ++kinds) {
                    const auto axis = [](std::int32_t size, int kind) {
                        return TorusAxis{size, kind > 0, kind > 1};
                    };
                    const Torus torus = *Torus::create(std::vector<TorusAxis>{
                        axis(a, kinds % 3), axis(b, kinds / 3 % 3), axis(c, kinds / 9)});
                    const Result<bool> said = walk_is_folded(torus);
                    const Result<Walk> walk = walk_through(torus);
                    ASSERT_EQ(said.has_value(), walk.has_value()) << shape_text(torus);
                    if (!walk) {
                        EXPECT_EQ(said.error().sentence, walk.error().sentence);
                        ++refused;
                        continue;
                    }
                    EXPECT_EQ(*said, walk->folded) << shape_text(torus) << ' ' << kinds;
                    EXPECT_EQ(*said, !ring_through(torus).has_value()) << shape_text(torus) << ' ' << kinds;
                    folded += *said ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(folded, 50);
    EXPECT_GT(refused, 40);
}

} // namespace
} // namespace meshslice
