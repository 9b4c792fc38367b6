#pragma once

#include "core/base/fields/field_table.h"
#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/question/answer.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

struct Question;
struct Scenario;
struct SweptQuestion;

/// A value of a field under another flag or key: "--ring" for the links "rings", and "ring": true in a file.
struct FieldAlias {
    std::string flag;
    std::string word; ///< the value; of a field that takes any text, none: the flag's own value
    std::string help; ///< none: the flag is taken, and not offered
};

/// One field of a question: a row of its table. A field without a value (monostate) was left out.
struct QuestionField {
    /// A flag that does not begin with "--" is a place on the command line.
    FieldRow row;
    bool file = false;      ///< a part is always a file's, and not the name of a preset
    bool needed = false;    ///< a command line, a file or a sweep has to say it
    std::string first = {}; ///< what it is where nothing else is said
    std::string shown = {}; ///< what a form begins with; empty: `first`
    std::vector<FieldAlias> aliases = {};
    int width = 1;            ///< in a form, of the room next to others
    bool said_by_log = false; ///< what a measured log that is held against the question says itself
    /// Words that a shell completes, besides the row's choices; listed when a shell asks.
    std::function<std::vector<std::string>()> completes = {};

    /// "one_way" of "--one-way".
    [[nodiscard]] static std::string key_of(const FieldAlias& alias);
};

/// A question's own values by the keys of its fields; as scenarios, sweeps and lessons keep them.
using OwnValues = std::map<std::string, FieldValue, std::less<>>;
/// The same as they are typed.
using OwnTexts = std::map<std::string, std::string, std::less<>>;

/// The words in which a question is asked, and in which it therefore speaks of its fields.
enum class Speech : std::uint8_t {
    flags, ///< "--axes"
    form,  ///< "Axes"
    file   ///< "axes"
};

/// Algorithms that a question runs, by id.
struct OtherAlgorithms {
    std::vector<std::string> ids = {};
    bool instead = false; ///< of the scenario's own; else as well
};

struct SaidVariant;

/// What an asker said itself; the rest is as the question or the file begins.
struct SaidFields {
    using Flags = std::map<std::string, std::string, std::less<>>;

    bool file = false;   ///< a scenario is a file's, which says everything
    std::string origin;  ///< the file's name
    std::string variant; ///< the name of its variant, where it has several
    /// Of the variant that the file compares with it, A; empty where it compares none, or one was chosen.
    std::string pinned;
    Flags flags; ///< with their words
    /// The scenario with other words for some flags; without words as if one had not been said.
    std::function<Result<Scenario>(const Flags& instead)> read = {};
    /// What is asked of another variant of the file, by its name.
    std::function<Result<SaidVariant>(const std::string& name)> of_variant = {};
    /// Says something to those who wait, before the answer.
    std::function<void(const std::string& sentence)> tell = {};

    [[nodiscard]] bool has(std::string_view flag) const { return flags.contains(flag); }
    /// Empty where it was not said.
    [[nodiscard]] std::string words(std::string_view flag) const {
        const auto found = flags.find(flag);
        return found == flags.end() ? std::string() : found->second;
    }
};

/// What is asked of one variant of a file, with all else that was said.
struct SaidVariant {
    OwnValues own;
    std::shared_ptr<const Scenario> scenario; ///< null where the question uses none
    SaidFields said = {};                     ///< which reads scenarios of that variant
};

struct Asked;

/// What a command line takes of a scenario, for questions that use one.
struct ScenarioUse {
    unsigned only = 0; ///< tags of the fields that have flags; 0: all but those that only plans have
    std::vector<std::string> without = {};                        ///< flags that the question has itself
    std::vector<std::pair<std::string, std::string>> begins = {}; ///< flags and their words, without a file
    std::vector<std::pair<std::string, std::string>> helps = {};  ///< flags whose help says something else
    unsigned hidden = 0;                                          ///< tags of fields that the help leaves out
    /// Why a flag that was said is refused; empty where it is not.
    std::function<std::string(const FieldRow& row, const SaidFields& said)> refused = {};
    /// Algorithms for which a flag may have an effect.
    std::function<OtherAlgorithms(const Asked& asked)> others = {};
    /// How the scenario is read; none: as it was said.
    std::function<Result<Scenario>(const Asked& asked)> read = {};
};

/// What a question is asked: its own values, complete, and a scenario where it uses one.
struct Asked {
    const Question& question;
    OwnValues own;
    Speech speech = Speech::file;
    const Scenario* scenario = nullptr;
    SaidFields said = {};

    [[nodiscard]] bool has(std::string_view key) const;
    /// Of a field that has a value of this kind; else "", 0, false.
    [[nodiscard]] std::string text(std::string_view key) const;
    [[nodiscard]] double number(std::string_view key) const;
    [[nodiscard]] bool flag(std::string_view key) const;
    [[nodiscard]] const FieldValue& value(std::string_view key) const;
    /// What the asker calls a field: "--axes", "Axes", "axes".
    [[nodiscard]] std::string called(std::string_view key) const;
    /// How the asker gives it this value: "--axes X=16", "--ring", "leaving out --one-way"; in a form the
    /// choice's own words.
    [[nodiscard]] std::string setting(std::string_view key, std::string_view word) const;
};

/// A file that a command line makes of a part of an answer.
struct AnswerFile {
    enum class Of : std::uint8_t {
        table,  ///< as CSV
        chart,  ///< as SVG
        text,   ///< as it is
        runs,   ///< as a trace, or what is inside one of the first one's bars
        folder, ///< of all tables, charts and texts
        kept    ///< grows while the question is answered, which opens it itself; with --resume it goes on
    };

    Of of = Of::table;
    std::string part = {}; ///< its name; empty: the first
    std::string flag = {}; ///< "--trace"
    std::string help = {};
};

/// What of a scenario a question uses.
struct Nouns {
    bool machine = false, work = false, plan = false, assumptions = false;

    [[nodiscard]] bool none() const { return !machine && !work && !plan && !assumptions; }
    bool operator==(const Nouns&) const = default;
};

/// Something that the program can be asked: a command, a page, a sweep, a comparison, a number of a lesson
/// and an export are made of it. Each is a file in core/question/catalogue.
struct Question {
    std::string id;      ///< "roofline"
    std::string title;   ///< "Rooflines"
    std::string page;    ///< what lessons call its page of the lab, "rooflines"; empty: it has none
    std::string summary; ///< one sentence without a full stop
    Nouns uses = {};
    /// The first one says what is asked; a lesson names it by the question's id.
    std::vector<QuestionField> fields = {};
    /// The values alone, without words and charts, where that is quicker: for sweeps and lessons. Also of an
    /// answer that has none, because its table is long. See numbers_of().
    std::function<Result<Tree>(const Asked& asked, const RunControl& control)> numbers = {};
    std::function<Result<Answer>(const Asked& asked, const RunControl& control)> answer = {};
    ScenarioUse scenario = {};
    std::vector<AnswerFile> files = {};
    std::string file_key = {}; ///< what a lesson's file calls its first field; empty: the id
    bool says_fit = false;     ///< whether its answers know if memory is enough (Answer::fits)
    /// How a command line asks it: the arguments, "--gemm 128x8192x8192"; three or more, each quickly
    /// answered.
    std::vector<std::string> examples = {};
    /// Where a number is that had another path before; none: nowhere else.
    std::function<std::string(const Asked& asked, const std::string& path)> path = {};
    /// How it is swept; none: by all of its numbers.
    std::shared_ptr<const SweptQuestion> swept = nullptr;
    /// Of a question over other ones: itself over this one; none: it is about something else.
    std::function<Question(const Question& other)> over = {};
    /// Of a question that uses nothing of a scenario itself: its own values as a scenario keeps them; none:
    /// no scenario has any.
    std::function<Result<OwnValues>(const Scenario& scenario)> kept = {};

    [[nodiscard]] const std::string& key_in_files() const { return file_key.empty() ? id : file_key; }
    /// Null where there is none.
    [[nodiscard]] const QuestionField* field(std::string_view key) const;
};

/// The values that answer what is asked, without anything else where that is quicker.
[[nodiscard]] Result<Tree> numbers_of(const Asked& asked, const RunControl& control);
/// Where a number is among the values of an answer; null where there is none.
[[nodiscard]] const Tree* value_at(const Asked& asked, const Tree& values, const std::string& path);

/// Those that a program knows, in the order in which it offers them. Readers are handed one.
using Questions = std::vector<Question>;
/// Null where there is none.
[[nodiscard]] const Question* question_of(const Questions& questions, std::string_view id);

/// Reads what was typed into a field strictly; an empty text is not a value. The sentence begins with what
/// the asker calls the field.
[[nodiscard]] Result<FieldValue> parse_own(const Question& question, const QuestionField& field,
                                           std::string_view words, Speech speech);
/// What a question is asked by texts; what is left out is as the field is at first. Refuses unknown keys,
/// what a row does not hold, and a needed field without a value.
[[nodiscard]] Result<Asked> asked_of(const Question& question, const OwnTexts& texts, Speech speech);
/// The same by values, which fit their rows.
[[nodiscard]] Result<Asked> asked_with(const Question& question, OwnValues own, Speech speech);
/// What a question over another one asks that one: all that was said but its own fields and files.
[[nodiscard]] Asked asked_over(const Asked& asked, const Question& over,
                               std::initializer_list<std::string_view> own_keys);
/// The words that a form begins with.
[[nodiscard]] std::string first_words(const QuestionField& field);

} // namespace meshslice
