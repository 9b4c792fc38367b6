// What a chip of a measured run holds, and what its row leaves open.

#include "core/evidence/training/training_amounts.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

constexpr double half_word = 2;           ///< bytes of a bf16 number
constexpr double weight_and_gradient = 6; ///< bytes of a parameter: bf16 and fp32
constexpr double optimizer = 12;          ///< bytes of a parameter: an fp32 copy and Adam's two moments
constexpr double reserve = 4e9;           ///< bytes that contexts, collectives and fragments take
/// Heads of latent attention are of 192 and 128 (DeepSeek-V3, arXiv 2412.19437, section 4.2); queries have
/// the first, keys and values the mean.
constexpr double latent_query = 192, latent_key_value = 160;
/// Inputs of 8 bit GEMMs are kept in 8 bits: of all that is kept about half is theirs.
constexpr double kept_of_low_numbers = 0.75;

/// Bytes that a layer keeps of a micro-batch on a chip: inputs of norms and GEMMs, split over the tensor
/// group as the sequence is.
double kept_of_layer(const TrainingRow& row, TrainedAgain again) {
    const double tokens = row.micro_batch * row.sequence / row.context;
    const double t = row.tensor;
    if (again == TrainedAgain::all) {
        return half_word * tokens * row.hidden / t;
    }
    const double query = row.heads * (row.latent ? latent_query : row.head_size);
    const double key_value = row.latent ? row.heads * latent_key_value : row.kv_heads * row.head_size;
    const double attended = 2 * half_word * (query + key_value) / t;
    // Without fused attention tensor parallelism did not split the sequence: two inputs of norms, two of
    // GEMMs and two masks of dropout stay whole (Korthikanti et al., arXiv 2205.05198, section 4.2).
    constexpr double whole_stream = 10;
    if (again == TrainedAgain::none && row.early) {
        return tokens * (whole_stream * row.hidden + attended + half_word * row.matrices * row.width / t +
                         5 * row.heads * row.sequence / t);
    }
    double kept = attended + 2 * half_word * row.hidden / t;
    if (again != TrainedAgain::feed_forward) {
        const double width =
            row.experts > 0 ? (row.chosen + static_cast<double>(row.facts.shared_experts)) * row.expert_width
                            : row.width;
        kept += 2 * half_word * row.hidden / t + half_word * row.matrices * width / t;
    }
    kept *= row.bits == 8 ? kept_of_low_numbers : 1;
    return kept * tokens;
}

double micro_batches_in_flight(const TrainingRow& row) {
    const double p = row.pipeline, v = row.chunks;
    if (p <= 1) {
        return 1;
    }
    return v <= 1 ? std::min(p, row.micro_batches) : std::min(row.micro_batches, p * (1 + (p - 1) / (p * v)));
}

} // namespace

TrainingMemory training_memory_parts(const TrainingRow& row, TrainedAgain again, double experts_cut) {
    const TrainingWeights weights = weights_of(row);
    const double layers = std::ceil(row.layers / row.pipeline);
    const double with_experts = row.expert_layers() / row.layers;
    const double shared = row.experts > 0 ? weights.shared_expert : 0;
    const double dense_part = row.experts > 0 ? 1 - with_experts : 1;
    const double dense = ((weights.attention + shared + weights.feed_forward * dense_part) * layers +
                          weights.ends * (row.pipeline > 1 ? 0.5 : 1)) /
                         row.tensor;
    const double experts = weights.experts * layers * with_experts / row.expert / experts_cut;
    const double copies = row.data * row.context;
    double state = 0;
    if (row.lora) {
        const TrainingWeights its = adapters_of(row);
        const double trained =
            ((its.attention + its.shared_expert * with_experts + its.feed_forward * dense_part) / row.tensor +
             its.experts * with_experts / row.expert / experts_cut) *
            layers;
        const double each = row.sharded_stack() ? row.sharded : 1;
        state = ((dense + experts) * frozen_bytes(row.adapters.frozen) +
                 trained * (weight_and_gradient + optimizer)) /
                each;
        if (row.sharded_stack()) {
            const double layer = weights.attention + weights.feed_forward + weights.experts + shared;
            state += 2 * frozen_bytes(row.adapters.frozen) * layer / row.tensor;
        }
    } else if (row.sharded_stack()) {
        const double layer = weights.attention + weights.feed_forward + weights.experts + shared;
        state = (dense + experts) * (half_word + half_word + optimizer) / row.sharded +
                2 * half_word * layer / row.tensor;
    } else {
        const double expert_copies =
            row.experts > 0 ? std::max(1.0, copies * row.tensor / row.expert) : copies;
        state = (dense + experts) * weight_and_gradient + dense * optimizer / copies +
                experts * optimizer / expert_copies;
    }
    double kept = kept_of_layer(row, again) * layers * micro_batches_in_flight(row);
    if (again == TrainedAgain::all) {
        kept += kept_of_layer(row, TrainedAgain::none);
    }
    const double logits = 4 * row.micro_batch * row.sequence / row.context * row.vocabulary / row.tensor;
    return {state, kept, logits, reserve};
}

DecidedTraining decided(const TrainingRow& row) {
    DecidedTraining made;
    made.row = row;
    if (!row.reason.empty()) {
        return made;
    }
    TrainingRow& its = made.row;
    const double capacity = row.chip->capacity;
    if (row.experts > 0 && row.tensor > 1 && training_memory(row, TrainedAgain::all, 1) > capacity) {
        made.experts_cut = row.tensor;
    }
    if (!row.micro_batch_told && row.pipeline <= 1) {
        const double samples = row.batch / row.data;
        for (const double size : {4.0, 2.0, 1.0}) {
            if (std::fmod(samples, size) == 0) {
                its.micro_batch = size;
                its.micro_batches = std::max(1.0, std::round(samples / size));
                if (training_memory(its, TrainedAgain::none, made.experts_cut) <= capacity) {
                    break;
                }
            }
        }
    }
    made.again = row.again;
    if (!row.again_told) {
        made.again = TrainedAgain::all;
        for (const TrainedAgain least : {TrainedAgain::none, TrainedAgain::feed_forward}) {
            if (training_memory(its, least, made.experts_cut) <= capacity) {
                made.again = least;
                break;
            }
        }
    }
    made.memory = training_memory(its, made.again, made.experts_cut);
    return made;
}

} // namespace meshslice
