#include "core/cost/workgroup_product.h"
#include "core/machine/catalogue.h"
#include "core/program/dependencies.h"
#include "core/question/catalogue/study/studies.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/papers/t3_statements.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace meshslice {
namespace {

AllReduceTimes times_of(const TensorCase& one) {
    return all_reduce_times(one.gemm, t3_machine()).value();
}
bool formula_is(double chips, const std::vector<double>& fused) {
    const auto of = static_cast<std::int64_t>(chips);
    return dram_chunks(of, Reduction::by_units) ==
               std::vector{chips, 2 * chips - 1, chips, chips - 1, chips - 1} &&
           dram_chunks(of, Reduction::fused) == fused;
}
bool model_is(const char* preset, std::int64_t hidden, std::int64_t layers, std::int64_t tokens,
              const std::set<std::int64_t>& rings) {
    const Transformer model = model_preset(preset).value();
    std::set<std::int64_t> on;
    bool shapes = model.hidden == hidden && model.layers == layers;
    for (const TensorCase& one : stated_cases()) {
        if (one.model == model.title) {
            on.insert(one.gemm.chips);
            shapes = shapes && one.gemm.shape.m == tokens && one.gemm.shape.n == hidden;
        }
    }
    return shapes && on == rings;
}
/// How long the ring's link stands still between its first piece and its last: in all, and at most at once.
struct IdleLink {
    Time in_all, at_once;
};
IdleLink idle_link(const TensorCase& one, MemoryPolicy policy) {
    const auto run = ring_run("t3", one, policy);
    IdleLink idle;
    Time last(-1);
    for (const Interval& piece : run->intervals(1)) {
        if (run->operations()[piece.operation].adds && piece.activity == Activity::transfer) {
            const Time rests = last < Time(0) ? Time(0) : piece.start - last;
            idle.in_all += rests;
            idle.at_once = std::max(idle.at_once, rests);
            last = piece.end;
        }
    }
    return idle;
}

} // namespace

std::vector<Statement> statements_of_the_evaluation() {
    return {
        // 5, the set-up
        {"setup-gpus",
         [] {
             std::set<std::int64_t> rings;
             const std::vector<TensorCase> cases =
                 tensor_cases(t3_inputs(t3_machine()), ModelSize::small).value();
             for (const TensorCase& one : cases) {
                 rings.insert(one.gemm.chips);
             }
             return is(rings == std::set<std::int64_t>{8, 16});
         }},
        {"setup-ring-bandwidth",
         [] {
             return Found{150e9, t3_machine().network.link_bandwidth(0).value()};
         }},
        {"setup-ring-bandwidth-real",
         [] {
             return Found{150e9, t3_machine().network.link_bandwidth(0).value()};
         }},
        {"setup-link-latency",
         [] {
             return Found{500e-9, in_seconds(t3_machine().ring_stores->link_flight.value)};
         }},
        {"setup-cus",
         [] {
             return Found{80, double(t3_machine().cores.value)};
         }},
        {"setup-llc",
         [] {
             return Found{16e6, double(t3_machine().on_chip_memory.value.value())};
         }},
        {"setup-hbm",
         [] {
             return Found{1e12, t3_machine().hbm_bandwidth.value.value()};
         }},
        {"setup-no-flop-rate",
         [] {
             return is(t3_machine().peak[DataType::bf16].source.find("prints no rate") != std::string::npos);
         }},
        {"sim-homogeneous",
         [] { // One GPU stands for all, event by event.
             TensorCase small = fc2_of_t_nlg();
             small.gemm.shape = {1024, 1024, 64};
             Schedule schedule{.ring = RingMode::one_way, .prefetch = {}};
             const Program program = ring_program("t3", small);
             const auto one = simulate(program, t3_machine(), schedule).value();
             const auto each = simulate(program, t3_machine(), schedule, {}, {}, Folding::none).value();
             return is(one->classes().count() == 1 && *one == *each);
         }},
        {"sim-no-dma-engine",
         [] {
             return is(t3_machine().sync.value == Time(0) &&
                       std::ranges::all_of(LaunchTimes(t3_machine().launch).all(),
                                           [](const auto* one) { return one->value == Time(0); }));
         }},
        {"sim-validation-sizes",
         [] { // Four GPUs, in us as worked out by hand: 3 x (MB / 600 GB/s + 0.5) + 3 x MB / 4 / 0.92 TB/s.
             double worst = 0;
             const std::map<int, double> by_hand = {{6, 36.4}, {12, 71.3}, {24, 141},
                                                    {48, 281}, {96, 560},  {192, 1118}};
             for (const auto& [megabytes, microseconds] : by_hand) {
                 const AllReducedGemm gemm{{megabytes * 500, 1000, 8}, 4, DataType::bf16};
                 const double ours = all_reduce_times(gemm, t3_machine())->scatter * 1e6;
                 worst = std::max(worst, std::abs(ours / microseconds - 1));
             }
             return Found{0, worst, 0.002};
         }},
        {"nmc-cost",
         [] {
             return Found{2, t3_machine().ring_stores->near_memory_cost.value};
         }},
        {"precision",
         [] {
             return Found{2, double(element_bytes(fc2_of_t_nlg().gemm.type))};
         }},
        {"model-mega-gpt-2",
         [] {
             return is(model_is("mega-gpt-2", 3072, 74, 16384, {8, 16}));
         }},
        {"model-t-nlg",
         [] {
             return is(model_is("t-nlg", 4256, 78, 8192, {8, 16}));
         }},
        {"model-gpt-3", [] { return is(model_is("gpt3-175b", 12288, 96, 2048, {32})); }},
        {"model-palm", [] { return is(model_is("palm-t3", 18432, 118, 2048, {32})); }},
        {"model-mt-nlg", [] { return is(model_is("megatron-nlg-530b", 20480, 105, 2048, {32})); }},
        {"sub-layers",
         [] {
             return is(sub_layers == std::array<SubLayer, 4>{{{"OP", output_task, Pass::forward},
                                                              {"IP", qkv_task, Pass::backward_data},
                                                              {"FC-2", ff2_task, Pass::forward},
                                                              {"FC-1", ff1_task, Pass::backward_data}}});
         }},
        {"sub-layer-k",
         [] {
             return is(std::ranges::all_of(stated_cases(), [](const TensorCase& one) {
                 const std::map<std::string_view, std::int64_t> widths = {
                     {"OP", 1}, {"IP", 3}, {"FC-2", 4}, {"FC-1", 4}}; // in hidden sizes
                 return one.gemm.shape.k * one.gemm.chips == widths.at(one.layer->name) * one.gemm.shape.n;
             }));
         }},
        {"config-sequential",
         [] {
             const AllReduceTimes parts = times_of(fc2_of_t_nlg());
             const double sum = parts.gemm + parts.scatter + parts.gather;
             return Found{sum, ring_seconds("tp-ar", fc2_of_t_nlg(), MemoryPolicy::ideal), 0.001 * sum};
         }},
        {"config-t3",
         [] { // The gather waits for GEMM and scatter, the scatter for nothing.
             return is(dependencies(ring_program("t3", fc2_of_t_nlg()), {}) ==
                           std::vector{Dependency{0, 2, 0}, Dependency{1, 2, 0}} ||
                       dependencies(ring_program("t3", fc2_of_t_nlg()), {}) ==
                           std::vector{Dependency{1, 2, 0}, Dependency{0, 2, 0}});
         }},
        {"config-t3-mca",
         [] {
             return is(ring_seconds("t3", fc2_of_t_nlg(), MemoryPolicy::communication_aware) <
                       ring_seconds("t3", fc2_of_t_nlg(), MemoryPolicy::round_robin));
         }},
        {"config-ideal",
         [] {
             const AllReduceTimes parts = times_of(fc2_of_t_nlg());
             return Found{std::max(parts.gemm, parts.scatter) + parts.gather, parts.overlapped(), 1e-12};
         }},
        {"config-ideal-nmc",
         [] {
             const AllReduceTimes parts = times_of(fc2_of_t_nlg());
             return Found{std::max(parts.gemm, parts.scatter_near_memory) + parts.gather,
                          parts.overlapped_near_memory(), 1e-12};
         }},
        // 6 and 7, results
        {"fig17-case",
         [] {
             const auto result = run_study(**study("t3-dram-over-time"), t3_inputs(t3_machine()));
             return is(result->finding.starts_with("Turing-NLG 17B, TP 8, FC-2: "));
         }},
        {"dram-causes",
         [] { // Near memory: N reads of the sums, one of their writes. Fusion: the first chunk of the rest.
             return is(dram_chunks(8, Reduction::near_memory) == std::vector<double>{8, 7, 7, 7, 7} &&
                       dram_chunks(8, Reduction::fused) == std::vector<double>{7, 6, 7, 7, 7});
         }},
        {"dram-formula-8",
         [] {
             return is(formula_is(8, {7, 6, 7, 7, 7}));
         }},
        {"dram-formula-16",
         [] {
             return is(formula_is(16, {15, 14, 15, 15, 15}));
         }},
        {"dram-formula-32",
         [] {
             return is(formula_is(32, {31, 30, 31, 31, 31}));
         }},
        {"gpu-2x-cu",
         [] {
             return Found{160, double(machine_preset("t3-paper-2x-cu")->cores.value)};
         }},
        {"link-utilization",
         [] { // Where the scatter takes longer than the GEMM the link rests for less than a stage: in all
              // where memory holds up neither, and at once where the GEMM has to share it.
             double longest = 0;
             int asked = 0;
             for (const TensorCase& one : stated_cases()) {
                 const AllReduceTimes parts = times_of(one);
                 if (parts.scatter_near_memory > parts.gemm) {
                     const Time free = idle_link(one, MemoryPolicy::ideal).in_all;
                     const Time shared = idle_link(one, MemoryPolicy::communication_aware).at_once;
                     longest = std::max(
                         {longest, in_seconds(free) / parts.stage, in_seconds(shared) / parts.stage});
                     ++asked;
                 }
             }
             return asked > 4 ? Found{0, longest, 1} : is(false);
         },
         "the link rests for less than a stage in all if memory holds up nothing, and for less than a stage "
         "at a time if it does; the paper says that use is high, not by how much"},
        {"split-k",
         [] { // Each of our work-groups makes a whole tile: the degree is 1.
             const WorkgroupProduct product =
                 workgroup_product({4096, 4096, 64}, t3_machine(), DataType::bf16);
             return Found{1, double(product.workgroups) * 128 * 128 / (4096.0 * 4096)};
         }},
        {"multi-node",
         [] { // Links a tenth as fast: the ring is exposed, the GEMM hidden but for its first stage.
             Machine slow = t3_machine();
             slow.network.set_link_bandwidth(Bandwidth(15e9));
             const AllReduceTimes parts = all_reduce_times(fc2_of_t_nlg().gemm, slow).value();
             const double ring = parts.scatter_near_memory + parts.gather;
             const double t3 =
                 in_seconds(ring_run("t3", fc2_of_t_nlg(), MemoryPolicy::communication_aware, slow)->end());
             return is(t3 > 0.999 * ring && t3 < ring + 2 * parts.stage);
         }},
        // Derived from what is printed
        {"derived-output-bytes",
         [] {
             std::map<std::string, double> bytes;
             for (const TensorCase& one : stated_cases()) {
                 bytes[one.model] = one.gemm.output_bytes();
             }
             return is(bytes == std::map<std::string, double>{{"Mega-GPT-2", 100'663'296},
                                                              {"Turing-NLG 17B", 69'730'304},
                                                              {"GPT-3 175B", 50'331'648},
                                                              {"PaLM (T3)", 75'497'472},
                                                              {"Megatron-Turing NLG 530B", 83'886'080}});
         }},
        {"derived-overlap-bound",
         [] {
             const auto gain = [](double gemm) {
                 AllReduceTimes parts;
                 parts.gemm = gemm;
                 parts.scatter = parts.gather = 1;
                 return parts.sequential() / parts.overlapped();
             };
             return gain(0.9) < 1.5 && gain(1.1) < 1.5 ? Found{1.5, gain(1), 1e-12} : is(false);
         }},
        {"derived-fused-end",
         [] { // Between 0.98 and 1.03, tile by tile on one chip that stands for all, to a thousandth.
              // Simulated, the first stage writes nothing, so that of GPT-3's OP it may be 0.97.
             double farthest = 1.005;
             bool simulated = true;
             for (const TensorCase& one : stated_cases()) {
                 const AllReduceTimes parts = times_of(one);
                 const double longer = std::max(parts.gemm, parts.scatter_near_memory);
                 const double share =
                     (*fused_time(one.gemm, t3_machine(), MemoryPolicy::ideal) - parts.gather) / longer;
                 farthest = std::abs(share - 1.005) > std::abs(farthest - 1.005) ? share : farthest;
                 const double run = (ring_seconds("t3", one, MemoryPolicy::ideal) - parts.gather) / longer;
                 simulated = simulated && run > 0.97 && run < 1.03;
             }
             return simulated ? Found{1.005, farthest, 0.026} : is(false);
         },
         "the closed form, to two digits (0.98 to 1.03); simulated it may be 0.97, because the first chunk, "
         "which goes out, is not written, as the paper has it, while the derived recursion writes it"},
        {"derived-t3-closed-form",
         [] {
             double farthest = 1;
             for (const TensorCase& one : stated_cases()) {
                 const double n = static_cast<double>(one.gemm.chips), c = one.gemm.chunk_bytes();
                 const AllReduceTimes parts = times_of(one);
                 const double form =
                     std::max(parts.compute + (2 * (n - 1) + (n - 2) + 2 * (n - 1)) * c / 1e12,
                              parts.scatter_near_memory + parts.stage) +
                     parts.gather;
                 const double share = ring_seconds("t3", one, MemoryPolicy::round_robin) / form;
                 farthest = std::abs(share - 1) > std::abs(farthest - 1) ? share : farthest;
             }
             return Found{1, farthest, 0.02};
         }},
    };
}

} // namespace meshslice
