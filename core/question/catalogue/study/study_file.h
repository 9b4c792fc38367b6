#pragma once

#include "core/base/result.h"
#include "core/papers/publication.h"
#include "core/question/answer.h"
#include "core/question/sweep.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

/// A number that somebody published, and where in the sweep ours stands.
struct SweptClaim {
    std::string id, statement, section;
    ClaimKind kind = ClaimKind::time;
    double value = 0;                  ///< as published
    std::size_t point = 0;             ///< of the sweep
    std::string number;                ///< its path among the point's numbers
    std::optional<std::size_t> over;   ///< ours is the number there over that of `point`, as of a speed-up
    std::optional<double> within = {}; ///< a share: farther off, the study does not hold; none: not judged
};

/// How the numbers of a sweep of one field follow each other.
enum class SweptShape : std::uint8_t { rises, falls, least_at, most_at };

/// What is said of the points together.
struct SweptOrdering {
    std::string id, statement, section;
    std::string number;
    SweptShape shape = SweptShape::rises;
    std::size_t point = 0; ///< of least_at and most_at
};

/// A study that anybody writes: a sweep of a question, and what of its points was published.
struct StudyFile {
    std::string name, title, question, source, section;
    std::string note;        ///< what is not as published
    std::string number_name; ///< what the sweep's number is called; empty: by its path
    /// Why nothing is judged: it is asked about another machine or model than the file says. A sentence.
    std::string not_judged;
    Sweep sweep;
    std::vector<SweptClaim> claims;
    std::vector<SweptOrdering> orderings;
};

/// Reads the JSON of a study; where `all` is given, every finding is added to it. Files that it
/// names are read from its own folder, which `origin` says.
[[nodiscard]] Result<StudyFile> read_study_file(std::string_view json, const std::string& origin,
                                                std::vector<std::string>* all = nullptr);

/// Pictures and sentences of the sweep call its number so, and not by its path.
void name_number(Sweep& sweep, const std::string& called);

/// What a study is about, where its file names one and does not vary it; none where it does not.
[[nodiscard]] std::optional<Machine> machine_of(const StudyFile& study);
[[nodiscard]] std::optional<Transformer> model_of(const StudyFile& study);
/// A value that all points of a study have.
struct StudyValue {
    std::string key, name; ///< "hardware", "machine"
    std::string words;     ///< "NVIDIA H100 SXM, domains of 8"
    FieldValue value;      ///< of a model or a machine its name
};
/// The model, machine and sequence that a study is about, and what else its file sets; without what varies.
[[nodiscard]] std::vector<StudyValue> values_of_all_points(const StudyFile& study);
/// The same study about another one, which is not judged. Refused where the file names none.
[[nodiscard]] Result<StudyFile> with_machine(StudyFile study, const Machine& machine);
[[nodiscard]] Result<StudyFile> with_model(StudyFile study, const Transformer& model);

/// Refuses what only a point shows: that none runs, or that they lack a number that the study asks for. Asks
/// point after point until one runs.
[[nodiscard]] Result<void> check_points(const StudyFile& study, const RunControl& control = {});

/// All points of it, done.
[[nodiscard]] Result<std::vector<SweepPoint>> run_points(const StudyFile& study, const RunControl& control);

/// Runs it: the points as a table and a chart, each claim next to ours, and which orderings hold.
[[nodiscard]] Result<Answer> answer_study_file(const StudyFile& study, const RunControl& control);

} // namespace meshslice
