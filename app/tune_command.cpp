#include "app/tune_command.h"

#include "app/output_file.h"
#include "app/progress_line.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/report/csv.h"
#include "core/report/tuning_table.h"
#include "core/scenario/choices.h"
#include "core/search/autotune.h"
#include "core/search/dataflow_search.h"
#include "core/step/roofline.h"
#include "core/step/training_step.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>

namespace meshslice {
namespace {

Result<std::int64_t> whole(const char* flag, const std::string& words, std::int64_t most) {
    const Result<std::int64_t> value = parse_whole(words);
    if (!value || *value < 1 || *value > most) {
        return refuse(
            fmt::format("{} is \"{}\"; a whole number from 1 to {} was expected.", flag, words, most));
    }
    return value;
}

/// Faults name places on the scenario's mesh; other chips than it has make other meshes.
Result<void> faults_have_a_mesh(const ScenarioOptions& given, std::int64_t chips) {
    ScenarioOptions healthy = given;
    healthy.faults.clear();
    const Result<Scenario> scenario = healthy.read();
    if (!scenario || chips == 0 || chips_of(scenario->mesh) == chips ||
        (given.faults.empty() && scenario->faults.parts.empty())) {
        return {};
    }
    const auto meshes = meshes_of(static_cast<std::int32_t>(chips), false);
    const auto& square =
        *std::ranges::min_element(meshes, {}, [](const auto& mesh) { return std::abs(mesh[0] - mesh[1]); });
    return refuse(
        fmt::format("Faults name places on a mesh, and --chips {} leaves open which; that of the "
                    "scenario, {}, has {}. --mesh RxC instead of --chips says it, such as --mesh {}.",
                    chips, fmt::join(scenario->mesh, "x"), chips_of(scenario->mesh), fmt::join(square, "x")));
}

/// What was given, with as many chips as were asked for; 0: as many as the mesh has.
Result<Scenario> arranged(const ScenarioOptions& given, std::int64_t chips) {
    const auto known = given.mesh.empty() ? faults_have_a_mesh(given, chips) : Result<void>();
    Result<Scenario> read = known.and_then([&] { return given.read(); });
    if (!read || chips == 0 || chips_of(read->mesh) == chips) {
        return read;
    }
    if (!given.mesh.empty()) {
        return refuse(fmt::format("--mesh {} has {} chips and --chips says {}; one of the two is enough.",
                                  given.mesh, chips_of(read->mesh), chips));
    }
    read->mesh = {static_cast<std::int32_t>(chips), 1};
    return read;
}

void print_ranked(const Tuning& tuning, std::size_t most, bool simulated) {
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
    for (std::size_t k = 0; k < std::min(most, tuning.ranked.size()); ++k) {
        const Candidate& one = tuning.ranked[k];
        std::string slices = slices_text(one);
        slices.erase(0, slices.empty() ? 0 : 4); // The column says "S = ".
        std::vector<std::string> row = {std::to_string(k + 1), one.title, mesh_text(one), slices,
                                        text(one.time)};
        if (simulated) {
            row.push_back(one.simulated ? text(*one.simulated) : "");
        }
        if (faulty) {
            row.push_back(!one.simulated_with_faults ? "" : *one.simulated_with_faults ? "yes" : "no");
        }
        row.insert(row.end(), {percent_text(one.utilisation), text(one.memory.total()), reason(tuning, one)});
        rows.push_back(std::move(row));
    }
    fmt::print("{}", text_table(rows, 4, true));
    if (tuning.ranked.size() > most) {
        fmt::print("... and {} more; --top {} shows all.\n", tuning.ranked.size() - most,
                   tuning.ranked.size());
    }
}

/// One line an algorithm: on how many meshes it does not run, and the sentence for the first.
void print_refused(const Tuning& tuning) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<const Refusal*>> by_algorithm;
    for (const Refusal& refusal : tuning.refused) {
        auto& own = by_algorithm[refusal.title];
        if (own.empty()) {
            order.push_back(refusal.title);
        }
        own.push_back(&refusal);
    }
    for (const std::string& title : order) {
        const auto& own = by_algorithm[title];
        const Refusal& first = *own.front();
        if (first.mesh.empty()) {
            fmt::print("Not run: {}\n", plain_spaces(first.sentence));
        } else {
            fmt::print("Not run: {} on {} mesh{}. {}\n", title, own.size(), own.size() == 1 ? "" : "es",
                       plain_spaces(first.sentence));
        }
    }
}

void print_memory(const Tuning& tuning) {
    const MemoryUse& use = tuning.ranked.front().memory;
    fmt::print("{}\n",
               plain_spaces(fmt::format(
                   "Memory of the best, a chip: weights {}, gradients {}, optimiser {}, activations {}, "
                   "buffers {}; {} of HBM.",
                   text(use.weights), text(use.gradients), text(use.optimiser), text(use.activations),
                   text(use.buffers), text(tuning.capacity))));
}

/// The paper's choice of what stays beside the fastest of all, layer by layer.
void print_dataflows(const DataflowSearch& search, const Tuning& tuning, const Scenario& scenario) {
    const Candidate& best = tuning.ranked.front();
    const Candidate& searched = *first_with_open_dataflows(tuning);
    if (&searched != &best) {
        fmt::print(
            "\n{} says itself which matrix of a layer stays. The best that leaves it open is {} on {}:\n",
            best.title, searched.title, mesh_text(searched));
    }
    std::vector<std::vector<std::string>> rows = {
        {"layer", "largest stays", "", "fastest of all", "", "stored, rows x columns"}};
    const auto tensors = [](const LayerDataflow& dataflow) {
        std::string words;
        for (const StoredTensor& tensor : stored_tensors(dataflow)) {
            words += fmt::format("{}{} {} x {}", words.empty() ? "" : ", ", tensor.name, tensor.rows,
                                 tensor.columns);
        }
        return words;
    };
    for (std::size_t k = 0; k < search.layers.size(); ++k) {
        rows.push_back({search.layers[k].name, text(search.heuristic.layers[k]),
                        text(search.heuristic.times[k]), text(search.fastest.layers[k]),
                        text(search.fastest.times[k]), tensors(search.heuristic.layers[k])});
    }
    fmt::print("\n{}\n\n{}", plain_spaces(finding(search)), text_table(rows, 2, true));
    fmt::print("{}", plain_spaces(fmt::format("Y-stationary everywhere: {}. A transposition costs no time "
                                              "here.\n",
                                              text(search.y_everywhere.time))));
    const bool turns = std::ranges::any_of(search.heuristic.layers, &LayerDataflow::transposed);
    if (turns && !scenario.stationary) {
        fmt::print(
            "The ranking's {} is the same choice with no layer transposed, but the activations between "
            "them.\n",
            plain_spaces(text(searched.time)));
    }
}

/// Where the estimates leave the chip's memory out, and it would slow the best.
std::string memory_note_of_best(const Tuning& tuning, const Scenario& scenario) {
    const Candidate& best = tuning.ranked.front();
    const auto step = training_step(applied(scenario, best), best.algorithm, Depth::estimate);
    return step ? memory_note(*step, scenario) : std::string();
}

Result<std::string> simulated(Tuning& tuning, const Scenario& scenario, std::int64_t most) {
    ProgressLine progress("Simulating");
    return simulate_best(tuning, scenario, static_cast<std::size_t>(most), {{}, progress.share()});
}

} // namespace

CLI::App* TuneCommand::declare(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "tune", "Finds the best algorithm, mesh and slice counts, and says why the others are behind");
    scenario.declare(*command);
    command->remove_option(command->get_option("--algorithm"));
    command->add_option("--algorithm", algorithms, "NAME ...: only these (default: all there are)")
        ->type_name("");
    command->add_option("--chips", chips, "N: chips to arrange (default: those of the mesh)")->type_name("");
    command->get_option("--mesh")->description("RxC: only this mesh (default: every one of that many chips)");
    command->add_flag(
        "--fits-memory", fits_memory,
        "Only what fits into a chip's HBM: weights, gradients, optimiser, activations, buffers");
    command->add_option("--top", top, "N: rows to print (default 12)")->type_name("");
    command
        ->add_option("--simulate", simulate,
                     "N: simulates the first N as well, on the mesh of the faults with them")
        ->type_name("");
    command->add_option("--csv", csv, "FILE: writes the whole ranking as CSV")->type_name("");
    command->add_flag(
        "--dataflows", dataflows,
        "Of the best that leaves it open, also every choice of the matrix that stays, layer by layer");
    command->add_flag("--json", json, "Prints JSON for programs");
    return command;
}

Result<void> TuneCommand::run() const {
    const Result<std::int64_t> rows = whole("--top", top, Torus::most_chips);
    const Result<std::int64_t> runs =
        simulate.empty() ? Result<std::int64_t>(0) : whole("--simulate", simulate, Torus::most_chips);
    const Result<std::int64_t> count =
        chips.empty() ? Result<std::int64_t>(0) : whole("--chips", chips, Torus::most_chips);
    for (const auto* number : {&rows, &runs, &count}) {
        if (!*number) {
            return refuse(number->error());
        }
    }
    const Result<Scenario> read = arranged(scenario, *count);
    if (!read) {
        return refuse(read.error());
    }
    if (const auto kept = keeps_what_is_read(scenario.files(), {csv}); !kept) {
        return kept;
    }
    TuneRequest request;
    request.algorithms = algorithms;
    request.fits_memory = fits_memory;
    if (!scenario.mesh.empty()) {
        request.mesh = read->mesh;
    }
    Result<Tuning> tuning = autotune(*read, request);
    if (!tuning) {
        return refuse(tuning.error());
    }
    const Result<std::string> note = *runs > 0 ? simulated(*tuning, *read, *runs) : std::string();
    if (!note) {
        return refuse(note.error());
    }
    std::optional<DataflowSearch> search;
    if (dataflows) {
        const Candidate* open = first_with_open_dataflows(*tuning);
        auto found = search_dataflows(applied(*read, open ? *open : tuning->ranked.front()));
        if (!found) {
            return refuse(found.error());
        }
        search = *std::move(found);
    }
    if (!csv.empty()) {
        const auto written =
            write_file(csv, [&](std::ostream& out) { out << meshslice::csv(tuning_table(*tuning)); });
        if (!written) {
            return written;
        }
    }
    if (json) {
        std::cout << tuning_json(*tuning, *note, search ? &*search : nullptr);
        return {};
    }
    fmt::print("{}\n\n", plain_spaces(finding(*tuning)));
    if (const std::string memory = memory_note_of_best(*tuning, *read); !memory.empty()) {
        fmt::print("{}\n\n", memory);
    }
    if (!read->faults.none()) {
        fmt::print("{}\n\n", estimates_are_of_a_healthy_machine);
    }
    print_ranked(*tuning, static_cast<std::size_t>(*rows), *runs > 0);
    if (!note->empty()) {
        fmt::print("\n{}\n", plain_spaces(*note));
    }
    fmt::print("\n");
    print_memory(*tuning);
    print_refused(*tuning);
    if (search) {
        print_dataflows(*search, *tuning, *read);
    }
    return {};
}

} // namespace meshslice
