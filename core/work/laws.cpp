#include "core/work/laws.h"

#include "core/work/optimizer.h"

namespace meshslice {
namespace {

constexpr double element = 2; // bytes

bool forward(Pass pass) {
    return pass == Pass::forward;
}

/// The update of weights of so many bytes.
Amounts adam(double weights) {
    const double parameters = weights / weight_bytes;
    Amounts made;
    made.vector_flop = optimizer_flop * parameters;
    made.bytes = optimizer_traffic * parameters;
    made.state = optimizer_bytes * parameters;
    return made;
}

/// An operation on each of x elements that costs so much in each pass.
struct Elementwise {
    double flop, bytes;
};
Amounts elementwise(double x, const Elementwise& each) {
    Amounts made;
    made.vector_flop = each.flop * x;
    made.bytes = each.bytes * x;
    return made;
}

Amounts attention(const Dims& dims, Pass pass, bool with_dropout) {
    const double b = dims.samples, heads = dims.heads, q = dims.head_size;
    const double l = dims.keys, l2 = dims.rows;
    const double u = b * heads * l2, s = u * l;
    const double v = dims.value_size > 0 ? dims.value_size : q;
    const double both = b * dims.kv_heads * q + b * dims.kv_heads * v; // keys and values
    const double dropped = with_dropout ? s : 0;
    const double softmax = 2 * s + u * (l - 1);
    const double logits = s * (2 * q - 1), products = s * (2 * v - 1); // Q K^T; dO V^T
    Amounts made;
    if (forward(pass)) {
        made.matrix_flop = dims.seen * (logits + u * v * (2 * l - 1));
        made.vector_flop = dims.seen * (softmax + dropped);
        made.bytes = element * (u * q + u * v + both * l + u);
        made.kept = element * (u * q + both * l2 + 2 * u);
    } else {
        made.matrix_flop =
            dims.seen *
            (u * q * (2 * l - 1) + (b * heads * l * q * (2 * l2 - 1) + b * heads * l * v * (2 * l2 - 1)) +
             (logits + products));
        made.vector_flop = dims.seen * (3 * s + u * (l - 1) + dropped + softmax + dropped);
        made.bytes = element * (both * l + (u * q + u * v)) + element * (u * q + u * v + both * l2 + 2 * u);
    }
    return made;
}

/// What a linear mixer's recurrence reads and writes, and what of it waits: its input of `out` features.
Amounts recurrence(const Dims& dims, Pass pass) {
    const double x = dims.tokens() * dims.out;
    Amounts made;
    made.bytes = element * (forward(pass) ? 4 : 8) * x; // queries, keys, values and the output; gradients too
    made.kept = forward(pass) ? element * x : 0;
    return made;
}

} // namespace

Amounts recurrence_law(const Dims& dims, Pass pass) {
    Amounts made = recurrence(dims, pass);
    made.matrix_flop = (forward(pass) ? 1 : 2) * dims.tokens() * dims.out * dims.in;
    return made;
}

Amounts scan_law(const Dims& dims, Pass pass) {
    Amounts made = recurrence(dims, pass);
    made.vector_flop = (forward(pass) ? 1 : 2) * dims.tokens() * dims.out * dims.in;
    return made;
}

Amounts index_law(const Dims& dims, Pass pass) {
    Amounts made;
    made.matrix_flop = (forward(pass) ? 2 : 4) * dims.tokens() * dims.out * dims.in;
    made.bytes = element * dims.tokens() * dims.out;
    return made;
}

namespace {

/// What a product's adapters add in a pass: two narrow products one after the other, the second of which is
/// added to what is there.
Amounts adapters(const Dims& dims, Pass pass) {
    const double t = dims.tokens(), i = dims.in, o = dims.out, r = dims.rank;
    const double weights = dims.copies * r * (i + o), narrow = t * r;
    Amounts made;
    switch (pass) {
    case Pass::forward:
        made.bytes = element * (t * i + 2 * narrow + 2 * t * o + weights);
        made.kept = element * narrow;
        made.weights = element * weights;
        break;
    case Pass::backward_data: made.bytes = element * (t * o + 2 * narrow + 2 * t * i + weights); break;
    case Pass::backward_weight: made.bytes = element * (t * o + 2 * narrow + t * i + weights); break;
    case Pass::update: return adam(element * weights);
    }
    made.matrix_flop = 2 * narrow * (i + o);
    return made;
}

/// Of a product whose weights are not trained: no gradient of these; they are made into what is multiplied
/// where they lie in fewer bits; and the input waits for the adapters alone.
Amounts with_frozen_weights(Amounts made, const Dims& dims, Pass pass) {
    const double weights = dims.copies * dims.in * dims.out;
    if (pass == Pass::backward_weight || pass == Pass::update) {
        made = {};
    } else if (dims.frozen != element && dims.frozen != dims.operand) {
        made.cast += weights * (dims.frozen + element);
    }
    if (pass == Pass::forward) {
        made.kept = dims.rank > 0 ? made.kept : 0;
        made.weights = made.frozen = dims.frozen * weights;
    }
    if (dims.rank > 0) {
        made += adapters(dims, pass);
    }
    return made;
}

} // namespace

Amounts gemm_law(const Dims& dims, Pass pass) {
    if (dims.frozen > 0) {
        Dims trained = dims;
        trained.frozen = 0;
        return with_frozen_weights(gemm_law(trained, pass), dims, pass);
    }
    const double t = dims.tokens(), i = dims.in, o = dims.out, weights = dims.copies * i * o;
    if (pass == Pass::update) {
        return adam(element * weights);
    }
    Amounts made;
    made.bytes = element * (t * i + weights + dims.panels * t * o);
    if (dims.operand != element) { // of the three matrices a pass multiplies two
        const double whole = pass == Pass::forward         ? dims.panels * t * o
                             : pass == Pass::backward_data ? t * i
                                                           : weights;
        made.bytes = dims.operand * (made.bytes / element - whole) + element * whole;
        made.cast = pass == Pass::forward         ? dims.cast * t * i
                    : pass == Pass::backward_data ? dims.cast * t * o
                                                  : 0;
    }
    switch (pass) {
    case Pass::forward:
        made.matrix_flop = t * o * (2 * i - dims.saved);
        made.kept = dims.operand * t * i;
        made.weights = element * weights;
        break;
    case Pass::backward_data: made.matrix_flop = t * i * (2 * o - dims.saved); break;
    case Pass::backward_weight: made.matrix_flop = i * o * (2 * t - dims.saved * dims.copies); break;
    case Pass::update: break;
    }
    return made;
}

Amounts attention_law(const Dims& dims, Pass pass) {
    return attention(dims, pass, false);
}

Amounts attention_with_dropout_law(const Dims& dims, Pass pass) {
    return attention(dims, pass, true);
}

Amounts bias_law(const Dims& dims, Pass pass) {
    const double x = dims.tokens() * dims.out, weights = dims.copies * dims.out;
    if (pass == Pass::update) {
        return adam(element * weights);
    }
    Amounts made;
    made.vector_flop = x;
    made.bytes = element * (x + weights);
    made.weights = forward(pass) ? element * weights : 0;
    return made;
}

Amounts gelu_law(const Dims& dims, Pass pass) {
    const double x = dims.tokens() * dims.out;
    Amounts made = elementwise(x, forward(pass) ? Elementwise{8, 4} : Elementwise{13, 6});
    made.kept = forward(pass) ? 2 * x : 0;
    return made;
}

Amounts gated_law(const Dims& dims, Pass pass) {
    const double x = dims.tokens() * dims.out;
    Amounts made = elementwise(x, forward(pass) ? Elementwise{9, 6} : Elementwise{15, 10});
    made.kept = forward(pass) ? 4 * x : 0;
    return made;
}

Amounts dropout_law(const Dims& dims, Pass pass) {
    const double x = dims.tokens() * dims.out;
    Amounts made = elementwise(x, {1, 5});
    made.kept = forward(pass) ? x : 0;
    return made;
}

Amounts norm_law(const Dims& dims, Pass pass) {
    const double r = dims.samples * dims.rows, c = dims.out, x = r * c;
    if (pass == Pass::update) {
        return adam(2 * element * c);
    }
    Amounts made;
    if (forward(pass)) {
        made.vector_flop = 9 * x;
        made.bytes = element * (2 * x + 2 * r + 2 * c);
        made.kept = element * x;
        made.weights = 2 * element * c;
    } else {
        made.vector_flop = 12 * x - 4 * r;
        made.bytes = element * (5 * x + 2 * c);
    }
    return made;
}

Amounts lookup_law(const Dims& dims, Pass pass) {
    const double weights = dims.in * dims.out;
    if (pass == Pass::update) {
        return adam(element * weights);
    }
    Amounts made;
    made.bytes = 2 * element * dims.tokens() * dims.out;
    made.weights = forward(pass) ? element * weights : 0;
    return made;
}

Amounts loss_law(const Dims& dims, Pass pass) {
    Amounts made;
    made.vector_flop = forward(pass) ? 5 * dims.tokens() * dims.out : 0;
    return made;
}

} // namespace meshslice
