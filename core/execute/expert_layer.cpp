#include "core/execute/expert_layer.h"

#include "core/base/say.h"
#include "core/execute/link_loads.h"
#include "core/program/pipelining.h"
#include "core/program/ring_schedule.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t expert_element_bytes = 2;

/// A token on its way to one of its experts, or what that expert made of it on its way back.
struct TokenRow {
    std::int64_t token = 0;
    RoutedTo route;
    std::vector<double> values;
};
using TokenRows = std::vector<TokenRow>;

std::size_t row_index(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

/// A number for a place of an array that all devices can make, the same for the same seed.
std::vector<double> small_numbers(std::int64_t count, std::mt19937& random) {
    std::uniform_int_distribution<int> digit(-3, 3);
    std::vector<double> numbers(row_index(count));
    std::ranges::generate(numbers, [&] { return digit(random); });
    return numbers;
}

/// The whole layer's inputs.
struct ExpertArrays {
    std::vector<std::vector<double>> x;      ///< by token
    std::vector<std::vector<double>> w1, w2; ///< by expert, row after row
};

ExpertArrays expert_arrays(const ExpertLayer& layer, std::int64_t tokens, std::uint32_t seed) {
    std::mt19937 random(seed);
    ExpertArrays arrays;
    for (std::int64_t token = 0; token < tokens; ++token) {
        arrays.x.push_back(small_numbers(layer.features, random));
    }
    for (std::int64_t expert = 0; expert < layer.experts; ++expert) {
        arrays.w1.push_back(small_numbers(layer.features * layer.inner, random));
        arrays.w2.push_back(small_numbers(layer.inner * layer.features, random));
    }
    return arrays;
}

std::vector<double> row_times(const std::vector<double>& row, const std::vector<double>& matrix) {
    const std::size_t columns = matrix.size() / row.size();
    std::vector<double> product(columns, 0);
    for (std::size_t k = 0; k < row.size(); ++k) {
        for (std::size_t column = 0; column < columns; ++column) {
            product[column] += row[k] * matrix[k * columns + column];
        }
    }
    return product;
}

std::vector<double> expert_of(const std::vector<double>& x, const std::vector<double>& w1,
                              const std::vector<double>& w2) {
    std::vector<double> inner = row_times(x, w1);
    for (double& value : inner) {
        value = std::max(value, 0.0);
    }
    return row_times(inner, w2);
}

/// The dense computation: every expert works on every token, and those that a token does not go to count 0.
std::vector<std::vector<double>> dense_experts(const ExpertLayer& layer, const TokenRoutes& routes,
                                               const ExpertArrays& arrays) {
    std::vector<std::vector<double>> y(routes.size(), std::vector<double>(row_index(layer.features), 0));
    for (std::size_t token = 0; token < routes.size(); ++token) {
        for (std::int64_t expert = 0; expert < layer.experts; ++expert) {
            const auto route = std::ranges::find(routes[token], expert, &RoutedTo::expert);
            const double weight = route == routes[token].end() ? 0 : static_cast<double>(route->weight);
            const std::vector<double> made =
                expert_of(arrays.x[token], arrays.w1[row_index(expert)], arrays.w2[row_index(expert)]);
            for (std::size_t k = 0; k < made.size(); ++k) {
                y[token][k] += weight * made[k];
            }
        }
    }
    return y;
}

/// Moves rows to the chips that they are for, and says how many links they crossed.
using TokenDestination = std::function<std::int64_t(const TokenRow&)>;
using MoveRows = std::function<std::int64_t(std::vector<TokenRows>&, const TokenDestination&)>;

std::int64_t move_in_domain(std::vector<TokenRows>& held, const TokenDestination& destination) {
    std::vector<TokenRows> arrived(held.size());
    for (TokenRows& rows : held) {
        for (TokenRow& row : rows) {
            arrived[row_index(destination(row))].push_back(std::move(row));
        }
    }
    held = std::move(arrived);
    return 0;
}

/// All rows of one ring to the positions where they belong, hop by hop. `held`: by position.
std::int64_t move_on_ring(const RingSchedule& ring, const Torus& torus, Chip first, Axis axis,
                          std::vector<TokenRows>& held, const TokenDestination& position_of,
                          std::int64_t features, LinkLoads& loads) {
    const std::int32_t positions = ring.positions();
    // By position and chunk; a chunk's rows are dealt to its pieces in turn.
    std::vector<std::vector<TokenRows>> chunks(row_index(positions),
                                               std::vector<TokenRows>(row_index(ring.chunks())));
    std::vector<std::size_t> dealt(row_index(std::int64_t{positions} * positions), 0);
    for (std::int32_t here = 0; here < positions; ++here) {
        for (TokenRow& row : held[row_index(here)]) {
            const auto to = static_cast<std::int32_t>(position_of(row));
            const auto piece = static_cast<std::int32_t>(dealt[row_index(here * positions + to)]++ %
                                                         row_index(ring.pieces()));
            chunks[row_index(here)][row_index(ring.exchanged(here, to, piece))].push_back(std::move(row));
        }
        held[row_index(here)].clear();
    }
    struct Message {
        std::int32_t to = 0, chunk = 0;
        TokenRows rows;
    };
    std::int64_t hops = 0;
    for (std::int32_t step = 0; step < ring.steps(); ++step) {
        std::vector<Message> messages; // all are taken before any is delivered
        for (std::int32_t here = 0; here < positions; ++here) {
            const Chip chip = torus.along(first, axis, here);
            for (const Direction direction : both_directions) {
                const auto chunk = ring.chunk(direction, step, here);
                const auto receiver = torus.neighbour(chip, axis, direction);
                if (!chunk || !receiver) {
                    continue;
                }
                TokenRows rows = std::exchange(chunks[row_index(here)][row_index(*chunk)], {});
                const auto count = static_cast<std::int64_t>(rows.size());
                loads.cross({chip, axis, direction}, count * features);
                hops += count;
                messages.push_back({torus.coordinate(*receiver, axis), *chunk, std::move(rows)});
            }
        }
        for (Message& message : messages) {
            TokenRows& target = chunks[row_index(message.to)][row_index(message.chunk)];
            std::ranges::move(message.rows, std::back_inserter(target));
        }
    }
    // What stands where it does not belong stays there, and the result is wrong.
    for (std::int32_t here = 0; here < positions; ++here) {
        for (TokenRows& rows : chunks[row_index(here)]) {
            std::ranges::move(rows, std::back_inserter(held[row_index(here)]));
        }
    }
    return hops;
}

std::int64_t move_on_torus(const Torus& torus, std::vector<TokenRows>& held,
                           const TokenDestination& destination, std::int64_t features, LinkLoads& loads) {
    std::int64_t hops = 0;
    for (int which = 0; which < torus.axis_count(); ++which) {
        const auto axis = static_cast<Axis>(which);
        const std::int32_t positions = torus.size(axis);
        const bool closed = torus.wraps(axis);
        const bool across = closed && positions % 2 == 0;
        const RingSchedule ring =
            RingSchedule::all_to_all(positions, closed, RingMode::both_ways, across ? 2 : 1);
        for (Chip first = 0; positions > 1 && first < torus.chips(); ++first) {
            if (torus.coordinate(first, axis) != 0) {
                continue;
            }
            std::vector<TokenRows> of_ring(row_index(positions));
            for (std::int32_t here = 0; here < positions; ++here) {
                of_ring[row_index(here)] = std::move(held[row_index(torus.along(first, axis, here))]);
            }
            hops += move_on_ring(
                ring, torus, first, axis, of_ring,
                [&](const TokenRow& row) {
                    return torus.coordinate(static_cast<Chip>(destination(row)), axis);
                },
                features, loads);
            for (std::int32_t here = 0; here < positions; ++here) {
                held[row_index(torus.along(first, axis, here))] = std::move(of_ring[row_index(here)]);
            }
        }
    }
    return hops;
}

/// Moves rows and counts those that changed their chip.
ExpertCount moved_rows(std::vector<TokenRows>& held, const TokenDestination& destination,
                       const MoveRows& move, const TokenDestination& source) {
    ExpertCount count;
    count.sent.assign(held.size(), 0);
    count.received.assign(held.size(), 0);
    count.hops = move(held, destination);
    for (std::size_t chip = 0; chip < held.size(); ++chip) {
        for (const TokenRow& row : held[chip]) {
            const std::size_t from = row_index(source(row));
            if (from != chip) {
                ++count.sent[from];
                ++count.received[chip];
                ++count.leaving;
            }
        }
    }
    return count;
}

ExpertRun executed_layer(const ExpertLayer& layer, const TokenRoutes& routes, std::int64_t chips,
                         const MoveRows& move, std::uint32_t seed) {
    const ExpertArrays arrays = expert_arrays(layer, static_cast<std::int64_t>(routes.size()), seed);
    const std::int64_t each = layer.experts / chips;
    const TokenDestination chip_of_expert = [&](const TokenRow& row) { return row.route.expert / each; };
    const TokenDestination chip_of_token = [&](const TokenRow& row) { return row.token / layer.tokens; };
    std::vector<TokenRows> held(row_index(chips));
    for (std::size_t token = 0; token < routes.size(); ++token) {
        for (const RoutedTo& route : routes[token]) {
            const auto number = static_cast<std::int64_t>(token);
            held[row_index(number / layer.tokens)].push_back({number, route, arrays.x[token]});
        }
    }
    ExpertRun run;
    run.dispatch = moved_rows(held, chip_of_expert, move, chip_of_token);
    run.dispatch.worked.assign(row_index(layer.experts), 0);
    for (std::size_t chip = 0; chip < held.size(); ++chip) {
        for (TokenRow& row : held[chip]) {
            // An expert that another chip has cannot be used here: the row stays as it is.
            if (row.route.expert / each == static_cast<std::int64_t>(chip)) {
                ++run.dispatch.worked[row_index(row.route.expert)];
                row.values = expert_of(row.values, arrays.w1[row_index(row.route.expert)],
                                       arrays.w2[row_index(row.route.expert)]);
            }
        }
    }
    run.combine = moved_rows(held, chip_of_token, move, chip_of_expert);
    const std::vector<std::vector<double>> wanted = dense_experts(layer, routes, arrays);
    std::vector<std::vector<double>> y(routes.size(), std::vector<double>(row_index(layer.features), 0));
    for (std::size_t chip = 0; chip < held.size(); ++chip) {
        for (const TokenRow& row : held[chip]) {
            // Only the token's own chip adds.
            for (std::size_t k = 0;
                 row.token / layer.tokens == static_cast<std::int64_t>(chip) && k < row.values.size(); ++k) {
                y[row_index(row.token)][k] += static_cast<double>(row.route.weight) * row.values[k];
            }
        }
    }
    for (std::size_t token = 0; token < y.size(); ++token) {
        for (std::size_t k = 0; k < y[token].size(); ++k) {
            run.largest_value = std::max(run.largest_value, std::abs(y[token][k]));
            run.largest_error = std::max(run.largest_error, std::abs(y[token][k] - wanted[token][k]));
        }
    }
    return run;
}

/// Different experts, each in proportion to 1 / (expert + 1) of those that are left.
std::vector<std::int64_t> skewed_experts(const ExpertLayer& layer, std::mt19937& random) {
    std::vector<double> shares(row_index(layer.experts));
    for (std::size_t expert = 0; expert < shares.size(); ++expert) {
        shares[expert] = 1.0 / static_cast<double>(expert + 1);
    }
    std::vector<std::int64_t> chosen;
    for (std::int64_t k = 0; k < layer.routed; ++k) {
        const std::int64_t expert =
            std::discrete_distribution<std::int64_t>(shares.begin(), shares.end())(random);
        chosen.push_back(expert);
        shares[row_index(expert)] = 0;
    }
    return chosen;
}

} // namespace

Result<TokenRoutes> route_tokens(const ExpertLayer& layer, TokenRouting routing, std::int64_t chips,
                                 std::uint32_t seed) {
    if (layer.experts % chips != 0) {
        return refuse(say("{} experts cannot be spread evenly over {} chips.", layer.experts, chips));
    }
    if (layer.routed > layer.experts) {
        return refuse(say("A token cannot go to {} experts; the layer has {}.", layer.routed, layer.experts));
    }
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::int64_t> weight(1, 4);
    TokenRoutes routes(row_index(layer.tokens * chips));
    std::vector<std::int64_t> order(row_index(layer.tokens));
    for (std::int64_t chip = 0; chip < chips; ++chip) {
        std::iota(order.begin(), order.end(), std::int64_t{0});
        std::ranges::shuffle(order, random);
        for (std::int64_t k = 0; k < layer.tokens; ++k) {
            const std::vector<std::int64_t> skewed =
                routing == TokenRouting::skewed ? skewed_experts(layer, random) : std::vector<std::int64_t>();
            for (std::int64_t which = 0; which < layer.routed; ++which) {
                const std::int64_t in_turn = (k * layer.routed + which) % layer.experts;
                const std::int64_t expert = routing == TokenRouting::even     ? in_turn
                                            : routing == TokenRouting::skewed ? skewed[row_index(which)]
                                                                              : which;
                routes[row_index(chip * layer.tokens + order[row_index(k)])].push_back(
                    {expert, weight(random)});
            }
        }
    }
    return routes;
}

ExpertCount count_experts(const ExpertLayer& layer, const TokenRoutes& routes, std::int64_t chips) {
    ExpertCount count{std::vector<std::int64_t>(row_index(chips), 0),
                      std::vector<std::int64_t>(row_index(chips), 0),
                      std::vector<std::int64_t>(row_index(layer.experts), 0)};
    for (std::size_t token = 0; token < routes.size(); ++token) {
        const std::int64_t from = static_cast<std::int64_t>(token) / layer.tokens;
        for (const RoutedTo& route : routes[token]) {
            const std::int64_t to = route.expert * chips / layer.experts;
            ++count.worked[row_index(route.expert)];
            count.sent[row_index(from)] += from != to ? 1 : 0;
            count.received[row_index(to)] += from != to ? 1 : 0;
            count.leaving += from != to ? 1 : 0;
        }
    }
    return count;
}

ExpertCount count_experts(const ExpertLayer& layer, const TokenRoutes& routes, const Torus& torus) {
    ExpertCount count = count_experts(layer, routes, torus.chips());
    for (std::size_t token = 0; token < routes.size(); ++token) {
        const auto from = static_cast<Chip>(static_cast<std::int64_t>(token) / layer.tokens);
        for (const RoutedTo& route : routes[token]) {
            const auto to = static_cast<Chip>(route.expert * torus.chips() / layer.experts);
            for (int which = 0; which < torus.axis_count(); ++which) {
                const auto axis = static_cast<Axis>(which);
                const std::int64_t apart =
                    std::abs(torus.coordinate(from, axis) - torus.coordinate(to, axis));
                count.hops += torus.wraps(axis) ? std::min(apart, torus.size(axis) - apart) : apart;
            }
        }
    }
    return count;
}

ExpertRun run_experts(const ExpertLayer& layer, const TokenRoutes& routes, std::int64_t chips,
                      std::uint32_t seed) {
    return executed_layer(layer, routes, chips, move_in_domain, seed);
}

ExpertRun run_experts(const ExpertLayer& layer, const TokenRoutes& routes, const Torus& torus,
                      std::uint32_t seed) {
    LinkLoads loads(torus);
    const MoveRows move = [&](std::vector<TokenRows>& held, const TokenDestination& destination) {
        return move_on_torus(torus, held, destination, layer.features, loads);
    };
    ExpertRun run = executed_layer(layer, routes, torus.chips(), move, seed);
    run.links = loads.traffic(expert_element_bytes);
    return run;
}

} // namespace meshslice
