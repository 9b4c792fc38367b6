#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// One axis of a mesh of devices: a capital letter, X, and how many devices stand along it.
struct MeshAxis {
    char name = 'X';
    std::int64_t size = 1;

    bool operator==(const MeshAxis&) const = default;
};

/// A mesh of devices with named axes (scaling book, chapter 3). Devices are numbered as JAX does: the first
/// axis is the major one, so that the last changes fastest.
struct NamedMesh {
    std::vector<MeshAxis> axes;

    [[nodiscard]] std::int64_t devices() const;

    bool operator==(const NamedMesh&) const = default;
};

/// Which axes of a mesh, by their place in NamedMesh::axes, the major one first: of I_XY, X is major, as in
/// JAX's P(('X', 'Y')).
using AxisList = std::vector<std::size_t>;

/// A dimension of an array, "I_XY": its letter, and the axes that split it.
struct ArrayDimension {
    char letter = 'I';
    AxisList axes;

    bool operator==(const ArrayDimension&) const = default;
};

/// An array and how it is sharded, in the book's notation: "A[I_X, J_YZ]"; with "{U_Z}" after it, every
/// device along Z holds a partial sum, and what is meant is the sum of these. An axis that is not named holds
/// copies.
struct ShardedArray {
    std::string name = "A";
    std::vector<ArrayDimension> dimensions;
    AxisList unreduced;

    bool operator==(const ShardedArray&) const = default;
};

/// What is wrong with a text, and the letters of it that are meant, from 0.
struct NotationError {
    std::string sentence;
    std::size_t begin = 0;
    std::size_t length = 1;

    bool operator==(const NotationError&) const = default;
};
/// As a sentence that quotes the text and says where in it: "A[I_X, J_X], character 9: ...".
[[nodiscard]] Error in_text(std::string_view text, const NotationError& error);

template <class T>
using Read = tl::expected<T, NotationError>;

/// Reads "X=4, Y=8", "{X:4, Y:8}" or "X4Y8"-like lists of one capital letter and one size from 1 on for each
/// axis, at most 6 of them and 2^20 devices.
[[nodiscard]] Read<NamedMesh> parse_named_mesh(std::string_view text);
/// "{X:4, Y:8}", which parse_named_mesh() reads.
[[nodiscard]] std::string text(const NamedMesh& mesh);

/// Reads "A[I_X, J_YZ]{U_W}". Refuses an axis that the mesh does not have, an axis that is used twice, a
/// letter that names two dimensions.
[[nodiscard]] Read<ShardedArray> parse_sharded_array(std::string_view text, const NamedMesh& mesh);
/// The same back: parse_sharded_array() reads what this prints.
[[nodiscard]] std::string text(const ShardedArray& array, const NamedMesh& mesh);

/// JAX's words for it: "P(('X', 'Y'), None)", with partial sums "P('X', None, unreduced={'Y'})".
[[nodiscard]] std::string partition_spec(const ShardedArray& array, const NamedMesh& mesh);
/// "jax.make_mesh((4, 8), ('X', 'Y'))".
[[nodiscard]] std::string make_mesh_text(const NamedMesh& mesh);
/// Reads what partition_spec() prints, also with "PartitionSpec" and with double quotes. Refuses names of
/// several letters. `letters` are those of the array's dimensions. JAX leaves out trailing dimensions that
/// are whole.
[[nodiscard]] Read<ShardedArray> parse_partition_spec(std::string_view text, const std::string& name,
                                                      std::string_view letters, const NamedMesh& mesh);

} // namespace meshslice
