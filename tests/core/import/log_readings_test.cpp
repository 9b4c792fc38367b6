#include "core/import/log_readings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace meshslice {
namespace {

/// A log of steps of so many milliseconds.
void write_log(const std::filesystem::path& path, const std::string& milliseconds) {
    std::ofstream(path) << " iteration 1/ 5 | elapsed time per iteration (ms): " << milliseconds
                        << " | global batch size: 8 |\n";
}

/// A file is read once as long as it stays as it is, and again once it is another.
TEST(LogReadings, ReadAFileOnce) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / "meshslice-log-readings-test.log";
    write_log(path, "100.0");
    LogReadings logs;
    const auto first = logs.training(path.string(), {});
    ASSERT_TRUE(first) << first.error().sentence;
    EXPECT_DOUBLE_EQ((*first)->steps.front().seconds, 0.1);
    const auto again = logs.training(path.string(), {});
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *first);
    EXPECT_EQ(logs.reads(), 1U);
    write_log(path, "2500.0"); // another size, whatever the clock says
    const auto other = logs.training(path.string(), {});
    ASSERT_TRUE(other);
    EXPECT_DOUBLE_EQ((*other)->steps.front().seconds, 2.5);
    EXPECT_EQ(logs.reads(), 2U);
    std::filesystem::remove(path);
    EXPECT_FALSE(logs.training(path.string(), {})) << "a file that is gone is not answered from memory";
}

} // namespace
} // namespace meshslice
