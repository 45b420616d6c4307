// The bytes of a text that comes from a file or the command line: UTF-8, and control characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace terrace {

/// The place of the first byte that belongs to no character of UTF-8; the length of the text where there is
/// none. As the standard asks, refuses characters in more bytes than they need, halves of surrogate pairs,
/// and characters beyond U+10FFFF.
[[nodiscard]] std::size_t first_that_is_not_utf8(std::string_view text);

/// Whether the byte is below the blank, or the one that deletes.
[[nodiscard]] bool is_control_character(char byte);

/// The text as a terminal can show all of it: control characters, and bytes that are not UTF-8, as "\x0d".
[[nodiscard]] std::string shown_in_full(std::string_view text);

}  // namespace terrace
