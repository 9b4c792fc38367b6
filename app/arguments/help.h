#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace meshslice {

/// Characters of a line of the terminal that the standard output goes to; 80 where it is none.
[[nodiscard]] std::size_t help_width();

/// A command's help: what it does, how it is called, examples, and its flags in groups, in lines of at most
/// `width` characters. Flags of a group that is `aside` are only counted, unless `all` is asked for.
[[nodiscard]] std::string command_help(const CLI::App& command, const std::vector<std::string>& examples,
                                       bool all, std::size_t width);
/// The program's: its commands, and how to ask for help.
[[nodiscard]] std::string program_help(const CLI::App& program, std::size_t width);

} // namespace meshslice
