#include "core/base/fields/field_file.h"
#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/project.h"
#include "core/scenario/file/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace meshslice {
namespace {

const std::string root = MESHSLICE_SOURCE_DIR;

std::string schema_path() {
    return fmt::format("{}/resources/schema/project-{}.schema.json", root, project_version());
}

/// Where a file has a value of this row or its word.
const nlohmann::json& without_word(const FieldRow& row, const nlohmann::json& value) {
    return row.word.empty() || row.kind == FieldKind::choice ? value : value["anyOf"][0];
}

/// The file in resources is what the program writes: bin/meshslice schema > resources/schema/...
TEST(ProjectSchema, IsTheOneInResources) {
    std::ifstream file(schema_path());
    const std::string stored{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(stored, project_schema()) << schema_path() << " is what 'meshslice schema' prints";
}

/// Every stored key stands in it once, with its type, its range or its words; and nothing else does.
TEST(ProjectSchema, HasEveryFieldWithItsTypeAndRange) {
    const nlohmann::json schema = nlohmann::json::parse(project_schema());
    const nlohmann::json& keys = schema["$defs"]["scenario"]["properties"];
    std::size_t stored = 1; // the version
    std::size_t found = 0;
    for (const auto& [key, value] : keys.items()) {
        found += value.contains("properties") ? value["properties"].size() : 1;
    }
    for (const Field<Scenario>& row : scenario_fields()) {
        if (!row.stored) {
            continue;
        }
        ++stored;
        const auto [object, key] = split_key(row.key);
        const nlohmann::json& place = object.empty() ? keys : keys.at(object).at("properties");
        ASSERT_TRUE(place.contains(key)) << row.key;
        const nlohmann::json& value = without_word(row, place[key]);
        switch (row.kind) {
        case FieldKind::whole:
            EXPECT_EQ(value["type"], "integer") << row.key;
            EXPECT_EQ(value["minimum"], row.least) << row.key;
            EXPECT_EQ(value.value("maximum", std::numeric_limits<std::int64_t>::max()), row.most) << row.key;
            break;
        case FieldKind::quantity:
            EXPECT_EQ(value["type"], "number") << row.key;
            EXPECT_EQ(value["minimum"], row.lowest) << row.key;
            break;
        case FieldKind::choice:
            EXPECT_EQ(value["enum"].size(),
                      row.choices.size() + row.accepted.size() + (row.word.empty() ? 0 : 1))
                << row.key;
            EXPECT_EQ(value["enum"][0], row.choices.begin()->word) << row.key;
            break;
        case FieldKind::text: EXPECT_EQ(value["type"], "string") << row.key; break;
        case FieldKind::flag: EXPECT_EQ(value["type"], "boolean") << row.key; break;
        case FieldKind::whole_list: EXPECT_EQ(value["items"]["minimum"], row.least) << row.key; break;
        case FieldKind::flag_list: EXPECT_EQ(value["items"]["type"], "boolean") << row.key; break;
        case FieldKind::text_list: EXPECT_EQ(value["items"]["type"], "string") << row.key; break;
        case FieldKind::part: EXPECT_EQ(value["anyOf"][0]["type"], "string") << row.key; break;
        }
    }
    EXPECT_EQ(found, stored);
}

/// A model and hardware are described number by number, and every preset has all that has to be there.
TEST(ProjectSchema, DescribesModelsAndHardware) {
    const nlohmann::json schema = nlohmann::json::parse(project_schema());
    const nlohmann::json& model = schema["$defs"]["model"]["properties"];
    EXPECT_EQ(model["heads"]["maximum"], 65536);
    EXPECT_EQ(model["vocabulary"]["minimum"], 0);
    EXPECT_TRUE(model["sources"]["properties"].contains("head_size"));
    const nlohmann::json& chip = schema["$defs"]["hardware"]["properties"];
    EXPECT_EQ(chip["cores"]["properties"]["value"]["type"], "integer");
    EXPECT_EQ(chip["effective_fraction_of_peak"]["properties"]["value"]["maximum"], 1.0);
    const nlohmann::json& levels = chip["levels"]["items"]["anyOf"];
    ASSERT_EQ(levels.size(), all_level_kinds.size());
    EXPECT_EQ(levels[1]["properties"]["kind"]["const"], "switch");
    for (const Transformer& preset : model_presets()) {
        const nlohmann::json written = nlohmann::json::parse(write_transformer(preset));
        for (const auto& [key, value] : written.items()) {
            EXPECT_TRUE(model.contains(key)) << preset.name << " " << key;
        }
        for (const nlohmann::json& key : schema["$defs"]["model"]["required"]) {
            EXPECT_TRUE(written.contains(key.get<std::string>())) << preset.name << " " << key;
        }
    }
    for (const Machine& preset : presets_that(is_plain_torus)) {
        const nlohmann::json written = nlohmann::json::parse(write_machine(preset));
        for (const auto& [key, value] : written.items()) {
            EXPECT_TRUE(chip.contains(key)) << preset.name << " " << key;
        }
        for (const nlohmann::json& key : schema["$defs"]["hardware"]["required"]) {
            EXPECT_TRUE(written.contains(key.get<std::string>())) << preset.name << " " << key;
        }
    }
}

/// The examples hold to it, and files that the program refuses do not; another program judges.
TEST(ProjectSchema, AValidatorTakesTheExamples) {
    if (std::system("python3 -c 'import jsonschema' >/dev/null 2>&1") != 0) { // NOLINT: no input of others
        GTEST_SKIP() << "python3-jsonschema is not installed";
    }
    const std::string judge = R"(import glob, json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
judge = jsonschema.Draft202012Validator(schema)
names = glob.glob(sys.argv[2] + '/*.json')
for name in names:
    judge.validate(json.load(open(name)))
one = json.load(open(sys.argv[2] + '/sliced.meshslice.json'))
assert len(names) > 8
def wrong(change):
    other = json.loads(json.dumps(one))
    change(other)
    return not judge.is_valid(other)
first = lambda file: file['variants'][0]['scenario']
assert wrong(lambda file: first(file).update(batch=0))
assert wrong(lambda file: first(file).update(batch='many'))
assert wrong(lambda file: first(file).update(algorithm='fastest'))
assert wrong(lambda file: first(file)['schedule'].update(colour='red'))
assert wrong(lambda file: first(file).update(slices='all'))
assert wrong(lambda file: file.update(variants=[]))
assert wrong(lambda file: file.pop('current'))
assert not wrong(lambda file: first(file).update(slices='auto'))
def part(key, folder, name):
    return first_with(key, json.load(open(sys.argv[2] + '/../' + folder + '/' + name)))
def first_with(key, value):
    return lambda change: wrong(lambda file: (first(file).update({key: value}), change(first(file)[key])))
model = part('model', 'models', 'llama-3-8b.json')
chip = part('hardware', 'machines', 'tpu-v4-paper.json')
other = part('hardware', 'machines', 'tpu-v6e.json')
for of in (model, chip, other):
    assert not of(lambda part: None)
    assert of(lambda part: part.update(colour='red'))
    assert of(lambda part: part.pop('title'))
assert model(lambda part: part.update(layers=0))
assert model(lambda part: part.update(gated='yes'))
assert model(lambda part: part['sources'].update(colour='a book'))
assert chip(lambda part: part['cores'].update(value=1.5))
assert chip(lambda part: part['cores'].pop('source'))
assert chip(lambda part: part['levels'][0].update(kind='bus'))
assert other(lambda part: part['levels'][0].pop('kind'))
assert not first_with('model', {'model_type': 'llama', 'hidden_size': 4096})(lambda part: None)
)";
    const std::string command =
        fmt::format("python3 -c \"{}\" {} {}/resources/examples", judge, schema_path(), root);
    EXPECT_EQ(std::system(command.c_str()), 0); // NOLINT: the same
}

} // namespace
} // namespace meshslice
