#include "ui/document/field.h"

#include <QCoreApplication>

namespace meshslice::ui {

QString editText(Field field) {
    const auto tr = [](const char* text) {
        return QCoreApplication::translate("meshslice::ui::Field", text);
    };
    switch (field) {
    case Field::model: return tr("change of the model");
    case Field::hardware: return tr("change of the hardware");
    case Field::mesh: return tr("change of the mesh");
    case Field::wraps: return tr("change of the wrap-around links");
    case Field::batch: return tr("change of the batch");
    case Field::sequence: return tr("change of the sequence length");
    case Field::workload: return tr("change of what is computed");
    case Field::product: return tr("change of the product");
    case Field::algorithm: return tr("change of the algorithm");
    case Field::compare: return tr("change of the comparison");
    case Field::stationary: return tr("change of the dataflow");
    case Field::slices: return tr("change of the slice count");
    case Field::block: return tr("change of the block size");
    case Field::packets: return tr("change of the packets");
    case Field::decomposed: return tr("change of the direction taken apart");
    case Field::prefetch: return tr("change of the prefetch depth");
    case Field::ring: return tr("change of the ring mode");
    case Field::chip: return tr("change of the chip's model");
    case Field::dataType: return tr("change of the data type");
    case Field::faults: return tr("change of the faults");
    }
    return {};
}

} // namespace meshslice::ui
