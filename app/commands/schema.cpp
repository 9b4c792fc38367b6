// What the files of scenarios, projects and lessons may hold, for editors and other programs.

#include "core/scenario/schema.h"

#include "app/command.h"
#include "core/base/text.h"
#include "core/lesson/lesson_schema.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string>

namespace meshslice {
namespace {

/// `meshslice schema`.
class Schema final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Prints the JSON Schema of scenario and project files, or of lessons";
    }
    void declare(CLI::App& flags) override {
        flags.add_option("files", files_, "project|lesson: which files (default project, and scenarios)")
            ->type_name("");
    }
    [[nodiscard]] Result<Printed> run() const override {
        if (files_ == "project" || files_ == "lesson") {
            return Printed{files_ == "project" ? project_schema() : lesson_schema()};
        }
        return refuse(fmt::format("\"{}\" has no schema; project and lesson have.", shortened(files_)));
    }

  private:
    std::string files_ = "project";
};

} // namespace

std::unique_ptr<Command> schema_command() {
    return std::make_unique<Schema>();
}

} // namespace meshslice
