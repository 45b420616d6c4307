#include "io/text_bytes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace terrace {

/// The number of bytes of the character with which the text begins; 0 where it begins with none.
static std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC0 || first > 0xF7 || text.size() < length) return 0;
  std::uint32_t character = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3F);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool is_half = character >= 0xD800 && character < 0xE000;
  return character >= least && character <= 0x10FFFF && !is_half ? length : 0;
}

std::size_t first_that_is_not_utf8(std::string_view text) {
  std::size_t place = 0;
  while (place < text.size()) {
    const std::size_t length = length_of_character(text.substr(place));
    if (length == 0) break;
    place += length;
  }
  return place;
}

bool is_control_character(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x20 || value == 0x7F;
}

std::string shown_in_full(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = is_control_character(text.front()) ? 0 : length_of_character(text);
    if (length > 0)
      shown += text.substr(0, length);
    else
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

}  // namespace terrace
