#pragma once

namespace meshslice {

/// What a server works on in one step: parts of prompts, and one token more of each request that decodes.
struct StepLoad {
    double prompts = 0;       ///< requests of which a part of the prompt is in the step
    double prompt_tokens = 0; ///< in all those parts
    /// What those tokens attend to, themselves included: n tokens after c cached ones see n c + n (n + 1)
    /// / 2.
    double prompt_keys = 0;
    double prompts_ended = 0; ///< prompts whose last token is in the step, which puts out their first token
    double decoding = 0;      ///< requests that put out one token more
    double cached = 0;        ///< keys that all those see: prompts and tokens put out before, of all together

    bool operator==(const StepLoad&) const = default;
};

/// Seconds of decode steps of one batch: `start + per_token * cached`, where `cached` is that of StepLoad.
/// The next step of the same batch sees one key more of each request.
struct DecodeLine {
    double start = 0, per_token = 0; ///< s, s

    bool operator==(const DecodeLine&) const = default;
};

/// What a step takes on one replica: all that the serving simulation knows of model, chips and plan. Many
/// threads may ask at once; the same question has the same answer.
class StepTimes {
  public:
    StepTimes() = default;
    StepTimes(const StepTimes&) = default;
    StepTimes& operator=(const StepTimes&) = default;
    virtual ~StepTimes() = default;

    /// Seconds of a step, more than 0 where it has any tokens. Without prompts it is that of `decode_line`.
    [[nodiscard]] virtual double seconds(const StepLoad& load) const = 0;
    /// Of 1 or more requests. A simulation asks once for each batch that it meets.
    [[nodiscard]] virtual DecodeLine decode_line(double batch) const = 0;
};

/// Times of a law that gives whole steps. Decode steps of one batch are taken to be straight in the cache,
/// between so many tokens of each request.
class LawOfSteps : public StepTimes {
  public:
    [[nodiscard]] double seconds(const StepLoad& load) const final {
        if (load.prompt_tokens > 0) {
            return step(load);
        }
        const DecodeLine line = decode_line(load.decoding);
        return line.start + line.per_token * load.cached;
    }
    [[nodiscard]] DecodeLine decode_line(double batch) const final {
        const auto at = [&](double context) { return step({0, 0, 0, 0, batch, batch * context}); };
        const double at_least = at(least_), at_most = at(most_);
        const double slope = (at_most - at_least) / ((most_ - least_) * batch);
        return {at_least - slope * least_ * batch, slope};
    }

  protected:
    /// Of requests of so many tokens: from the prompt's to all.
    LawOfSteps(double input, double output)
        : least_(input > 1 ? input : 1), most_(least_ + (output > 1 ? output : 1)) {}

  private:
    [[nodiscard]] virtual double step(const StepLoad& load) const = 0;

    double least_, most_;
};

/// Costs that are straight in everything: for tests, and where nothing more is known. All in seconds.
struct StraightCosts {
    double step = 0;         ///< of each step
    double prompt_token = 0; ///< of a prompt's token
    double prompt_key = 0;   ///< of each key that it sees
    double request = 0;      ///< of a request that decodes
    double cached_token = 0; ///< of a key that one sees

    bool operator==(const StraightCosts&) const = default;
};

class StraightStepTimes final : public StepTimes {
  public:
    explicit StraightStepTimes(const StraightCosts& costs) : costs_(costs) {}

    [[nodiscard]] double seconds(const StepLoad& load) const override {
        return costs_.step + costs_.prompt_token * load.prompt_tokens + costs_.prompt_key * load.prompt_keys +
               costs_.request * load.decoding + costs_.cached_token * load.cached;
    }
    [[nodiscard]] DecodeLine decode_line(double batch) const override {
        return {costs_.step + costs_.request * batch, costs_.cached_token};
    }

  private:
    StraightCosts costs_;
};

} // namespace meshslice
