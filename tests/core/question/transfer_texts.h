#pragma once

#include "core/question/catalogue/network/transfer.h"
#include "core/question/catalogue/questions.h"

#include <array>
#include <map>
#include <string>

namespace meshslice {

/// Slice, from, to, bytes, PCIe and GEMM, as they are typed.
using TransferTexts = std::array<std::string, 6>;

[[nodiscard]] inline Result<TransferAsked> read_transfer(const TransferTexts& typed) {
    static const Question question = transfer_question();
    OwnTexts texts;
    for (std::size_t k = 0; k < typed.size(); ++k) {
        texts[question.fields[k].row.key] = typed[k];
    }
    return asked_of(question, texts, Speech::file).and_then(transfer_asked);
}

} // namespace meshslice
