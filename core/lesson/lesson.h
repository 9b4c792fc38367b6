#pragma once

#include "core/base/result.h"
#include "core/lesson/lesson_quantity.h"
#include "core/scenario/scenario.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Words in one language or several. **bold** and `code` are marked, an empty line begins a paragraph.
struct LessonText {
    std::map<std::string, std::string> in; ///< by language, "en", "zh_CN"; of one for all under ""

    /// In the language that the program speaks, else in English, else in the first there is.
    [[nodiscard]] const std::string& text() const;
    /// The same without marks, for a terminal and for those who hear it.
    [[nodiscard]] std::string plain() const;
    [[nodiscard]] bool empty() const { return in.empty(); }
    bool operator==(const LessonText&) const = default;
};

/// More chips, and a mesh of more axes, are not drawn by the lab.
inline constexpr std::int64_t most_lab_chips = 256;
inline constexpr std::size_t most_lab_axes = 3;

/// What the lab shows in a step: one of its pages, and what is typed or chosen there, by field. A field that
/// is not named is as the page has it at first.
struct LessonLab {
    std::string page; ///< one of lesson_lab_pages
    std::map<std::string, std::string> fields;

    /// Empty where it is not named.
    [[nodiscard]] std::string field(const std::string& name) const;
    bool operator==(const LessonLab&) const = default;
};
struct LessonLabField {
    std::string name;
    std::vector<std::string> words{}; ///< that may be chosen; any text where there are none
};
/// A page of the lab with its fields, of which a step names the first `needed`.
struct LessonLabPage {
    std::string name;
    std::vector<LessonLabField> fields;
    std::size_t needed = 0;

    [[nodiscard]] bool has(std::string_view field) const;
};
/// Those of sharded matrices, which is the one of a step that names none, of the stepper, and of questions.
[[nodiscard]] const std::vector<LessonLabPage>& lesson_lab_pages();
/// Null where there is none of that name.
[[nodiscard]] const LessonLabPage* lesson_lab_page(std::string_view name);
/// Why the lab cannot show it; nothing where it can.
[[nodiscard]] std::optional<std::string> fault_of(const LessonLab& lab);

/// What a step points at.
struct LessonHighlight {
    enum class Kind : std::uint8_t {
        none,
        field, ///< of the scenario, by its key
        view,  ///< by its name
        lab    ///< a field of the page that the lab shows, by its name
    };
    Kind kind = Kind::none;
    std::string key;

    bool operator==(const LessonHighlight&) const = default;
};

/// Something that a step says, which `meshslice lesson` and the tests ask the engine.
struct LessonClaim {
    std::string says;
    LessonQuantity quantity;
    double least = 0, most = 0;
};

/// One of several answers to choose from: right where the engine's number is from `least` to below `most`.
struct LessonChoice {
    LessonText says;
    double least = 0, most = 0;
};

/// A question that a number answers, which is typed, or stands for one of the choices.
struct LessonQuestion {
    LessonText ask;
    LessonText hint;         ///< may be empty where there are choices
    LessonText because;      ///< said once it is answered; may be empty
    std::string unit;        ///< one of lesson_units
    double tolerance = 0.02; ///< of the answer, where it is typed
    LessonQuantity answer;
    std::vector<LessonChoice> choices; ///< from the smallest number on; none: it is typed

    /// Which of the choices a number stands for; none where none does.
    [[nodiscard]] std::optional<std::size_t> choice_of(double number) const;
};
/// A number, a share, a factor, and quantities.
inline constexpr std::array<std::string_view, 9> lesson_units = {"",    "%",    "x",      "s",     "B",
                                                                 "B/s", "FLOP", "FLOP/s", "FLOP/B"};

struct LessonStep {
    LessonText title; ///< a few words
    LessonText text;
    Scenario scenario; ///< that the window shows: the one of the step before, with this step's fields
    std::optional<LessonLab> lab;
    std::string view; ///< the name of a view, which it shows; one of lesson_views
    LessonHighlight highlight;
    std::optional<LessonQuestion> predict; ///< asked first: the step before is shown until it has an answer
    std::optional<LessonQuestion> question;
    std::vector<LessonClaim> claims;
};

/// A guided tour: what to look at, step by step, and why it is so.
struct Lesson {
    static constexpr std::size_t most_steps = 20;

    std::string id; ///< short and stable, "roofline"
    LessonText title;
    LessonText needs;              ///< what the reader should know
    std::vector<LessonStep> steps; ///< at least one
    LessonText seen;               ///< what the reader has seen at the end; may be empty
};
using LessonPtr = std::shared_ptr<const Lesson>;

/// The views that a step may show, as the window names them.
inline constexpr std::array<std::string_view, 17> lesson_views = {
    "timeline", "torus", "roofline", "breakdown", "products", "path",    "lineup", "tuner",      "summary",
    "trust",    "sweep", "plan",     "measured",  "serving",  "studies", "lab",    "calibration"};

/// The version of lesson files that this program writes about (there is one).
inline constexpr int lesson_version = 1;

/// Whether a text is meant to be a lesson, so that who opens a file knows whom to ask.
[[nodiscard]] bool is_lesson(std::string_view json);
/// Reads a lesson file (resources/docs/lessons.md). Strict: unknown keys, fields and views are refused, each
/// with file, step and what was expected.
[[nodiscard]] Result<Lesson> read_lesson(std::string_view json, const std::string& origin,
                                         std::vector<std::string>* all = nullptr);

/// A lesson as a list has it.
struct LessonTitle {
    std::string id;
    LessonText title, needs;
    std::size_t steps = 0;
};

/// Those that come with the program, in the order in which they are learned.
[[nodiscard]] const std::vector<LessonTitle>& lesson_titles();
/// One of them, whose steps are read when it is first asked for; null where there is none of that name.
[[nodiscard]] LessonPtr lesson(std::string_view id);

/// What is wrong with a step: its scenario does not run, its question has no answer, what it claims is not
/// so. Empty where nothing is. Stops when asked to.
[[nodiscard]] std::vector<std::string> faults_of(const LessonStep& step, const RunControl& control = {});

} // namespace meshslice
