#include "ui/document/document.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <random>

namespace meshslice::ui {
namespace {

void setBatch(Document& document, std::int64_t batch) {
    Scenario next = document.scenario();
    next.batch = batch;
    ASSERT_TRUE(document.edit(next, "batch"));
    document.endEdit();
}

std::vector<std::string> names(const Document& document) {
    std::vector<std::string> all;
    for (const Variant& variant : document.project().variants) {
        all.push_back(variant.name);
    }
    return all;
}

using Names = std::vector<std::string>;

TEST(Variants, TheFirstCopyIsComparedWithWhatItIsACopyOf) {
    Document document;
    EXPECT_EQ(document.reference(), nullptr);
    ASSERT_TRUE(document.duplicate(0));
    EXPECT_EQ(names(document), (Names{"Variant 1", "Variant 2"}));
    EXPECT_EQ(document.project().current, 1U);
    ASSERT_NE(document.reference(), nullptr);
    EXPECT_EQ(document.reference()->name, "Variant 1");
    setBatch(document, 256);
    EXPECT_EQ(document.reference()->scenario.batch, 128);
    document.show(0);
    EXPECT_EQ(document.scenario().batch, 128);
    EXPECT_EQ(document.reference(), nullptr) << "A is not compared with itself";
}

TEST(Variants, UndoShowsTheVariantThatWasEdited) {
    Document document;
    ASSERT_TRUE(document.duplicate(0));
    setBatch(document, 256);
    document.show(0);
    setBatch(document, 64);
    EXPECT_EQ(document.undoStack()->count(), 3);
    document.show(1);
    document.undoStack()->undo();
    EXPECT_EQ(document.project().current, 0U);
    EXPECT_EQ(document.scenario().batch, 128);
    document.undoStack()->undo();
    EXPECT_EQ(document.project().current, 1U);
    EXPECT_EQ(document.scenario().batch, 128);
    document.undoStack()->undo();
    EXPECT_EQ(document.project(), Project());
    EXPECT_FALSE(document.isModified());
}

TEST(Variants, EditsOfTwoVariantsDoNotMerge) {
    Document document;
    ASSERT_TRUE(document.duplicate(0));
    Scenario next = document.scenario();
    next.batch = 4;
    ASSERT_TRUE(document.edit(next, "batch"));
    document.show(0);
    next = document.scenario();
    next.batch = 8;
    ASSERT_TRUE(document.edit(next, "batch"));
    EXPECT_EQ(document.undoStack()->count(), 3);
}

/// The last command is not an edit: there is nothing of the field's to take back.
TEST(Variants, ARefusedTextAfterACopyTakesNothingBack) {
    Document document;
    ASSERT_TRUE(document.duplicate(0));
    document.refuseEdit("batch", QStringLiteral("No."));
    EXPECT_EQ(document.project().variants.size(), 2U);
}

TEST(Variants, AreRenamedMovedAndDeleted) {
    Document document;
    ASSERT_TRUE(document.duplicate(0));
    ASSERT_TRUE(document.duplicate(1));
    EXPECT_EQ(names(document), (Names{"Variant 1", "Variant 2", "Variant 3"}));
    ASSERT_TRUE(document.rename(2, "half the links"));
    EXPECT_EQ(document.rename(1, "half the links").error().sentence,
              "Two variants are named \"half the links\"; each must have a name of its own.");
    EXPECT_FALSE(document.rename(1, ""));
    document.move(2, 0);
    EXPECT_EQ(names(document), (Names{"half the links", "Variant 1", "Variant 2"}));
    EXPECT_EQ(document.project().current, 0U) << "it stays the one that is shown";
    EXPECT_EQ(document.project().pinned, 1U);
    document.remove(1);
    EXPECT_EQ(document.project().pinned, std::nullopt) << "the pinned one is gone";
    document.remove(0);
    document.remove(0);
    EXPECT_EQ(names(document), (Names{"Variant 2"})) << "the last one stays";
    while (document.undoStack()->canUndo()) {
        document.undoStack()->undo();
    }
    EXPECT_EQ(document.project(), Project());
}

TEST(Variants, NoMoreThanCanBeRead) {
    Document document;
    for (std::size_t k = 1; k < Project::most_variants; ++k) {
        ASSERT_TRUE(document.duplicate(0));
    }
    EXPECT_EQ(document.duplicate(0).error().sentence,
              "A project holds at most 128 variants; delete one first.");
    EXPECT_EQ(document.project().variants.size(), Project::most_variants);
}

TEST(Variants, AreAllInTheFile) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("links.meshslice.json"));
    Document document;
    ASSERT_TRUE(document.duplicate(0));
    setBatch(document, 256);
    ASSERT_TRUE(document.rename(1, "twice"));
    ASSERT_TRUE(document.save(path));
    EXPECT_FALSE(document.isModified());
    Document other;
    ASSERT_TRUE(other.open(path));
    EXPECT_EQ(other.project(), document.project());
    document.show(0);
    EXPECT_FALSE(document.isModified()) << "looking at another one is not a change";
}

/// Whatever is done, undo leads back step by step and redo forward again.
TEST(Variants, UndoAndRedoAreInverse) {
    Document document;
    std::mt19937 random(7);
    std::vector<Project> states = {document.project()};
    while (states.size() < 200) {
        const std::size_t count = document.project().variants.size();
        const std::size_t some = random() % count;
        switch (random() % 7) {
        case 0: (void)document.duplicate(some); break;
        case 1: document.remove(some); break;
        case 2: document.move(some, random() % count); break;
        case 3: document.pin(random() % 2 == 0 ? std::nullopt : std::optional(some)); break;
        case 4: (void)document.rename(some, "name " + std::to_string(random() % 5)); break;
        default: {
            Scenario next = document.scenario();
            next.batch = 1 + static_cast<std::int64_t>(random() % 512);
            (void)document.edit(next, "batch");
            document.endEdit();
        }
        }
        if (document.undoStack()->count() == static_cast<int>(states.size())) {
            states.push_back(document.project());
        }
    }
    for (std::size_t k = states.size(); k-- > 0;) {
        ASSERT_EQ(document.project().variants, states[k].variants) << k;
        ASSERT_EQ(document.project().pinned, states[k].pinned) << k;
        document.undoStack()->undo();
    }
    for (std::size_t k = 0; k < states.size(); ++k) {
        ASSERT_EQ(document.project().variants, states[k].variants) << k;
        document.undoStack()->redo();
    }
}

TEST(Variants, SayWhenWhatIsComparedChanges) {
    Document document;
    ASSERT_TRUE(document.duplicate(0));
    QSignalSpy shown(&document, &Document::scenarioChanged);
    QSignalSpy any(&document, &Document::projectChanged);
    document.pin(1); // itself: nothing is compared any more
    EXPECT_EQ(shown.size(), 1);
    EXPECT_EQ(any.size(), 1);
    document.move(1, 0);
    EXPECT_EQ(shown.size(), 1) << "the same scenario, with nothing to compare, at another place";
    EXPECT_EQ(any.size(), 2);
}

} // namespace
} // namespace meshslice::ui
