#pragma once

#include "core/figure/chart.h"
#include "core/figure/role.h"
#include "core/figure/table.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {

/// A document for people who were not there, as plain data: what it says, not how it looks.

/// Sentences, a paragraph each.
struct DocumentText {
    std::vector<std::string> paragraphs;
    bool warns = false; ///< stands out: the reader must not miss it

    bool operator==(const DocumentText&) const = default;
};
/// One after the other; `numbered` where the order matters.
struct DocumentList {
    std::vector<std::string> items;
    bool numbered = false;

    bool operator==(const DocumentList&) const = default;
};
/// Cells as people read them. Without columns: names and what they are.
struct DocumentTable {
    std::string caption;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows = {};
    std::size_t left_aligned = 1;            ///< of the columns; the others are numbers
    std::vector<std::size_t> more_left = {}; ///< further columns of words
    /// Cells that stand out, by row and column: the reader must not miss them.
    std::vector<std::pair<std::size_t, std::size_t>> marked = {};
    std::vector<std::string> notes = {}; ///< below it

    [[nodiscard]] bool is_left(std::size_t column) const;
    [[nodiscard]] bool marks(std::size_t row, std::size_t column) const;
    bool operator==(const DocumentTable&) const = default;
};
/// The parts of one bar, from left to right, and a row for each below it.
struct DocumentBar {
    struct Part {
        std::string name, amount; ///< "multiplication", "44.7 ms"
        double share = 0;         ///< of the whole, 0 to 1
        Role role = Role::compute;

        bool operator==(const Part&) const = default;
    };
    std::string caption;
    std::vector<Part> parts;
    double whole = 0;  ///< of all parts, in the unit of their amounts
    double length = 1; ///< of the page's width, where bars below each other are compared

    bool operator==(const DocumentBar&) const = default;
};
/// What a program reads or has printed.
struct DocumentCode {
    std::string summary; ///< not empty: folded away behind these words
    std::string lines;

    bool operator==(const DocumentCode&) const = default;
};
using DocumentBlock =
    std::variant<DocumentText, DocumentList, DocumentTable, DocumentBar, Chart, DocumentCode>;

struct DocumentSection {
    std::string title;
    std::vector<DocumentBlock> blocks;

    bool operator==(const DocumentSection&) const = default;
};

struct Document {
    std::string kind;   ///< above the title: "Report: simulation"
    std::string title;  ///< what was asked, in a line
    std::string number; ///< the answer, to be written large; may be empty
    std::string answer; ///< in a sentence or two
    std::vector<DocumentSection> sections;
    std::string made_by; ///< the program and its version
    std::string language = "en";
    std::string how = {};                   ///< below the title: "MeshSlice, dataflow OS, S = 8"
    std::vector<std::string> further = {};  ///< below the answer, a line each
    std::vector<std::string> warnings = {}; ///< before the answer: "Does not fit: ..."

    bool operator==(const Document&) const = default;
};

/// One HTML file that needs no other: charts as SVG, light and dark, for screens of every width and for
/// paper. The same document gives the same bytes.
[[nodiscard]] std::string html(const Document& document);
/// The same in Markdown, where charts are tables of their values.
[[nodiscard]] std::string markdown(const Document& document);

/// A table as people read it, at most so many rows: names of columns in words, values with their units and
/// shares as percent. Columns without any value are left out. Of a wide table a value that all rows share is
/// said once, below; one row stands upright, a name and a value a line; and what is still too wide for a page
/// ends after its first columns. The notes say what was left out, and why cells are marked: a deviation
/// of more than `far_off`, and what does not hold or fit.
inline constexpr double far_off = 0.2;
/// A cell of it as people read it: "378 µs", "42%".
[[nodiscard]] std::string words_of_cell(const std::string& column, const Table::Cell& cell);
[[nodiscard]] DocumentTable document_table(const Table& table, std::size_t most);

} // namespace meshslice
