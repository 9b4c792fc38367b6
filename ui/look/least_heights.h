#pragma once

namespace meshslice::ui {

/// While it lives, pictures that are asked how high they would be say how high they have to be at least: with
/// less, words would stand on others. Of the UI thread.
class LeastHeights {
  public:
    LeastHeights();
    ~LeastHeights();
    LeastHeights(const LeastHeights&) = delete;
    LeastHeights& operator=(const LeastHeights&) = delete;

    [[nodiscard]] static bool asked();

  private:
    bool before_;
};

} // namespace meshslice::ui
