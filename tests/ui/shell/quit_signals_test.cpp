#include "tests/ui/support/patience.h"
#include "ui/shell/quit_signals.h"

#include <QCoreApplication>
#include <QTest>
#include <gtest/gtest.h>

#include <csignal>

namespace meshslice::ui {
namespace {

/// What a signal does, for a while: a shell starts jobs in the background with some of them ignored.
class Disposition {
  public:
    Disposition(int signal, void (*does)(int)) : signal_(signal), before_(std::signal(signal, does)) {}
    ~Disposition() { std::signal(signal_, before_); }
    Disposition(const Disposition&) = delete;
    Disposition& operator=(const Disposition&) = delete;

  private:
    int signal_;
    void (*before_)(int);
};

TEST(QuitSignals, AreAnsweredInTheUiThread) {
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        const Disposition ends(signal, SIG_DFL);
        int calls = 0;
        const QuitSignals quit([&] { ++calls; });
        ASSERT_EQ(std::raise(signal), 0);
        EXPECT_EQ(calls, 0) << "not within the handler";
        EXPECT_TRUE(QTest::qWaitFor([&] { return calls == 1; }, patience_ms));
    }
}

/// As by nohup.
TEST(QuitSignals, StayIgnored) {
    const Disposition ignored(SIGHUP, SIG_IGN);
    const Disposition ends(SIGTERM, SIG_DFL);
    int calls = 0;
    const QuitSignals quit([&] { ++calls; });
    ASSERT_EQ(std::raise(SIGHUP), 0);
    ASSERT_EQ(std::raise(SIGTERM), 0); // answered after it, if it were
    EXPECT_TRUE(QTest::qWaitFor([&] { return calls > 0; }, patience_ms));
    QCoreApplication::processEvents();
    EXPECT_EQ(calls, 1);
}

} // namespace
} // namespace meshslice::ui
