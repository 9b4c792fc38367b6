#include "core/scenario/differences.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/edit.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <variant>

namespace meshslice {
namespace {

/// As a reader has it: with its unit, a choice by its label.
std::string value_words(const Field<Scenario>& field, const Scenario& scenario) {
    const FieldValue value = field.get(scenario);
    if (const auto* quantity = std::get_if<double>(&value); quantity != nullptr && !field.unit.empty()) {
        return si_text(*quantity, field.unit);
    }
    if (const auto* word = std::get_if<std::string>(&value)) {
        const auto choice = std::ranges::find(field.choices, *word, &FieldChoice::word);
        return choice != field.choices.end() && !choice->label.empty() ? said(choice->label) : *word;
    }
    return text(field, value);
}

/// Of two that differ and are called the same.
std::string other_title(const std::string& from, const std::string& to) {
    return from == to ? say("{}, with other numbers", to) : to;
}

void add_hardware(const Machine& from, const Machine& to, std::vector<Difference>& all) {
    if (!origin(from) || origin(from) != origin(to)) {
        all.push_back({said("hardware"), from.title, other_title(from.title, to.title)});
        return;
    }
    const std::vector<EditedNumber> before = edits(from);
    const std::vector<EditedNumber> now = edits(to);
    for (const EditedNumber& one : now) {
        const auto theirs = std::ranges::find(before, one.key, &EditedNumber::key);
        const std::string& was = theirs == before.end() ? one.preset : theirs->change;
        if (was != one.change) {
            all.push_back({said(one.name), was, one.change});
        }
    }
    for (const EditedNumber& one : before) {
        if (std::ranges::find(now, one.key, &EditedNumber::key) == now.end()) {
            all.push_back({said(one.name), one.change, one.preset});
        }
    }
}

/// Field by field, by the names of the command line's flags.
void add_serving(const ServingTexts& from, const ServingTexts& to, std::vector<Difference>& all) {
    const auto words_of = [](const ServingTexts& texts, const std::string& key) {
        const auto found = texts.find(key);
        return found == texts.end() ? said("as it begins") : found->second;
    };
    ServingTexts both = from;
    both.insert(to.begin(), to.end());
    for (const auto& [key, words] : both) {
        if (words_of(from, key) != words_of(to, key)) {
            all.push_back({say("serving {}", key), words_of(from, key), words_of(to, key)});
        }
    }
}

/// "1D: dp 8 x pp 16 x tp 4x1, micro-batch 1"
std::string plan_words(const std::optional<Plan>& plan) {
    return plan ? fmt::format("{}: dp {} x pp {} x tp {}, {}", strategy_title(*plan), plan->data,
                              plan->pipeline, grid_text(*plan), say("micro-batch {}", plan->micro_batch))
                : said("none");
}

} // namespace

std::vector<Difference> differences(const Scenario& from, const Scenario& to) {
    std::vector<Difference> all;
    for (const Field<Scenario>& field : scenario_fields()) {
        if (!field.stored || field.get(from) == field.get(to)) {
            continue;
        }
        if (field.key == "hardware") {
            add_hardware(from.hardware, to.hardware, all);
        } else if (field.key == "model") {
            all.push_back(
                {said(field.name), from.model.title, other_title(from.model.title, to.model.title)});
        } else if (field.key == "plan") {
            const std::string before = plan_words(from.plan.loaded);
            all.push_back({said(field.name), before, other_title(before, plan_words(to.plan.loaded))});
        } else if (field.key == "serving") {
            add_serving(from.serving, to.serving, all);
        } else {
            all.push_back({said(field.name), value_words(field, from), value_words(field, to)});
        }
    }
    return all;
}

std::string text(const std::vector<Difference>& differences) {
    std::vector<std::string> words;
    words.reserve(differences.size());
    for (const Difference& one : differences) {
        words.push_back(fmt::format("{} {}", one.name, one.to.empty() ? said("none") : one.to));
    }
    return fmt::format("{}", fmt::join(words, said(", ")));
}

} // namespace meshslice
