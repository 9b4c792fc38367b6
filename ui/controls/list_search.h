#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

namespace meshslice::ui {

/// Of all lists of a program: what is typed searches them, "TPU v5p". A space within the words belongs to
/// them; one by itself opens a list or chooses in it, which is all that Qt has a space for.
class ListSearch : public QObject {
    Q_OBJECT
  public:
    explicit ListSearch(QObject* parent);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QPointer<QObject> searched_;
    QElapsedTimer typed_; ///< since its last letter
};

} // namespace meshslice::ui
