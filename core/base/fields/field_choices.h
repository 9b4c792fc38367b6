#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// One of the words that a field may be, or one of the numbers that a form offers.
struct FieldChoice {
    std::string word;                    ///< in files and on the command line
    std::string label;                   ///< in a form; empty: the word
    std::vector<std::string> notes = {}; ///< paragraphs about it, for its tooltip
};

/// The choices of a row, in the order in which they are offered. Those that take long to find, as the names
/// of all machines that fit do, are found when somebody first looks: most programs that start never do.
class FieldChoices {
  public:
    using Find = std::function<std::vector<FieldChoice>()>;

    FieldChoices() = default;
    FieldChoices(std::initializer_list<FieldChoice> choices) : known_(choices) {}
    FieldChoices(std::vector<FieldChoice> choices) : known_(std::move(choices)) {}
    /// `find` is called once, from any thread, whatever copies there are.
    [[nodiscard]] static FieldChoices later(Find find);

    [[nodiscard]] const std::vector<FieldChoice>& all() const;
    operator const std::vector<FieldChoice>&() const { return all(); }
    [[nodiscard]] bool empty() const { return all().empty(); }
    [[nodiscard]] std::size_t size() const { return all().size(); }
    [[nodiscard]] auto begin() const { return all().begin(); }
    [[nodiscard]] auto end() const { return all().end(); }

    /// To change them: those that are found later are found now.
    [[nodiscard]] std::vector<FieldChoice>& edit();
    void push_back(FieldChoice choice) { edit().push_back(std::move(choice)); }

  private:
    struct Later;
    std::vector<FieldChoice> known_;
    std::shared_ptr<Later> later_; ///< null where they are known
};

/// The names of presets, with their titles.
template <class Presets>
std::vector<FieldChoice> choices_of(const Presets& presets) {
    std::vector<FieldChoice> choices;
    for (const auto& one : presets) {
        choices.push_back({one.name, one.title});
    }
    return choices;
}

} // namespace meshslice
