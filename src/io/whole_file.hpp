// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace terrace {

/// Where a file is written before it takes its place: its own name and ".part", in the same directory.
std::filesystem::path aside(const std::filesystem::path& path);

/// Writes `contents` aside and renames, so that a reader sees the old file or the new one, never half of
/// either. Throws Error(run) naming the file and the reason (a full disk, no permission …); then the old
/// file, if any, is untouched and nothing is left aside.
void write_whole_file(const std::filesystem::path& path, std::string_view contents);

/// The whole of a file. Throws Error(run) naming it when it cannot be read.
std::string read_whole_file(const std::filesystem::path& path);

}  // namespace terrace
