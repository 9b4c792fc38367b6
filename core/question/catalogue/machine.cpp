// A machine's file from what another program says of it.

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/import/calculon_system.h"
#include "core/import/topology_matrix.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* from_calculon = "from-calculon";

struct Draft {
    MachineDraft draft;
    Tree values;          ///< of the file itself
    std::string headline; ///< before the network
    std::string lacks;    ///< what stands before the sentences about what is missing
};

Result<Draft> draft_of_matrix(const JsonPart& file, const Machine& chip, const std::string& name) {
    const Result<TopologyMatrix> matrix = read_topology_matrix(file.json, file.origin);
    if (!matrix) {
        return refuse(matrix.error());
    }
    return machine_of(*matrix, chip, name).map([&](MachineDraft draft) {
        std::string headline = say("A server of {} GPUs with {} NICs: {}.", matrix->gpus, matrix->nics,
                                   text(draft.machine.network));
        return Draft{std::move(draft),
                     {{"gpus", matrix->gpus}, {"nics", matrix->nics}},
                     std::move(headline),
                     say("The matrix does not say:")};
    });
}

Result<Draft> draft_of_system(const JsonPart& file, const Machine& chip, const std::string& name) {
    return machine_of_calculon(file.json, chip, name).map([](MachineDraft draft) {
        const Machine& machine = draft.machine;
        std::string headline =
            say("{} in bf16, {} at {}: {}.", text(machine.peak_rate(DataType::bf16)), text(machine.hbm.value),
                text(machine.hbm_bandwidth.value), text(machine.network));
        return Draft{std::move(draft), Tree::object(), std::move(headline),
                     say("Not taken from the file, or not in it:")};
    });
}

Result<Draft> drafted(const Asked& asked) {
    const auto* file = std::get_if<JsonPart>(&asked.value("file"));
    if (file == nullptr) {
        return refuse(say("{} is a file, which only a command line can read.", asked.called("file")));
    }
    const Result<Machine> chip = chip_of(asked);
    if (!chip) {
        return refuse(chip.error());
    }
    const std::string name = std::filesystem::path(file->origin).filename().string();
    Result<Draft> draft = asked.text("from") == from_calculon ? draft_of_system(*file, *chip, name)
                                                              : draft_of_matrix(*file, *chip, name);
    if (draft) {
        const std::string out = std::filesystem::path(asked.said.words("--out")).stem().string();
        draft->draft.machine.name = check_name(out) ? out : "drafted";
    }
    return draft;
}

Answer answer_of(const Draft& one) {
    const Machine& machine = one.draft.machine;
    Tree levels = Tree::array();
    Paragraph lines{{}, {{"level", "joins", "a chip, one way"}}, 2, false};
    Table table{"Levels", {"level", "units", "bytes_per_s"}, {}};
    for (const Level& level : machine.network.levels) {
        levels.push_back({{"title", title(level)},
                          {"units", level.units.value},
                          {"bytes_per_s", level.line_rate()},
                          {"source", level.bandwidth.source}});
        lines.lines.push_back({title(level),
                               level.units.value > 0 ? std::to_string(level.units.value) : std::string("any"),
                               text(Bandwidth(level.line_rate()))});
        table.rows.push_back({title(level), level.units.value, level.line_rate()});
    }
    Answer answer{one.values, one.headline, machine.title};
    answer.values["levels"] = std::move(levels);
    answer.values["missing"] = one.draft.missing;
    std::string missing = one.lacks + "\n";
    for (const std::string& sentence : one.draft.missing) {
        missing += fmt::format("- {}\n", sentence);
    }
    answer.words = {{answer.headline + "\n"}, std::move(lines), {std::move(missing)}};
    answer.tables.push_back(NamedTable::of("levels", std::move(table)));
    answer.texts.push_back({"machine", [file = write_machine(machine)](std::ostream& out) {
                                out << file;
                                return Result<void>();
                            }});
    return answer;
}

} // namespace

Question machine_question() {
    QuestionField from = choice_flag("--from", {}, {"from-topo", from_calculon});
    from.row.key = "from";
    from.row.name = said("Source");
    from.row.label = said("Source");
    from.row.flag = "from";
    from.row.flag_help =
        "from-topo: what `nvidia-smi topo -m` prints; from-calculon: a system's file of Calculon";
    QuestionField file = file_flag("--file", {});
    file.row.flag = "file";
    file.row.flag_help = "FILE: what it printed or reads, \"-\" for the standard input";
    file.needed = true;
    QuestionField chip = chip_field(ChipsOffered::any, {});
    chip.row.flag_help = "NAME|FILE.json: the GPU, whose own numbers are taken (default h100)";
    chip.first = "h100";
    Question question{
        "machine",
        said("Machines from elsewhere"),
        "",
        said("Drafts the file of a machine from what another program says of it, and names what "
             "is missing"),
        {},
        {std::move(from), std::move(file), std::move(chip)},
        {},
        [](const Asked& asked, const RunControl& /*control*/) {
            return drafted(asked).map([](const Draft& one) { return answer_of(one); });
        },
        {},
        {{AnswerFile::Of::text, "machine", "--out", "FILE.json: writes the drafted machine there"}}};
    question.examples = {"from-topo topo.txt", "from-topo topo.txt --machine a100-80g",
                         "from-topo topo.txt --machine h100 --out mine.json",
                         "from-calculon system.json --out mine.json"};
    return question;
}

} // namespace meshslice
