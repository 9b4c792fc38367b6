#pragma once

#include "core/work/task.h"

namespace meshslice {

// What the operations of a transformer come to, by arXiv 2410.00273, tables A1 to A3; the update is Adam's.

/// Y = X W, for each of `copies` experts.
[[nodiscard]] Amounts gemm_law(const Dims& dims, Pass pass);
/// Fused (FlashAttention): nothing of size sequence x sequence is kept, and the backward pass computes the
/// logits again. Softmax is a vector operation.
[[nodiscard]] Amounts attention_law(const Dims& dims, Pass pass);
/// The same with a dropout of the logits.
[[nodiscard]] Amounts attention_with_dropout_law(const Dims& dims, Pass pass);
/// A linear mixer's recurrence, with chunks of tokens as matrices (arXiv 2405.21060, section 6): `in` FLOP
/// for each of `out` inner features, twice that for the gradients.
[[nodiscard]] Amounts recurrence_law(const Dims& dims, Pass pass);
/// The same, token by token: vector operations (arXiv 2312.00752, section 3.3).
[[nodiscard]] Amounts scan_law(const Dims& dims, Pass pass);
/// How well each token fits `in` others, by `out` features of an index: products that choose which of them
/// attention looks at.
[[nodiscard]] Amounts index_law(const Dims& dims, Pass pass);
[[nodiscard]] Amounts bias_law(const Dims& dims, Pass pass);
[[nodiscard]] Amounts gelu_law(const Dims& dims, Pass pass);
/// SiLU times the gate.
[[nodiscard]] Amounts gated_law(const Dims& dims, Pass pass);
[[nodiscard]] Amounts dropout_law(const Dims& dims, Pass pass);
[[nodiscard]] Amounts norm_law(const Dims& dims, Pass pass);
/// One of `in` rows of `out` features for each token, and the gradient back into it.
[[nodiscard]] Amounts lookup_law(const Dims& dims, Pass pass);
/// Softmax and its gradient, all in the forward pass; its bytes are those of the head.
[[nodiscard]] Amounts loss_law(const Dims& dims, Pass pass);

} // namespace meshslice
