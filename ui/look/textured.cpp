#include "ui/look/textured.h"

#include "ui/look/hatch.h"

#include <QPainter>

#include <cmath>

namespace meshslice::ui {

QRectF texturedPart(const QRectF& bar, Role role, bool upright) {
    if (texture(role) != Texture::half_height) {
        return bar;
    }
    return upright ? bar.adjusted(0, 0, -std::floor(bar.width() / 2), 0)
                   : bar.adjusted(0, std::floor(bar.height() / 2), 0, 0);
}

std::vector<QRectF> edgesOf(const QRectF& bar) {
    if (bar.width() < 3 || bar.height() < 3) {
        return {};
    }
    return {{bar.left(), bar.top(), bar.width(), 1},
            {bar.left(), bar.bottom() - 1, bar.width(), 1},
            {bar.left(), bar.top() + 1, 1, bar.height() - 2},
            {bar.right() - 1, bar.top() + 1, 1, bar.height() - 2}};
}

void paintTextured(QPainter& painter, const QRectF& bar, Role role, Theme theme, bool upright) {
    if (texture(role) == Texture::hatched) {
        paintHatch(painter, bar, theme);
        return;
    }
    painter.fillRect(texturedPart(bar, role, upright), color(role, theme));
    if (texture(role) == Texture::edged) {
        for (const QRectF& line : edgesOf(bar)) {
            painter.fillRect(line, edgeColor(role, theme));
        }
    }
}

} // namespace meshslice::ui
