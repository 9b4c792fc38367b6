#include "core/cost/model_rules.h"

#include "core/base/say.h"
#include "core/base/text.h"

namespace meshslice {

std::string_view name(Slip slip) {
    constexpr std::array<std::string_view, slip_count> names = {
        "free slow transfers", "single all-reduce", "one NIC",          "norm over the sequence",
        "extra panel",         "panel additions",   "serial transfers", "shared links",
        "gathered inputs",     "twice kept",        "whole biases",     "full attention",
        "vectors as matrices", "rounding down",     "full domains",     "panel list",
        "free panels"};
    return names[static_cast<std::size_t>(slip)];
}

std::string_view name(ModelRules rules) {
    return rules == ModelRules::exact ? "exact" : rules == ModelRules::reference ? "reference" : "mixed";
}

Result<ModelRules> parse_model_rules(std::string_view words) {
    if (words == "exact") {
        return ModelRules::exact;
    }
    if (words == "reference") {
        return ModelRules::reference;
    }
    return refuse(say("The rules are \"{}\"; expected exact or reference.", shortened(words)));
}

} // namespace meshslice
