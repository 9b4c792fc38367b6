#include "ui/editor/facts_dialog.h"

#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace meshslice::ui {

FactsDialog::FactsDialog(const QString& title, const QString& rich_text, QWidget* parent) : QDialog(parent) {
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    resize(720, 560);
    auto* text = new QTextBrowser(this);
    text->setOpenLinks(false); // a page shows text; it opens nothing
    text->setFrameShape(QFrame::NoFrame);
    text->setHtml(rich_text);
    text->document()->setDocumentMargin(12);
    text->setAccessibleName(title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text);
    column->addWidget(buttons);
}

} // namespace meshslice::ui
