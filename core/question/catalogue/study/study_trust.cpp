#include "core/question/catalogue/study/study_trust.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace meshslice {
namespace {

/// Where a table has the deviation, it is a number, so that what is far off stands out.
Table table_of(const std::vector<PublishedNumber>& numbers) {
    Table table{said("Published and ours"), {"statement", "published", "ours", "deviation", "reading"}, {}};
    for (const PublishedNumber& one : numbers) {
        table.rows.push_back({one.statement, one.published, one.ours,
                              one.deviation ? Table::Cell(*one.deviation) : Table::Cell(said("not judged")),
                              one.reading});
    }
    return table;
}

Table table_of(const std::vector<PublishedStatement>& statements) {
    Table table{said("Published statements"), {"statement", "holds", "our numbers"}, {}};
    for (const PublishedStatement& one : statements) {
        table.rows.push_back({one.statement,
                              !one.holds   ? said("not judged")
                              : *one.holds ? said("yes")
                                           : said("no"),
                              one.numbers});
    }
    return table;
}

std::string numbers_sentence(const std::vector<PublishedNumber>& numbers) {
    double sum = 0;
    std::size_t judged = 0;
    const PublishedNumber* worst = nullptr;
    for (const PublishedNumber& one : numbers) {
        if (one.deviation && std::isfinite(*one.deviation)) {
            sum += std::abs(*one.deviation);
            ++judged;
            worst = worst == nullptr || std::abs(*one.deviation) > std::abs(*worst->deviation) ? &one : worst;
        }
    }
    if (worst == nullptr) {
        return {};
    }
    const std::string off = deviation_text(*worst->deviation);
    return judged == 1
               ? say("One published number is compared with ours: {} ({}).", off, worst->statement)
               : say("{} published numbers are compared with ours: {:.1f}% apart on average, {} where "
                     "they differ most ({}).",
                     judged, 100 * sum / static_cast<double>(judged), off, worst->statement);
}

std::string statements_sentence(const std::vector<PublishedStatement>& statements) {
    const auto judged =
        std::ranges::count_if(statements, [](const auto& one) { return one.holds.has_value(); });
    const auto hold =
        std::ranges::count_if(statements, [](const auto& one) { return one.holds.value_or(false); });
    return judged == 0   ? std::string()
           : judged == 1 ? (hold == 1 ? said("The published statement holds here.")
                                      : said("The published statement does not hold here."))
                         : say("{} of {} published statements hold here.", hold, judged);
}

void add_sentence(AnswerTrust& trust, std::string sentence) {
    if (!sentence.empty() && std::ranges::find(trust.sentences, sentence) == trust.sentences.end()) {
        trust.sentences.push_back(std::move(sentence));
    }
}

/// Each publication's once.
std::vector<const Publication*>
publications_of(const std::vector<std::pair<const Study*, StudyResult>>& studies) {
    std::vector<const Publication*> all;
    for (const auto& [study, result] : studies) {
        if (std::ranges::find(all, &study->publication()) == all.end()) {
            all.push_back(&study->publication());
        }
    }
    return all;
}

void add_not_reproduced(AnswerTrust& trust, const std::vector<const Publication*>& publications) {
    Table table{said("Published, and not repeated by any study"), {"section", "statement", "reason"}, {}};
    for (const Publication* one : publications) {
        for (const NotReproduced& missing : one->not_reproduced) {
            table.rows.push_back({missing.section, missing.statement, missing.reason});
        }
    }
    if (!table.rows.empty()) {
        trust.tables.push_back(std::move(table));
    }
}

} // namespace

AnswerTrust trust_of_published(const std::vector<PublishedNumber>& numbers,
                               const std::vector<PublishedStatement>& statements) {
    AnswerTrust trust;
    add_sentence(trust, numbers_sentence(numbers));
    add_sentence(trust, statements_sentence(statements));
    if (!numbers.empty()) {
        trust.tables.push_back(table_of(numbers));
    }
    if (!statements.empty()) {
        trust.tables.push_back(table_of(statements));
    }
    return trust;
}

AnswerTrust trust_of_studies(const std::vector<std::pair<const Study*, StudyResult>>& studies) {
    std::vector<PublishedNumber> numbers;
    std::vector<PublishedStatement> statements;
    for (const auto& [study, result] : studies) {
        const Publication& publication = study->publication();
        const bool judged = result.not_judged.empty();
        for (const ClaimOutcome& one : result.claims) {
            const auto claim = std::ranges::find(publication.claims, one.id, &Claim::id);
            if (claim != publication.claims.end()) {
                numbers.push_back({claim->statement, claim_text(claim->kind, claim->value),
                                   claim_text(claim->kind, one.ours), std::string(name(one.reading)),
                                   judged ? std::optional(one.deviation()) : std::nullopt});
            }
        }
        for (const OrderingOutcome& one : result.orderings) {
            const auto ordering = std::ranges::find(publication.orderings, one.id, &Ordering::id);
            statements.push_back({ordering == publication.orderings.end() ? one.id : ordering->statement,
                                  judged ? std::optional(one.holds) : std::nullopt, one.numbers});
        }
    }
    AnswerTrust trust = trust_of_published(numbers, statements);
    for (const auto& [study, result] : studies) {
        add_sentence(trust, result.not_judged);
        add_sentence(trust, result.note);
    }
    const std::vector<const Publication*> publications = publications_of(studies);
    for (const Publication* one : publications) {
        add_sentence(trust, say("Published in {}: {}.", one->title, one->citation));
    }
    if (numbers.empty() && statements.empty()) {
        trust.sentences.insert(trust.sentences.begin(),
                               said("The publication states no number and no order that this study could be "
                                    "compared with."));
    }
    add_not_reproduced(trust, publications);
    return trust;
}

} // namespace meshslice
