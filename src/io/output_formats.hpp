// The formats in which results are written.
#pragma once

namespace terrace {

/// Compression of frames. zlib makes files of half the size of lz4's in ten times the time.
enum class FieldCompression { none, lz4, zlib };

/// The file with the rows of bodies: bodies.csv or bodies.h5.
enum class BodyTable { csv, hdf5 };

}  // namespace terrace
