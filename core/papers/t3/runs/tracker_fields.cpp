#include "core/papers/t3/runs/tracker_fields.h"

namespace meshslice {
namespace {

/// That number so many things; 0 for one.
std::int64_t bits_for(std::int64_t count) {
    std::int64_t bits = 0;
    for (std::int64_t left = count - 1; left > 0; left /= 2) {
        ++bits;
    }
    return bits;
}

} // namespace

TrackerFields tracker_fields(const TrackedStage& of) {
    TrackerFields fields;
    fields.tag_bits = bits_for((of.workgroups_of_a_stage + TrackerFields::sets - 1) / TrackerFields::sets);
    fields.wavefront_bits = bits_for(of.wavefronts);
    fields.elements = of.shape.m * of.shape.n / (of.workgroups * of.wavefronts);
    fields.threshold = fields.elements * of.updates;
    fields.counter_bits = bits_for(fields.threshold + 1);
    fields.entry_bits = of.address_bits + fields.counter_bits + fields.tag_bits + fields.wavefront_bits;
    fields.bytes = TrackerFields::sets * of.wavefronts * fields.entry_bits / 8;
    return fields;
}

} // namespace meshslice
