#include "tests/fuzz/readers.h"

#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/calibrate/calibration.h"
#include "core/calibrate/measurements.h"
#include "core/cost/model_rules.h"
#include "core/cost/sharded_plans.h"
#include "core/evidence/collectives/collective_rows.h"
#include "core/evidence/inference/inference_constants.h"
#include "core/evidence/inference/inference_rows.h"
#include "core/evidence/inference/serving_rows.h"
#include "core/evidence/memory_evidence.h"
#include "core/evidence/training/training_rows.h"
#include "core/import/chakra_trace.h"
#include "core/import/hlo/hlo_loops.h"
#include "core/import/hlo/hlo_memory.h"
#include "core/import/hlo/hlo_operation.h"
#include "core/import/machines/calculon_system.h"
#include "core/import/machines/machine_files.h"
#include "core/import/machines/topology_matrix.h"
#include "core/import/nsight_trace.h"
#include "core/import/run_log.h"
#include "core/import/trace_use.h"
#include "core/lesson/answer.h"
#include "core/lesson/lesson.h"
#include "core/machine/catalogue.h"
#include "core/machine/fields.h"
#include "core/machine/machine.h"
#include "core/machine/measured_products.h"
#include "core/model/gemm.h"
#include "core/model/transformer.h"
#include "core/papers/publication.h"
#include "core/program/pipelining.h"
#include "core/question/catalogue/network/transfer.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/study/study_file.h"
#include "core/question/sweep.h"
#include "core/report/trace/chakra_writer.h"
#include "core/report/trace_chips.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/project.h"
#include "core/scenario/plan/plan.h"
#include "core/scenario/plan/plan_fields.h"
#include "core/scenario/scenario.h"
#include "core/serve/arrivals_file.h"
#include "core/sharding/shards.h"
#include "core/torus/faults.h"
#include "core/torus/torus.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

namespace meshslice::test {
namespace {

/// As assert, which a release leaves out.
void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

/// A refusal is a sentence.
template <class T>
bool taken(const Result<T>& result) {
    require(result || !result.error().sentence.empty(), "A refusal says nothing.");
    return result.has_value();
}

void scenario(std::string_view input) {
    const Result<Project> first = read_project(input, "input");
    if (taken(first)) {
        const Result<Project> second = read_project(write_project(*first), "written");
        require(second && *second == *first, "A project changes when it is written and read.");
    }
}

void hardware(std::string_view input) {
    const Result<Machine> first = read_machine(input, "input");
    if (taken(first)) {
        const std::string written = write_machine(*first);
        const Result<Machine> second = read_machine(written, "written");
        require(second && write_machine(*second) == written,
                "A hardware changes when it is written and read.");
    }
}

void model(std::string_view input) {
    const Result<Transformer> first = read_any_model(input, "input");
    if (taken(first)) {
        const std::string written = write_transformer(*first);
        const Result<Transformer> second = read_any_model(written, "written");
        require(second && write_transformer(*second) == written,
                "A model changes when it is written and read.");
    }
}

void measurements(std::string_view input) {
    const auto collectives = read_collectives(input, "input");
    if (taken(collectives)) {
        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
            const auto fit = fit_collectives(*collectives, ring);
            if (taken(fit)) {
                static_cast<void>(residuals(*collectives, *fit));
                static_cast<void>(taken(calibrated(*machine_preset("tpu-v3"), *fit, {}, DataType::bf16)));
            }
        }
    }
    const auto gemms = read_gemms(input, "input");
    if (taken(gemms)) {
        static_cast<void>(taken(measured_products(*gemms, "input", *machine_preset("tpu-v3"))));
        const auto fit = fit_gemms(*gemms);
        if (taken(fit)) {
            static_cast<void>(residuals(*gemms, *fit));
            static_cast<void>(taken(calibrated(*machine_preset("tpu-v3"), {}, *fit, DataType::bf16)));
        }
    }
}

/// What a row takes reads back: its own text is taken again and gives the same value.
void scenario_rows(std::string_view input) {
    static const Scenario before = default_scenario();
    Scenario scenario = before;
    for (const Field<Scenario>& field : scenario_fields()) {
        for (const double bare : {1.0, field.form_scale}) { // as on a command line, as in a form
            if (!taken(set_text(field, scenario, input, "input", bare))) {
                continue;
            }
            const FieldValue value = field.get(scenario);
            require(fits(field, value).has_value(), "A row takes what it may not hold.");
            scenario = before;
            require(set_text(field, scenario, text(field, value, bare), "written", bare) &&
                        field.get(scenario) == value,
                    "A row changes when its text is read again.");
            scenario = before;
        }
    }
    require(scenario == before, "A refused text changes something.");
}

/// Texts of hardware are for reading, rounded and in words ("not supported"): they need not be taken again.
void hardware_rows(std::string_view input) {
    static const Machine before = *machine_preset("tpu-v3");
    Machine hardware = before;
    for (const Field<Machine>& field : machine_fields()) {
        if (taken(set_text(field, hardware, input, "input"))) {
            const FieldValue value = field.get(hardware);
            require(fits(field, value).has_value(), "A row takes what it may not hold.");
            static_cast<void>(text(field, value));
            hardware = before;
        }
    }
    require(hardware == before, "A refused text changes something.");
}

/// What a sweep goes through: every value is one that the field may have.
void values(const std::string& text) {
    static const Scenario scenario = default_scenario();
    static const Question estimate = estimate_question();
    static_cast<void>(taken(parse_vary(estimate, scenario, text)));
    for (const Field<Scenario>& field : scenario_fields()) {
        if (!can_vary(field)) {
            continue;
        }
        const Result<Vary> vary = parse_values(field, text);
        if (taken(vary)) {
            require(!vary->values.empty() && vary->values.size() <= most_values, "A sweep has no end.");
        }
    }
}

/// Whatever is typed into a field or after a flag.
/// Line by line the fields of a transfer; what is read of a small slice takes some time, or is refused.
void transfers(const std::string& text) {
    static const Machine hardware = machine_preset("tpu-v5p").value();
    static const Question question = transfer_question();
    OwnTexts typed;
    std::istringstream lines(text);
    for (const QuestionField& field : question.fields) {
        std::getline(lines, typed[field.row.key]);
    }
    typed.erase("hardware");
    const auto read = asked_of(question, typed, Speech::file).and_then(transfer_asked);
    if (!read) {
        require(!read.error().sentence.empty(), "A refusal says nothing.");
    } else if (read->slice.devices() <= 512) {
        const Result<Transfer> found = transfer(*read, hardware);
        require(!taken(found) || found->seconds() > 0, "A transfer takes no time.");
    }
}

void words(std::string_view input) {
    scenario_rows(input);
    hardware_rows(input);
    const std::string text(input);
    static_cast<void>(taken(parse_mesh(text)));
    static_cast<void>(taken(parse_fault(text)));
    static_cast<void>(taken(parse_gemm(text)));
    static_cast<void>(taken(parse_dataflow(text)));
    static_cast<void>(taken(parse_ring_mode(text)));
    static_cast<void>(taken(parse_data_type(text)));
    static_cast<void>(taken(parse_measured_product(text)));
    static_cast<void>(taken(parse_trace_chips(text)));
    static_cast<void>(taken(parse_pipeline_schedule(text)));
    static_cast<void>(taken(parse_recompute(text)));
    static_cast<void>(taken(parse_model_rules(text)));
    static_cast<void>(taken(parse_factor(text)));
    for (const char* unit : {"", "s", "%", "x"}) {
        static_cast<void>(read_answer(text, unit));
    }
    values(text);
    static_cast<void>(taken(parse_whole(text)));
    static_cast<void>(taken(parse_count(text)));
    for (const char* unit : {"s", "B", "B/s", "FLOP/s"}) {
        const Result<double> value = parse_quantity(text, unit);
        if (taken(value)) {
            static_cast<void>(si_text(*value, unit));
            static_cast<void>(seconds(*value));
        }
    }
    static_cast<void>(shortened(text));
    transfers(text);
}

/// Points into the text, or at its end.
template <class T>
bool taken(const Read<T>& read, std::string_view input) {
    require(read || (!read.error().sentence.empty() && read.error().begin <= input.size()),
            "A refusal says nothing, or points nowhere.");
    return read.has_value();
}

/// Whatever is read has plans, or a sentence why not; every plan ends with what was wanted.
void plans_of(const ShardedGemm& gemm) {
    static const NamedMesh small{{{'X', 2}, {'Y', 2}, {'Z', 2}}};
    static const Machine hardware = machine_preset("tpu-v5p").value();
    DimensionSizes sizes;
    for (const GemmLetter& one : letters_of(gemm)) {
        sizes[one.letter] = 8;
    }
    if (sizes.size() > 3) {
        return; // a thousand plans, one input a second
    }
    const Result<ShardedPlans> plans = sharded_plans(gemm, small, sizes, DataType::bf16, hardware);
    if (taken(plans)) {
        require(!plans->plans.empty(), "A GEMM has no plan.");
        for (const CostedPlan& plan : plans->plans) {
            require(plan.plan.state(gemm, Operand::result, plan.plan.steps.size()) == in_order(gemm.result),
                    "A plan ends with something else than what is wanted.");
        }
    }
}

/// Claims are read as they stand, each under one name.
void claims_of(std::string_view input) {
    const Result<Publication> read = read_publication(input, "input");
    if (taken(read)) {
        require(!read->name.empty(), "A publication has no name.");
    }
}

void plan_of(std::string_view input) {
    const Result<Plan> first = read_plan(input, "input");
    if (taken(first)) {
        require(read_plan(write_plan(*first), "written") == first,
                "A plan changes when it is written and read.");
    }
}

/// A lesson that is read has a valid scenario in every step.
void lessons_of(std::string_view input) {
    const Result<Lesson> read = read_lesson(input, "input");
    if (taken(read)) {
        require(!read->steps.empty(), "A lesson has no step.");
        for (const LessonStep& step : read->steps) {
            require(checked(step.scenario).has_value(), "A step has a scenario that is none.");
            static_cast<void>(step.text.plain());
        }
    }
}

/// Every claim of a study that is read stands at a point of it.
void studies_of(std::string_view input) {
    if (input.find("meshslice_swept_study") == std::string_view::npos) {
        return; // every question is made to read one
    }
    const Result<StudyFile> read = read_study_file(input, "input");
    if (taken(read)) {
        for (const SweptClaim& claim : read->claims) {
            require(claim.point < read->sweep.size(), "A claim is about a point that is not there.");
        }
    }
}

/// What a lecturer, a reader of a paper and a planner write.
void documents(std::string_view input) {
    studies_of(input);
    lessons_of(input);
    claims_of(input);
    plan_of(input);
}

/// Requests come in order, the first at 0 s, and have a token in and one out.
void arrivals(std::string_view input) {
    const auto list = read_arrivals(input, "input");
    if (!taken(list)) {
        return;
    }
    double before = 0;
    for (const ServingRequest& request : *list) {
        require(request.arrival >= before && request.input >= 1 && request.output >= 1,
                "A request comes before the one in front of it, or has no tokens.");
        before = request.arrival;
    }
}

/// Steps take time, and so do requests.
void logs(std::string_view input) {
    std::istringstream stream{std::string(input)};
    const Result<TrainingLog> training = read_training_log(stream, "input");
    if (taken(training)) {
        const SteadySteps steady = steady_steps(*training);
        require(steady.median > 0 && steady.low <= steady.median && steady.median <= steady.high,
                "The median of a log is outside of its lines.");
    }
    const auto serving = read_serving_logs(input, "input");
    if (taken(serving)) {
        for (const ServingLog& one : *serving) {
            require(one.requests > 0 && one.mean_input() > 0 && one.tokens_per_s > 0,
                    "A run has no requests, or no tokens.");
        }
    }
    static_cast<void>(kind_of_measured(input));
}

/// An execution trace that is read is written as it is read, and placed in time.
void graphs(std::string_view input) {
    std::istringstream stream{std::string(input)};
    const Result<ChakraTrace> trace = read_chakra(stream, "input");
    if (taken(trace)) {
        std::ostringstream out;
        ChakraWriter writer(out);
        for (const ChakraNode& node : trace->nodes) {
            writer.add(node);
        }
        std::istringstream again(out.str());
        require(read_chakra(again, "written").has_value(), "An execution trace that was written is refused.");
        static_cast<void>(taken(device_trace_of(*trace, "input")));
        static_cast<void>(sums_of(*trace));
    }
}

/// A machine that is drafted is a machine's file.
void machine_files(std::string_view input) {
    static const Machine chip = machine_preset("h100").value();
    static_cast<void>(taken(writer_of_machine(input, "input")));
    for (const auto& draft :
         {machine_of_astra_network(input, chip, "input"), machine_of_astra_system(input, chip, "input"),
          machine_of_aiconfigurator(input, chip, "input"), machine_of_chip_sheet(input, chip, "input", "")}) {
        if (taken(draft)) {
            Machine machine = draft->machine;
            machine.name = "drafted";
            require(read_machine(write_machine(machine), "written").has_value(),
                    "A machine that was drafted is refused.");
        }
    }
}

/// A row that can be predicted is; a prediction is a number.
void evidence(std::string_view input) {
    arrivals(input);
    static_cast<void>(taken(read_serving_rows(input, "input")));
    static_cast<void>(taken(read_collective_rows(input, "input")));
    static_cast<void>(taken(read_memory_rows(input, "input")));
    static_cast<void>(taken(read_training_rows(input, "input")));
    const auto rows = read_inference_rows(input, "input");
    if (taken(rows)) {
        for (const InferenceRow& row : *rows) {
            if (row.reason.empty()) {
                const InferenceValues values = fitted_inference().values(*row.asked.chip, row.engine);
                for (const double one : predicted_results(row, values)) {
                    require(std::isfinite(one) && one >= 0, "A row is predicted to be no number.");
                }
            }
        }
    }
    const Result<TopologyMatrix> matrix = read_topology_matrix(input, "input");
    if (taken(matrix)) {
        require(!matrix->domains().empty(), "A server has no GPU.");
        static const Machine chip = machine_preset("h100").value();
        static_cast<void>(taken(machine_of(*matrix, chip, "input")));
    }
    {
        static const Machine chip = machine_preset("h100").value();
        static_cast<void>(taken(machine_of_calculon(input, chip, "input")));
    }
    machine_files(input);
    logs(input);
    graphs(input);
    std::istringstream stream{std::string(input)};
    const Result<DeviceTrace> trace =
        is_sqlite(input) ? read_nsight_bytes(input, "input") : read_device_trace(stream, "input");
    if (taken(trace)) {
        const Stretch whole{Time(0), trace->end};
        for (const DeviceUse& use : device_uses(*trace, whole)) {
            require(use.idle_s > -1e-6 * (1 + use.seconds),
                    "A device is busy for longer than there is time.");
        }
        require(!kernel_uses(*trace, whole).empty() || trace->end == Time(0), "A trace has no kernel.");
        static_cast<void>(run_of(*trace, whole, "input")->totals());
    }
}

void sharding(std::string_view input) {
    static const NamedMesh mesh{{{'X', 4}, {'Y', 8}, {'Z', 2}}};
    const Read<NamedMesh> axes = parse_named_mesh(input);
    if (taken(axes, input)) {
        require(parse_named_mesh(text(*axes)) == axes, "A mesh changes when it is printed and read.");
    }
    const Read<ShardedArray> array = parse_sharded_array(input, mesh);
    if (taken(array, input)) {
        require(parse_sharded_array(text(*array, mesh), mesh) == array,
                "An array changes when it is printed and read.");
    }
    const Read<ShardedArray> spec = parse_partition_spec(input, "A", "IJK", mesh);
    if (taken(spec, input)) {
        require(parse_partition_spec(partition_spec(*spec, mesh), "A", "IJK", mesh) == spec,
                "A PartitionSpec changes when it is printed and read.");
    }
    const Read<ShardedGemm> gemm = parse_sharded_gemm(input, mesh);
    if (taken(gemm, input)) {
        require(parse_sharded_gemm(text(*gemm, mesh), mesh) == gemm,
                "A GEMM changes when it is printed and read.");
        require(!case_words(*gemm, mesh).empty() && !letters_of(*gemm).empty(), "A GEMM is not a case.");
        plans_of(*gemm);
    }
    const Result<HloOperation> operation = read_hlo_operation(input);
    if (taken(operation)) {
        for (const HloShape& one : operation->results) {
            require(one.padded_elements() >= one.elements(), "Tiles make an array smaller.");
        }
    }
    const Result<HloModule> program = read_hlo_module(input, "input");
    if (taken(program)) {
        const HloMemory memory = hlo_memory(*program);
        require(memory.held.size() == program->main().lines.size(), "An operation holds an unknown amount.");
        require(memory.most() >= memory.inputs * (1 - 1e-9), "Parameters are not held.");
        double at_peak = 0;
        for (const HloBuffer& one : memory.at_peak) {
            at_peak += one.shape.padded_bytes();
        }
        require(!std::isfinite(at_peak) || std::abs(at_peak - memory.most()) <= 1e-9 * memory.most(),
                "The arrays at the peak are not what is held there.");
        for (const HloTimes& one : hlo_repeats(*program).computations) {
            require(one.times >= 0, "A computation runs less than never.");
        }
    }
    const Result<DimensionSizes> sizes = parse_dimension_sizes(input);
    if (taken(sizes) && array) {
        static_cast<void>(taken(shards(*array, mesh, *sizes, 16)));
    }
}

} // namespace

const std::vector<Reader>& readers() {
    static const std::vector<Reader> all = {
        {"scenario", scenario, {"resources/examples", "tests/fuzz/seeds/projects"}},
        {"hardware", hardware, {"resources/machines"}},
        {"model", model, {"resources/models", "tests/core/model/fixtures"}},
        {"measurements", measurements, {"tests/fuzz/seeds/measurements"}},
        {"evidence", evidence, {"tests/fuzz/seeds/evidence"}},
        {"documents",
         documents,
         {"tests/fuzz/seeds/lessons", "resources/studies", "tests/fuzz/seeds/studies"}},
        {"sharding", sharding, {"tests/fuzz/seeds/sharding"}},
        {"words", words, {"tests/fuzz/seeds/words"}},
    };
    return all;
}

} // namespace meshslice::test
