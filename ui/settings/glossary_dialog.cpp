#include "ui/settings/glossary_dialog.h"

#include "ui/look/glossary.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace meshslice::ui {

GlossaryDialog::GlossaryDialog(QWidget* parent, const QString& word)
    : QDialog(parent)
    , line_(new QLineEdit(this))
    , entries_(new QTextBrowser(this))
    , none_(new QLabel(tr("No match"), this)) {
    setWindowTitle(tr("Glossary"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(QSize(100 * fontMetrics().averageCharWidth(), 36 * fontMetrics().height())
               .boundedTo(parent->size() * 19 / 20));
    line_->setPlaceholderText(tr("Search words and explanations"));
    line_->setAccessibleName(tr("Search the glossary"));
    line_->setClearButtonEnabled(true);
    entries_->setOpenLinks(false);
    entries_->setFrameShape(QFrame::NoFrame);
    entries_->setAccessibleName(windowTitle());
    entries_->document()->setDocumentMargin(12);
    none_->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Enter in the line closes nothing
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(line_);
    column->addWidget(none_);
    column->addWidget(entries_, 1);
    column->addWidget(buttons);
    connect(line_, &QLineEdit::textChanged, this, &GlossaryDialog::find);
    line_->setText(word);
    line_->selectAll();
    find();
    line_->setFocus();
}

void GlossaryDialog::find() {
    const QString text = glossaryText(line_->text());
    entries_->setHtml(text);
    none_->setVisible(text.isEmpty());
}

} // namespace meshslice::ui
