// A machine's file from what another program says of it.

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/import/machines/calculon_system.h"
#include "core/import/machines/machine_files.h"
#include "core/import/machines/topology_matrix.h"
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

constexpr const char* from_topology = "from-topo";
constexpr const char* from_calculon = "from-calculon";

constexpr const char* entry_key = "entry";

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

Result<MachineDraft> read_by(MachineWriter writer, const JsonPart& file, const Machine& chip,
                             const std::string& name, const std::string& entry) {
    switch (writer) {
    case MachineWriter::astra_network: return machine_of_astra_network(file.json, chip, name);
    case MachineWriter::astra_system: return machine_of_astra_system(file.json, chip, name);
    case MachineWriter::aiconfigurator: return machine_of_aiconfigurator(file.json, chip, name);
    case MachineWriter::genz:
    case MachineWriter::llm_viewer: return machine_of_chip_sheet(file.json, chip, name, entry);
    default: return machine_of_calculon(file.json, chip, name);
    }
}

Result<Draft> draft_of_file(MachineWriter writer, const JsonPart& file, const Machine& chip,
                            const std::string& name, const std::string& entry) {
    return read_by(writer, file, chip, name, entry).map([&](MachineDraft draft) {
        const Machine& machine = draft.machine;
        std::string headline =
            say("{} in bf16, {} at {}: {}.", text(machine.peak_rate(DataType::bf16)), text(machine.hbm.value),
                text(machine.hbm_bandwidth.value), text(machine.network));
        return Draft{std::move(draft),
                     {{"writer", std::string(meshslice::name(writer))}},
                     std::move(headline),
                     say("Not taken from the file, or not in it:")};
    });
}

Result<MachineWriter> writer_asked(const Asked& asked, const JsonPart& file, const std::string& name) {
    const std::string from = asked.text("from");
    return from == from_topology   ? Result<MachineWriter>(MachineWriter::topology)
           : from == from_calculon ? Result<MachineWriter>(MachineWriter::calculon)
                                   : writer_of_machine(file.json, name);
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
    const Result<MachineWriter> writer = writer_asked(asked, *file, name);
    if (!writer) {
        return refuse(writer.error());
    }
    const std::string entry = asked.text(entry_key);
    if (!entry.empty() && *writer != MachineWriter::genz && *writer != MachineWriter::llm_viewer) {
        return refuse(say("{} has no effect: {} holds one machine.", asked.called(entry_key), name));
    }
    Result<Draft> draft = *writer == MachineWriter::topology
                              ? draft_of_matrix(*file, *chip, name)
                              : draft_of_file(*writer, *file, *chip, name, entry);
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
        const bool switched = level.kind == LevelKind::switched;
        lines.lines.push_back(
            {title(level), level.units.value > 0 ? std::to_string(level.units.value) : std::string("any"),
             switched ? text(Bandwidth(level.line_rate())) : say("{} a link", text(level.bandwidth.value))});
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
    QuestionField from = choice_flag("--from", {}, {"from", from_topology, from_calculon});
    from.row.key = "from";
    from.row.name = said("Source");
    from.row.label = said("Source");
    from.row.flag = "from";
    from.row.flag_help = "from: the program is seen from the file: what `nvidia-smi topo -m` prints, systems "
                         "of Calculon, ASTRA-sim, aiconfigurator, GenZ, and hardware of LLM-Viewer; "
                         "from-topo and from-calculon name it";
    QuestionField file = file_flag("--file", {});
    file.row.flag = "file";
    file.row.flag_help = "FILE: what it printed or reads, \"-\" for the standard input";
    file.needed = true;
    QuestionField entry =
        text_flag("--entry", "NAME: this chip of a file of GenZ or LLM-Viewer with several");
    QuestionField chip = chip_field(ChipsOffered::any, {});
    chip.row.flag_help = "NAME|FILE.json: the chip, whose own numbers are taken (default h100)";
    chip.first = "h100";
    Question question{
        "machine",
        said("Machines from elsewhere"),
        "",
        said("Drafts the file of a machine from what another program says of it, and names what "
             "is missing"),
        {},
        {std::move(from), std::move(file), std::move(chip), std::move(entry)},
        {},
        [](const Asked& asked, const RunControl& /*control*/) {
            return drafted(asked).map([](const Draft& one) { return answer_of(one); });
        },
        {},
        {{AnswerFile::Of::text, "machine", "--out", "FILE.json: writes the drafted machine there"}}};
    question.examples = {"from-topo topo.txt", "from-topo topo.txt --machine a100-80g",
                         "from-calculon system.json --out mine.json",
                         "from network.yml --machine tpu-v5p --out mine.json",
                         "from system_configs.py --entry H100_GPU"};
    return question;
}

} // namespace meshslice
