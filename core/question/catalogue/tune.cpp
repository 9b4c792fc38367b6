// The autotuner: the best algorithm, mesh and slice counts by estimate, and why the others are behind.

#include "core/base/json/json_reader.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/gemm/algorithms.h"
#include "core/machine/edit.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/sweep/timed_points.h"
#include "core/report/tuning_table.h"
#include "core/report/words/block_words.h"
#include "core/report/words/headline.h"
#include "core/report/words/machine_words.h"
#include "core/report/words/tuning_words.h"
#include "core/scenario/meshes.h"
#include "core/search/autotune.h"
#include "core/search/dataflow_search.h"
#include "core/step/roofline.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

std::vector<std::string> algorithms_of(const Asked& asked) {
    const auto* list = std::get_if<std::vector<std::string>>(&asked.value("algorithm"));
    return list == nullptr ? std::vector<std::string>() : *list;
}

/// All that there are where none is named.
OtherAlgorithms tuned_algorithms(const Asked& asked) {
    OtherAlgorithms others{algorithms_of(asked), true};
    for (const Algorithm& one : all_algorithms()) {
        if (!asked.has("algorithm")) {
            others.ids.emplace_back(one.id);
        }
    }
    return others;
}

/// That the machine has, of two axes or one.
std::vector<Mesh> meshes_of(const Machine& hardware, std::int64_t chips) {
    return meshes_for(hardware, **algorithm(default_scenario().plan.algorithm),
                      static_cast<std::int32_t>(chips));
}

SaidFields::Flags on_mesh(const Mesh& mesh) {
    return {{"--mesh", fmt::format("{}", fmt::join(mesh, "x"))}};
}

/// Faults name places on the scenario's mesh; other chips than it has make other meshes.
Result<void> faults_have_a_mesh(const Asked& asked, std::int64_t chips) {
    const Result<Scenario> scenario = asked.said.read({{"--fault", {}}});
    if (!scenario || chips == 0 || chips_of(scenario->mesh) == chips ||
        (!asked.said.has("--fault") && scenario->assume.faults.parts.empty())) {
        return {};
    }
    std::vector<Mesh> meshes = meshes_of(scenario->hardware, chips);
    if (meshes.empty()) {
        return {}; // What the machine lacks is said when the scenario is checked.
    }
    std::ranges::stable_sort(meshes, {}, [](const Mesh& mesh) { return std::abs(mesh[0] - mesh[1]); });
    const auto has_the_faults = std::ranges::find_if(
        meshes, [&](const Mesh& mesh) { return asked.said.read(on_mesh(mesh)).has_value(); });
    const std::string instead =
        has_the_faults == meshes.end()
            ? fmt::format("No mesh of {} chips has all of them", chips)
            : fmt::format("Use --mesh, such as {}, instead", fmt::join(*has_the_faults, "x"));
    return refuse(fmt::format(
        "Faults name places on a mesh, and --chips {} does not say which; the mesh {} has {} chips. {}.",
        chips, fmt::join(scenario->mesh, "x"), chips_of(scenario->mesh), instead));
}

/// What was given on a mesh of so many chips that the machine has: --chips leaves open which, so that of the
/// default scenario, which the machine may lack, does not make it refuse.
Result<Scenario> on_any_mesh(const Asked& asked, std::int64_t chips, Result<Scenario> refused) {
    const std::string words = asked.said.words("--machine");
    const Result<Machine> machine = looks_like_a_file(words)
                                        ? read_text_file(words).and_then([&](const std::string& text) {
                                              return read_machine(text, words).map(told_apart);
                                          })
                                        : preset_machine(words);
    if (!machine) {
        return refused;
    }
    const std::vector<Mesh> meshes = meshes_of(*machine, chips);
    for (const Mesh& mesh : meshes) {
        if (asked.said.has("--fault")) {
            return refused;
        }
        if (Result<Scenario> read = asked.said.read(on_mesh(mesh))) {
            return read;
        }
    }
    if (!meshes.empty()) {
        return refused;
    }
    return refuse(fmt::format("{} has no mesh of {} chips{}.", machine->title, chips,
                              machine->pod.chips.value > 0
                                  ? fmt::format(": its pod has {}", machine->pod.chips.value)
                                  : std::string()));
}

/// What was given, with as many chips as were asked for; none: as many as the mesh has.
Result<Scenario> arranged(const Asked& asked) {
    const auto chips = static_cast<std::int64_t>(asked.number("chips"));
    const bool on_a_mesh = asked.said.has("--mesh");
    const Result<void> sound = on_a_mesh ? Result<void>() : faults_have_a_mesh(asked, chips);
    Result<Scenario> read = sound ? asked.said.read({}) : Result<Scenario>(refuse(sound.error()));
    if (!read && chips > 0 && !on_a_mesh) {
        return on_any_mesh(asked, chips, std::move(read));
    }
    if (!read || chips == 0 || chips_of(read->mesh) == chips) {
        return read;
    }
    if (on_a_mesh) {
        return refuse(fmt::format("--mesh {} has {} chips and --chips says {}; one of the two is enough.",
                                  asked.said.words("--mesh"), chips_of(read->mesh), chips));
    }
    read->mesh = {static_cast<std::int32_t>(chips), 1};
    return read;
}

std::string ranked_text(const Tuning& tuning, std::size_t most, bool simulated) {
    std::vector<std::vector<std::string>> rows = {{"", "algorithm", "mesh", "S", "estimate"}};
    if (simulated) {
        rows.front().push_back("simulated");
    }
    const bool faulty = std::ranges::any_of(
        tuning.ranked, [](const Candidate& one) { return one.simulated_with_faults.has_value(); });
    if (faulty) {
        rows.front().push_back("with faults");
    }
    rows.front().insert(rows.front().end(), {"of peak", "memory", "why it is behind"});
    const std::size_t shown = std::min(most, tuning.ranked.size());
    const auto fitting = static_cast<std::size_t>(
        std::ranges::count_if(tuning.ranked, [](const Candidate& one) { return one.step.fits(); }));
    for (std::size_t k = 0; k < shown; ++k) {
        const Candidate& one = tuning.ranked[k];
        if (k > 0 && k == fitting) { // What does not fit stands apart.
            rows.emplace_back();
        }
        std::string slices = slices_text(one.step);
        slices.erase(0, slices.empty() ? 0 : 4); // The column says "S = ".
        std::vector<std::string> row = {one.step.fits() ? std::to_string(k + 1) : "-", one.title,
                                        mesh_text(one.step.torus), slices, text(one.step.time)};
        if (simulated) {
            row.push_back(one.simulated ? text(*one.simulated) : "");
        }
        if (faulty) {
            row.push_back(!one.simulated_with_faults ? "" : *one.simulated_with_faults ? "yes" : "no");
        }
        row.insert(row.end(),
                   {percent_text(one.step.utilization), text(one.step.memory.bytes()), reason(tuning, one)});
        rows.push_back(std::move(row));
    }
    std::string words = text_table(rows, 4, true);
    if (tuning.ranked.size() > shown) {
        const std::size_t misfits = tuning.ranked.size() - std::max(shown, fitting);
        const std::string of_which = misfits == 0 ? "" : fmt::format(", {} of which do not fit", misfits);
        words += fmt::format("... and {} more{}; --top {} shows all.\n", tuning.ranked.size() - shown,
                             of_which, tuning.ranked.size());
    }
    return words;
}

/// One line an algorithm: on how many meshes it does not run, and the sentence for the first.
std::string refused_text(const Tuning& tuning) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<const Refusal*>> by_algorithm;
    for (const Refusal& refusal : tuning.refused) {
        auto& own = by_algorithm[refusal.title];
        if (own.empty()) {
            order.push_back(refusal.title);
        }
        own.push_back(&refusal);
    }
    std::string words;
    for (const std::string& title : order) {
        const auto& own = by_algorithm[title];
        const Refusal& first = *own.front();
        if (first.mesh.empty()) {
            words += fmt::format("Not run: {}\n", plain_spaces(first.sentence));
        } else {
            words += fmt::format("Not run: {} on {} mesh{}. {}\n", title, own.size(),
                                 own.size() == 1 ? "" : "es", plain_spaces(first.sentence));
        }
    }
    return words;
}

/// The memory of the best, part by part, and its time for the whole model.
std::string best_text(const Tuning& tuning, const Transformer& model) {
    const TrainingStep& step = tuning.ranked.front().step;
    const char* which = step.fits() ? "the best" : "the one that needs least";
    std::string words =
        step.blocks == 0 ? "" : fmt::format("Times are of one block, memory is of all {}.\n", step.blocks);
    words += fmt::format("Memory of {}, a chip: {}; {} of HBM.\n", which, memory_parts_text(step),
                         text(step.capacity));
    if (step.blocks > 0) {
        words += fmt::format("{}\n{}\n", all_blocks_words(step), left_out_words(step));
        const std::string kind = block_kind_words(model);
        words += kind.empty() ? kind : kind + "\n";
    }
    return plain_spaces(words);
}

/// The paper's choice of what stays next to the fastest of all, layer by layer.
std::string dataflows_text(const DataflowSearch& search, const Tuning& tuning, const Scenario& scenario) {
    const Candidate& best = tuning.ranked.front();
    const Candidate& searched = *first_with_open_dataflows(tuning);
    std::string words;
    if (&searched != &best) {
        words = fmt::format(
            "\n{} says itself which matrix of a layer stays. The best that leaves it open is {} on {}:\n",
            best.title, searched.title, mesh_text(searched.step.torus));
    }
    std::vector<std::vector<std::string>> rows = {
        {"layer", "largest stays", "", "fastest of all", "", "stored, rows x columns"}};
    const auto tensors = [](const LayerDataflow& dataflow) {
        std::string stored;
        for (const StoredTensor& tensor : stored_tensors(dataflow)) {
            stored += fmt::format("{}{} {} x {}", stored.empty() ? "" : ", ", tensor.name, tensor.rows,
                                  tensor.columns);
        }
        return stored;
    };
    for (std::size_t k = 0; k < search.layers.size(); ++k) {
        rows.push_back({search.layers[k].name, text(search.heuristic.layers[k]),
                        text(search.heuristic.times[k]), text(search.fastest.layers[k]),
                        text(search.fastest.times[k]), tensors(search.heuristic.layers[k])});
    }
    words += fmt::format("\n{}\n\n{}", plain_spaces(finding(search)), text_table(rows, 2, true));
    words += plain_spaces(fmt::format("Y-stationary everywhere: {}. A transposition costs no time here.\n",
                                      text(search.y_everywhere.time)));
    const bool turns = std::ranges::any_of(search.heuristic.layers, &LayerDataflow::transposed);
    if (turns && !scenario.plan.stationary) {
        words += fmt::format(
            "The ranking's {} is the same choice with no layer transposed, but the activations between "
            "them.\n",
            plain_spaces(text(searched.step.time)));
    }
    return words;
}

/// Where the estimates leave the chip's memory out, and it would slow the best.
std::string memory_note_of_best(const Tuning& tuning, const Scenario& scenario) {
    const Candidate& best = tuning.ranked.front();
    const auto step = training_step(applied(scenario, best), best.step.algorithm, Depth::estimate);
    return step ? memory_note(*step, scenario) : std::string();
}

/// The best of one dataflow of a GEMM alone.
struct DataflowBest {
    Dataflow dataflow;
    Candidate best;
};

/// What was found.
struct Tuned {
    Tuning tuning;
    std::vector<DataflowBest>
        by_dataflow;  ///< of a GEMM alone, the fastest first; of what fits before the rest
    std::string note; ///< of the simulations
    std::optional<DataflowSearch> dataflows;
};

TuneRequest request_of(const Asked& asked) {
    TuneRequest request{algorithms_of(asked)};
    if (asked.said.has("--mesh")) {
        request.mesh = asked.scenario->mesh;
    }
    return request;
}

/// The ranking is of the scenario's dataflow; a reader of one GEMM also wants to know what the others would
/// give. A dataflow in which nothing runs is left out.
Result<std::vector<DataflowBest>> best_by_dataflow(const Asked& asked, const Tuning& own,
                                                   const RunControl& control) {
    const Dataflow ranked = asked.scenario->gemm->dataflow;
    std::vector<DataflowBest> all = {{ranked, own.ranked.front()}}; // first of equals
    for (const Dataflow dataflow : {Dataflow::OS, Dataflow::LS, Dataflow::RS}) {
        if (dataflow == ranked) {
            continue;
        }
        Scenario other = *asked.scenario;
        other.gemm->dataflow = dataflow;
        Result<Tuning> tuning = autotune(other, request_of(asked), {control.stop});
        if (tuning) {
            all.push_back({dataflow, std::move(tuning->ranked.front())});
        } else if (tuning.error().kind == Error::Kind::cancelled) {
            return refuse(tuning.error());
        }
    }
    std::ranges::stable_sort(all, {}, [](const DataflowBest& one) {
        return std::pair(!one.best.step.fits(), one.best.step.time);
    });
    return all;
}

/// "The best of each dataflow: RS 410 us (MeshSlice 16x16), OS 637 us (MeshSlice 32x8)."; empty for a model.
std::string by_dataflow_text(const Tuned& found, const Scenario& scenario) {
    if (found.by_dataflow.empty()) {
        return {};
    }
    std::vector<std::string> bests;
    for (const DataflowBest& one : found.by_dataflow) {
        bests.push_back(fmt::format("{} {} ({} {}{})", name(one.dataflow), text(one.best.step.time),
                                    one.best.title, mesh_text(one.best.step.torus),
                                    one.best.step.fits() ? "" : ", does not fit"));
    }
    const Dataflow asked = scenario.gemm->dataflow;
    const DataflowBest& first = found.by_dataflow.front();
    const char* which =
        first.best.step.fits() && !found.tuning.anything_fits() ? "the one that fits" : "the faster one";
    const std::string advice =
        first.dataflow == asked
            ? fmt::format("Ranked here is {}.", name(asked))
            : fmt::format("Ranked here is {}; --dataflow {} ranks {}, if the matrices may lie so.",
                          name(asked), name(first.dataflow), which);
    return plain_spaces(fmt::format("The best of each dataflow: {}. {}", fmt::join(bests, ", "), advice));
}

Result<Tuned> tuned(const Asked& asked, const RunControl& control) {
    const Scenario& scenario = *asked.scenario;
    Result<Tuning> tuning = autotune(scenario, request_of(asked), {control.stop});
    if (!tuning) {
        return refuse(tuning.error());
    }
    Tuned found{*std::move(tuning), {}, {}, {}};
    if (asked.has("simulate")) {
        const auto count = static_cast<std::size_t>(asked.number("simulate"));
        if (const Result<void> done = simulate_best(found.tuning, scenario, count, control); !done) {
            return refuse(done.error());
        }
        found.note = simulation_note(found.tuning, scenario, count);
    }
    if (asked.flag("dataflows")) {
        const Candidate* open = first_with_open_dataflows(found.tuning);
        Result<DataflowSearch> search =
            search_dataflows(applied(scenario, open != nullptr ? *open : found.tuning.ranked.front()));
        if (!search) {
            return refuse(search.error());
        }
        found.dataflows = *std::move(search);
    }
    return found;
}

Tree values_of(const Asked& asked, const Tuned& found) {
    Tree values = tuning_values(found.tuning, found.note,
                                rings_note(found.tuning, *asked.scenario, found.tuning.ranked.size()),
                                found.dataflows ? &*found.dataflows : nullptr);
    for (const DataflowBest& one : found.by_dataflow) {
        const TrainingStep& step = one.best.step;
        values["by_dataflow"].push_back({{"dataflow", name(one.dataflow)},
                                         {"algorithm", step.algorithm},
                                         {"mesh", mesh_text(step.torus)},
                                         {"estimated_s", in_seconds(step.time)},
                                         {"fits", step.fits()}});
    }
    return values;
}

/// The best algorithm and its mesh.
Tree point_of_tuning(const Tuned& found) {
    const Candidate& best = found.tuning.ranked.front();
    const TrainingStep& step = best.step;
    return {{"time_s", in_seconds(best.simulated.value_or(step.time))},
            {"flop_utilization", step.utilization},
            {"memory_bytes", step.memory.bytes().value()},
            {"fits", step.fits()},
            {"algorithm", best.title},
            {"mesh", mesh_text(step.torus)},
            {"flop", step.flop.value()},
            {"hbm_bytes", step.capacity.value()}};
}

std::shared_ptr<const SweptQuestion> tuning_points() {
    SweptQuestion all = timed_points();
    all.numbers = [](const Asked& asked, const RunControl& control) {
        return tuned(asked, control).map(point_of_tuning);
    };
    for (const char* path : {"algorithm", "mesh"}) {
        all.columns.emplace_back(path);
        add_words_column(all, path);
    }
    return std::make_shared<const SweptQuestion>(std::move(all));
}

/// "8192x8192x8192 on 64 chips of TPU v5e".
std::string about_tuning(const Scenario& scenario) {
    const std::string chips = fmt::format("{} chips of {}", chips_of(scenario.mesh), scenario.hardware.title);
    if (scenario.gemm) {
        return fmt::format("{} on {}", text(scenario.gemm->shape), chips);
    }
    return fmt::format("{}, batch {} x {} tokens, on {}", scenario.model.title, scenario.batch,
                       scenario.sequence, chips);
}

std::string words_of(const Asked& asked, const Tuned& found) {
    const Scenario& scenario = *asked.scenario;
    const auto rows = static_cast<std::size_t>(asked.number("top"));
    std::string words = fmt::format("{}\n{}.\n\n", finding(found.tuning), about_tuning(scenario));
    for (const std::string& note :
         {by_dataflow_text(found, scenario), memory_note_of_best(found.tuning, scenario),
          rings_note(found.tuning, scenario, rows), edited_note(scenario.hardware),
          scenario.assume.faults.none() ? std::string() : std::string(estimates_are_of_a_healthy_machine)}) {
        words += note.empty() ? "" : note + "\n\n";
    }
    words += ranked_text(found.tuning, rows, asked.has("simulate"));
    if (!found.note.empty()) {
        words += "\n" + found.note + "\n";
    }
    words += "\n" + best_text(found.tuning, scenario.model) + refused_text(found.tuning);
    return found.dataflows ? words + dataflows_text(*found.dataflows, found.tuning, scenario) : words;
}

} // namespace

Question tune_question() {
    QuestionField algorithms = text_flag("--algorithm", "NAME ...: only these (default: all there are)");
    algorithms.row.kind = FieldKind::text_list;
    QuestionField top = whole_flag("--top", "N: rows to print (default 12)", Torus::most_chips);
    top.first = "12";
    Question question{
        "tune",
        "Autotuner",
        "",
        "Finds the best algorithm, mesh and slice counts, and says why the others are behind",
        {.machine = true, .work = true, .plan = true, .assumptions = true},
        {std::move(algorithms),
         whole_flag("--chips", "N: chips to arrange (default: those of the mesh)", Torus::most_chips),
         std::move(top),
         whole_flag("--simulate", "N: simulates the first N as well, on the mesh of the faults with them",
                    Torus::most_chips),
         switch_flag("--dataflows", "Of the best that leaves it open, also every choice of the matrix that "
                                    "stays, layer by layer")},
        {},
        [](const Asked& asked, const RunControl& control) -> Result<Answer> {
            Result<Tuned> all = tuned(asked, control);
            if (!all) {
                return refuse(all.error());
            }
            Tuned& found = *all;
            if (asked.scenario->gemm) {
                Result<std::vector<DataflowBest>> best = best_by_dataflow(asked, found.tuning, control);
                if (!best) {
                    return refuse(best.error());
                }
                found.by_dataflow = *std::move(best);
            }
            Answer answer{values_of(asked, found), finding(found.tuning), about_tuning(*asked.scenario)};
            answer.words = {{words_of(asked, found)}};
            answer.tables.push_back(
                NamedTable::of("ranking", tuning_table(found.tuning)).as(TableKind::alternatives));
            answer.charts.push_back({"meshes", tuning_chart(found.tuning)});
            answer.fits = [fits = found.tuning.anything_fits()] { return fits; };
            return answer;
        },
        {.without = {"--algorithm"},
         .helps = {{"--mesh", "RxC: only this mesh (default: every one of that many chips)"}},
         .others = tuned_algorithms,
         .read = arranged}};
    question.swept = tuning_points();
    question.files = {{AnswerFile::Of::chart, "meshes", "--svg",
                       "FILE.svg: draws the time on each mesh, with a line for each algorithm"}};
    question.examples = {"--model llama-3-70b --machine tpu-v5p --chips 64 --batch 16",
                         "--model gpt3-175b --chips 256 --batch 32 --top 5",
                         "--gemm 8192x8192x8192 --mesh 4x4 --algorithm meshslice --algorithm wang"};
    question.says_fit = true;
    return question;
}

} // namespace meshslice
