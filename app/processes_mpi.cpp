// Processes that MPI joins. A library of its own: loading MPI takes longer than most answers.

#include "core/question/sweep_workers.h"

#include <mpi.h>
#include <optional>
#include <string>
#include <string_view>

namespace meshslice {
namespace {

class MpiLink final : public ProcessLink {
  public:
    MpiLink() {
        int given = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
        MPI_Comm_rank(MPI_COMM_WORLD, &place_);
        MPI_Comm_size(MPI_COMM_WORLD, &count_);
    }
    ~MpiLink() override { MPI_Finalize(); }

    [[nodiscard]] int place() const override { return place_; }
    [[nodiscard]] int count() const override { return count_; }

    void send(int to, std::string_view words) override {
        MPI_Send(words.data(), static_cast<int>(words.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
    }
    [[nodiscard]] std::optional<ProcessMessage> received() override {
        int there = 0;
        MPI_Status status{};
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        if (there == 0) {
            return std::nullopt;
        }
        int size = 0;
        MPI_Get_count(&status, MPI_CHAR, &size);
        ProcessMessage message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
        MPI_Recv(message.words.data(), size, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        return message;
    }

  private:
    int place_ = 0, count_ = 1;
};

} // namespace
} // namespace meshslice

/// Joins the processes that were started with this one; the caller owns the link. Called once.
extern "C" meshslice::ProcessLink* meshslice_join_processes() {
    return new meshslice::MpiLink();
}
