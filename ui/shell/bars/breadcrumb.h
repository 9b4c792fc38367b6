#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;

namespace meshslice::ui {

class Session;

/// The scale that is looked at, from the whole run in: "Training run › Block › FF1 forward › chip 0,1 east
/// link". A click goes out to a larger one.
class Breadcrumb : public QWidget {
    Q_OBJECT
  public:
    Breadcrumb(Session* session, QWidget* parent);

    /// The scales from the largest one in; the last is the one that is looked at.
    [[nodiscard]] QStringList crumbs() const;
    /// What stands behind the last scale.
    void setNote(const QString& note);
    /// To the next larger scale, where there is one.
    void goOut();
    /// To the next smaller one: from a block to its first GEMM, from that to its first core.
    void goIn();

  private:
    struct Crumb {
        QString text;
        std::function<void()> go;
    };

    [[nodiscard]] std::vector<Crumb> made() const;
    void follow();

    Session* session_;
    QHBoxLayout* row_;
    QStringList shown_;
    QString note_;
};

} // namespace meshslice::ui
