#pragma once

#include "core/import/chakra_trace.h"

#include <ostream>

namespace meshslice {

/// Writes an execution trace as read_chakra() reads it: protobuf, with the attributes in the types that the
/// feeders of Chakra and of ASTRA-sim take, and all dependencies as those of data.
class ChakraWriter {
  public:
    /// Begins the file with the message of the whole.
    explicit ChakraWriter(std::ostream& out);
    void add(const ChakraNode& node);

  private:
    std::ostream& out_;
};

} // namespace meshslice
