// Which bytes are not UTF-8, and how bytes are shown in messages.
#include "io/text_bytes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace terrace::text_bytes_test {
namespace {

TEST(TextBytes, WhatIsNotUtf8IsFound) {
  for (const std::string text :
       {"", "a", "\x7f", "é", "\xC2\x80", "€", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(first_that_is_not_utf8("é" + text), 2 + text.size()) << shown_in_full(text);
  for (const std::string text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xE2\x82",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80",
        "\xFE", "\xFF"})
    EXPECT_EQ(first_that_is_not_utf8("é" + text + "a"), 2U) << shown_in_full(text);
}

TEST(TextBytes, EveryByteIsShown) {
  EXPECT_EQ(shown_in_full("a é\r\n\x1b\xe9"
                          "b\xC3"),
            "a é\\x0d\\x0a\\x1b\\xe9b\\xc3");
}

}  // namespace
}  // namespace terrace::text_bytes_test
