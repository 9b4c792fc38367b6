#pragma once

#include "core/cost/sharded_plans.h"

#include <QString>

#include <cstdint>

namespace meshslice::ui {

enum class LabField : std::uint8_t { mesh, sizes, left, right, result, hardware, type };
inline constexpr std::array lab_fields = {LabField::mesh,  LabField::sizes,  LabField::left,
                                          LabField::right, LabField::result, LabField::hardware,
                                          LabField::type};

/// What is typed or chosen in the lab, by LabField.
using LabTexts = std::array<QString, lab_fields.size()>;
/// The book's case 2: J sharded in one operand.
[[nodiscard]] LabTexts labExample();

/// What is wrong, in which field, and at which of its letters.
struct LabRefusal {
    LabField field = LabField::mesh;
    QString sentence;
    int begin = 0;
    int length = 0; ///< 0: of the whole field

    bool operator==(const LabRefusal&) const = default;
};

/// A GEMM of matrices on a mesh of chips.
struct LabQuestion {
    ShardedGemm gemm;
    NamedMesh mesh;
    DimensionSizes sizes;
    Machine hardware;
    DataType kind = DataType::bf16; ///< of the elements of all three

    bool operator==(const LabQuestion&) const = default;
};
[[nodiscard]] tl::expected<LabQuestion, LabRefusal> readLab(const LabTexts& texts);

/// Machine whose chips form a torus, by name.
[[nodiscard]] std::vector<const Machine*> labHardware();
/// Every sharding of a matrix that the mesh allows, to choose from: "A[I_X, J]". Empty where the mesh is
/// none, or has too many.
[[nodiscard]] QStringList labShardings(const QString& mesh, const QString& array);

} // namespace meshslice::ui
