#include "ui/settings/notices.h"

#include <QMessageBox>

namespace meshslice::ui {

void say(QWidget* window, const QString& title, const QString& sentence) {
    auto* box = new QMessageBox(QMessageBox::Warning, title, sentence, QMessageBox::Ok, window);
    box->setTextFormat(Qt::PlainText); // the sentence may quote a file
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace meshslice::ui
