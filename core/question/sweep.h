#pragma once

#include "core/question/question.h"
#include "core/question/sensitivity.h"
#include "core/scenario/scenario.h"
#include "core/search/vary.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A question again and again, with one field or two taking one value after another: its own fields, or those
/// of the scenario that it uses.
struct Sweep {
    std::shared_ptr<const Question> over;
    std::vector<Vary> fields; ///< one or two; of two the second changes faster
    Scenario scenario;        ///< rests where the question uses none
    OwnValues own = {};       ///< what was said of the question's own fields
    std::string number = {};  ///< path of what the pictures show; empty: what the question says, or its first
    SaidFields said = {};     ///< not compared: what was said is in the values
    Speech speech = Speech::file;

    [[nodiscard]] std::size_t size() const;
    /// Whether its points are few enough to be kept, as pictures and windows need; else they are handed over
    /// and forgotten.
    [[nodiscard]] bool kept_whole() const;
    /// Of the field in this place.
    [[nodiscard]] const FieldRow& row(std::size_t which) const;
    /// What sentences call it: "batch".
    [[nodiscard]] std::string name(std::size_t which) const;
    /// Its values in words.
    [[nodiscard]] std::vector<std::string> words(std::size_t which) const;
    bool operator==(const Sweep& other) const;
};

/// The answer to one of a sweep's questions, or the sentence why there is none.
struct SweepPoint {
    std::vector<FieldValue> values;  ///< of each field, as asked for
    std::vector<FieldValue> results; ///< of each field, as the scenario has it: a factor's number
    Tree numbers;
    std::string objection;

    [[nodiscard]] bool runs() const { return objection.empty(); }
    /// Whether a chip's memory holds it, where its numbers say so under "fits".
    [[nodiscard]] bool fits() const;
    /// Of its numbers.
    [[nodiscard]] std::optional<double> number(std::string_view path) const;
    bool operator==(const SweepPoint&) const = default;
};

enum class Better : std::uint8_t { not_said, more, less };
/// A number that pictures of a sweep show.
struct Measure {
    std::string path; ///< among the numbers: "time_s"
    std::string name; ///< "time, by estimate"
    ChartUnit unit = ChartUnit::none;
    Better better = Better::not_said;
};
/// A column of a table of points, from the numbers of one that runs.
struct PointColumn {
    std::string name;
    std::function<Table::Cell(const SweepPoint& point)> cell;
};

/// How a question is swept, where it says it itself; each part may be left out.
struct SweptQuestion {
    /// Those that its sweeps need, where these are fewer; none: all, numbers_of().
    std::function<Result<Tree>(const Asked& asked, const RunControl& control)> numbers = {};
    bool together = false; ///< several points at a time; else each may take all cores, and much memory
    /// Paths of the numbers in tables for programs, with their names there; none: all that there are.
    std::vector<std::string> columns = {};
    std::vector<PointColumn> text = {};  ///< of the words; none: the numbers by their paths
    std::vector<PointColumn> table = {}; ///< of a table in a window
    std::vector<Measure> measures = {};  ///< pictures show the first two, heat maps the first
    /// What all points have, and how many values of what there are: "MeshSlice, one block of GPT-3 175B on
    /// 32x8 of TPU v4, by estimate: 7 values of the batch".
    std::function<std::string(const Sweep& sweep, const std::string& counts)> title = {};
    /// What the line of a sweep of one field is called: "MeshSlice"; empty: as its measure.
    std::function<std::string(const Sweep& sweep)> line = {};
    /// What the points that run and fit show of the first two measures; `alike`: all are printed alike. A
    /// sweep of another number says its least and its most instead.
    std::function<std::string(const Sweep& sweep, const std::vector<const SweepPoint*>& points, bool alike)>
        finding = {};
    /// What explains why its curves bend: a share, such as that of the time in which chips wait.
    Measure cause = {};
    /// Whether measured runs tell the first of two points from the second by the number that both are judged
    /// by, in a sentence; empty: not known.
    std::function<std::string(const Measure& judged, const SweepPoint& one, const SweepPoint& other)> apart =
        {};
    /// Its time on other machines, with all that was chosen here kept; none: it chooses again on each.
    std::function<Result<TimeOn>(const Asked& asked, const RunControl& control)> kept = {};
    std::string reading = {}; ///< for programs: "estimated"
    /// Why a field of the scenario cannot usefully vary; empty where it can.
    std::function<std::string(const FieldRow& row)> objection = {};
};

/// Whether the question can be asked for several values of a field that a command line gives it: one of its
/// own, or else of its scenario.
[[nodiscard]] bool uses_field(const Question& question, const FieldRow& row);
/// The end of a sentence that refuses a name of a field: "did you mean model?", or which there are.
[[nodiscard]] std::string unknown_field(const Question& question, std::string_view name);
/// The end of a sentence that refuses the path of a number of a point: "did you mean time_s?", or some that
/// there are.
[[nodiscard]] std::string unknown_number(const SweepPoint& point, std::string_view path);
/// Reads the field of a question and its values: "batch=8:512:x2", "dp=4,8". It is called by its key or its
/// flag without dashes; of several fields with the same flag it is the one that has an effect in the
/// scenario.
[[nodiscard]] Result<Vary> parse_vary(const Question& question, const Scenario& scenario,
                                      std::string_view words, const ReadFile& read_file = {});

/// Refused where there is nothing to vary, a field varies twice, one has no effect in any point, or there are
/// too many points to be kept.
[[nodiscard]] Result<void> checked(const Sweep& sweep);
/// The same of a sweep whose points are handed over, which may have 10^9.
[[nodiscard]] Result<void> checked_to_hand_over(const Sweep& sweep);

/// The values of a sweep's point, counted from 0.
[[nodiscard]] std::vector<FieldValue> values_at(const Sweep& sweep, std::size_t point);
/// The scenario with values of these fields, set in the order of the table: hardware before its numbers.
/// Where the hardware is one of them, the edits of the scenario's own are made on it too. Own fields of a
/// question are left alone.
[[nodiscard]] Result<Scenario> with_values(const Scenario& scenario, const std::vector<Vary>& fields,
                                           const std::vector<FieldValue>& values);
/// What the points share: the scenario where the numbers that vary are the preset's and all else that varies
/// has its first value. The same whichever point it was taken from.
[[nodiscard]] Scenario shared_by_points(const Sweep& sweep);
/// The scenario of a point. Refused where a field cannot have its value there.
[[nodiscard]] Result<Scenario> scenario_at(const Sweep& sweep, std::size_t point);

/// A point as it begins: its values, and what the scenario has of them.
[[nodiscard]] SweepPoint point_without_answer(const Sweep& sweep, std::size_t point);

/// The whole answer of a point.
[[nodiscard]] Result<Answer> answer_at(const Sweep& sweep, std::size_t point, const RunControl& control = {});

/// Takes one point after the other, in the order of the sweep, from any thread but never from two at once.
using TakePoint = std::function<void(const SweepPoint& point)>;

/// Asks for the points from `from` on, the number of those that are done already, several at a time where the
/// question says so; each is handed over as soon as all before it are. Points without an answer are points
/// like any other. Refused where checked_to_hand_over() refuses, or when stopped; what was handed over stays
/// good then, and a later run can go on from there.
[[nodiscard]] Result<void> run_sweep(const Sweep& sweep, const TakePoint& take, std::size_t from = 0,
                                     const RunControl& control = {}, unsigned threads = 0);

} // namespace meshslice
