#include "tests/ui/support/hand_made_results.h"

namespace meshslice::ui {
namespace {

Time tenths(std::int64_t count) {
    return Time(count * 100'000);
}

std::shared_ptr<const Timeline> timeline(Time end) {
    const Torus torus = *Torus::create(std::vector<std::int32_t>{2, 2});
    const std::vector<OperationLabel> operations = {
        {"AG_row", "B' = AG_row(B_s)", Bytes(1'179'000), Bytes(1'179'000), Flop(0), false, {1}},
        {"multiply", "C += A' B'", Bytes(0), Bytes(0), Flop(2'400'000'000)}};
    std::vector<Row> rows;
    std::vector<std::size_t> begins{0};
    std::vector<Interval> intervals;
    for (Chip chip = 0; chip < 4; ++chip) {
        rows.push_back({chip, true, Axis::vertical, Direction::forward});
        intervals.push_back({microseconds(40), microseconds(42), 2, 0, 1, Activity::launch});
        intervals.push_back({microseconds(42), microseconds(90), 2, 0, 1, Activity::compute});
        begins.push_back(intervals.size());
        for (const Axis axis : {Axis::vertical, Axis::horizontal}) {
            for (const Direction direction : both_directions) {
                rows.push_back({chip, false, axis, direction});
                if (axis == Axis::vertical && direction == Direction::forward) {
                    intervals.push_back({microseconds(0), microseconds(10), 2, 0, 0, Activity::launch});
                    intervals.push_back({microseconds(10), microseconds(15), 2, 0, 0, Activity::sync});
                    intervals.push_back({microseconds(15), tenths(412), 2, 0, 0, Activity::transfer});
                }
                begins.push_back(intervals.size());
            }
        }
    }
    return std::make_shared<const Timeline>(torus, operations, 4, rows, begins, intervals, end);
}

GemmResult product(Pass pass, Time start, Time length) {
    GemmResult result;
    result.gemm = {"FF1", pass, Dataflow::OS, {1000, 1200, 4000}, 1};
    result.options.slices = 4;
    Program program;
    program.torus = *Torus::create(std::vector<std::int32_t>{2, 2});
    program.loop_begin = 0;
    program.loop_end = 2;
    program.iterations = 4;
    result.program = std::make_shared<const Program>(std::move(program));
    result.start = start;
    result.time = length;
    // Per chip: 2.4 GFLOP; 8 MB of HBM traffic, so 300 FLOP/B; 1.2 MB over both links of the axis, 2000
    // FLOP/B.
    Count count;
    count.flop_per_chip = Flop(2'400'000'000);
    count.hbm_per_chip = Bytes(8'000'000);
    count.busiest_link = Bytes(600'000);
    count.links = {{{0, Axis::vertical, Direction::forward}, Bytes(600'000)},
                   {{0, Axis::vertical, Direction::backward}, Bytes(600'000)}};
    result.count = std::make_shared<const Count>(std::move(count));
    result.usage.compute = microseconds(48);
    result.usage.launch = microseconds(10);
    result.usage.sync = microseconds(5);
    result.usage.transfer = tenths(262);
    result.usage.exposed = length - microseconds(50);
    result.timeline = timeline(length);
    return result;
}

TrainingStep step(const std::string& algorithm, Time each) {
    TrainingStep made;
    made.algorithm = algorithm;
    made.mesh = {2, 2};
    made.torus = *Torus::create(made.mesh);
    made.gemms = {product(Pass::forward, Time(0), each), product(Pass::backward_data, each, each)};
    made.time = each + each;
    for (const GemmResult& gemm : made.gemms) {
        made.usage.compute += gemm.usage.compute;
        made.usage.launch += gemm.usage.launch;
        made.usage.sync += gemm.usage.sync;
        made.usage.transfer += gemm.usage.transfer;
        made.usage.exposed += gemm.usage.exposed;
    }
    return made;
}

Scenario scenario() {
    Scenario made;
    made.mesh = {2, 2};
    made.hardware.name = "hand-made";
    made.hardware.peak[DataType::bf16].value = FlopRate(100e12);
    made.hardware.effective_fraction.value = 0.5;
    made.hardware.hbm_bandwidth.value = Bandwidth(1e12);
    made.hardware.network = torus_network(3, {{2, {}}, {Bandwidth(45e9), {}}});
    made.hardware.sync.value = microseconds(5);
    return made;
}

} // namespace

ResultsPtr handMadeResults(bool compared) {
    auto results = std::make_shared<Results>();
    results->number = 1;
    results->scenario = scenario();
    results->steps.push_back(step("meshslice", microseconds(100)));
    if (compared) {
        results->steps.push_back(step("collective", microseconds(150)));
    }
    return results;
}

ResultsPtr combResults(std::size_t count) {
    std::vector<Interval> intervals;
    for (std::size_t k = 0; k < count; ++k) {
        const auto start = static_cast<std::int64_t>(2 * k);
        intervals.push_back({microseconds(start), microseconds(start + 1), 0, 0, 0, Activity::compute});
    }
    const Time end = microseconds(static_cast<std::int64_t>(2 * count));
    const std::vector<std::size_t> begins{0, count};
    GemmResult product;
    product.program = std::make_shared<const Program>();
    product.count = std::make_shared<const Count>();
    product.gemm = {"FF1", Pass::forward, Dataflow::OS, {1, 1, 1}, 1};
    product.time = end;
    product.timeline = std::make_shared<const Timeline>(
        Torus(), std::vector<OperationLabel>{{"multiply", "C = A B", Bytes(0), Bytes(0), Flop(2)}}, 1,
        std::vector<Row>{Row{}}, begins, std::move(intervals), end);
    auto results = std::make_shared<Results>();
    results->scenario = scenario();
    results->steps.emplace_back();
    results->steps[0].algorithm = "meshslice";
    results->steps[0].time = end;
    results->steps[0].gemms.push_back(std::move(product));
    return results;
}

} // namespace meshslice::ui
