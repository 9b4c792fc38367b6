#pragma once

#include <cstddef>
#include <iterator>
#include <streambuf>
#include <vector>

namespace meshslice {

/// The letters of a stream, in parts, for a reader that takes one after the other: several times as fast as
/// asking the stream for each.
class StreamLetters {
  public:
    explicit StreamLetters(std::streambuf& from) : from_(from), part_(std::size_t{1} << 16) { fill(); }

    /// Reads what is left, once.
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = char;
        using difference_type = std::ptrdiff_t;
        using pointer = const char*;
        using reference = const char&;

        /// `of`: null at the end.
        explicit Iterator(StreamLetters* of = nullptr) : of_(of) {}

        reference operator*() const { return *of_->at_; }
        Iterator& operator++() {
            if (++of_->at_ == of_->end_) {
                of_->fill();
            }
            return *this;
        }
        bool operator==(const Iterator& other) const { return ended() == other.ended(); }

      private:
        [[nodiscard]] bool ended() const { return of_ == nullptr || of_->at_ == of_->end_; }
        StreamLetters* of_;
    };
    Iterator begin() { return Iterator(this); }
    static Iterator end() { return Iterator(); }

  private:
    void fill() {
        const std::streamsize got = from_.sgetn(part_.data(), static_cast<std::streamsize>(part_.size()));
        at_ = part_.data();
        end_ = at_ + got;
    }

    std::streambuf& from_;
    std::vector<char> part_;
    const char *at_ = nullptr, *end_ = nullptr;
};

} // namespace meshslice
