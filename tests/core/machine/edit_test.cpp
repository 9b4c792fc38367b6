#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/machine/fields.h"
#include "core/report/words/machine_words.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* hbm_rate = "hbm_bandwidth_in_bytes_per_s";

Machine v5p() {
    return machine_preset("tpu-v5p").value();
}

Machine with_edit(Machine hardware, const char* key, const FieldValue& value) {
    const Result<void> done = edit(hardware, machine_number(key), value);
    EXPECT_TRUE(done) << done.error().sentence;
    return hardware;
}

std::string refused_edit(const char* key, const FieldValue& value) {
    Machine hardware = v5p();
    const Result<void> done = edit(hardware, machine_number(key), value);
    EXPECT_EQ(hardware, v5p()) << "what is refused changes nothing";
    return done ? "accepted" : done.error().sentence;
}

/// HBM of TPU v5p moves 2.8 TB/s: half of it is 1.4.
TEST(EditHardware, AFactorIsOfThePresetAndTheSourceSaysSo) {
    const Machine half = with_edit(v5p(), hbm_rate, Factor{0.5});
    EXPECT_EQ(half.hbm_bandwidth.value, Bandwidth(1.4e12));
    EXPECT_EQ(half.hbm_bandwidth.source, "Edited; TPU v5p has 2.80\u2009TB/s: " + v5p().hbm_bandwidth.source);
    EXPECT_EQ(half.title, "TPU v5p, HBM bandwidth x 0.5");
    EXPECT_EQ(half.name, "tpu-v5p-edited");
    EXPECT_EQ(half.based_on, "tpu-v5p");
    EXPECT_EQ(with_edit(half, hbm_rate, Factor{0.5}), half) << "typed twice, it is still a half";
    EXPECT_EQ(with_edit(half, hbm_rate, Factor{1}), v5p()) << "x 1 takes the edit back";
    EXPECT_EQ(with_edit(half, hbm_rate, 2.8e12), v5p()) << "and so does the preset's own value";
}

TEST(EditHardware, SaysWhatDiffers) {
    Machine chip = with_edit(with_edit(v5p(), "sync_in_s", 3e-6), "hbm_capacity_in_bytes", Factor{2});
    for (int axis = 0; axis < 3; ++axis) {
        ASSERT_TRUE(edit(chip, link_number(axis), 100e9));
    }
    EXPECT_EQ(chip.title, "TPU v5p, HBM capacity x 2, synchronization x 3, link bandwidth 100\u2009GB/s");
    std::vector<std::string> changes;
    for (const EditedNumber& one : edits(chip)) {
        changes.push_back(one.key + ": " + one.preset + " -> " + one.value);
    }
    EXPECT_THAT(changes, ElementsAre("hbm_capacity_in_bytes: 96.0\u2009GB -> 192\u2009GB",
                                     "sync_in_s: 1.00\u2009\u00b5s -> 3.00\u2009\u00b5s",
                                     "link_bandwidth_in_bytes_per_s: 90.0\u2009GB/s -> 100\u2009GB/s"));
    EXPECT_EQ(edited_note(chip),
              "The hardware is TPU v5p with HBM capacity 192\u2009GB instead of 96.0\u2009GB (x 2), "
              "synchronization 3.00\u2009\u00b5s instead of 1.00\u2009\u00b5s (x 3) and link bandwidth "
              "100\u2009GB/s "
              "instead of 90.0\u2009GB/s.");
    EXPECT_EQ(edited_note(v5p()), "");
    const auto all = facts(chip);
    const auto sync = std::ranges::find(all, "synchronization, per ring step", &MachineFact::label);
    ASSERT_NE(sync, all.end());
    EXPECT_EQ(sync->preset, "1.00\u2009\u00b5s");
    EXPECT_EQ(std::ranges::count_if(all, [](const MachineFact& one) { return !one.preset.empty(); }), 3);
    ASSERT_TRUE(edit(chip, machine_number("cores"), Factor{2}));
    EXPECT_THAT(chip.title, HasSubstr("TPU v5p, HBM capacity x 2, "));
    EXPECT_THAT(chip.title, HasSubstr(", 1 more edited")) << "a title stays readable";
}

/// One axis alone is named.
TEST(EditHardware, AxesHaveLinksOfTheirOwn) {
    Machine chip = v5p();
    ASSERT_TRUE(edit(chip, link_number(1), Factor{0.5}));
    EXPECT_EQ(chip.network.link_bandwidth(0), Bandwidth(90e9));
    EXPECT_EQ(chip.network.link_bandwidth(1), Bandwidth(45e9));
    EXPECT_EQ(chip.title, "TPU v5p, horizontal link bandwidth x 0.5");
    Machine flat = machine_preset("tpu-v5e").value();
    const Result<void> third = edit(flat, link_number(2), Factor{0.5});
    ASSERT_FALSE(third);
    EXPECT_EQ(third.error().sentence,
              "There is no link bandwidth of the third axis: The links of TPU v5e form a torus of 2 axes.");
}

TEST(EditHardware, HardwareOfNoPresetCountsFromWhatItHas) {
    Machine own = v5p();
    own.name = "mine";
    own.title = "My chip";
    own.hbm_bandwidth.source = "measured";
    const Machine half = with_edit(own, hbm_rate, Factor{0.5});
    EXPECT_EQ(half.hbm_bandwidth.value, Bandwidth(1.4e12));
    EXPECT_EQ(half.hbm_bandwidth.source, "Edited; before it was 2.80\u2009TB/s: measured");
    EXPECT_EQ(half.title, "My chip, edited");
    EXPECT_EQ(half.based_on, "");
    const Machine quarter = with_edit(half, hbm_rate, Factor{0.5});
    EXPECT_EQ(quarter.hbm_bandwidth.value, Bandwidth(0.7e12));
    EXPECT_EQ(quarter.hbm_bandwidth.source, half.hbm_bandwidth.source) << "the first one stays";
    EXPECT_EQ(quarter.title, "My chip, edited");
}

/// A file with a preset's name and a number of its own is not that preset.
TEST(EditHardware, ANameAloneIsNotAPreset) {
    Machine own = v5p();
    own.hbm_bandwidth.value = Bandwidth(2e12);
    EXPECT_FALSE(origin(own));
    EXPECT_EQ(with_edit(own, hbm_rate, Factor{1}), own) << "the file's own number stays";
    EXPECT_EQ(with_edit(own, hbm_rate, Factor{0.5}).hbm_bandwidth.value, Bandwidth(1e12));
    EXPECT_EQ(
        edited_note(with_edit(own, hbm_rate, Factor{0.5})),
        "The hardware is TPU v5p, edited, with HBM bandwidth 1.00\u2009TB/s instead of 2.00\u2009TB/s.");
    EXPECT_EQ(origin(v5p())->name, "tpu-v5p");
}

/// A preset has several names: h100 and, with domains of 16 chips, h100-nvs16.
TEST(EditHardware, KnowsAPresetByEachOfItsNames) {
    for (const char* const name : {"h100", "h100-nvs8", "h100-nvs16"}) {
        const Machine preset = *machine_preset(name);
        const Machine half = with_edit(preset, hbm_rate, Factor{0.5});
        EXPECT_EQ(half.based_on, name);
        EXPECT_EQ(half.title, preset.title + ", HBM bandwidth x 0.5");
        ASSERT_TRUE(origin(half));
        EXPECT_EQ(*origin(half), preset);
        EXPECT_EQ(with_edit(half, hbm_rate, Factor{1}), preset);
    }
}

/// A copy of a preset's file with a number of its own says that it is one, and which number that is.
TEST(EditHardware, TellsAnEditedCopyOfAFileFromItsPreset) {
    Machine copy = v5p();
    copy.hbm_bandwidth.value = Bandwidth(1.4e12);
    const Machine apart = told_apart(copy);
    EXPECT_EQ(apart.name, "tpu-v5p-edited");
    EXPECT_EQ(apart.title, "TPU v5p, HBM bandwidth x 0.5");
    EXPECT_EQ(apart.based_on, "tpu-v5p");
    EXPECT_EQ(told_apart(apart), apart) << "once";
    EXPECT_EQ(told_apart(v5p()), v5p()) << "the file as it is";
    Machine own = copy;
    own.name = "my-chip";
    EXPECT_EQ(told_apart(own), own) << "another chip";
}

TEST(EditHardware, AFilesOwnTitleStays) {
    Machine own = v5p();
    own.title = "Our chip";
    own.based_on = "tpu-v5p";
    const Machine half = with_edit(own, hbm_rate, Factor{0.5});
    EXPECT_EQ(half.title, "Our chip, HBM bandwidth x 0.5");
    const Machine other = with_edit(half, hbm_rate, Factor{2});
    EXPECT_EQ(other.title, "Our chip, HBM bandwidth x 2");
    EXPECT_EQ(with_edit(other, hbm_rate, Factor{1}).title, "Our chip");
}

TEST(EditHardware, CanBeRepeatedOnOtherHardware) {
    Machine chip = with_edit(v5p(), hbm_rate, Factor{0.5});
    for (int axis = 0; axis < 3; ++axis) {
        ASSERT_TRUE(edit(chip, link_number(axis), 97e9));
    }
    Machine flat = machine_preset("tpu-v5e").value();
    const Bandwidth half = Bandwidth(flat.hbm_bandwidth.value.value() / 2);
    ASSERT_TRUE(edit_alike(flat, chip));
    EXPECT_EQ(flat.hbm_bandwidth.value, half);
    EXPECT_EQ(flat.network.link_bandwidth(0), Bandwidth(97e9)) << "no short factor, so the value";
    EXPECT_EQ(flat.network.link_bandwidth(1), Bandwidth(97e9));
}

TEST(EditHardware, RefusesWhatNoChipHas) {
    EXPECT_EQ(refused_edit(hbm_rate, Factor{1e9}),
              "The HBM bandwidth is 2800\u2009EB/s; expected 1.00\u2009MB/s to 10.0\u2009PB/s.");
    EXPECT_EQ(refused_edit("cores", Factor{0.75}),
              "The number of cores is a whole number, and x 0.75 of 2 is 1.5; expected another factor.");
    EXPECT_EQ(refused_edit("launch_multiply_in_s", Factor{2}),
              "The multiply launch has no factor: it is 0\u2009s. Expected a value.");
}

/// Machine of no preset lists what was edited, too: in sentences and for programs.
TEST(EditHardware, ListsTheEditsOfNoPreset) {
    Machine own = v5p();
    own.name = "mine";
    own.title = "Mine";
    own.hbm_bandwidth.value = Bandwidth(2.5e12);
    EXPECT_THAT(edits_of_no_preset(own), IsEmpty());
    ASSERT_TRUE(edit(own, machine_number(hbm_rate), Factor{0.5}));
    for (int axis = 0; axis < 3; ++axis) {
        ASSERT_TRUE(edit(own, link_number(axis), 100e9));
    }
    const std::vector<EditedNumber> all = edits_of_no_preset(own);
    ASSERT_EQ(all.size(), 2u) << "the links of all axes are one";
    EXPECT_EQ(all[0].key, hbm_rate);
    EXPECT_EQ(all[0].now, 1.25e12);
    EXPECT_EQ(all[0].before, 2.5e12);
    EXPECT_EQ(all[0].preset, "2.50\u2009TB/s");
    EXPECT_FALSE(all[0].of_preset);
    EXPECT_EQ(all[1].name, "link bandwidth");
    EXPECT_EQ(edited_note(own), "The hardware is Mine, edited, with HBM bandwidth 1.25\u2009TB/s instead of "
                                "2.50\u2009TB/s and link bandwidth 100\u2009GB/s instead of 90.0\u2009GB/s.");
    EXPECT_EQ(short_title(own), "Mine, edited");
    EXPECT_EQ(short_title(with_edit(v5p(), hbm_rate, Factor{0.5})), "TPU v5p (edited)");
    EXPECT_EQ(short_title(v5p()), "TPU v5p");
}

/// The file says which preset it came from, so that factors go on counting from there.
TEST(EditHardware, AFileKeepsWhereItCameFrom) {
    const Machine half = with_edit(v5p(), hbm_rate, Factor{0.5});
    const auto json = nlohmann::json::parse(write_machine(half));
    EXPECT_EQ(json["based_on"], "tpu-v5p");
    const auto read = read_machine(write_machine(half), "chip.json");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, half);
    EXPECT_EQ(with_edit(*read, hbm_rate, Factor{2}).hbm_bandwidth.value, Bandwidth(5.6e12));
    EXPECT_FALSE(nlohmann::json::parse(write_machine(v5p())).contains("based_on"));
    auto older = json;
    older["meshslice_hardware"] = 2;
    EXPECT_EQ(read_machine(older.dump(), "chip.json").error().sentence,
              "chip.json has an unknown key \"/based_on\".");
    auto elsewhere = json;
    elsewhere["based_on"] = "tpu-v99";
    const auto unknown = read_machine(elsewhere.dump(), "chip.json");
    ASSERT_TRUE(unknown) << "a preset that this program does not have";
    EXPECT_FALSE(origin(*unknown));
    EXPECT_THAT(edits(*unknown), IsEmpty());
}

TEST(EditHardware, EveryNumberOfTheChipCanBeEdited) {
    for (const Field<Machine>& field : machine_fields()) {
        const bool number = field.kind == FieldKind::quantity || field.kind == FieldKind::whole;
        EXPECT_EQ(field_of(machine_numbers(), field.key) != nullptr, number) << field.key;
    }
}

} // namespace
} // namespace meshslice
