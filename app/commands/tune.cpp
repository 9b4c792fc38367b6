#include "app/command.h"
#include "app/output_file.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/report/csv.h"
#include "core/report/tuning_table.h"
#include "core/report/words/block_words.h"
#include "core/report/words/headline.h"
#include "core/report/words/machine_words.h"
#include "core/report/words/tuning_words.h"
#include "core/search/autotune.h"
#include "core/search/dataflow_search.h"
#include "core/step/roofline.h"
#include "core/step/training_step.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
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

/// That the machine has, of two axes or one.
std::vector<Mesh> meshes_of(const Machine& hardware, std::int64_t chips) {
    return meshes_for(hardware, **algorithm(default_scenario().plan.algorithm),
                      static_cast<std::int32_t>(chips));
}

/// Faults name places on the scenario's mesh; other chips than it has make other meshes.
Result<void> faults_have_a_mesh(const ScenarioOptions& given, std::int64_t chips,
                                const OtherAlgorithms& asked) {
    ScenarioOptions healthy = given;
    healthy.forget("--fault");
    const Result<Scenario> scenario = healthy.read(asked);
    if (!scenario || chips == 0 || chips_of(scenario->mesh) == chips ||
        (given.given("--fault").empty() && scenario->assume.faults.parts.empty())) {
        return {};
    }
    std::vector<Mesh> meshes = meshes_of(scenario->hardware, chips);
    if (meshes.empty()) {
        return {}; // What the hardware lacks is said when the scenario is checked.
    }
    std::ranges::stable_sort(meshes, {}, [](const Mesh& mesh) { return std::abs(mesh[0] - mesh[1]); });
    const auto has_the_faults = std::ranges::find_if(meshes, [&](const Mesh& mesh) {
        ScenarioOptions there = given;
        there.assume("--mesh", fmt::format("{}", fmt::join(mesh, "x")));
        return there.read(asked).has_value();
    });
    const std::string instead = has_the_faults == meshes.end()
                                    ? fmt::format("No mesh of {} chips has all of them", chips)
                                    : fmt::format("--mesh RxC instead of --chips says it, such as --mesh {}",
                                                  fmt::join(*has_the_faults, "x"));
    return refuse(fmt::format("Faults name places on a mesh, and --chips {} leaves open which; that of the "
                              "scenario, {}, has {}. {}.",
                              chips, fmt::join(scenario->mesh, "x"), chips_of(scenario->mesh), instead));
}

/// What was given on a mesh of so many chips that the machine has: --chips leaves open which, so that of the
/// default scenario, which the machine may lack, is no reason to refuse. None where there is none.
std::optional<Scenario> on_any_mesh(const ScenarioOptions& given, std::int64_t chips,
                                    const OtherAlgorithms& asked) {
    const auto hardware = named_machine(given.given("--hardware"));
    if (!hardware || !given.given("--fault").empty()) {
        return std::nullopt;
    }
    for (const Mesh& mesh : meshes_of(*hardware, chips)) {
        ScenarioOptions there = given;
        there.assume("--mesh", fmt::format("{}", fmt::join(mesh, "x")));
        if (Result<Scenario> read = there.read(asked)) {
            return *std::move(read);
        }
    }
    return std::nullopt;
}

/// What was given, with as many chips as were asked for; 0: as many as the mesh has.
Result<Scenario> arranged(const ScenarioOptions& given, std::int64_t chips, const OtherAlgorithms& asked) {
    const std::string mesh = given.given("--mesh");
    const auto known = mesh.empty() ? faults_have_a_mesh(given, chips, asked) : Result<void>();
    Result<Scenario> read = known.and_then([&] { return given.read(asked); });
    if (!read && chips > 0 && mesh.empty()) {
        if (auto elsewhere = on_any_mesh(given, chips, asked)) {
            return *std::move(elsewhere);
        }
    }
    if (!read && chips > 0 && mesh.empty()) {
        if (const auto hardware = named_machine(given.given("--hardware"));
            hardware && meshes_of(*hardware, chips).empty()) {
            return refuse(fmt::format("{} has no mesh of {} chips{}.", hardware->title, chips,
                                      hardware->pod.chips.value > 0
                                          ? fmt::format(": its pod has {}", hardware->pod.chips.value)
                                          : std::string()));
        }
    }
    if (!read || chips == 0 || chips_of(read->mesh) == chips) {
        return read;
    }
    if (!mesh.empty()) {
        return refuse(fmt::format("--mesh {} has {} chips and --chips says {}; one of the two is enough.",
                                  mesh, chips_of(read->mesh), chips));
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
                   {percent_text(one.step.utilisation), text(one.step.memory.bytes()), reason(tuning, one)});
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
std::string best_text(const Tuning& tuning) {
    const TrainingStep& step = tuning.ranked.front().step;
    const char* which = step.fits() ? "the best" : "the one that needs least";
    std::string words =
        step.blocks == 0 ? "" : fmt::format("Times are of one block, memory is of all {}.\n", step.blocks);
    words += fmt::format("Memory of {}, a chip: {}; {} of HBM.\n", which, memory_parts_text(step),
                         text(step.capacity));
    if (step.blocks > 0) {
        words += fmt::format("{}\n{}\n", all_blocks_words(step), left_out_words(step));
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

/// What there is to say of the simulations.
Result<std::string> simulated(Tuning& tuning, const Scenario& scenario, std::int64_t most) {
    ProgressLine progress("Simulating");
    const auto count = static_cast<std::size_t>(most);
    return simulate_best(tuning, scenario, count, {{}, progress.share()}).map([&] {
        return simulation_note(tuning, scenario, count);
    });
}

/// `meshslice tune`: the autotuner, as a ranked table.
class Tune final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Finds the best algorithm, mesh and slice counts, and says why the others are behind";
    }

    void declare(CLI::App& flags) override {
        scenario_.declare(flags);
        flags.remove_option(flags.get_option("--algorithm"));
        flags.add_option("--algorithm", algorithms_, "NAME ...: only these (default: all there are)")
            ->type_name("");
        flags.add_option("--chips", chips_, "N: chips to arrange (default: those of the mesh)")
            ->type_name("");
        flags.get_option("--mesh")->description(
            "RxC: only this mesh (default: every one of that many chips)");
        flags.add_option("--top", top_, "N: rows to print (default 12)")->type_name("");
        flags
            .add_option("--simulate", simulate_,
                        "N: simulates the first N as well, on the mesh of the faults with them")
            ->type_name("");
        flags.add_option("--csv", csv_, "FILE: writes the whole ranking as CSV")->type_name("");
        flags.add_flag(
            "--dataflows", dataflows_,
            "Of the best that leaves it open, also every choice of the matrix that stays, layer by layer");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Printed> run() const override {
        const Result<std::int64_t> rows = whole("--top", top_, Torus::most_chips);
        const Result<std::int64_t> runs =
            simulate_.empty() ? Result<std::int64_t>(0) : whole("--simulate", simulate_, Torus::most_chips);
        const Result<std::int64_t> count =
            chips_.empty() ? Result<std::int64_t>(0) : whole("--chips", chips_, Torus::most_chips);
        for (const auto* number : {&rows, &runs, &count}) {
            if (!*number) {
                return refuse(number->error());
            }
        }
        const Result<Scenario> read = arranged(scenario_, *count, asked_algorithms());
        if (!read) {
            return refuse(read.error());
        }
        if (const auto kept = keeps_what_is_read(scenario_.files(), {csv_}); !kept) {
            return refuse(kept.error());
        }
        TuneRequest request;
        request.algorithms = algorithms_;
        if (!scenario_.given("--mesh").empty()) {
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
        if (dataflows_) {
            const Candidate* open = first_with_open_dataflows(*tuning);
            auto found = search_dataflows(applied(*read, open ? *open : tuning->ranked.front()));
            if (!found) {
                return refuse(found.error());
            }
            search = *std::move(found);
        }
        if (!csv_.empty()) {
            const auto written =
                write_file(csv_, [&](std::ostream& out) { out << csv(tuning_table(*tuning)); });
            if (!written) {
                return refuse(written.error());
            }
        }
        if (json_) {
            return Printed{tuning_json(*tuning, *note, rings_note(*tuning, *read, tuning->ranked.size()),
                                       search ? &*search : nullptr)};
        }
        std::string words = fmt::format("{}\n\n", plain_spaces(finding(*tuning)));
        if (const std::string memory = memory_note_of_best(*tuning, *read); !memory.empty()) {
            words += fmt::format("{}\n\n", memory);
        }
        if (const std::string rings = rings_note(*tuning, *read, static_cast<std::size_t>(*rows));
            !rings.empty()) {
            words += fmt::format("{}\n\n", rings);
        }
        if (const std::string edited = edited_note(read->hardware); !edited.empty()) {
            words += plain_spaces(edited) + "\n\n";
        }
        if (!read->assume.faults.none()) {
            words += fmt::format("{}\n\n", estimates_are_of_a_healthy_machine);
        }
        words += ranked_text(*tuning, static_cast<std::size_t>(*rows), *runs > 0);
        if (!note->empty()) {
            words += fmt::format("\n{}\n", plain_spaces(*note));
        }
        words += "\n" + best_text(*tuning) + refused_text(*tuning);
        if (search) {
            words += dataflows_text(*search, *tuning, *read);
        }
        return Printed{std::move(words)};
    }

  private:
    /// All that there are where none is named.
    [[nodiscard]] OtherAlgorithms asked_algorithms() const {
        OtherAlgorithms asked{algorithms_, true};
        for (const Algorithm& one : all_algorithms()) {
            if (algorithms_.empty()) {
                asked.ids.emplace_back(one.id);
            }
        }
        return asked;
    }

    ScenarioOptions scenario_;
    std::vector<std::string> algorithms_;
    std::string chips_, top_ = "12", simulate_, csv_;
    bool dataflows_ = false;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> tune_command() {
    return std::make_unique<Tune>();
}

} // namespace meshslice
