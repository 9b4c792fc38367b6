#include "core/question/catalogue/study/file_studies.h"

#include "core/base/embedded_resources.h"
#include "core/base/say.h"
#include "core/question/catalogue/study/judged_study.h"
#include "core/report/sweep/sweep_table.h"
#include "core/scenario/scenario.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace meshslice {
namespace {

/// A file of the program's own, and what a study of it needs to stay there.
struct ShippedStudy {
    StudyFile file;
    StudyInputs own; ///< what the file says; the usual ones where it is not about any
    StudyScope scope;
    Evaluation evaluation;
};

Reading reading_of(const StudyFile& study) {
    return study.sweep.over->id == "simulate" ? Reading::simulated : Reading::estimated;
}

/// Its file, about these.
Result<StudyFile> asked_about(const ShippedStudy& study, const Transformer& model, const Machine& machine) {
    Result<StudyFile> asked = study.file;
    if (study.scope.hardware && machine != study.own.hardware) {
        asked = with_machine(*std::move(asked), machine);
    }
    if (asked && study.scope.models && model != study.own.models.front()) {
        asked = with_model(*std::move(asked), model);
    }
    return asked;
}

/// The path of a number as a column: "memory_critical_batch".
std::string column_of(std::string path) {
    path.erase(0, path.starts_with('/') ? 1 : 0);
    std::ranges::replace(path, '/', '_');
    return path;
}

/// Every number that the study asks for, once.
std::vector<std::string> asked_numbers(const StudyFile& study) {
    std::vector<std::string> all;
    const auto add = [&](const std::string& path) {
        if (!path.empty() && std::ranges::find(all, path) == all.end()) {
            all.push_back(path);
        }
    };
    add(study.sweep.number);
    std::ranges::for_each(study.claims, add, &SweptClaim::number);
    std::ranges::for_each(study.orderings, add, &SweptOrdering::number);
    return all;
}

/// A row for each point: the values of what varies, the numbers that are asked for, and why there are none.
Table points_table(const StudyFile& study, const std::vector<SweepPoint>& points) {
    const Sweep& sweep = study.sweep;
    const std::vector<std::string> numbers = asked_numbers(study);
    Table table{study.title, {}, {}};
    std::vector<std::vector<std::string>> words;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        table.columns.push_back(sweep.fields[k].key);
        words.push_back(sweep.words(k));
    }
    std::ranges::transform(numbers, std::back_inserter(table.columns), column_of);
    table.columns.emplace_back("note");
    for (std::size_t at = 0; at < points.size(); ++at) {
        std::vector<Table::Cell>& row = table.rows.emplace_back();
        const std::size_t inner = words.back().size();
        row.emplace_back(words.size() == 1 ? words[0][at] : words[0][at / inner]);
        if (words.size() == 2) {
            row.emplace_back(words[1][at % inner]);
        }
        for (const std::string& path : numbers) {
            const auto number = points[at].runs() ? points[at].number(path) : std::nullopt;
            row.push_back(number ? Table::Cell(*number) : Table::Cell(std::string()));
        }
        row.emplace_back(point_note(points[at]));
    }
    return table;
}

/// Of the publications of files: each with what their studies state.
std::map<std::string, Publication> publications_of(const std::vector<std::unique_ptr<ShippedStudy>>& studies,
                                                   const std::vector<std::string>& folders) {
    std::map<std::string, Publication> all;
    for (std::size_t k = 0; k < studies.size(); ++k) {
        const auto [at, added] = all.try_emplace(folders[k]);
        if (added) {
            const Result<const Publication*> known = publication(folders[k]);
            assert(known && "a folder of studies is named after a publication");
            at->second = known ? **known : Publication();
        }
        for (const SweptClaim& one : studies[k]->file.claims) {
            at->second.claims.push_back({one.id, one.section, one.statement, one.kind, one.value});
        }
        for (const SweptOrdering& one : studies[k]->file.orderings) {
            at->second.orderings.push_back({one.id, one.section, one.statement});
        }
    }
    return all;
}

/// How a study is asked. It takes machines of the same kind of network as its own.
Evaluation evaluation_of(const ShippedStudy& study, const Publication& publication) {
    const ShippedStudy* const its = &study;
    const auto suits = [its](const Machine& machine) {
        return its->scope.hardware &&
               (machine.network.torus_axes() > 0) == (its->own.hardware.network.torus_axes() > 0);
    };
    return {
        [&publication]() -> const Publication& { return publication; },
        [its, suits](const Machine& machine) {
            StudyInputs inputs = its->own;
            inputs.hardware = suits(machine) ? machine : inputs.hardware;
            return inputs;
        },
        [its](const Transformer& model, const Machine& machine, const RunControl& control) -> Result<void> {
            return asked_about(*its, model, machine).and_then([&](const StudyFile& asked) {
                return asked.not_judged.empty() ? Result<void>()
                                                : check_points(asked, {control.stop, nullptr});
            });
        },
        [its](const StudyInputs& inputs, const StudyScope& scope) {
            return why_not_judged(inputs, its->own, scope, false);
        },
        suits,
        its->own.hardware.name,
        its->own.models.front().title};
}

std::unique_ptr<ShippedStudy> shipped(StudyFile file) {
    const Scenario usual = default_scenario();
    const std::optional<Machine> machine = machine_of(file);
    const std::optional<Transformer> model = model_of(file);
    auto study = std::make_unique<ShippedStudy>();
    study->own = {{model.value_or(usual.model)}, {1}, machine.value_or(usual.hardware)};
    study->scope = {model.has_value(), machine.has_value(), ClustersAsked::none};
    study->file = std::move(file);
    return study;
}

/// All of them, with what they point to.
struct ShippedStudies {
    std::vector<std::unique_ptr<ShippedStudy>> files;
    std::map<std::string, Publication> publications;
    std::vector<Study> studies;
};

ShippedStudies read_shipped() {
    ShippedStudies all;
    std::vector<std::string> folders;
    for (const EmbeddedFile& file : embedded_studies()) {
        const std::size_t slash = file.name.find('/');
        if (slash == std::string_view::npos) {
            continue; // a publication
        }
        Result<StudyFile> read = read_study_file(file.text, std::string(file.name));
        assert(read && "the studies that come with the program must be readable");
        if (read) {
            all.files.push_back(shipped(*std::move(read)));
            folders.emplace_back(file.name.substr(0, slash));
        }
    }
    all.publications = publications_of(all.files, folders);
    for (std::size_t k = 0; k < all.files.size(); ++k) {
        ShippedStudy& one = *all.files[k];
        const Publication& its = all.publications.at(folders[k]);
        one.evaluation = evaluation_of(one, its);
        one.file.source = its.citation; // pictures name it in few words, as those of all its studies
        all.studies.push_back(
            {one.file.name, one.file.title, one.file.question, one.file.section,
             [&one](const StudyInputs& inputs, const RunControl& control) {
                 return asked_about(one, inputs.models.front(), inputs.hardware)
                     .and_then([&](const StudyFile& asked) { return study_result(asked, control); });
             },
             one.scope, &one.evaluation, reading_of(one.file)});
    }
    return all;
}

} // namespace

const std::vector<Study>& file_studies() {
    static const ShippedStudies all = read_shipped();
    return all.studies;
}

Result<StudyResult> study_result(StudyFile study, const RunControl& control) {
    if (!study.number_name.empty()) { // in the language of the moment: files are read once
        name_number(study.sweep, said(study.number_name));
    }
    const Result<std::vector<SweepPoint>> points = run_points(study, control);
    if (!points) {
        return refuse(points.error());
    }
    const Reading reading = reading_of(study);
    const Chart drawn = study_chart(study, *points);
    StudyResult result;
    result.finding = drawn.title.empty() ? study.title : drawn.title;
    result.panels = drawn.panels;
    result.table = points_table(study, *points);
    for (const JudgedClaim& one : judged_claims(study, *points)) {
        if (one.ours) {
            result.claims.push_back({one.claim->id, one.claim->value, *one.ours, reading});
        }
    }
    for (const SweptOrdering& one : study.orderings) {
        if (const std::optional<bool> holds = judged(one, *points)) {
            result.orderings.push_back({one.id, *holds, numbers_of(study, one, *points), reading});
        }
    }
    if (study.not_judged.empty() && !study.note.empty()) { // it is about what the file asks
        result.note = said(study.note);
    }
    return result;
}

} // namespace meshslice
