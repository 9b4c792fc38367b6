#pragma once

namespace meshslice::ui {

class MainWindow;
class RecordDialog;

/// Opens the dialog that records what moves in the window: the torus, or the stepper of the lab where that is
/// in front.
RecordDialog* openRecordDialog(MainWindow* window);

} // namespace meshslice::ui
