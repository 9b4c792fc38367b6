// What the files of scenarios and projects may hold, for editors and other programs.

#include "core/scenario/schema.h"

#include "app/command.h"

#include <CLI/CLI.hpp>

#include <string>

namespace meshslice {
namespace {

/// `meshslice schema`.
class Schema final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Prints the JSON Schema of scenario and project files";
    }
    void declare(CLI::App&) override {}
    [[nodiscard]] Result<Answer> run() const override { return Answer{project_schema()}; }
};

} // namespace

std::unique_ptr<Command> schema_command() {
    return std::make_unique<Schema>();
}

} // namespace meshslice
