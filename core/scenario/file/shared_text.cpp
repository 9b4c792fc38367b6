#include "core/scenario/file/shared_text.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <zlib.h>

namespace meshslice {
namespace {

constexpr std::string_view shared_begin = "meshslice:";
constexpr std::string_view shared_version = "1";
constexpr std::string_view letters_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t checksum_digits = 8;

std::string compressed(const std::string& text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string bytes(size, '\0');
    compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
              static_cast<uLong>(text.size()), Z_BEST_COMPRESSION);
    bytes.resize(size);
    return bytes;
}

/// At most as many bytes as a file may have.
Result<std::string> inflated(const std::string& bytes) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) {
        return refuse(say("The shared text cannot be unpacked."));
    }
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    std::array<char, 1u << 14> part{};
    int code = Z_OK;
    while (code == Z_OK && text.size() <= most_json_bytes) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        code = inflate(&stream, Z_NO_FLUSH);
        text.append(part.data(), part.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (text.size() > most_json_bytes) {
        return refuse(say("The shared text holds more than {}, which no project has.",
                          bytes_text(static_cast<double>(most_json_bytes))));
    }
    return code == Z_STREAM_END ? Result<std::string>(std::move(text))
                                : refuse(say("The shared text cannot be unpacked; copy it again."));
}

std::string base_64(const std::string& bytes) {
    std::string made;
    std::uint32_t kept = 0;
    int bits = 0;
    for (const char byte : bytes) {
        kept = (kept << 8) | static_cast<unsigned char>(byte);
        for (bits += 8; bits >= 6; bits -= 6) {
            made += letters_64[(kept >> (bits - 6)) & 63];
        }
    }
    if (bits > 0) {
        made += letters_64[(kept << (6 - bits)) & 63];
    }
    return made;
}

std::string damaged() {
    return say(
        "The shared text is damaged or cut: its checksum does not agree with its letters. Copy it again, "
        "whole.");
}

Result<std::string> bytes_of_64(std::string_view words) {
    std::string made;
    std::uint32_t kept = 0;
    int bits = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::size_t value = letters_64.find(words[k]);
        if (value == std::string_view::npos) {
            return refuse(
                say("The shared text has \"{}\" among its letters; expected letters, digits, - and _.",
                    shortened(words.substr(k, 1))));
        }
        kept = (kept << 6) | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            made += static_cast<char>((kept >> bits) & 255);
        }
    }
    if (bits >= 6 || (kept & ((1U << bits) - 1)) != 0) { // what is left of the last letter is nothing
        return refuse(damaged());
    }
    return made;
}

std::string checksum(const std::string& bytes) {
    return fmt::format(
        "{:0{}x}", crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())),
        checksum_digits);
}

std::string without_blanks(std::string_view words) {
    std::string made;
    std::ranges::copy_if(words, std::back_inserter(made),
                         [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
    return made;
}

} // namespace

std::string shared_text(const Project& project) {
    const std::string bytes = compressed(nlohmann::json::parse(write_project(project)).dump());
    return fmt::format("{}{}:{}:{}", shared_begin, shared_version, checksum(bytes), base_64(bytes));
}

bool is_shared_text(std::string_view words) {
    const std::size_t first = words.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && words.substr(first).starts_with(shared_begin);
}

Result<std::string> file_of_shared_text(std::string_view words) {
    const std::string text = without_blanks(words).substr(shared_begin.size());
    const std::size_t version = text.find(':');
    const std::size_t sum = version == std::string::npos ? version : text.find(':', version + 1);
    if (sum == std::string::npos) {
        return refuse(
            say("The shared text is cut; expected {}{}:CHECKSUM:LETTERS.", shared_begin, shared_version));
    }
    if (text.substr(0, version) != shared_version) {
        return refuse(say("The shared text has version \"{}\"; this program reads version {}.",
                          shortened(text.substr(0, version)), shared_version));
    }
    const Result<std::string> bytes = bytes_of_64(std::string_view(text).substr(sum + 1));
    if (!bytes) {
        return bytes;
    }
    if (checksum(*bytes) != text.substr(version + 1, sum - version - 1)) {
        return refuse(damaged());
    }
    return inflated(*bytes);
}

} // namespace meshslice
