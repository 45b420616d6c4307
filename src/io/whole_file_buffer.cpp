#include "io/whole_file_buffer.hpp"

#include <algorithm>
#include <string_view>

namespace terrace {

WholeFileBuffer::WholeFileBuffer(WholeFile& file) : file_(file) {
  setp(room_.data(), room_.data() + room_.size());
}

void WholeFileBuffer::rethrow_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

// Writes `room_` to the file, over what is there where the stream went back. After a failure nothing more is
// written, and whoever writes is not told: VTK 9.1 frees what it has never allocated where a stream fails.
void WholeFileBuffer::pass_on() {
  const std::string_view contents(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  try {
    if (!failure_) file_.write_at(place_, contents);
  } catch (...) {
    failure_ = std::current_exception();
  }
  place_ += contents.size();
  length_ = std::max(length_, place_);
  setp(room_.data(), room_.data() + room_.size());
}

WholeFileBuffer::int_type WholeFileBuffer::overflow(int_type character) {
  pass_on();
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  return sputc(traits_type::to_char_type(character));
}

int WholeFileBuffer::sync() {
  pass_on();
  return 0;
}

WholeFileBuffer::pos_type WholeFileBuffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                                   std::ios_base::openmode which) {
  const auto here = static_cast<off_type>(place_) + (pptr() - pbase());
  if (from == std::ios_base::cur && offset == 0) return here;
  if (from == std::ios_base::end) {
    pass_on();
    offset += static_cast<off_type>(length_);
  } else if (from == std::ios_base::cur) {
    offset += here;
  }
  return seekpos(offset, which);
}

WholeFileBuffer::pos_type WholeFileBuffer::seekpos(pos_type place, std::ios_base::openmode /*which*/) {
  pass_on();
  if (place < 0 || static_cast<std::uint64_t>(off_type(place)) > length_) return pos_type(off_type(-1));
  place_ = static_cast<std::uint64_t>(off_type(place));
  return place;
}

}  // namespace terrace
