// A machine's file from what another program says of it.

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
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

struct Draft {
    TopologyMatrix matrix;
    MachineDraft draft;
};

Result<Draft> drafted(const Asked& asked) {
    const auto* file = std::get_if<JsonPart>(&asked.value("file"));
    if (file == nullptr) {
        return refuse(say("{} is a file, which only a command line can read.", asked.called("file")));
    }
    const Result<Machine> chip = chip_of(asked);
    if (!chip) {
        return refuse(chip.error());
    }
    const Result<TopologyMatrix> matrix = read_topology_matrix(file->json, file->origin);
    if (!matrix) {
        return refuse(matrix.error());
    }
    Result<MachineDraft> draft =
        machine_of(*matrix, *chip, std::filesystem::path(file->origin).filename().string());
    if (!draft) {
        return refuse(draft.error());
    }
    const std::string out = std::filesystem::path(asked.said.words("--out")).stem().string();
    draft->machine.name = check_name(out) ? out : "drafted";
    return Draft{*matrix, *std::move(draft)};
}

Answer answer_of(const Draft& one) {
    const Machine& machine = one.draft.machine;
    Tree levels = Tree::array();
    Paragraph lines{{}, {{"level", "joins", "a chip, one way"}}, 2, false};
    for (const Level& level : machine.network.levels) {
        levels.push_back({{"title", title(level)},
                          {"units", level.units.value},
                          {"bytes_per_s", level.line_rate()},
                          {"source", level.bandwidth.source}});
        lines.lines.push_back({title(level),
                               level.units.value > 0 ? std::to_string(level.units.value) : std::string("any"),
                               text(Bandwidth(level.line_rate()))});
    }
    Answer answer{
        {{"gpus", one.matrix.gpus},
         {"nics", one.matrix.nics},
         {"levels", std::move(levels)},
         {"missing", one.draft.missing}},
        say("A server of {} GPUs with {} NICs: {}.", one.matrix.gpus, one.matrix.nics, text(machine.network)),
        machine.title};
    std::string missing = say("The matrix does not say:") + "\n";
    for (const std::string& sentence : one.draft.missing) {
        missing += fmt::format("- {}\n", sentence);
    }
    answer.words = {{answer.headline + "\n"}, std::move(lines), {std::move(missing)}};
    Table table{"Levels", {"level", "units", "bytes_per_s"}, {}};
    for (const Level& level : machine.network.levels) {
        table.rows.push_back({title(level), level.units.value, level.line_rate()});
    }
    answer.tables.push_back(NamedTable::of("levels", std::move(table)));
    answer.texts.push_back({"machine", [file = write_machine(machine)](std::ostream& out) {
                                out << file;
                                return Result<void>();
                            }});
    return answer;
}

} // namespace

Question machine_question() {
    QuestionField from = choice_flag("--from", {}, {"from-topo"});
    from.row.key = "from";
    from.row.name = said("Source");
    from.row.label = said("Source");
    from.row.flag = "from";
    from.row.flag_help = "from-topo: what `nvidia-smi topo -m` prints";
    QuestionField file = file_flag("--file", {});
    file.row.flag = "file";
    file.row.flag_help = "FILE: what it printed, \"-\" for the standard input";
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
                         "from-topo topo.txt --machine h100 --out mine.json"};
    return question;
}

} // namespace meshslice
