#pragma once

#include "core/base/fields/field_table.h"
#include "core/base/json/tree.h"
#include "core/base/result.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace meshslice {

class Run;

/// How its numbers were found.
enum class Confidence : std::uint8_t {
    exact,   ///< counted, or worked out on real numbers
    modelled ///< by a formula or a simulation of the machine
};

/// What a table is there for.
enum class TableKind : std::uint8_t {
    numbers,
    alternatives, ///< its rows are such, the best first
    evidence      ///< what was measured or published, next to ours
};

/// A table: columns, and rows that come when a reader pulls them, so that a long one need not be held. A
/// column's name carries its unit ("time_s").
struct NamedTable {
    using Take = std::function<bool(const std::vector<Table::Cell>& row)>;

    std::string name;  ///< "sizes"
    std::string title; ///< for people
    std::vector<std::string> columns;
    /// Hands over row by row, until `take` says that it wants no more.
    std::function<Result<void>(const Take& take)> rows;
    std::int64_t about_bytes = 0; ///< of its CSV; 0: few
    /// What people read instead, where that has fewer columns and more words; null: the same.
    std::shared_ptr<const Table> shown = {};
    TableKind kind = TableKind::numbers;
    std::string says = {}; ///< to people who read it: "Plans 1 and 2 cannot be distinguished."

    [[nodiscard]] static NamedTable of(std::string name, Table table);
    /// With another table for people.
    [[nodiscard]] NamedTable shown_as(Table table, std::string says = {}) &&;
    [[nodiscard]] NamedTable as(TableKind kind) &&;
};
/// With all its rows.
[[nodiscard]] Result<Table> whole_table(const NamedTable& table);

/// A list of its rows, each by the names of the columns.
[[nodiscard]] Tree rows_of(const Table& table);

struct NamedChart {
    std::string name;
    Chart chart;
    std::string about = {}; ///< for people who do not see it; empty: its title
    std::string tab = {};   ///< of an answer with several: in a few words what this one shows
};
struct NamedRun {
    std::string name; ///< the algorithm, "all-gather"
    std::shared_ptr<const Run> run;
    std::int64_t about_bytes = 0; ///< of its trace; 0: few
};

/// A text that other programs read, which is written when it is asked for: the file of a machine, an SVG.
struct NamedText {
    std::string name; ///< "fitted.json"
    std::function<Result<void>(std::ostream& out)> write;
    std::int64_t about_bytes = 0; ///< 0: few
};

/// Something that an answer was asked to make sure of.
struct Check {
    std::string what;
    std::optional<bool> holds; ///< none: not judged
    std::string because = {};  ///< why it is not judged, or does not hold
};

/// A change of one field: of a question, or of the scenario where it names none.
struct FieldEdit {
    std::string question, key;
    FieldValue value;

    bool operator==(const FieldEdit&) const = default;
};
/// Something to do about the answer, "Use 8 slices", and what that changes.
struct Offer {
    std::string sentence;
    std::vector<FieldEdit> edits;
};

/// A part of what an answer says in words: a text as it is, or else lines of words in columns, the first
/// `left_aligned` of which begin at the same place, and the last where `words_last`.
struct Paragraph {
    std::string text = {};
    std::vector<std::vector<std::string>> lines = {};
    std::size_t left_aligned = 1;
    bool words_last = true;
    /// Instead, bit by bit, until `take` says that it wants no more.
    std::function<Result<void>(const std::function<bool(const std::string& words)>& take)> pulled = {};
};

/// A number of an answer, and between what it lies in eight of ten cases by measured ones.
struct NumberBand {
    std::string name; ///< "time of a step"
    std::string path; ///< "time_s": with its unit
    double value = 0, low = 0, high = 0;

    bool operator==(const NumberBand&) const = default;
};

/// A row for each; of bands of times.
[[nodiscard]] Table band_table(const std::vector<NumberBand>& bands, std::string title);

/// What was measured or published says to an answer.
struct AnswerTrust {
    std::vector<NumberBand> bands;      ///< the number that the answer is about first
    std::vector<std::string> sentences; ///< "Published and ours: 3.1% apart on average"
    std::vector<Table> tables;          ///< theirs and ours, a row each; besides those of the answer

    bool operator==(const AnswerTrust&) const = default;
};

/// What only one view can draw, for that view.
class Detail {
  public:
    Detail() = default;
    virtual ~Detail() = default;
    Detail(const Detail&) = delete;
    Detail& operator=(const Detail&) = delete;
};

/// What a question is answered with. A reader takes the part that it knows what to do with: a command line
/// the words, the values or a table, a page the chart, a lesson one value.
struct Answer {
    Tree values;
    std::string headline = {}; ///< one sentence
    std::string about = {};    ///< what was asked, in a line: "all-gather along X=16 on TPU v5e"
    Confidence confidence = Confidence::modelled;
    /// In order. Empty: the headline, the values, and what is not counted.
    std::vector<Paragraph> words = {};
    std::vector<NamedTable> tables = {};
    std::vector<NamedChart> charts = {};
    std::vector<NamedRun> runs = {};
    std::vector<NamedText> texts = {};
    std::vector<Check> checks = {};
    /// Whether what it speaks of fits into the chips' memory; asked once all that is pulled has been. None:
    /// memory is not what it is about.
    std::function<bool()> fits = {};
    std::vector<Offer> offers = {};
    std::vector<std::string> further = {}; ///< what follows the headline, a line each
    std::vector<std::string> notes = {};   ///< on what is not counted
    AnswerTrust trust = {};                ///< how far to trust it
    std::vector<std::string> changes = {}; ///< what was tried out: "With twice the HBM bandwidth: 8 chips"
    std::shared_ptr<const Detail> detail = {};
    /// Instead of values that take long: they come of what tables and texts pull, which is done once for all.
    std::function<Result<Tree>()> pulled_values = {};
    /// The same once all is pulled, with a headline and lines that conclude, charts and tables for people;
    /// none: it has all of them.
    std::function<Result<Answer>()> whole = {};
    /// What was asked that is not among the fields of the question, such as what a file of it says: "model",
    /// "Llama 3 8B".
    std::vector<std::pair<std::string, std::string>> asked = {};

    /// Whether no check failed.
    [[nodiscard]] bool holds() const;
};

/// An answer as a terminal shows it, with ordinary spaces; without what is pulled.
[[nodiscard]] std::string words_of(const Answer& answer);
/// A value as people read it, by the unit that its name carries: "378 µs".
[[nodiscard]] std::string value_text(const std::string& path, const Tree& value);

} // namespace meshslice
