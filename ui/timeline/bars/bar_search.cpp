#include "ui/timeline/bars/bar_search.h"

#include "core/base/language.h"
#include "ui/look/words.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr qsizetype most_words = 32;

QStringList tokensOf(const QString& text) {
    return text.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// Of what the engine says, in the window's language and in English.
template <class Say>
QStringList tokensSaid(const Say& sentence) {
    QStringList tokens = tokensOf(words(sentence()));
    const InEnglish also;
    return tokens + tokensOf(words(sentence()));
}

bool describes(const QString& word, const QString& token) {
    return word.front().isDigit() ? token == word : token.startsWith(word);
}

/// As bars, legends and tables call it.
std::string_view callings(Activity activity) {
    switch (activity) {
    case Activity::compute: return "multiply compute";
    case Activity::launch: return "launch";
    case Activity::sync: return "synchronization sync";
    case Activity::transfer: return "transfer";
    case Activity::copy: return "copy slices";
    }
    return {};
}

} // namespace

BarSearch::BarSearch(StepRuns runs, const QString& searched, const std::stop_token& stop)
    : runs_(std::move(runs)), words_(tokensOf(searched).mid(0, most_words)) {
    if (words_.isEmpty()) {
        return;
    }
    for (qsizetype word = 0; word < words_.size(); ++word) {
        all_ |= Words{1} << word;
    }
    for (std::size_t source = 0; source < dram_sources; ++source) {
        of_access_[source] = wordsIn(
            tokensSaid([&] { return meshslice::said(access_name(static_cast<DramSource>(source))); }));
    }
    for (std::size_t step = 0; step < runs_.size(); ++step) {
        std::vector<Words> rows;
        for (const Row& row : runs_[step]->rows()) {
            rows.push_back(wordsIn(tokensSaid([&] { return row_name(runs_[step]->torus(), row); })));
        }
        std::vector<Words> gemms;
        for (const GemmResult& gemm : runs_[step]->step().gemms) {
            gemms.push_back(wordsIn(tokensSaid([&] { return gemm.title(); })));
        }
        of_row_.push_back(std::move(rows));
        of_gemm_.push_back(std::move(gemms));
        for (const Piece& piece : runs_[step]->pieces()) {
            if (!piece.timeline || of_kind_.contains(piece.timeline)) {
                continue;
            }
            std::vector<Words>& kinds = of_kind_[piece.timeline];
            const std::vector<OperationLabel>& operations = piece.timeline->operations();
            for (std::size_t number = 0; number < operations.size(); ++number) {
                const GemmResult& result = runs_[step]->step().gemms[piece.gemm];
                QStringList called = tokensOf(QString::fromStdString(operations[number].name));
                called +=
                    tokensSaid([&] { return operation_words(result, static_cast<OperationId>(number)); });
                for (std::size_t activity = 0; activity < activity_count; ++activity) {
                    QStringList tokens = tokensSaid(
                        [&] { return meshslice::said(callings(static_cast<Activity>(activity))); });
                    tokens += called;
                    kinds.push_back(wordsIn(tokens));
                }
                of_operation_[piece.timeline].push_back(wordsIn(called));
            }
        }
        std::vector<std::size_t> before;
        for (std::size_t row = 0; row < runs_[step]->rows().size() && !stop.stop_requested(); ++row) {
            before.push_back(count_);
            for (const Piece& piece : runs_[step]->pieces()) {
                count_ += countIn(step, row, piece);
            }
        }
        before_.push_back(std::move(before));
    }
}

BarSearch::Words BarSearch::wordsIn(const QStringList& tokens) const {
    Words found = 0;
    for (qsizetype word = 0; word < words_.size(); ++word) {
        const bool there =
            std::ranges::any_of(tokens, [&](const QString& token) { return describes(words_[word], token); });
        found |= there ? Words{1} << word : Words{0};
    }
    return found;
}

BarSearch::Words BarSearch::lacking(std::size_t step, std::size_t row, const Piece& piece) const {
    return all_ & ~of_row_[step][row] & ~of_gemm_[step][piece.gemm];
}

bool BarSearch::matches(const Piece& piece, std::size_t row, const Interval& interval, Words lacking) const {
    if (const Row& where = piece.timeline->rows_with_memory()[row]; where.memory) {
        const MemoryStretch* const stretch = piece.timeline->stretch(where, interval);
        Words has = of_operation_.find(piece.timeline)->second[interval.operation];
        if (stretch != nullptr) {
            has |= of_access_[static_cast<std::size_t>(stretch->use.source)];
            has |=
                stretch->use.both ? of_access_[static_cast<std::size_t>(DramSource::gather_read)] : Words{0};
        }
        return (lacking & ~has) == 0;
    }
    const std::vector<Words>& kinds = of_kind_.find(piece.timeline)->second;
    const Words has =
        kinds[interval.operation * activity_count + static_cast<std::size_t>(interval.activity)];
    return (lacking & ~has) == 0;
}

std::size_t BarSearch::countIn(std::size_t step, std::size_t row, const Piece& piece) const {
    if (!piece.timeline || row >= piece.timeline->rows_with_memory().size()) {
        return 0;
    }
    const auto all = piece.timeline->intervals(row);
    const Words missing = lacking(step, row, piece);
    if (missing == 0 || all.empty()) {
        return all.size();
    }
    const std::pair key(all.data(), std::pair(piece.timeline, missing));
    const auto [known, fresh] = counted_.try_emplace(key, std::size_t{0});
    if (fresh) {
        known->second = static_cast<std::size_t>(std::ranges::count_if(
            all, [&](const Interval& interval) { return matches(piece, row, interval, missing); }));
    }
    return known->second;
}

BarSearch::Match BarSearch::at(std::size_t number) const {
    std::size_t step = before_.size() - 1;
    while (before_[step].empty() || before_[step].front() > number) {
        --step;
    }
    const std::vector<std::size_t>& before = before_[step];
    // The last row before which there are no more.
    const auto row =
        static_cast<std::size_t>(std::distance(before.begin(), std::ranges::upper_bound(before, number)) - 1);
    std::size_t left = number - before[row];
    const std::vector<Piece>& pieces = runs_[step]->pieces();
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        const std::size_t here = countIn(step, row, pieces[piece]);
        if (left >= here) {
            left -= here;
            continue;
        }
        const Words missing = lacking(step, row, pieces[piece]);
        const auto all = pieces[piece].timeline->intervals(row);
        for (std::size_t index = 0; index < all.size(); ++index) {
            if (matches(pieces[piece], row, all[index], missing) && left-- == 0) {
                return {step, row, runs_[step]->slice(row, StepRun::item(piece, index))};
            }
        }
    }
    return {};
}

BarSearch::Place BarSearch::placeOf(std::size_t step, std::size_t row, const RunSlice& bar) const {
    Place place;
    place.before = before_[step][row];
    const std::vector<Piece>& pieces = runs_[step]->pieces();
    const StepRun::Bar at = StepRun::bar(bar.item);
    for (std::size_t piece = 0; piece < at.piece; ++piece) {
        place.before += countIn(step, row, pieces[piece]);
    }
    const Piece& in = pieces[at.piece];
    const Words missing = lacking(step, row, in);
    const auto all = in.timeline->intervals(row);
    place.before += static_cast<std::size_t>(std::ranges::count_if(
        all.first(at.index), [&](const Interval& interval) { return matches(in, row, interval, missing); }));
    place.matches = matches(in, row, all[at.index], missing);
    return place;
}

std::vector<TimeRange> BarSearch::stretches(std::size_t step, std::size_t row, TimeRange range,
                                            Time least) const {
    std::vector<TimeRange> found;
    if (count_ == 0 || step >= of_row_.size() || row >= of_row_[step].size()) {
        return found;
    }
    const StepRun::Span pieces = runs_[step]->pieces_in(range);
    for (std::size_t at = pieces.first; at < pieces.last; ++at) {
        const Piece& piece = runs_[step]->pieces()[at];
        if (!piece.timeline || row >= piece.timeline->rows_with_memory().size()) {
            continue;
        }
        const Words missing = lacking(step, row, piece);
        const auto all = piece.timeline->intervals(row);
        const StepRun::Span span = StepRun::intervals_in(piece, row, range);
        for (std::size_t index = span.first; index < span.last;) {
            if (!matches(piece, row, all[index], missing)) {
                ++index;
                continue;
            }
            const TimeRange bar{piece.start + all[index].start, piece.start + all[index].end};
            if (found.empty() || bar.begin - found.back().end >= least) {
                found.push_back(bar);
            } else {
                found.back().end = bar.end;
            }
            // What ends in the same pixel adds nothing to see.
            const Time until = bar.end - piece.start + least;
            const auto next = std::partition_point(all.begin() + static_cast<std::ptrdiff_t>(index + 1),
                                                   all.begin() + static_cast<std::ptrdiff_t>(span.last),
                                                   [&](const Interval& one) { return one.end < until; });
            index = std::max(index + 1, static_cast<std::size_t>(next - all.begin()));
        }
    }
    return found;
}

std::vector<std::size_t> BarSearch::rows(std::size_t step) const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; step < before_.size() && row < before_[step].size(); ++row) {
        const bool last = row + 1 == before_[step].size();
        const std::size_t next = !last ? before_[step][row + 1]
                                 : step + 1 < before_.size() && !before_[step + 1].empty()
                                     ? before_[step + 1].front()
                                     : count_;
        if (next > before_[step][row]) {
            rows.push_back(row);
        }
    }
    return rows;
}

} // namespace meshslice::ui
