// app/run and what it shares with the other scripts, in shells that are set up in odd ways.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Its help lists what is in the folders of the project: found from a link, from another folder, with a
/// CDPATH in which cd finds other folders first and prints them.
TEST(ShellScripts, FindTheProjectFromAnywhere) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path("app"));
    std::filesystem::create_symlink(source_file("app/run"), folder.path("a link"));
    for (const char* from : {"/", "$1", "$2"}) {
        for (const char* script : {"$2/app/run", "$1/a link"}) {
            const Finished help = run_process({"/bin/bash", "-c",
                                               std::string("export CDPATH=\"$1:/:$2\"; cd \"") + from +
                                                   "\" >/dev/null; \"" + script + "\" --help",
                                               "bash", folder.path("."), source_file(".")});
            EXPECT_EQ(help.exit_code, 0) << help.err;
            EXPECT_THAT(help.out, AllOf(HasSubstr("gpt3-175b"), HasSubstr("tpu-v5p"),
                                        HasSubstr("one-product-4x4"), HasSubstr("app/run [arguments")))
                << from << ' ' << script;
        }
    }
    const Finished near =
        run_process({"/bin/bash", "-c", "export CDPATH=\"$1:/\"; cd \"$2\" >/dev/null; app/run --help",
                     "bash", folder.path("."), source_file(".")});
    EXPECT_THAT(near.out, HasSubstr("gpt3-175b")) << near.err;
}

/// A Debian system on which nothing is installed, of a user who may not install: without what only helps the
/// script goes on; what it cannot do without it names, and ends.
TEST(ShellScripts, OnlyWhatIsNeededStopsThem) {
    const TemporaryFolder folder;
    std::string tools;
    for (const char* tool : {"bash", "sed", "awk", "dirname", "readlink"}) {
        tools += std::string("ln -s \"$(command -v ") + tool + ")\" \"$1/" + tool + "\"; ";
    }
    const auto installing = [&](const std::string& group) {
        return run_process(
            {"/bin/bash", "-c",
             "source \"$2/app/prepare.sh\"; PATH=\"$1\"; install_packages " + group + "; echo went on",
             "bash", folder.path("."), source_file(".")});
    };
    ASSERT_EQ(run_process({"/bin/bash", "-c", tools, "bash", folder.path(".")}).exit_code, 0);
    for (const char* tool : {"dpkg-query", "id"}) {
        const std::string path =
            folder.file(tool, std::string("#!") + folder.path("bash") + "\necho 1000\n"); // no "installed"
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    EXPECT_EQ(installing("helpful").out, "went on\n");
    const Finished needed = installing("build tests");
    EXPECT_EQ(needed.exit_code, 1);
    EXPECT_THAT(needed.err, AllOf(HasSubstr("These packages are missing"), HasSubstr("cmake"),
                                  Not(HasSubstr("simgrid")), Not(HasSubstr("clang-format"))));
    EXPECT_EQ(needed.out, "");
}

} // namespace
} // namespace meshslice::test
