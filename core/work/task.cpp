#include "core/work/task.h"

namespace meshslice {

Amounts& Amounts::operator+=(const Amounts& other) {
    matrix_flop += other.matrix_flop;
    vector_flop += other.vector_flop;
    bytes += other.bytes;
    cast += other.cast;
    kept += other.kept;
    weights += other.weights;
    frozen += other.frozen;
    state += other.state;
    return *this;
}

} // namespace meshslice
