// What the bytes of a text are that comes from a file or the command line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace terrace {

/// The first byte that belongs to no character of UTF-8; the length of the text where there is none. Refuses
/// what the standard refuses: characters in more bytes than they need, halves of pairs, and beyond U+10FFFF.
[[nodiscard]] std::size_t first_that_is_not_utf8(std::string_view text);

/// Those below the blank, and the one that deletes.
[[nodiscard]] bool is_control_character(char byte);

/// Words in which a terminal shows every byte: control characters, and what is not UTF-8, as "\x0d".
[[nodiscard]] std::string shown_in_full(std::string_view text);

}  // namespace terrace
