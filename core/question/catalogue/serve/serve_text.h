#pragma once

#include "core/question/question.h"
#include "core/question/serve/cache_pages.h"
#include "core/question/serve/frontier.h"
#include "core/question/serve/offered_load.h"
#include "core/question/serve/rated_goal.h"
#include "core/question/serve/schedules.h"
#include "core/question/serve/shardings.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// A measured quantity of a row near to what was asked.
struct NearRow {
    std::string id, hardware, model, engine;
    std::string quantity; ///< "ttft"
    double tensor = 1, batch = 1, input = 1, output = 1;
    double measured = 0, predicted = 0;
    double per_user = 0, per_chip = 0; ///< tokens/s; 0: not said

    [[nodiscard]] double error() const { return predicted / measured - 1; }
};
/// Eight of ten measured rows lie between, as shares of what we say; none: nothing was measured.
struct ServedBand {
    double low = 1, high = 1;
};

/// A quantity of clients that each wait for their last token, by measured rows: s, or tokens/s of a replica.
struct ServedExpectation {
    std::string quantity; ///< "ttft"
    double expected = 0, low = 0, high = 0;
};

enum class PhaseAsked : std::uint8_t { both, prefill, decode };

/// What was asked of serve, and its answer.
struct Served {
    ServingAsked asked;
    Replica one;
    PhaseAsked phase = PhaseAsked::both;
    std::string weights = {}, cache = {}; ///< types, as they were given
    std::int64_t chips = 1;
    double price = 0; ///< of a chip-hour; 0: not said
    ServedTimes times = {};
    ServedOperations prefill = {}, decode = {};
    ServedMemory memory = {};
    std::int64_t most_batch = 0;
    double critical_batch = 0;
    std::optional<ServedBand> ttft_band = {}, tpot_band = {}, time_band = {};
    std::vector<ServedExpectation> clients = {}; ///< where the constants are of engines that serve
    std::vector<NearRow> nearest = {};
    std::vector<NearRow> measured_points = {}; ///< of the same model and chip, for the frontier
    std::vector<ServingPoint> points = {};     ///< of the frontier
    std::vector<ServingLimit> limits = {};
    ServingAdvice advice = {};
    bool frontier = false;
    std::optional<ServedLoad> load = {};   ///< where requests come in time
    std::optional<RatedSearch> rated = {}; ///< where these have a goal
    bool may_scale = false;                ///< more servers might start in it
    std::vector<RatedChange> changes = {}; ///< of the cheapest deployment that meets it

    std::optional<CachePages> cache_layout = {}; ///< where it is asked for, and what contexts cost
    std::vector<ContextCost> contexts = {};
    std::optional<ComparedSchedules> schedules = {}; ///< where they are asked for
    std::optional<ServingShardings> shardings = {};  ///< the same
    std::vector<LayerExchange> exchanges = {};

    double transfer_rate = 0; ///< bytes/s of a server of prompts to those that decode

    [[nodiscard]] double replicas() const { return static_cast<double>(chips) / one.chips(); }
    /// Requests that all replicas work on at once.
    [[nodiscard]] double at_once() const {
        return one.batch *
               (asked.apart() ? static_cast<double>(asked.decode_chips) / one.chips() : replicas());
    }
    /// s that the cache of a prompt takes from one pool to the other.
    [[nodiscard]] double transfer_s() const {
        return asked.apart() ? moved_bytes_of_token(one) * one.input / transfer_rate : 0;
    }
    [[nodiscard]] bool prefills() const { return phase != PhaseAsked::decode; }
    /// A request of one token has it of its prompt.
    [[nodiscard]] bool decodes() const {
        return phase == PhaseAsked::decode || (phase == PhaseAsked::both && one.output > 1);
    }
    [[nodiscard]] bool fits() const {
        return load.has_value() ||
               memory.total() <= one.chip.chip.memory; // a load takes what there is room for
    }
    /// s of what was asked: of both phases to the last token.
    [[nodiscard]] double time() const;
    [[nodiscard]] double tokens_per_s_per_chip() const;
};

/// "arithmetic".
[[nodiscard]] std::string served_bound_word(ServedBound bound);
/// "1 chip", "8 chips".
[[nodiscard]] std::string chips_text(double count);
[[nodiscard]] std::string requests_text(double count);
[[nodiscard]] std::string tokens_text(double count);

/// "tp 8", "tp 8, 2D 2 x 4", "tp 8, cache 2 x 4", "tp 8, cp 2".
[[nodiscard]] std::string layout_words(const ServingLayout& layout);

/// What serve is asked.
[[nodiscard]] std::vector<QuestionField> serve_fields();
/// What a scenario keeps of them: the deployment, and the model and machine that all of its tasks share.
[[nodiscard]] Result<OwnValues> kept_deployment(const Scenario& scenario);

[[nodiscard]] Tree served_values(const Served& served);
[[nodiscard]] std::string served_headline(const Served& served);
[[nodiscard]] std::vector<std::string> served_notes(const Served& served);
/// "8 chips" of a replica with so many that a request attends on.
[[nodiscard]] std::string chips_of_replica(const Served& served, std::int64_t tensor);
/// How a kind of operation comes by its seconds.
[[nodiscard]] std::string served_formula(const Served& served, ServedPhase phase,
                                         const ServedOperation& cost);
/// Bytes of a chip by what they hold.
[[nodiscard]] std::vector<std::pair<std::string, double>> served_memory_parts(const ServedMemory& memory);
/// Bars of a decode step and of a prefill; of the memory of a chip; tokens/s of a chip against those of a
/// user.
[[nodiscard]] Chart served_step_chart(const Served& served);
[[nodiscard]] Chart served_memory_chart(const Served& served);
[[nodiscard]] Chart serving_frontier_chart(const Served& served);
/// The colour of a kind of operation in charts.
[[nodiscard]] Role served_role(std::size_t kind);
/// What batches change: the memory of a chip, a decode step by its operations, both as a table; and what
/// drafts do for a user, by how many are taken.
[[nodiscard]] ChartPanel memory_by_batch(const Served& served);
/// None where the chip cannot be changed.
[[nodiscard]] std::optional<ChartPanel> changed_steps(const Served& served);
/// The same in sentences; none where a step decodes nothing.
[[nodiscard]] std::vector<std::string> changed_step_words(const Served& served);
[[nodiscard]] Chart step_by_batch(const Served& served);
[[nodiscard]] Table batches_table(const Served& served);
[[nodiscard]] Chart drafts_chart(const Served& served);
/// The KV cache by page, request and context.
[[nodiscard]] Chart cache_chart(const Served& served);
[[nodiscard]] Table pages_table(const Served& served);
[[nodiscard]] Table contexts_table(const Served& served);
[[nodiscard]] Tree cache_tree(const Served& served);
void add_cache_words(const Served& served, Answer& answer);
/// Layouts of a replica, for each phase.
[[nodiscard]] Tree shardings_tree(const Served& served);
void add_shardings(const Served& served, Answer& answer);
/// The same requests under several schedules.
[[nodiscard]] Tree schedules_tree(const ComparedSchedules& compared);
void add_schedules(const Served& served, Answer& answer);
/// Of requests that come in time.
[[nodiscard]] std::string load_headline(const ServedLoad& served);
[[nodiscard]] Table served_load_table(const ServedLoad& served);
[[nodiscard]] Paragraph load_times(const Table& table);
[[nodiscard]] std::string load_lines(const Served& served);
/// Of deployments that were simulated for a goal.
[[nodiscard]] std::string rated_headline(const RatedSearch& found, double rate);
[[nodiscard]] std::string rated_lines(const Served& served);
/// The same in two: what was found, and what other numbers of the machine would change.
[[nodiscard]] std::string rated_words(const Served& served);
[[nodiscard]] std::vector<std::string> rated_changes(const Served& served);
[[nodiscard]] Table rated_table(const RatedSearch& found);
[[nodiscard]] Tree rated_tree(const Served& served);
/// What was measured near by, and the interval of measured rows; points of the same model, chip and lengths.
void add_evidence(Served& served);
void add_measured_points(Served& served);
/// Words, tables, charts and offers, into an answer that has its values.
void add_served(const Served& served, Answer& answer);

} // namespace meshslice
