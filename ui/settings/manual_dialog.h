#pragma once

#include <QDialog>
#include <QString>

#include <vector>

class QTextBrowser;

namespace meshslice::ui {

/// The page of the manual at this path in resources/docs ("command-line/plan.md"), in the window's language
/// where there is such a page, as Markdown: pictures are replaced by their captions, links to files that are
/// not pages by their words. Empty where there is no such page.
[[nodiscard]] QString manualPage(const QString& path);

/// A page of the manual for those who look for it.
struct ManualPage {
    QString path;  ///< as above
    QString title; ///< its first heading
};
/// All of them, in the window's language.
[[nodiscard]] std::vector<ManualPage> manualPages();
/// How far the program's shares of the peak can be trusted.
inline constexpr const char* trust_page = "of-peak.md";
/// A heading for each word of the forms.
inline constexpr const char* glossary_page = "glossary.md";

/// The manual, from its contents, another page or a heading of one on; links go from page to page. It blocks
/// nothing.
class ManualDialog : public QDialog {
    Q_OBJECT
  public:
    explicit ManualDialog(QWidget* parent, const QString& page = QStringLiteral("index.md"),
                          const QString& heading = {});
    [[nodiscard]] QTextBrowser* pages() { return pages_; }

  private:
    QTextBrowser* pages_;
};

} // namespace meshslice::ui
