#include "ui/lab/cost_fields.h"

#include "core/machine/machine.h"
#include "ui/lab/lab_question.h"
#include "ui/look/words.h"

#include <utility>

namespace meshslice::ui {

std::pair<QString, QString> choiceOf(const Machine& hardware) {
    return {words(hardware.title), words(hardware.name)};
}
Choices torusChoices() {
    Choices all;
    for (const Machine* one : labHardware()) {
        all.push_back(choiceOf(*one));
    }
    return all;
}

CostField typed(const char* key, QString label, QString name, QString tip, QString first, int stretch) {
    return {key, std::move(name), std::move(tip), std::move(first), true, {}, stretch, std::move(label)};
}
CostField chosen(const char* key, QString name, QString tip, Choices choices, QString first, QString label,
                 int stretch) {
    return {key,   std::move(name),    std::move(tip), std::move(first),
            false, std::move(choices), stretch,        std::move(label)};
}

tl::unexpected<CostRefusal> refused(std::size_t field, const QString& sentence) {
    return tl::make_unexpected(CostRefusal{field, sentence});
}

} // namespace meshslice::ui
