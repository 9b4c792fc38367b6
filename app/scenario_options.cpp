#include "app/scenario_options.h"

#include "core/base/json_reader.h"
#include "core/base/parse.h"
#include "core/calibrate/measurements.h"
#include "core/gemm/algorithms.h"
#include "core/torus/torus.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

namespace meshslice {
namespace {

bool looks_like_a_file(const std::string& words) {
    return words.find('/') != std::string::npos || words.ends_with(".json");
}

/// A preset by its name, or the content of a file.
template <class T, class Preset, class Read>
Result<T> preset_or_file(const std::string& words, Preset preset, Read read) {
    if (!looks_like_a_file(words)) {
        return preset(words);
    }
    return read_text_file(words).and_then([&](const std::string& text) { return read(text, words); });
}

/// Applies the flags one by one; the first that is wrong stops the rest.
class Reading {
  public:
    template <class T, class Parse>
    void apply(const std::string& words, T& into, Parse parse) {
        if (words.empty() || error) {
            return;
        }
        auto parsed = parse(words);
        if (parsed) {
            into = *std::move(parsed);
        } else {
            error = parsed.error();
        }
    }

    std::optional<Error> error;
};

Result<std::int64_t> count(const char* flag, const std::string& words) {
    const Result<std::int64_t> value = parse_whole(words);
    if (!value || *value < 1) {
        return refuse(fmt::format("{} is \"{}\"; a whole number from 1 on was expected.", flag, words));
    }
    return value;
}

Result<std::optional<Stationary>> parse_stationary(const std::string& words) {
    if (words == "auto") {
        return std::optional<Stationary>();
    }
    for (const Stationary stays : {Stationary::Y, Stationary::X, Stationary::W}) {
        if (words == name(stays)) {
            return std::optional(stays);
        }
    }
    return refuse(fmt::format(
        "--dataflow is \"{}\"; for a model auto, Y, X or W was expected (which matrix stays), and "
        "OS, LS or RS together with --gemm.",
        words));
}

/// Which axes wrap: vertical, horizontal, and the third, which always does; and whether the others are
/// folded.
using Wraps = std::pair<std::array<bool, 3>, bool>;
Result<Wraps> parse_wraps(const std::string& words) {
    const std::map<std::string, Wraps> choices = {{"both", {{true, true, true}, false}},
                                                  {"vertical", {{true, false, true}, false}},
                                                  {"horizontal", {{false, true, true}, false}},
                                                  {"vertical-folded", {{true, false, true}, true}},
                                                  {"horizontal-folded", {{false, true, true}, true}},
                                                  {"none", {{false, false, true}, false}},
                                                  {"folded", {{false, false, true}, true}}};
    const auto choice = choices.find(words);
    if (choice == choices.end()) {
        return refuse(
            fmt::format("--wrap is \"{}\"; both, vertical, horizontal, vertical-folded, horizontal-folded, "
                        "none or folded was expected.",
                        words));
    }
    return choice->second;
}

Result<std::optional<std::int64_t>> count_or_auto(const char* flag, const std::string& words) {
    if (words == "auto") {
        return std::optional<std::int64_t>();
    }
    return count(flag, words).map([](std::int64_t number) { return std::optional(number); });
}

Result<std::optional<Axis>> parse_decomposed(const std::string& words) {
    if (words == "auto") {
        return std::optional<Axis>();
    }
    for (const Axis axis : {Axis::vertical, Axis::horizontal}) {
        if (words == name(axis)) {
            return std::optional(axis);
        }
    }
    return refuse(fmt::format("--decompose is \"{}\"; auto, vertical or horizontal was expected.", words));
}

/// Flags that the algorithm would not listen to are refused, so that nobody thinks they did something.
Result<void> mean_something(const ScenarioOptions& given, const std::string& id) {
    const auto algorithm = meshslice::algorithm(id);
    if (!algorithm) {
        return refuse(algorithm.error());
    }
    struct Flag {
        const char* name;
        const std::string& given;
        OptionId option;
        const char* who;
    };
    for (const Flag& flag :
         {Flag{"--slices", given.slices, OptionId::slices, "algorithms that slice or unroll"},
          Flag{"--packets", given.packets, OptionId::packets, "algorithms that stream packets"},
          Flag{"--decompose", given.decompose, OptionId::decomposed,
               "algorithms that take a collective apart"}}) {
        // "auto" asks for nothing, and one slice is what an algorithm that does not slice has.
        const bool asks = !flag.given.empty() && flag.given != "auto" && flag.given != "1";
        if (asks && !takes(**algorithm, flag.option)) {
            return refuse(fmt::format("{} means nothing to {}; it is for {}.", flag.name, (*algorithm)->title,
                                      flag.who));
        }
    }
    return {};
}

/// Flags of a training step beside one product, and measurements beside a type that was not measured.
Result<void> are_listened_to(const ScenarioOptions& given, const Scenario& scenario) {
    const std::array<std::pair<const char*, const std::string&>, 3> of_a_step = {
        {{"--model", given.model}, {"--batch", given.batch}, {"--sequence", given.sequence}}};
    for (const auto& [flag, words] : of_a_step) {
        if (scenario.gemm && !words.empty()) {
            return refuse(
                fmt::format("{} describes a model's training step, and {} asks for one product alone; one of "
                            "the two was expected.",
                            flag, given.gemm.empty() ? given.scenario : "--gemm"));
        }
    }
    if (!given.measured.empty() && scenario.schedule.type != DataType::bf16) {
        return refuse(fmt::format("--measured tells how long products take in bf16, and the data type is {}; "
                                  "bf16 was expected beside it.",
                                  name(scenario.schedule.type)));
    }
    return {};
}

} // namespace

void ScenarioOptions::declare(CLI::App& command) {
    const auto option = [&](const char* flag, std::string& into, const char* meaning) {
        command.add_option(flag, into, meaning)->type_name("");
    };
    option("--scenario", scenario, "FILE: a scenario file; the other flags change it");
    option("--model", model, "NAME|FILE.json: a preset, or a Hugging Face config.json (default gpt3-175b)");
    option("--hardware", hardware, "NAME|FILE.json: a preset or a hardware file (default tpu-v4-paper)");
    option("--mesh", mesh, "RxC: chips along the vertical and the horizontal axis (default 32x8)");
    option("--wrap", wrap,
           "both|vertical|horizontal|none: axes of the mesh that are closed rings; folded, vertical-folded, "
           "horizontal-folded: the others are rings folded onto their lines (default both)");
    option("--batch", batch, "N: sequences (default 128)");
    option("--sequence", sequence, "N: tokens in a sequence (default 2048)");
    option("--algorithm", algorithm, "NAME: see 'meshslice presets algorithms' (default meshslice)");
    option("--dataflow", dataflow,
           "auto|Y|X|W: which matrix of every layer stays; OS|LS|RS with --gemm (default auto, OS)");
    option("--slices", slices,
           "auto|N: slice count S of every product, or iterations to which SUMMA and Wang are unrolled "
           "(default auto: best by estimate)");
    option("--block", block, "N: block size B of blocked slicing (default 8)");
    option("--packets", packets, "auto|N: packets of SUMMA's streams (default auto: best by estimate)");
    option("--decompose", decompose,
           "auto|vertical|horizontal: axis that Wang's algorithm takes apart (default auto: better by "
           "estimate)");
    option("--prefetch", prefetch, "N|unbounded: iterations that communication may run ahead (default 1)");
    option("--ring", ring, "both|one-way: how collectives use a ring (default both)");
    option("--chip", chip,
           "by-hardware|constant-rate|tiled: products at the effective FLOP/s, or tile by tile with the HBM "
           "shared by tiles, slicing and links (default by-hardware: tiled where it says its tile)");
    option("--measured", measured,
           "FILE.csv: what products took on one chip, M,N,K,time; the most similar one tells a product's "
           "rate");
    option("--data-type", data_type, "bf16|int8: type of the matrix elements (default bf16)");
    command
        .add_option("--fault", faults,
                    "\"R,C PART SHARE\": what if that part were slow: \"3,5 east 50%\", \"3,5 core 80%\" or "
                    "dead: \"3,5 north dead\"; may be repeated")
        ->type_name("")
        ->allow_extra_args(false);
    option("--jitter", jitter,
           "TIME: every synchronisation takes up to this much longer, by chance, e.g. 2us");
    option("--seed-jitter", seed, "N: seed of that chance (default 1)");
    option("--gemm", gemm, "MxNxK: only this product instead of a model's training step");
}

Result<Hardware> named_hardware(const std::string& words) {
    return preset_or_file<Hardware>(words, hardware_preset, read_hardware);
}

Result<Scenario> ScenarioOptions::read() const {
    Reading reading;
    Scenario result = default_scenario();
    result.compare.clear();
    reading.apply(scenario, result, [](const std::string& path) {
        return read_text_file(path).and_then(
            [&](const std::string& text) { return read_scenario(text, path); });
    });
    reading.apply(model, result.model, [](const std::string& words) {
        return preset_or_file<Transformer>(words, model_preset, read_any_model);
    });
    reading.apply(hardware, result.hardware, named_hardware);
    reading.apply(mesh, result.mesh, parse_mesh);
    Wraps wraps{result.wraps, result.folded};
    reading.apply(wrap, wraps, parse_wraps);
    std::tie(result.wraps, result.folded) = wraps;
    reading.apply(measured, result.hardware.measured_products, [](const std::string& path) {
        return read_text_file(path)
            .and_then([&](const std::string& csv) { return read_gemms(csv, path); })
            .and_then([&](const std::vector<MeasuredGemm>& gemms) { return measured_products(gemms, path); });
    });
    reading.apply(batch, result.batch, [](const std::string& words) { return count("--batch", words); });
    reading.apply(sequence, result.sequence,
                  [](const std::string& words) { return count("--sequence", words); });
    reading.apply(block, result.block, [](const std::string& words) { return count("--block", words); });
    reading.apply(slices, result.slices,
                  [](const std::string& words) { return count_or_auto("--slices", words); });
    reading.apply(packets, result.packets,
                  [](const std::string& words) { return count_or_auto("--packets", words); });
    reading.apply(decompose, result.decomposed, parse_decomposed);
    reading.apply(prefetch, result.schedule.prefetch, parse_prefetch);
    reading.apply(ring, result.schedule.ring, parse_ring_mode);
    reading.apply(chip, result.schedule.chip, parse_chip_model);
    reading.apply(data_type, result.schedule.type, parse_data_type);
    if (!faults.empty()) {
        result.faults.parts.clear();
    }
    for (const std::string& words : faults) {
        reading.apply(words, result.faults.parts, [&](const std::string& fault) {
            return parse_fault(fault).map([&](const Fault& one) {
                std::vector<Fault> all = result.faults.parts;
                all.push_back(one);
                return all;
            });
        });
    }
    reading.apply(jitter, result.faults.jitter, [](const std::string& words) {
        return parse_quantity(words, "s").map([](double value) { return seconds(value); });
    });
    reading.apply(seed, result.faults.seed, [](const std::string& words) {
        return count("--seed-jitter", words).map([](std::int64_t number) {
            return static_cast<std::uint64_t>(number);
        });
    });
    if (!algorithm.empty()) {
        result.algorithm = algorithm;
    }
    if (!gemm.empty() && !result.gemm) {
        result.gemm.emplace();
    }
    if (result.gemm) {
        reading.apply(gemm, result.gemm->shape, parse_gemm);
        reading.apply(dataflow, result.gemm->dataflow, parse_dataflow);
    } else {
        reading.apply(dataflow, result.stationary, parse_stationary);
    }
    if (reading.error) {
        return refuse(*reading.error);
    }
    if (const auto meant = mean_something(*this, result.algorithm); !meant) {
        return refuse(meant.error());
    }
    if (const auto heard = are_listened_to(*this, result); !heard) {
        return refuse(heard.error());
    }
    return checked(result);
}

} // namespace meshslice
