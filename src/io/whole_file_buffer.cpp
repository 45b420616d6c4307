#include "io/whole_file_buffer.hpp"

#include <string_view>

namespace terrace {

WholeFileBuffer::WholeFileBuffer(WholeFile& file) : file_(file) {
  setp(room_.data(), room_.data() + room_.size());
}

void WholeFileBuffer::rethrow_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

// Where somebody went back, over what is there.
bool WholeFileBuffer::pass_on() {
  if (failure_) return false;
  const std::string_view contents(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  try {
    file_.write_at(place_, contents);
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
  place_ += contents.size();
  setp(room_.data(), room_.data() + room_.size());
  return true;
}

WholeFileBuffer::int_type WholeFileBuffer::overflow(int_type character) {
  if (!pass_on()) return traits_type::eof();
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  return sputc(traits_type::to_char_type(character));
}

int WholeFileBuffer::sync() { return pass_on() ? 0 : -1; }

WholeFileBuffer::pos_type WholeFileBuffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                                   std::ios_base::openmode which) {
  const auto here = static_cast<off_type>(place_) + (pptr() - pbase());
  if (from == std::ios_base::cur && offset == 0) return here;
  if (from == std::ios_base::end) {
    if (!pass_on()) return pos_type(off_type(-1));
    offset += static_cast<off_type>(file_.length());
  } else if (from == std::ios_base::cur) {
    offset += here;
  }
  return seekpos(offset, which);
}

WholeFileBuffer::pos_type WholeFileBuffer::seekpos(pos_type place, std::ios_base::openmode /*which*/) {
  const pos_type nowhere(off_type(-1));
  if (!pass_on() || place < 0 || static_cast<std::uint64_t>(off_type(place)) > file_.length()) return nowhere;
  place_ = static_cast<std::uint64_t>(off_type(place));
  return place;
}

}  // namespace terrace
