// The words of the program, explained.

#include "core/report/words/glossary.h"

#include "app/command.h"
#include "core/base/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace meshslice {
namespace {

std::string printed(const GlossaryEntry& entry) {
    return fmt::format("{}\n  {}\n  Source: {}\n", entry.word, entry.text, entry.source);
}

/// `meshslice glossary [WORD]`.
class Glossary final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Explains the words of the program, each in a sentence or two";
    }

    void declare(CLI::App& flags) override {
        flags.add_option("word", word_, "WORD: one word, such as exposed (default: all)")->type_name("");
    }

    [[nodiscard]] Result<Printed> run() const override {
        if (word_.empty()) {
            std::string all;
            for (const GlossaryEntry& entry : glossary()) {
                all += (all.empty() ? "" : "\n") + printed(entry);
            }
            return Printed{std::move(all)};
        }
        if (const GlossaryEntry* entry = glossary_entry(word_)) {
            return Printed{printed(*entry)};
        }
        std::vector<std::string> words;
        for (const GlossaryEntry& entry : glossary()) {
            words.push_back(entry.word);
        }
        return refuse(fmt::format("The glossary has no entry \"{}\"; it has {}.", shortened(word_),
                                  fmt::join(words, ", ")));
    }

  private:
    std::string word_;
};

} // namespace

std::unique_ptr<Command> glossary_command() {
    return std::make_unique<Glossary>();
}

} // namespace meshslice
