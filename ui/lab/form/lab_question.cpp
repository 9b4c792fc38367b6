#include "ui/lab/form/lab_question.h"

#include "core/lesson/lesson.h"
#include "core/machine/catalogue.h"
#include "core/sharding/shards.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct LabWords {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::Lab)
};

constexpr std::size_t most_shardings = 200;

LabRefusal refusalOf(LabField field, const NotationError& error, const QString& typed) {
    // The engine counts bytes, a field letters.
    const auto letters = [&](std::size_t bytes) {
        return static_cast<int>(QString::fromUtf8(typed.toUtf8().left(static_cast<qsizetype>(bytes))).size());
    };
    return {field, words(error.sentence), letters(error.begin),
            std::max(1, letters(error.begin + error.length) - letters(error.begin))};
}

LabRefusal refusalOf(LabField field, const QString& sentence) {
    return {field, sentence, 0, 0};
}

const QString& of(const LabTexts& texts, LabField field) {
    return texts[static_cast<std::size_t>(field)];
}

} // namespace

LabTexts labExample() {
    return {QStringLiteral("X=4, Y=2"),    QStringLiteral("I=4096, J=8192, K=4096"),
            QStringLiteral("A[I_X, J_Y]"), QStringLiteral("B[J, K]"),
            QStringLiteral("C[I_X, K]"),   QStringLiteral("tpu-v5e"),
            QStringLiteral("bf16")};
}

std::vector<const Machine*> labHardware() {
    std::vector<const Machine*> all;
    for (const Machine& one : machine_presets()) {
        if (is_plain_torus(one)) {
            all.push_back(&one);
        }
    }
    return all;
}

QStringList labShardings(const QString& mesh, const QString& array) {
    const Read<NamedMesh> read = parse_named_mesh(mesh.toStdString());
    static const QRegularExpression dimension(QStringLiteral("[\\[,]\\s*([A-Z])"));
    std::string dimensions;
    for (auto match = dimension.globalMatch(array); match.hasNext();) {
        dimensions += match.next().captured(1).toStdString();
    }
    if (!read || read->axes.size() > 3 || dimensions.empty() || dimensions.size() > 2) {
        return {};
    }
    QStringList all;
    for (const ShardedArray& one : all_shardings(
             array.left(array.indexOf(QLatin1Char('['))).trimmed().toStdString(), dimensions, *read)) {
        all << words(text(one, *read));
    }
    return all.size() > static_cast<qsizetype>(most_shardings) ? QStringList() : all;
}

tl::expected<LabQuestion, LabRefusal> readLab(const LabTexts& texts) {
    LabQuestion question;
    if (const Result<DataType> kind = parse_data_type(of(texts, LabField::type).toStdString())) {
        question.kind = *kind; // as it is chosen from a list, it is one of them
    }
    const Read<NamedMesh> mesh = parse_named_mesh(of(texts, LabField::mesh).toStdString());
    if (!mesh) {
        return tl::unexpected(refusalOf(LabField::mesh, mesh.error(), of(texts, LabField::mesh)));
    }
    if (mesh->devices() > most_lab_chips || mesh->axes.size() > most_lab_axes) {
        return tl::unexpected(refusalOf(
            LabField::mesh, LabWords::tr("The lab draws meshes of up to three axes and %1 chips; the command "
                                         "line takes larger ones.")
                                .arg(most_lab_chips)));
    }
    question.mesh = *mesh;
    for (const LabField field : {LabField::left, LabField::right, LabField::result}) {
        Read<ShardedArray> array = parse_sharded_array(of(texts, field).toStdString(), *mesh);
        if (!array) {
            return tl::unexpected(refusalOf(field, array.error(), of(texts, field)));
        }
        if (array->dimensions.size() > 2) {
            return tl::unexpected(refusalOf(
                field, LabWords::tr("The lab draws arrays of one or two dimensions; the command line takes "
                                    "more.")));
        }
        (field == LabField::left    ? question.gemm.left
         : field == LabField::right ? question.gemm.right
                                    : question.gemm.result) = *std::move(array);
    }
    if (const std::optional<std::string> wrong = mismatch(question.gemm)) {
        return tl::unexpected(refusalOf(LabField::result, words(*wrong)));
    }
    const ShardedGemm& gemm = question.gemm;
    if (gemm.left.name == gemm.right.name || gemm.left.name == gemm.result.name ||
        gemm.right.name == gemm.result.name) {
        return tl::unexpected(
            refusalOf(LabField::result, LabWords::tr("Each of the three arrays needs a name of its own.")));
    }
    const Result<DimensionSizes> sizes = parse_dimension_sizes(of(texts, LabField::sizes).toStdString());
    if (!sizes) {
        return tl::unexpected(refusalOf(LabField::sizes, words(sizes.error().sentence)));
    }
    question.sizes = *sizes;
    for (const Operand which : all_operands) {
        if (const Result<Shards> found = shards(gemm.operand(which), *mesh, *sizes, bits(question.kind));
            !found) {
            return tl::unexpected(refusalOf(LabField::sizes, words(found.error().sentence)));
        }
    }
    const Result<Machine> hardware = machine_preset(of(texts, LabField::hardware).toStdString());
    if (!hardware) {
        return tl::unexpected(refusalOf(LabField::hardware, words(hardware.error().sentence)));
    }
    question.hardware = *hardware;
    return question;
}

} // namespace meshslice::ui
