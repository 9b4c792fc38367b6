#pragma once

#include "ui/view/picture_file.h"

#include <QDialog>
#include <QImage>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace meshslice::ui {

/// Asks how large a figure is to be, on paper or on a screen, with which letters, title and caption, and
/// shows it.
class FigureDialog : public QDialog {
    Q_OBJECT
  public:
    FigureDialog(View* view, const Figure& figure, QWidget* parent);

    [[nodiscard]] Figure figure() const;
    [[nodiscard]] QComboBox* purposes() { return purposes_; }
    [[nodiscard]] QComboBox* units() { return units_; }
    [[nodiscard]] QDoubleSpinBox* widthField() { return width_; }
    [[nodiscard]] QDoubleSpinBox* heightField() { return height_; }
    /// The height follows from the width and the letters.
    [[nodiscard]] QCheckBox* asHighAsNeeded() { return as_high_; }
    [[nodiscard]] QDoubleSpinBox* lettersField() { return letters_; }
    [[nodiscard]] QCheckBox* titled() { return titled_; }
    [[nodiscard]] QLineEdit* titleField() { return title_; }
    [[nodiscard]] QComboBox* families() { return families_; }
    [[nodiscard]] QCheckBox* captioned() { return captioned_; }
    [[nodiscard]] QLineEdit* captionField() { return caption_; }
    [[nodiscard]] QCheckBox* noted() { return noted_; }
    [[nodiscard]] QLabel* preview() { return preview_; }
    /// Below the fields: why a size is none; hidden where it is one.
    [[nodiscard]] QLabel* refusal() { return refusal_; }
    [[nodiscard]] QPushButton* saveButton() { return save_; }
    /// Below the preview: how large the figure is, and whether words are cut in it.
    [[nodiscard]] QLabel* note() { return note_; }
    /// What is typed is a figure.
    [[nodiscard]] bool isFigure() const { return refused().isEmpty(); }

    /// What the view shows is another: the preview and, unless the user has typed some, title and caption.
    void renew();
    void copyPicture();
    /// Tab-separated, for a spreadsheet.
    void copyTable();

  signals:
    /// It is to be saved; the dialog stays until it is closed.
    void saveAsked();

  protected:
    /// In a field of numbers Enter takes over the number, and saves nothing.
    void keyPressEvent(QKeyEvent* event) override;
    /// The preview is as large as there is room.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// Why a number of the fields is none; empty where all are.
    [[nodiscard]] QString refused() const;
    void makeButtons(QDialogButtonBox* buttons);
    void showPreview();
    void makeFields(const Figure& figure);
    void takePurpose(int index);
    void choosePurpose();
    void changeUnit();
    void setDecimals();
    [[nodiscard]] double pixelsPerUnit() const;
    /// The height that the figure has come to.
    void showHeight(const QSize& size);
    /// How large the drawn figure is, and what is cut in it.
    [[nodiscard]] QString sizeInWords(const Figure& figure, const FigureFacts& facts) const;

    View* view_;
    QComboBox* purposes_;
    QDoubleSpinBox* width_;
    QDoubleSpinBox* height_;
    QComboBox* units_;
    QCheckBox* as_high_;
    QDoubleSpinBox* letters_;
    QComboBox* themes_;
    QComboBox* families_;
    QCheckBox* titled_;
    QLineEdit* title_;
    QCheckBox* captioned_;
    QLineEdit* caption_;
    QCheckBox* noted_;
    QLabel* refusal_;
    QLabel* preview_;
    QImage drawn_; ///< for the preview
    QLabel* note_;
    QPushButton* save_ = nullptr;
    QPushButton* copy_ = nullptr;
    bool own_title_ = false;   ///< the user has typed one
    bool own_caption_ = false; ///< the same
    double per_unit_ = 1;      ///< pixels in one unit of the fields as they are
};

} // namespace meshslice::ui
