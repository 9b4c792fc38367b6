#include "ui/settings/manual_dialog.h"

#include "core/base/embedded_resources.h"
#include "core/base/language.h"
#include "ui/look/words.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QShowEvent>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace meshslice::ui {
namespace {

/// Where a page lies for the browser, which opens in the desktop whatever is not a file or compiled in.
QUrl pageUrl(const QString& path) {
    return QUrl(QStringLiteral("qrc:/manual/") + path);
}

QString pagePath(const QUrl& url) {
    return url.path().mid(QStringLiteral("/manual/").size());
}

QString pageText(const QString& path) {
    const std::string name = path.toStdString();
    const std::string_view translated =
        document_in_language(std::string_view(name).substr(0, name.rfind('.')));
    if (!translated.empty()) {
        return words(translated);
    }
    for (const EmbeddedFile& file : embedded_docs()) {
        if (file.name == name) {
            return words(file.text);
        }
    }
    return {};
}

/// The words of a link that the manual cannot follow, else the link.
QString followedLink(const QRegularExpressionMatch& link, const QString& page) {
    const QUrl target = pageUrl(page).resolved(QUrl(link.captured(2)));
    const bool leads =
        target.scheme().startsWith(QLatin1String("http")) || !pageText(pagePath(target)).isEmpty();
    return leads ? link.captured(0) : link.captured(1);
}

/// The heading stands at the top, as far as the page is long enough.
void goToHeading(QTextBrowser* pages, const QString& heading) {
    for (QTextBlock block = pages->document()->begin(); block.isValid() && !heading.isEmpty();
         block = block.next()) {
        if (block.blockFormat().headingLevel() > 0 && block.text() == heading) {
            QTextCursor end(pages->document());
            end.movePosition(QTextCursor::End);
            pages->setTextCursor(end); // from below, so that it comes to the top
            pages->setTextCursor(QTextCursor(block));
            return;
        }
    }
}

class ManualBrowser : public QTextBrowser {
  public:
    ManualBrowser(QWidget* parent, QString heading) : QTextBrowser(parent), heading_(std::move(heading)) {}

    QVariant loadResource(int /*type*/, const QUrl& url) override { return manualPage(pagePath(url)); }

  protected:
    /// Its lines are as wide as they are seen from now on: before, a heading stands elsewhere.
    void showEvent(QShowEvent* event) override {
        QTextBrowser::showEvent(event);
        goToHeading(this, std::exchange(heading_, QString()));
    }

  private:
    QString heading_; ///< where it begins; empty: at the top
};

} // namespace

QString manualPage(const QString& path) {
    static const QRegularExpression picture(QStringLiteral(R"(!\[([^\]]*)\]\([^)]*\))"));
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]*)\]\(([^)\s]*)\))"));
    static const QRegularExpression glossaryLine(QStringLiteral(R"(\n((?:Also|Source): [^\n]*))"));
    QString text = pageText(path);
    text.replace(glossaryLine, QStringLiteral("  \n*\\1*  ")); // each a line of its own
    text.replace(picture, QStringLiteral("*\\1*"));
    QString page;
    qsizetype done = 0;
    for (auto at = link.globalMatch(text); at.hasNext();) {
        const QRegularExpressionMatch match = at.next();
        page += text.mid(done, match.capturedStart() - done) + followedLink(match, path);
        done = match.capturedEnd();
    }
    return page + text.mid(done);
}

std::vector<ManualPage> manualPages() {
    std::vector<ManualPage> pages;
    for (const EmbeddedFile& file : embedded_docs()) {
        const QString path = words(file.name);
        QString title = pageText(path).section(QLatin1Char('\n'), 0, 0);
        if (title.startsWith(QStringLiteral("# "))) {
            title.remove(0, 2);
            title.remove(QLatin1Char('`'));
            pages.push_back({path, title});
        }
    }
    return pages;
}

ManualDialog::ManualDialog(QWidget* parent, const QString& page, const QString& heading)
    : QDialog(parent), pages_(new ManualBrowser(this, heading)) {
    setWindowTitle(tr("Manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(QSize(130 * fontMetrics().averageCharWidth(), 44 * fontMetrics().height())
               .boundedTo(parent->size() * 19 / 20));
    QTextBrowser* const pages = pages_;
    pages->setFrameShape(QFrame::NoFrame);
    pages->setOpenExternalLinks(true);
    pages->setAccessibleName(windowTitle());
    pages->document()->setDocumentMargin(12);
    const QUrl contents = pageUrl(QStringLiteral("index.md"));
    pages->setSource(pageUrl(page));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* back = buttons->addButton(tr("&Back"), QDialogButtonBox::ActionRole);
    QPushButton* home = buttons->addButton(tr("C&ontents"), QDialogButtonBox::ActionRole);
    back->setEnabled(false);
    connect(pages, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(back, &QPushButton::clicked, pages, &QTextBrowser::backward);
    connect(home, &QPushButton::clicked, pages, [=] { pages->setSource(contents); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(pages);
    column->addWidget(buttons);
}

} // namespace meshslice::ui
