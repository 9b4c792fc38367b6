#include "core/import/nsight_trace.h"

#include "core/base/say.h"
#include "core/import/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <sqlite3.h>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr double us_of_ns = 1e-3;

struct CloseDatabase {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// A kind of activity of a GPU.
struct GpuActivity {
    const char* table;
    const char* category; ///< as PyTorch's profiler calls it
    const char* name;     ///< column of the name's number; empty: the category's own words
    const char* words;
};
constexpr std::array activities = {GpuActivity{"CUPTI_ACTIVITY_KIND_KERNEL", "kernel", "demangledName", ""},
                                   GpuActivity{"CUPTI_ACTIVITY_KIND_MEMCPY", "gpu_memcpy", "", "Memcpy"},
                                   GpuActivity{"CUPTI_ACTIVITY_KIND_MEMSET", "gpu_memset", "", "Memset"}};
constexpr const char* ranges_table = "NVTX_EVENTS";
constexpr const char* memory_table_name = "CUDA_GPU_MEMORY_USAGE_EVENTS";
constexpr const char* gpus_table = "TARGET_INFO_GPU";
constexpr const char* cuda_devices_table = "TARGET_INFO_CUDA_DEVICE";
constexpr const char* texts_table = "StringIds";

class NsightReader {
  public:
    NsightReader(Database database, std::string origin, const RunControl& control)
        : database_(std::move(database)), origin_(std::move(origin)), control_(control) {
        // What a file says about itself is not run.
        sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        constexpr int operations = 100'000;
        sqlite3_progress_handler(
            database_.get(), operations,
            [](void* asked) { return static_cast<const RunControl*>(asked)->stop.stop_requested() ? 1 : 0; },
            const_cast<RunControl*>(&control_));
    }

    Result<DeviceTrace> read() {
        bool any = false;
        for (const GpuActivity& one : activities) {
            any = any || has_table(one.table);
        }
        if (!any) {
            return refuse(failed() ? damaged()
                                   : say("{} has no table {}; expected what nsys export --type sqlite writes "
                                         "of a profile with CUDA's activities.",
                                         origin_, activities.front().table));
        }
        for (std::size_t k = 0; k < activities.size(); ++k) {
            if (const Result<void> taken = take(activities[k]); !taken) {
                return refuse(taken.error());
            }
            if (control_.progress != nullptr) {
                control_.progress->store(static_cast<double>(k + 1) /
                                         static_cast<double>(activities.size() + 1));
            }
        }
        if (count_ == 0) {
            return refuse(say("{} has no kernel and no copy of a GPU.", origin_));
        }
        if (const Result<void> taken = take_steps(); !taken) {
            return refuse(taken.error());
        }
        if (const Result<void> taken = take_memory(); !taken) {
            return refuse(taken.error());
        }
        if (const Result<void> taken = take_capacities(); !taken) {
            return refuse(taken.error());
        }
        events_.written_by(TraceWriter::nsight);
        return events_.trace(origin_);
    }

  private:
    [[nodiscard]] bool failed() const {
        const int code = sqlite3_errcode(database_.get());
        return code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW;
    }
    [[nodiscard]] std::string damaged() const {
        return say("{} cannot be read as a database: {}.", origin_,
                   std::string(sqlite3_errmsg(database_.get())));
    }
    [[nodiscard]] Error problem() const {
        return control_.stop.stop_requested() ? cancelled().value() : Error{damaged()};
    }

    [[nodiscard]] Statement prepared(const std::string& query) const {
        sqlite3_stmt* made = nullptr;
        sqlite3_prepare_v2(database_.get(), query.c_str(), -1, &made, nullptr);
        return Statement(made);
    }
    [[nodiscard]] bool has_table(const char* name) const {
        const Statement found =
            prepared(fmt::format("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '{}'", name));
        return found && sqlite3_step(found.get()) == SQLITE_ROW;
    }
    [[nodiscard]] bool has_column(const char* table, const char* name) const {
        const Statement found =
            prepared(fmt::format("SELECT 1 FROM pragma_table_info('{}') WHERE name = '{}'", table, name));
        return found && sqlite3_step(found.get()) == SQLITE_ROW;
    }
    /// Of a column that some versions lack.
    [[nodiscard]] std::string column_or(const char* table, const char* name, const char* otherwise) const {
        return has_column(table, name) ? fmt::format("a.\"{}\"", name) : otherwise;
    }
    static std::string text_in(const Statement& row, int column) {
        const auto* const words = sqlite3_column_text(row.get(), column);
        return words == nullptr
                   ? std::string()
                   : std::string(reinterpret_cast<const char*>(words),
                                 static_cast<std::size_t>(sqlite3_column_bytes(row.get(), column)));
    }

    /// Hands over the rows of a query.
    template <class Take>
    Result<void> each(const std::string& query, const Take& take_row) {
        const Statement rows = prepared(query);
        if (!rows) {
            return refuse(problem());
        }
        int code = SQLITE_OK;
        while ((code = sqlite3_step(rows.get())) == SQLITE_ROW) {
            take_row(rows);
        }
        return code == SQLITE_DONE ? Result<void>() : refuse(problem());
    }

    Result<void> take(const GpuActivity& one) {
        if (!has_table(one.table)) {
            return {};
        }
        for (const char* needed : {"start", "end", "deviceId", "streamId"}) {
            if (!has_column(one.table, needed)) {
                return refuse(
                    say("{}: table {} has no column \"{}\"; expected what nsys export --type sqlite "
                        "writes.",
                        origin_, one.table, needed));
            }
        }
        const bool named = one.name[0] != '\0';
        const std::string name_column = !named                               ? std::string("NULL")
                                        : has_column(one.table, one.name)    ? fmt::format("a.{}", one.name)
                                        : has_column(one.table, "shortName") ? std::string("a.shortName")
                                                                             : std::string("NULL");
        const bool joins = named && has_table(texts_table);
        const std::string process = column_or(one.table, "globalPid", "0");
        const std::string query =
            fmt::format("SELECT a.start, a.\"end\", a.deviceId, a.streamId, {}, {} FROM {} a {}", process,
                        joins ? "s.value" : "NULL", one.table,
                        joins ? fmt::format("LEFT JOIN {} s ON s.id = {}", texts_table, name_column) : "");
        TraceMembers event;
        event.phase = "X";
        event.category = one.category;
        event.has_start = true;
        return each(query, [&](const Statement& row) {
            const std::int64_t start = sqlite3_column_int64(row.get(), 0);
            const std::int64_t end = sqlite3_column_int64(row.get(), 1);
            event.start_us = static_cast<double>(start) * us_of_ns;
            event.length_us = static_cast<double>(end) * us_of_ns - event.start_us;
            event.device = device_of(sqlite3_column_int64(row.get(), 4), sqlite3_column_int64(row.get(), 2));
            event.stream = std::to_string(sqlite3_column_int64(row.get(), 3));
            event.name = named ? text_in(row, 5) : std::string(one.words);
            if (event.name.empty()) {
                event.name = one.words[0] == '\0' ? "kernel" : one.words;
            }
            events_.take(event);
            ++count_;
        });
    }

    /// Processes that each see one device as their first are distinguished by the number of the process.
    static std::string device_of(std::int64_t process, std::int64_t device) {
        constexpr std::int64_t of_process = 0x1000000;
        return device_of_number(process / of_process % of_process, device);
    }
    static std::string device_of_number(std::int64_t process, std::int64_t device) {
        return process == 0 ? std::to_string(device) : fmt::format("{} of process {}", device, process);
    }
    [[nodiscard]] bool has_columns(const char* table, std::initializer_list<const char*> names) const {
        return has_table(table) &&
               std::ranges::all_of(names, [&](const char* one) { return has_column(table, one); });
    }

    /// What CUDA gives to a process and gets back (nsys profile --cuda-memory-usage=true), added up: memory
    /// of the device, arrays in it, and what its code has (ENUM_CUDA_MEM_KIND: 2, 3 and 5), not the host's
    /// and not what moves between them. What was given before the profile began is not known, so its return
    /// does not count.
    Result<void> take_memory() {
        if (!has_columns(memory_table_name,
                         {"start", "deviceId", "address", "bytes", "memKind", "memoryOperationType"})) {
            return {};
        }
        struct Held {
            double bytes = 0;
            std::map<std::int64_t, double> by_address = {};
        };
        std::map<std::string, Held> held;
        TraceMembers event;
        event.phase = "i";
        event.name = "[memory]";
        event.has_start = true;
        return each(fmt::format("SELECT a.start, {}, a.deviceId, a.address, a.bytes, a.memoryOperationType "
                                "FROM {} a WHERE a.memKind IN (2, 3, 5) ORDER BY a.start, a.rowid",
                                column_or(memory_table_name, "globalPid", "0"), memory_table_name),
                    [&](const Statement& row) {
                        event.device =
                            device_of(sqlite3_column_int64(row.get(), 1), sqlite3_column_int64(row.get(), 2));
                        Held& its = held[event.device];
                        const std::int64_t address = sqlite3_column_int64(row.get(), 3);
                        const auto there = its.by_address.find(address);
                        if (there != its.by_address.end()) {
                            its.bytes -= there->second;
                            its.by_address.erase(there);
                        }
                        if (sqlite3_column_int64(row.get(), 5) == 0) { // given
                            const double bytes = std::max(0.0, sqlite3_column_double(row.get(), 4));
                            its.by_address.emplace(address, bytes);
                            its.bytes += bytes;
                        }
                        event.start_us = static_cast<double>(sqlite3_column_int64(row.get(), 0)) * us_of_ns;
                        event.allocated = its.bytes;
                        events_.take(event);
                    });
    }

    Result<void> take_capacities() {
        if (!has_columns(gpus_table, {"id", "totalMemory"}) ||
            !has_columns(cuda_devices_table, {"gpuId", "cudaId", "pid"})) {
            return {};
        }
        std::map<std::int64_t, double> by_number; // of activities that name no process
        std::set<std::int64_t> differ;
        return each(fmt::format("SELECT c.pid, c.cudaId, g.totalMemory FROM {} c JOIN {} g ON g.id = c.gpuId",
                                cuda_devices_table, gpus_table),
                    [&](const Statement& row) {
                        const double bytes = sqlite3_column_double(row.get(), 2);
                        const std::int64_t device = sqlite3_column_int64(row.get(), 1);
                        if (const std::int64_t process = sqlite3_column_int64(row.get(), 0); process != 0) {
                            events_.take_capacity(device_of_number(process, device), bytes);
                        }
                        if (by_number.emplace(device, bytes).first->second != bytes) {
                            differ.insert(device);
                        }
                    })
            .map([&] {
                for (const auto& [device, bytes] : by_number) {
                    if (!differ.contains(device)) {
                        events_.take_capacity(std::to_string(device), bytes);
                    }
                }
            });
    }

    Result<void> take_steps() {
        if (!has_table(ranges_table) || !has_column(ranges_table, "start") ||
            !has_column(ranges_table, "end")) {
            return {};
        }
        const std::string text = column_or(ranges_table, "text", "NULL");
        const bool joins = has_column(ranges_table, "textId") && has_table(texts_table);
        const std::string query = fmt::format(
            "SELECT a.start, a.\"end\", {} FROM {} a {} WHERE a.\"end\" IS NOT NULL ORDER BY a.start",
            joins ? fmt::format("COALESCE({}, s.value)", text) : text, ranges_table,
            joins ? fmt::format("LEFT JOIN {} s ON s.id = a.textId", texts_table) : "");
        std::size_t unnumbered = 0;
        std::int64_t last_end = 0;
        return each(query, [&](const Statement& row) {
            std::string name = text_in(row, 2);
            const std::int64_t start = sqlite3_column_int64(row.get(), 0);
            const std::int64_t end = sqlite3_column_int64(row.get(), 1);
            if (!names_a_step(name) || end <= start) {
                return;
            }
            const bool numbered = std::isdigit(static_cast<unsigned char>(name.back())) != 0;
            if (!numbered) {
                if (start < last_end) {
                    return; // inside of another one, or another process's of the same step
                }
                name += fmt::format(" {}", ++unnumbered);
                last_end = end;
            }
            events_.take_step(
                std::move(name), static_cast<double>(start) * us_of_ns,
                static_cast<double>(static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start)) *
                    us_of_ns,
                false); // whatever the sign of the first, as it is before the last
        });
    }

    Database database_;
    std::string origin_;
    const RunControl& control_;
    ProfilerEvents events_;
    std::size_t count_ = 0;
};

} // namespace

bool is_sqlite(std::string_view first_bytes) {
    using namespace std::string_view_literals;
    return first_bytes.starts_with("SQLite format 3\0"sv);
}

bool names_a_step(std::string_view range) {
    std::string word;
    for (const char c : range) {
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const std::size_t last = word.find_last_not_of("0123456789");
    word.resize(last == std::string::npos ? 0 : last + 1);
    const std::size_t end = word.find_last_not_of(" _#:=-");
    word.resize(end == std::string::npos ? 0 : end + 1);
    static constexpr std::array steps = {"step",       "train_step",      "training_step",
                                         "train step", "training step",   "iteration",
                                         "iter",       "train_iteration", "profilerstep"};
    return std::ranges::find(steps, word) != steps.end();
}

Result<DeviceTrace> read_nsight_file(const std::string& path, const RunControl& control) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    Database database(opened);
    if (code != SQLITE_OK) {
        return refuse(fmt::format("{} cannot be read; check its permissions.", path));
    }
    return NsightReader(std::move(database), path, control).read();
}

Result<DeviceTrace> read_nsight_bytes(std::string_view bytes, const std::string& origin) {
    std::vector<unsigned char> copy(bytes.begin(), bytes.end()); // outlives the database
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE, nullptr);
    Database database(opened);
    if (code != SQLITE_OK ||
        sqlite3_deserialize(database.get(), "main", copy.data(), static_cast<sqlite3_int64>(copy.size()),
                            static_cast<sqlite3_int64>(copy.size()),
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
        return refuse(
            say("{} cannot be read as a database: {}.", origin, std::string(sqlite3_errmsg(database.get()))));
    }
    const RunControl control;
    return NsightReader(std::move(database), origin, control).read();
}

} // namespace meshslice
