#include "core/work/number_recipe.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"
#include "core/work/optimizer.h"

#include <cstddef>
#include <vector>

namespace meshslice {
namespace {

/// How numbers of few bits are scaled.
struct Scaling {
    std::string_view name;
    DataType type = DataType::bf16;
    double numbers = 0;           ///< that share a scale; 0: all of a tensor
    double scale = 0;             ///< bytes
    bool largest_first = false;   ///< the largest of a tensor is searched for before it is scaled
    bool scaled_by_units = false; ///< matrix units multiply blocks with their scales
};

constexpr std::array<Scaling, all_number_recipes.size()> scalings = {
    Scaling{"bf16", DataType::bf16, 0, 0, false, false}, //
    Scaling{"fp8", DataType::fp8, 0, 0, false, false},
    Scaling{"fp8-current", DataType::fp8, 0, 0, true, false},
    Scaling{"fp8-blocks", DataType::fp8, 128, 4, false, false},
    Scaling{"mxfp8", DataType::fp8, 32, 1, false, true},
    Scaling{"nvfp4", DataType::fp4, 16, 1, true, true}};

const Scaling& scaling(NumberRecipe recipe) {
    return scalings[static_cast<std::size_t>(recipe)];
}

/// Matrix units that scale blocks of numbers came with those that multiply in 4 bits: Blackwell, CDNA 4.
bool runs(NumberRecipe recipe, const Machine& machine) {
    const Scaling& its = scaling(recipe);
    return machine.peak_rate(its.type).value() > 0 &&
           (!its.scaled_by_units || machine.peak_rate(DataType::fp4).value() > 0);
}

} // namespace

std::string_view name(NumberRecipe recipe) {
    return scaling(recipe).name;
}

std::string title(NumberRecipe recipe) {
    switch (recipe) {
    case NumberRecipe::fp8: return said("fp8 with one scale for a tensor, from earlier steps");
    case NumberRecipe::fp8_current: return said("fp8 with one scale for a tensor, from its own numbers");
    case NumberRecipe::fp8_blocks: return said("fp8 with a scale for each 128 numbers");
    case NumberRecipe::mxfp8: return said("mxfp8, with a scale for each 32 numbers");
    case NumberRecipe::nvfp4: return said("nvfp4, with a scale for each 16 numbers");
    case NumberRecipe::bf16: break;
    }
    return "bf16";
}

DataType multiplied(NumberRecipe recipe) {
    return scaling(recipe).type;
}

double operand_bytes(NumberRecipe recipe) {
    const Scaling& its = scaling(recipe);
    return static_cast<double>(bits(its.type)) / 8 + (its.numbers > 0 ? its.scale / its.numbers : 0);
}

double cast_bytes(NumberRecipe recipe) {
    if (recipe == NumberRecipe::bf16) {
        return 0;
    }
    const double reads = scaling(recipe).largest_first ? 2 : 1;
    return reads * static_cast<double>(weight_bytes) + 2 * operand_bytes(recipe);
}

double gathered_bytes(NumberRecipe recipe) {
    return multiplied(recipe) == DataType::fp8 ? operand_bytes(recipe) : static_cast<double>(weight_bytes);
}

Result<void> check_recipe(NumberRecipe recipe, const Machine& machine) {
    if (runs(recipe, machine)) {
        return {};
    }
    std::vector<std::string> others;
    for (const NumberRecipe one : all_number_recipes) {
        if (runs(one, machine)) {
            others.emplace_back(name(one));
        }
    }
    const DataType type = multiplied(recipe);
    return refuse(
        machine.peak_rate(type).value() > 0
            ? say("{} multiplies in {}, but not blocks with a scale each, which {} needs; {} works there.",
                  machine.title, name(type), name(recipe), listed(others, "or"))
            : say("The rate of {} GEMMs on {} is not known, and {} needs it; {} works there.", name(type),
                  machine.title, name(recipe), listed(others, "or")));
}

} // namespace meshslice
