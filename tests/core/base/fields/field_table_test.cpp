#include "core/base/fields/field_file.h"
#include "core/base/fields/field_table.h"
#include "core/base/json/json_writer.h"
#include "core/base/quantity.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;
using Json = Tree;

enum class Colour { red, green };
std::string_view name(Colour colour) {
    return colour == Colour::red ? "red" : "green";
}

/// A value with a field of every kind.
struct Lamp {
    std::int64_t bulbs = 2;
    std::optional<std::int64_t> sockets;
    Time delay = Time(500); // ps
    Colour colour = Colour::red;
    std::optional<Colour> second;
    std::string maker = "Edison";
    bool on = false;
    std::vector<std::int64_t> sizes{3, 4};
    std::string power_source; // of `power`
    double power = 60.0;

    bool operator==(const Lamp&) const = default;
};

const std::vector<Field<Lamp>>& lamp_fields() {
    static const std::vector<Field<Lamp>> table = [] {
        std::vector<Field<Lamp>> rows;
        rows.push_back(whole_field<Lamp>(
            {.key = "bulbs", .name = "number of bulbs", .least = 1, .most = 8},
            [](auto& lamp) -> auto& { return lamp.bulbs; }));
        rows.push_back(whole_field<Lamp>(
            {.key = "sockets", .required = false, .name = "number of sockets", .least = 1, .word = "auto"},
            [](auto& lamp) -> auto& { return lamp.sockets; }));
        rows.back().omitted = [](const Lamp& lamp) { return !lamp.sockets; };
        rows.back().check = [](const Lamp& lamp) -> Result<void> {
            if (lamp.sockets && *lamp.sockets < lamp.bulbs) {
                return refuse("Every bulb needs a socket.");
            }
            return {};
        };
        rows.push_back(quantity_field<Lamp>(
            {.key = "delay_s", .required = false, .name = "delay", .unit = "s", .highest = 1e-3},
            [](auto& lamp) -> auto& { return lamp.delay; }, seconds, in_seconds));
        rows.push_back(choice_field<Lamp, Colour>(
            {.key = "light.colour", .name = "colour"}, {{Colour::red, "warm red"}, {Colour::green, ""}},
            [](auto& lamp) -> auto& { return lamp.colour; }));
        rows.push_back(choice_field<Lamp, Colour>(
            {.key = "light.second", .required = false, .name = "second colour", .word = "none"},
            {{Colour::red, ""}, {Colour::green, ""}}, [](auto& lamp) -> auto& { return lamp.second; }));
        rows.back().objection = [](const Lamp& lamp) {
            return lamp.bulbs > 1 ? "" : "a lamp of one bulb has one colour";
        };
        rows.push_back(text_field<Lamp>(
            {.key = "maker", .name = "maker"}, [](auto& lamp) -> auto& { return lamp.maker; }));
        rows.push_back(flag_field<Lamp>(
            {.key = "on", .name = "switch"}, [](auto& lamp) -> auto& { return lamp.on; }));
        Field<Lamp> sizes{
            {.key = "sizes", .name = "sizes", .kind = FieldKind::whole_list, .least = 1, .most = 9},
            [](const Lamp& lamp) { return FieldValue(lamp.sizes); },
            [](Lamp& lamp, const FieldValue& value) -> Result<void> {
                lamp.sizes = std::get<std::vector<std::int64_t>>(value);
                return {};
            }};
        rows.push_back(std::move(sizes));
        rows.push_back(quantity_field<Lamp>(
            {.key = "power", .name = "power", .unit = "W", .sourced = true},
            [](auto& lamp) -> auto& { return lamp.power; }, [](double watt) { return watt; },
            [](double watt) { return watt; }));
        rows.back().source = [](Lamp& lamp) -> std::string& { return lamp.power_source; };
        return rows;
    }();
    return table;
}

const Field<Lamp>& row(std::string_view key) {
    return *field_of(lamp_fields(), key);
}

TEST(FieldTable, ReadsTextsByKind) {
    struct Case {
        const char* key;
        const char* words;
        FieldValue value;
    };
    const std::vector<Case> cases = {
        {"bulbs", "4", std::int64_t{4}},
        {"bulbs", "2*4", std::int64_t{8}},
        {"sockets", "8Ki", std::int64_t{8192}},
        {"sockets", "auto", {}},
        {"delay_s", "2 us", 2e-6},
        {"light.colour", "green", std::string("green")},
        {"light.second", "none", {}},
        {"maker", "Swan & Sons", std::string("Swan & Sons")},
        {"on", "on", true},
    };
    for (const Case& one : cases) {
        const Result<FieldValue> value = parse(row(one.key), one.words, "--flag");
        ASSERT_TRUE(value) << one.key << ": " << value.error().sentence;
        EXPECT_EQ(*value, one.value) << one.key << " " << one.words;
    }
}

TEST(FieldTable, RefusesTextsWithASentence) {
    struct Case {
        const char* key;
        const char* words;
        const char* says;
    };
    const std::vector<Case> cases = {
        {"bulbs", "9", "--flag is \"9\"; expected a whole number from 1 to 8."},
        {"bulbs", "12x", "--flag is \"12x\"; expected a whole number from 1 to 8."},
        {"bulbs", "auto", "--flag is \"auto\"; expected a whole number from 1 to 8."},
        {"sockets", "0", "--flag is \"0\"; expected auto or a whole number from 1 on."},
        {"delay_s", "2 parsecs", "--flag: \"2 parsecs\" is not a quantity in s"},
        {"delay_s", "1 s", "--flag is \"1 s\"; expected 0 s to 1.00 ms."},
        {"light.colour", "blue", "--flag is \"blue\"; expected red or green."},
        {"light.second", "blue", "--flag is \"blue\"; expected none, red or green."},
        {"on", "maybe", "--flag is \"maybe\"; expected on or off."},
    };
    for (const Case& one : cases) {
        Lamp lamp;
        const Result<void> set = set_text(row(one.key), lamp, one.words, "--flag");
        ASSERT_FALSE(set) << one.key << " " << one.words;
        EXPECT_THAT(set.error().sentence, HasSubstr(one.says));
        EXPECT_EQ(lamp, Lamp{}) << "a refused text changes nothing";
    }
}

TEST(FieldTable, SaysBoundsAsTheyAreRead) {
    FieldRow share{.key = "share", .name = "share", .lowest = 0.001, .highest = 1};
    share.kind = FieldKind::quantity;
    EXPECT_EQ(expectation(share), "0.001 to 1");
    share.unit = "s";
    EXPECT_EQ(expectation(share), "1.00\u2009ms to 1.00\u2009s");
}

TEST(FieldTable, WritesTextsThatAreReadBack) {
    Lamp lamp;
    lamp.sockets = 5;
    lamp.second = Colour::green;
    for (const Field<Lamp>& field : lamp_fields()) {
        if (field.kind == FieldKind::whole_list) {
            continue; // lists have no text form unless the row brings one
        }
        Lamp other;
        ASSERT_TRUE(set_text(field, other, text(field, field.get(lamp)), field.name)) << field.key;
        EXPECT_EQ(field.get(other), field.get(lamp)) << field.key;
    }
    EXPECT_EQ(text(row("sockets"), FieldValue()), "auto");
    // Half a nanosecond, as a form shows it that counts in nanoseconds.
    EXPECT_EQ(text(row("delay_s"), row("delay_s").get(lamp), 1e-9), "0.5");
    EXPECT_EQ(std::get<double>(*parse(row("delay_s"), "0.5", "", 1e-9)), 0.5e-9);
}

TEST(FieldTable, TextsOfQuantitiesReadBackToTheLastDigit) {
    const FieldRow row{.key = "speed", .name = "speed", .unit = "FLOP/s", .kind = FieldKind::quantity};
    std::mt19937_64 random(5);
    for (int k = 0; k < 20000; ++k) {
        const double quantity = std::ldexp(1.0 + std::ldexp(static_cast<double>(random() >> 12), -52),
                                           static_cast<int>(random() % 200) - 100);
        for (const double bare : {1.0, 1e-6, 1e9, 1e12}) {
            const std::string words = text(row, quantity, bare);
            const Result<FieldValue> read = parse(row, words, "speed", bare);
            ASSERT_TRUE(read) << words;
            ASSERT_EQ(*read, FieldValue(quantity)) << words << " in " << bare;
        }
    }
    EXPECT_EQ(text(row, 45e9, 1e9), "45");
    EXPECT_EQ(text(row, 0.1 + 0.2, 1.0), "0.30000000000000004");
}

TEST(FieldTable, ChecksEveryRowAndWhatHoldsBetweenThem) {
    Lamp lamp;
    EXPECT_TRUE(check_fields(lamp_fields(), lamp));
    lamp.bulbs = 9;
    EXPECT_EQ(check_fields(lamp_fields(), lamp).error().sentence,
              "The number of bulbs is 9; expected a whole number from 1 to 8.");
    lamp.bulbs = 2;
    lamp.sockets = 1;
    EXPECT_EQ(check_fields(lamp_fields(), lamp).error().sentence, "Every bulb needs a socket.");
    lamp = {};
    lamp.sizes = {3, 10};
    EXPECT_EQ(check_fields(lamp_fields(), lamp).error().sentence,
              "The sizes is 3, 10; expected a list of whole numbers from 1 to 9.");
}

TEST(FieldTable, KnowsWhenAFieldHasNoEffect) {
    Lamp lamp;
    EXPECT_TRUE(row("light.second").applies(lamp));
    EXPECT_TRUE(row("maker").applies(lamp));
    lamp.bulbs = 1;
    EXPECT_FALSE(row("light.second").applies(lamp));
}

TEST(FieldFile, WritesAndReadsBackTheSame) {
    Lamp lamp;
    lamp.sockets = 7;
    lamp.colour = Colour::green;
    lamp.power_source = "its label";
    Json file;
    write_fields(file, lamp_fields(), lamp);
    EXPECT_EQ(json_line(file),
              R"({"bulbs":2,"sockets":7,"delay_s":5e-10,"light":{"colour":"green","second":"none"},)"
              R"("maker":"Edison","on":false,"sizes":[3,4],"power":{"value":60.0,"source":"its label"}})");
    const nlohmann::json parsed = nlohmann::json::parse(json_line(file));
    JsonReader reader(parsed, "lamp.json");
    Lamp back;
    read_fields(reader, lamp_fields(), "lamp.json", back);
    ASSERT_TRUE(reader.ok()) << reader.finding()->sentence;
    EXPECT_EQ(back, lamp);
}

TEST(FieldFile, SaysWhatIsWrongAndWhere) {
    const std::string rest = R"("maker":"E","on":true,"sizes":[1],"power":{"value":1,"source":""})";
    struct Case {
        std::string json;
        const char* says; ///< empty: it is read
    };
    const std::vector<Case> cases = {
        {R"({"bulbs":1,)" + rest + "}", ""},
        {"{" + rest + "}", "lacks \"/bulbs\""},
        {R"({"bulbs":0,)" + rest + "}", "\"/bulbs\" is 0; expected a whole number from 1 to 8"},
        {R"({"bulbs":1,"sockets":"many",)" + rest + "}",
         "\"/sockets\" is \"many\"; expected auto or a whole number from 1 on"},
        {R"({"bulbs":1,"sockets":"auto",)" + rest + "}", ""},
        {R"({"bulbs":1,"light":{},)" + rest + "}", "lacks \"/light/colour\""},
        {R"({"bulbs":1,"light":{"colour":"blue"},)" + rest + "}",
         "\"/light/colour\" is \"blue\"; expected red or green"},
        {R"({"bulbs":1,"light":{"colour":"red","size":1},)" + rest + "}", "unknown key \"/light/size\""},
        {R"({"bulbs":1,"shade":1,)" + rest + "}", "unknown key \"/shade\""},
        {R"({"bulbs":1,"power":{"value":1},)" + rest.substr(0, rest.find(",\"power")) + "}",
         "lacks \"/power/source\""},
    };
    for (const Case& one : cases) {
        const nlohmann::json parsed = nlohmann::json::parse(one.json);
        JsonReader reader(parsed, "lamp.json");
        Lamp lamp;
        read_fields(reader, lamp_fields(), "lamp.json", lamp);
        const std::string sentence = reader.ok() ? "" : reader.finding()->sentence;
        EXPECT_EQ(sentence.empty(), std::string(one.says).empty()) << sentence << one.json;
        EXPECT_THAT(sentence, HasSubstr(one.says));
    }
}

/// Two bulbs, 500 ps, sockets of their own accord.
TEST(FieldTable, MultipliesWhatAFieldHas) {
    const Lamp lamp;
    const auto of = [&](const char* key, double factor) {
        const Field<Lamp>& row = *field_of(lamp_fields(), key);
        return multiplied(row, row.get(lamp), factor, "It");
    };
    EXPECT_EQ(of("bulbs", 2), FieldValue(std::int64_t{4}));
    EXPECT_EQ(of("bulbs", 0.5), FieldValue(std::int64_t{1}));
    EXPECT_EQ(of("bulbs", 0.3).error().sentence, "It would be 0.6; expected a whole number from 1 to 8.");
    EXPECT_EQ(of("bulbs", 5).error().sentence, "It would be 10; expected a whole number from 1 to 8.");
    EXPECT_FALSE(of("bulbs", 1e300));
    EXPECT_DOUBLE_EQ(std::get<double>(*of("delay_s", 4)), 2e-9);
    EXPECT_FALSE(of("delay_s", 1e9)); // above a millisecond
    EXPECT_THAT(of("sockets", 2).error().sentence, HasSubstr("It is auto, which has no multiple"));
}

} // namespace
} // namespace meshslice
