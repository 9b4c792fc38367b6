#include "core/report/json/calibration_json.h"

#include "core/base/json/json_writer.h"

namespace meshslice {
namespace {

using Json = Tree;

Json written(const FitQuality& quality, const char* what) {
    const std::string doubt = warning(quality, what);
    return {{"measured_in", quality.measured_in},
            {"measurements", quality.fitted.size()},
            {"mean_deviation", quality.mean_deviation},
            {"largest_deviation", quality.largest_deviation},
            {"r2", quality.r2},
            {"warning", doubt.empty() ? Json(nullptr) : Json(doubt)}};
}

} // namespace

Tree calibration_values(const Calibration& calibration) {
    const auto& [measured, collectives, gemms, hardware, base] = calibration;
    Json out = {{"constants", Json::array()}, {"collectives", nullptr}, {"products", nullptr}};
    for (const FittedConstant& constant : fitted_constants(collectives, gemms)) {
        const auto& error = constant.fitted.standard_error;
        out["constants"].push_back({{"name", constant.name},
                                    {"value", constant.fitted.value},
                                    {"standard_error", error ? Json(*error) : Json(nullptr)},
                                    {"unit", constant.unit}});
    }
    if (collectives) {
        out["collectives"] = written(collectives->quality, "collectives");
    }
    if (gemms) {
        out["products"] = written(gemms->quality, "GEMMs");
    }
    out["hardware"] = tree_of_json(write_machine(hardware));
    return out;
}

} // namespace meshslice
