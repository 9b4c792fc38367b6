#include "core/base/concurrently.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace meshslice {

bool for_each_concurrently(std::size_t count, unsigned threads,
                           const std::function<bool(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> ended = false;
    std::exception_ptr thrown;
    std::once_flag first_thrown;
    const auto take_turns = [&] {
        try {
            for (std::size_t index = next++; index < count && !ended; index = next++) {
                if (!work(index)) {
                    ended = true;
                }
            }
        } catch (...) {
            ended = true;
            std::call_once(first_thrown, [&] { thrown = std::current_exception(); });
        }
    };
    const std::size_t wanted = threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    {
        std::vector<std::jthread> others;
        for (std::size_t k = 1; k < std::min(wanted, count); ++k) {
            others.emplace_back(take_turns);
        }
        take_turns();
    } // Joins them.
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    return !ended;
}

} // namespace meshslice
