#include "tests/ui/support/patience.h"
#include "ui/shell/quit_signals.h"

#include <QTest>
#include <gtest/gtest.h>

#include <csignal>

namespace meshslice::ui {
namespace {

TEST(QuitSignals, AreAnsweredInTheUiThread) {
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        int calls = 0;
        const QuitSignals quit([&] { ++calls; });
        ASSERT_EQ(std::raise(signal), 0);
        EXPECT_EQ(calls, 0) << "not within the handler";
        EXPECT_TRUE(QTest::qWaitFor([&] { return calls == 1; }, patience_ms));
    }
}

} // namespace
} // namespace meshslice::ui
