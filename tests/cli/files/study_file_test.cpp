// A study that a reader of the manual writes: the one of the page, and what is said where it is wrong.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

/// The blocks of JSON of the page that writes studies: a study, statements that are added to it, another
/// study.
std::vector<std::string> blocks_of_the_manual() {
    const std::string page = file_content(source_file("resources/docs/own-study.md"));
    const std::string begin = "```json\n";
    std::vector<std::string> blocks;
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
        at += begin.size();
        blocks.push_back(page.substr(at, page.find("```", at) - at));
    }
    return blocks;
}
std::string study_of_the_manual() {
    return blocks_of_the_manual().at(2);
}

nlohmann::json study_json() {
    return nlohmann::json::parse(study_of_the_manual());
}

TEST(StudyFiles, OfTheManualIsValidAndIsReproduced) {
    const TemporaryFolder folder;
    const std::string file = folder.file("mine.json", study_of_the_manual());
    EXPECT_EQ(meshslice_command({"validate", file}).out, file + " is valid: study.\n");
    const Finished printed = meshslice_command({"reproduce", file});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out,
                AllOf(HasSubstr("An all-gather over 16 chips, by its size"), HasSubstr("true   More bytes"),
                      HasSubstr("16 MB take           178 µs  178 µs       0.0%")));
    EXPECT_EQ(meshslice_command({"reproduce", file, "--out", folder.path("figures")}).exit_code, 0);
    EXPECT_THAT(file_content(folder.path("figures/gather-sizes.svg")), HasSubstr("<svg"));
    EXPECT_THAT(file_content(folder.path("figures/claims.csv")), HasSubstr("sixteen"));
}

/// A reader of the answer alone sees what was asked about, also where another machine was.
TEST(StudyFiles, SayWhatTheyAreAbout) {
    const TemporaryFolder folder;
    const std::string file = folder.file("mine.json", study_of_the_manual());
    EXPECT_THAT(printed({"reproduce", file}),
                HasSubstr("Machine TPU v5e; Collective all-gather; Axes that take part X=16."));
    EXPECT_THAT(printed({"reproduce", file, "--machine", "tpu-v5p"}), HasSubstr("Machine TPU v5p; "));
    const nlohmann::json asked = meshslice_json({"reproduce", file})["asked"];
    EXPECT_EQ(asked["hardware"], "tpu-v5e");
    EXPECT_EQ(asked["axes"], "X=16");
    EXPECT_FALSE(asked.contains("bytes")) << "which varies";
    nlohmann::json run = study_json();
    run["of"] = "plan";
    run["set"] = {
        {"model", "llama-3-8b"}, {"machine", "h100-nvs8"}, {"chips", 8}, {"dp", 8}, {"pp", 1}, {"tp", 1}};
    run["vary"] = {"batch=8,16"};
    run["number"] = "time_s";
    run.erase("claims");
    run.erase("orderings");
    const std::string of_plan = folder.file("plan.json", run.dump());
    EXPECT_THAT(printed({"reproduce", of_plan}),
                AllOf(HasSubstr("Model Llama 3 8B; machine NVIDIA H100 SXM, domains of 8; "),
                      HasSubstr("sequence length 8192")));
    EXPECT_EQ(meshslice_json({"reproduce", of_plan})["asked"]["sequence"], 8192);
    EXPECT_THAT(printed({"report", "-", of_plan, "--of", "reproduce"}),
                HasSubstr("| machine | NVIDIA H100 SXM, domains of 8 |"));
}

/// What it finds by expected times and what by ideal ones are two lines of an answer, and one title of a
/// picture.
TEST(StudyFiles, SayWhatTheyFindLineByLine) {
    const TemporaryFolder folder;
    nlohmann::json run = study_json();
    run["of"] = "plan";
    run["set"] = {{"model", "llama-3-8b"}, {"batch", 16}, {"chips", 8}, {"dp", 8}, {"pp", 1}, {"tp", 1}};
    run["vary"] = {"machine=h100-nvs8,b200-nvs8"};
    for (const char* const key : {"number", "claims", "orderings"}) {
        run.erase(key);
    }
    const std::string file = folder.file("plan.json", run.dump());
    const std::string page = printed({"report", "-", file, "--of", "reproduce"});
    EXPECT_THAT(page,
                AllOf(HasSubstr("\n\nExpected to be the fastest: "), HasSubstr("\n\n- By ideal times: ")));
    ASSERT_EQ(meshslice_command({"reproduce", file, "--out", folder.path("figures")}).exit_code, 0);
    EXPECT_THAT(file_content(folder.path("figures/gather-sizes.svg")),
                AllOf(HasSubstr("domains of 8. By ideal"), Not(HasSubstr("domains of 8.\nBy ideal"))));
}

/// 16 MB over 90 GB/s are 177.8 us, by hand.
TEST(StudyFiles, HaveOurNumberNextToThePublishedOne) {
    const TemporaryFolder folder;
    const Finished printed =
        meshslice_command({"reproduce", folder.file("mine.json", study_of_the_manual()), "--json"});
    const nlohmann::json values = nlohmann::json::parse(printed.out);
    EXPECT_NEAR(values["claims"][0]["ours"].get<double>(), 16e6 / 90e9, 1e-12);
    EXPECT_NEAR(values["claims"][1]["ours"].get<double>(), 4, 1e-9);
    EXPECT_EQ(values["orderings"][0]["holds"], true);
}

/// The steps of the page, one after the other; from another folder, so that files are found next to the
/// study.
TEST(StudyFiles, AreWrittenByTheStepsOfTheManual) {
    const std::vector<std::string> blocks = blocks_of_the_manual();
    ASSERT_EQ(blocks.size(), 3U);
    const TemporaryFolder folder;
    folder.file("model.json", printed({"presets", "llama-3-8b"}));
    folder.file("machine.json", printed({"presets", "h100-nvs8"}));
    const std::string file = folder.file("mine.json", blocks[0]);
    EXPECT_EQ(meshslice_command({"validate", file}).out, file + " is valid: study.\n");
    EXPECT_THAT(printed({"reproduce", file}), HasSubstr("64"));
    std::string with_statements = blocks[0];
    with_statements.insert(with_statements.rfind("\n}"), ",\n" + blocks[1]);
    const Finished ran =
        meshslice_command({"reproduce", folder.file("more.json", with_statements), "--json"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const nlohmann::json values = nlohmann::json::parse(ran.out);
    EXPECT_NEAR(values["claims"][1]["ours"].get<double>(), 2, 0.05);
    EXPECT_EQ(values["orderings"][0]["holds"], true);
}

/// Files of the command's own fields too: serving has the model as one.
TEST(StudyFiles, NameFilesNextToThem) {
    const TemporaryFolder folder;
    folder.file("model.json", printed({"presets", "llama-3-70b"}));
    nlohmann::json study = {{"meshslice_swept_study", 1},
                            {"name", "tensor"},
                            {"title", "Tensor parallel"},
                            {"question", "How many chips does it take?"},
                            {"of", "serve"},
                            {"set", {{"model", "model.json"}, {"machine", "h100"}}},
                            {"vary", {"tp=1,4"}},
                            {"number", "tpot_s"}};
    const std::string file = folder.file("serve.json", study.dump());
    const Finished ran = meshslice_command({"reproduce", file});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("does not fit: 164 GB per chip"));
    study["set"]["model"] = "other.json";
    EXPECT_THAT(meshslice_command({"reproduce", folder.file("none.json", study.dump())}).err,
                HasSubstr(folder.path("other.json")));
}

/// What only a point shows, a check shows too.
TEST(StudyFiles, AreCheckedByAPoint) {
    const TemporaryFolder folder;
    nlohmann::json number = study_json();
    number["number"] = "time";
    nlohmann::json none = study_json();
    none["of"] = "serve";
    none["set"] = {{"model", "gpt3-175b"}, {"machine", "h100"}};
    none["vary"] = {"tp=7,11"};
    none.erase("claims");
    none.erase("orderings");
    for (const nlohmann::json& study : {number, none}) {
        const std::string file = folder.file("mine.json", study.dump());
        const Finished checked = meshslice_command({"validate", file});
        const Finished ran = meshslice_command({"reproduce", file});
        EXPECT_EQ(checked.exit_code, 1) << checked.out;
        EXPECT_EQ("meshslice: " + checked.out.substr(0, checked.out.find('\n')) + "\n", ran.err);
    }
}

/// A claim that does not hold ends the program with 1; an ordering is a result.
TEST(StudyFiles, EndWithOneWhereAClaimDoesNotHold) {
    const TemporaryFolder folder;
    nlohmann::json study = study_json();
    study["orderings"][0]["shape"] = "falls";
    const Finished ordering = meshslice_command({"reproduce", folder.file("a.json", study.dump())});
    EXPECT_EQ(ordering.exit_code, 0);
    EXPECT_THAT(ordering.out, HasSubstr("false  More bytes"));
    // 16 MB over 90 GB/s are 177.8 us, 11.1% less than 200 us.
    study["claims"][0]["value"] = 200e-6;
    study["claims"][0]["within"] = 0.1;
    const std::string why = "\"16 MB take\" does not hold: ours is 178 µs, -11.1% from the published 200 µs, "
                            "and the study allows "
                            "10%.\n";
    const std::string file = folder.file("b.json", study.dump());
    const Finished claim = meshslice_command({"reproduce", file});
    EXPECT_EQ(claim.exit_code, 1);
    EXPECT_THAT(claim.out, EndsWith("\n" + why));
    EXPECT_EQ(claim.err, "");
    const Finished values = meshslice_command({"reproduce", file, "--json"});
    EXPECT_EQ(values.exit_code, 1);
    EXPECT_EQ(values.err, "meshslice: " + why);
}

/// 64 heads are not split over 7 chips, and switches have no axes: what is missing is said of the point that
/// it is missing at.
TEST(StudyFiles, SayWhyThereIsNoNumberOfOurs) {
    const TemporaryFolder folder;
    const auto claim = [](const nlohmann::json& at, const nlohmann::json& over) {
        nlohmann::json made = {{"id", "one"},  {"statement", "One"}, {"kind", "speed-up"},
                               {"value", 2.0}, {"within", 0.1},      {"at", at}};
        if (!over.is_null()) {
            made["over"] = over;
        }
        return made;
    };
    nlohmann::json study = {{"meshslice_swept_study", 1},
                            {"name", "tensor"},
                            {"title", "Tensor parallel"},
                            {"question", "How many chips does it take?"},
                            {"of", "serve"},
                            {"set", {{"model", "llama-3-70b"}, {"machine", "h100"}}},
                            {"vary", {"tp=4,7"}},
                            {"number", "tpot_s"}};
    const auto printed_with = [&](const nlohmann::json& made) {
        study["claims"] = nlohmann::json::array({made});
        const Finished ran = meshslice_command({"reproduce", folder.file("mine.json", study.dump())});
        EXPECT_EQ(ran.exit_code, 1) << ran.err;
        return ran.out;
    };
    EXPECT_THAT(printed_with(claim({{"tp", 7}}, {{"tp", 4}})),
                EndsWith("\"One\" does not hold: its point does not run, where 2.000x was published.\n"));
    EXPECT_THAT(printed_with(claim({{"tp", 4}}, {{"tp", 7}})),
                AllOf(HasSubstr("  does not run\n"),
                      EndsWith("\"One\" does not hold: the point under \"over\" does not run, where 2.000x "
                               "was published.\n")));
    study["of"] = "collective";
    study["set"] = {{"collective", "all-gather"}, {"bytes", "16MB"}, {"axes", "X=8"}};
    study["vary"] = {"machine=tpu-v5e,h100-nvs8"};
    study["number"] = "axes/0/chips";
    EXPECT_THAT(
        printed_with(claim({{"machine", "h100-nvs8"}}, {})),
        AllOf(HasSubstr("  not known\n"),
              EndsWith("\"One\" does not hold: its point does not have \"axes/0/chips\", where 2.000x "
                       "was published.\n")));
    EXPECT_THAT(printed_with(claim({{"machine", "tpu-v5e"}}, {{"machine", "h100-nvs8"}})),
                EndsWith("\"One\" does not hold: the point under \"over\" does not have \"axes/0/chips\", "
                         "where 2.000x was published.\n"));
}

/// A ring of 16 of TPU v6e gathers at 180 GB/s where v5e has 90: by hand 16 MB take 88.9 us.
TEST(StudyFiles, AreAskedAboutAnotherMachine) {
    const TemporaryFolder folder;
    const std::string file = folder.file("mine.json", study_of_the_manual());
    const nlohmann::json values =
        nlohmann::json::parse(printed({"reproduce", file, "--machine", "tpu-v6e", "--json"}));
    EXPECT_NEAR(values["claims"][0]["ours"].get<double>(), 16e6 / 180e9, 1e-12);
    EXPECT_TRUE(values["claims"][0]["deviation"].is_null());
    EXPECT_TRUE(values["claims"][0]["holds"].is_null());
    EXPECT_TRUE(values["orderings"][0]["holds"].is_null());
    EXPECT_THAT(printed({"reproduce", file, "--machine", "tpu-v6e"}),
                HasSubstr("Not judged against what was published: asked about TPU v6e (Trillium)."));
    nlohmann::json varied = study_json();
    varied["set"].erase("machine");
    varied["vary"] = {"machine=tpu-v5e,tpu-v5p"};
    varied["set"]["bytes"] = "16MB";
    varied.erase("claims");
    EXPECT_THAT(
        meshslice_command({"reproduce", folder.file("b.json", varied.dump()), "--machine", "tpu-v4"}).err,
        HasSubstr("is not about one machine that could be another."));
}

/// A shipped study is a file to begin with: printed, it is valid, and has the same numbers.
TEST(StudyFiles, ComeWithTheProgram) {
    const TemporaryFolder folder;
    EXPECT_THAT(printed({"presets", "studies"}), HasSubstr("decode-by-batch"));
    const std::string file = folder.file("mine.json", printed({"presets", "decode-by-batch"}));
    EXPECT_EQ(meshslice_command({"validate", file}).out, file + " is valid: study.\n");
    const nlohmann::json own = nlohmann::json::parse(printed({"reproduce", file, "--json"}));
    const nlohmann::json shipped = nlohmann::json::parse(printed({"reproduce", "decode-by-batch", "--json"}));
    EXPECT_EQ(own["claims"][0]["ours"], shipped["studies"][0]["claims"][0]["ours"]);
    EXPECT_EQ(shipped["publication"], "How to Scale Your Model");
    const nlohmann::json other =
        nlohmann::json::parse(printed({"reproduce", "decode-by-batch", "--machine", "tpu-v6e", "--json"}));
    EXPECT_EQ(other["hardware"], "tpu-v6e");
    EXPECT_THAT(other["studies"][0]["not_judged"].get<std::string>(), HasSubstr("TPU v6e"));
}

TEST(StudyFiles, AreOfTheStepToo) {
    const TemporaryFolder folder;
    const std::string shared = printed({"share", "--gemm", "1024x1024x1024", "--mesh", "4x4"});
    const nlohmann::json study = {{"meshslice_swept_study", 1},
                                  {"name", "links"},
                                  {"title", "Links"},
                                  {"question", "What do faster links save?"},
                                  {"scenario", shared},
                                  {"vary", {"links=x0.5,x1,x2"}},
                                  {"number", "time_s"},
                                  {"orderings",
                                   {{{"id", "least"},
                                     {"statement", "Least at x2"},
                                     {"shape", "least-at"},
                                     {"at", {{"links", "x2"}}}}}}};
    const Finished ran = meshslice_command({"reproduce", folder.file("links.json", study.dump())});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("true   Least at x2"));
}

/// The file in resources/schema is what the program prints.
TEST(StudyFiles, HaveASchema) {
    EXPECT_EQ(printed({"schema", "study"}),
              file_content(source_file("resources/schema/study-1.schema.json")));
}

TEST(StudyFiles, SayWhatIsWrong) {
    const TemporaryFolder folder;
    const auto refusal = [&](const nlohmann::json& study) {
        return meshslice_command({"reproduce", folder.file("mine.json", study.dump())}).err;
    };
    const auto changed = [](const char* pointer, const nlohmann::json& value) {
        nlohmann::json study = study_json();
        study[nlohmann::json::json_pointer(pointer)] = value;
        return study;
    };
    EXPECT_THAT(refusal(changed("/claims/0/at/bytes", "17MB")), HasSubstr("is not a point of the sweep"));
    EXPECT_THAT(refusal(changed("/claims/0/at", nlohmann::json::object())), HasSubstr("must say a value of"));
    EXPECT_THAT(refusal(changed("/number", "time_in")),
                HasSubstr("\"time_in\" is not a number of a point; did you mean time_in_s?"));
    EXPECT_THAT(refusal(changed("/of", "sweep")), HasSubstr("must be one of simulate"));
    EXPECT_THAT(refusal(changed("/vary/0", "bytes")), HasSubstr("/vary"));
    EXPECT_THAT(refusal(changed("/set/axis", "X=4")),
                HasSubstr("collective has no field \"axis\"; did you mean axes?"));
    EXPECT_THAT(refusal(changed("/meshslice_swept_study", 2)), HasSubstr("reads files up to version 1"));
    EXPECT_THAT(refusal(changed("/titel", "x")), HasSubstr("titel"));
    const std::string file = folder.file("mine.json", study_of_the_manual());
    EXPECT_THAT(meshslice_command({"reproduce", file, "--model", "llama-3-8b"}).err,
                HasSubstr("\"gather-sizes\" is not about one model that could be another."));
    EXPECT_EQ(
        meshslice_command({"validate", folder.file("b.json", "{\"meshslice_swept_study\": 1}")}).exit_code,
        1);
}

} // namespace
} // namespace meshslice::test
