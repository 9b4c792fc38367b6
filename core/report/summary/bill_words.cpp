#include "core/report/summary/bill_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"

#include <utility>

namespace meshslice {
namespace {

constexpr double joules_of_a_watt_hour = 3600;

std::string count_words(double count) {
    return si_text(count, "");
}
std::string energy_words(double joules) {
    return si_text(joules / joules_of_a_watt_hour, "Wh");
}

/// What the rows are for, and how energy and cost are counted, a sentence each.
std::vector<std::string> bill_notes(const PlanQuestion& question) {
    const double power = question.machine.power.value;
    const TrainingPrices& prices = question.prices;
    std::vector<std::string> notes;
    if (power > 0) {
        notes.push_back(prices.overhead > 1
                            ? say("Energy: chips at their full {} W, times {} for the data centre.",
                                  number_text(power), number_text(prices.overhead))
                            : say("Energy: chips alone, at their full {} W.", number_text(power)));
    } else {
        notes.push_back(say("The power of a chip of {} is not known, so no energy is said; a file of the "
                            "machine can say it as power_in_w.",
                            question.machine.title));
    }
    if (prices.chip_hour || (prices.energy && power > 0)) {
        notes.push_back(!prices.energy || power <= 0
                            ? say("Cost: {} for a chip-hour.", number_text(prices.chip_hour.value_or(0)))
                        : !prices.chip_hour
                            ? say("Cost: {} for a kWh.", number_text(*prices.energy))
                            : say("Cost: {} for a chip-hour and {} for a kWh.",
                                  number_text(*prices.chip_hour), number_text(*prices.energy)));
    }
    return notes;
}

std::string bill_title(const PlanQuestion& question) {
    return say("Training on {} tokens with {} chips", si_text(billed_tokens(question), ""), question.chips);
}

} // namespace

std::optional<PlanBill> plan_bill(const PlanQuestion& asked, const RankedPlan& plan,
                                  const ExpectedStep& by_runs, const std::optional<OwnStep>& own) {
    if (!asked.tokens && asked.prices == TrainingPrices{}) {
        return std::nullopt;
    }
    PlanBill made{asked, {}};
    PlanQuestion& question = made.question;
    question.chips = plan.plan.chips();
    std::vector<BillRow>& rows = made.rows;
    const double ideal_s = plan.reading.time.total;
    const ExpectedStep expected = own ? narrowed(by_runs, *own) : by_runs;
    const TrainingBill ideal = training_bill(question, ideal_s);
    TrainingBill middle, low, high;
    if (expected.known()) {
        middle = training_bill(question, expected.seconds);
        low = training_bill(question, expected.low);
        high = training_bill(question, expected.high);
    }
    const auto add = [&](std::string name, const char* key, double TrainingBill::*member,
                         std::string (*text)(double)) {
        if (ideal.*member > 0) {
            rows.push_back(
                {std::move(name), key, ideal.*member, middle.*member, low.*member, high.*member, text});
        }
    };
    add(said("days"), "days", &TrainingBill::days, number_text);
    add(said("chip-hours"), "chip_hours", &TrainingBill::chip_hours, count_words);
    add(said("energy"), "energy_j", &TrainingBill::energy, energy_words);
    add(said("cost"), "cost", &TrainingBill::cost, count_words);
    add(said("tokens/s of a chip"), "tokens_per_s_per_chip", &TrainingBill::token_rate, number_text);
    for (BillRow& row : rows) { // of a rate the shorter step is the higher one
        if (row.low > row.high) {
            std::swap(row.low, row.high);
        }
    }
    const double peak = question.machine.peak_rate(DataType::bf16).value();
    for (const CountedFlop& one : counted_flop(question, plan.plan)) {
        const auto share = [&](double seconds) { return seconds > 0 ? one.flop / seconds / peak : 0; };
        rows.push_back({one.name, "mfu_" + one.key, share(ideal_s), share(expected.seconds),
                        share(expected.high), share(expected.low), percent_text});
    }
    return made;
}

std::string bill_lines(const std::optional<PlanBill>& bill) {
    if (!bill) {
        return {};
    }
    const std::vector<BillRow>& rows = bill->rows;
    const bool known = !rows.empty() && rows.front().expected > 0;
    std::vector<std::vector<std::string>> table = {{"", said("ideal")}};
    if (known) {
        table.front().insert(table.front().end(), {said("expected"), said("eight of ten")});
    }
    for (const BillRow& row : rows) {
        table.push_back({"  " + row.name, row.text(row.ideal)});
        if (known) {
            table.back().push_back(row.text(row.expected));
            table.back().push_back(say("{} to {}", row.text(row.low), row.text(row.high)));
        }
    }
    std::string words = "\n" + bill_title(bill->question) + "\n" + text_table(table, 1);
    for (const std::string& note : bill_notes(bill->question)) {
        words += note + "\n";
    }
    return words;
}

std::vector<std::string> bill_sentences(const PlanBill& bill) {
    std::vector<std::string> sentences = {bill_title(bill.question) + said(".")};
    for (const BillRow& row : bill.rows) {
        sentences.push_back(row.expected > 0
                                ? say("{}: {} by ideal times; expected {}, eight of ten from {} to {}.",
                                      row.name, row.text(row.ideal), row.text(row.expected),
                                      row.text(row.low), row.text(row.high))
                                : say("{}: {} by ideal times.", row.name, row.text(row.ideal)));
    }
    for (std::string& note : bill_notes(bill.question)) {
        sentences.push_back(std::move(note));
    }
    return sentences;
}

Tree bill_values(const PlanBill& bill) {
    const PlanQuestion& question = bill.question;
    Tree made = {{"tokens", billed_tokens(question)}, {"chips", question.chips}};
    if (const double power = question.machine.power.value; power > 0) {
        made["power_w"] = power;
        made["pue"] = question.prices.overhead;
    }
    for (const BillRow& row : bill.rows) {
        Tree one = {{"ideal", row.ideal}};
        if (row.expected > 0) {
            one["expected"] = row.expected;
            one["low"] = row.low;
            one["high"] = row.high;
        }
        made[row.key] = std::move(one);
    }
    return made;
}

} // namespace meshslice
