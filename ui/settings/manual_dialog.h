#pragma once

#include <QDialog>

namespace meshslice::ui {

/// The page of the manual at this path in resources/docs ("command-line/plan.md"), in the window's language
/// where there is such a page, as Markdown: pictures are replaced by their captions, links to files that are
/// not pages by their words. Empty where there is no such page.
[[nodiscard]] QString manualPage(const QString& path);

/// The manual, from its contents on; links go from page to page. It blocks nothing.
class ManualDialog : public QDialog {
    Q_OBJECT
  public:
    explicit ManualDialog(QWidget* parent);
};

} // namespace meshslice::ui
