#include "core/report/summary/summary.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/evidence/expected_plan.h"
#include "core/evidence/memory_evidence.h"
#include "core/report/summary/bill_words.h"
#include "core/report/summary/expected_words.h"
#include "core/report/summary/own_step_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace meshslice {

std::vector<SummaryPart> memory_summary(const MemoryUse& use, bool of_one_gemm) {
    const std::array parts = {SummaryPart{said("weights"), use.weights, 0, Role::compute, false},
                              SummaryPart{said("embeddings"), use.embeddings, 0, Role::transferThird, false},
                              SummaryPart{said("gradients"), use.gradients, 0, Role::backward, false},
                              SummaryPart{said("optimizer"), use.optimizer, 0, Role::update, false},
                              SummaryPart{of_one_gemm ? said("A, B and C") : said("activations"),
                                          use.activations, 0, Role::transferVertical, false},
                              SummaryPart{said("buffers"), use.buffers, 0, Role::launch, false},
                              SummaryPart{said("logits"), use.logits, 0, Role::transferHorizontal, false},
                              SummaryPart{said("reserve"), use.reserve, 0, Role::sync, false}};
    std::vector<SummaryPart> there;
    for (SummaryPart part : parts) {
        if (part.amount > 0) {
            part.share = part.amount / use.total();
            there.push_back(part);
        }
    }
    return there;
}

std::string memory_formula(const Summary& summary) {
    std::string parts;
    double all = 0;
    for (const SummaryPart& part : summary.memory) {
        parts += (parts.empty() ? "" : " + ") + say("{} of {}", bytes_text(part.amount), part.name);
        all += part.amount;
    }
    return say("Memory of a chip = {} = {} of {}", parts, bytes_text(all), bytes_text(summary.capacity));
}

Trust trust_of(const Summary& summary, const Scenario& scenario, const PlanAnswer* plans) {
    constexpr std::size_t most = 3;
    Trust trust;
    if (summary.parameters == 0) {
        trust.no_near = said("Measured are whole training runs; none is like one GEMM.");
        return trust;
    }
    if (plans != nullptr) {
        ExpectedStep expected = expected_of(plans->question, plans->chosen());
        trust.expected = expected_words(expected);
        const std::optional<OwnStep> own = own_step_of(*plans, scenario.planning.measured_step);
        if (own) {
            trust.own = own_step_sentences(*own);
        } else if (scenario.planning.measured_step) {
            trust.own = {unused_step_words(*scenario.planning.measured_step, expected)};
        }
        if (const auto bill = plan_bill(plans->question, plans->chosen(), expected, own)) {
            trust.bill = bill_sentences(*bill);
        }
        trust.near = std::move(expected.nearest);
    }
    if (trust.near.empty()) {
        trust.near = near_measured(summary.parameters, scenario.hardware, summary.chips, most);
    }
    trust.near.resize(std::min(trust.near.size(), most));
    if (trust.near.empty()) {
        trust.no_near = said("No measured run that comes with the program is near this one.");
    }
    return trust;
}

std::vector<std::string> trust_sentences(const Summary& summary, const Scenario& scenario,
                                         const PlanAnswer* plans) {
    const Trust trust = trust_of(summary, scenario, plans);
    std::vector<std::string> sentences = trust.own;
    sentences.insert(sentences.end(), trust.bill.begin(), trust.bill.end());
    if (!trust.expected.empty()) {
        sentences.insert(sentences.begin(), trust.expected);
    }
    if (plans == nullptr && !trust.near.empty()) {
        sentences.push_back(
            said("Measured near it are whole training steps, next to what is expected of a plan "
                 "for them; they do not say how far off this answer is:"));
    }
    for (const MeasuredNearby& one : trust.near) {
        sentences.push_back(near_words(one));
    }
    if (plans != nullptr && plans->question.machine.network.torus_axes() == 0) { // the rows are of GPUs
        if (std::string memory = measured_memory_words(); !memory.empty()) {
            sentences.push_back(std::move(memory));
        }
    }
    if (!trust.no_near.empty()) {
        sentences.push_back(trust.no_near);
    }
    return sentences;
}

Table summary_table(const Summary& summary) {
    Table table{"summary", {"bar", "part", "amount", "unit", "share"}, {}};
    const auto add = [&](const char* bar, const char* unit, const std::vector<SummaryPart>& parts) {
        for (const SummaryPart& part : parts) {
            table.rows.push_back({std::string(bar), part.name, part.amount, std::string(unit), part.share});
        }
    };
    table.rows.push_back({std::string("time"), said("all"), summary.seconds, std::string("s"), 1.0});
    add("time", "s", summary.time);
    table.rows.push_back({std::string("memory"), said("capacity"), summary.capacity, std::string("B"), 1.0});
    add("memory", "B", summary.memory);
    return table;
}

} // namespace meshslice
