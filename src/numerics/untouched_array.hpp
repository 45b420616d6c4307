// Arrays of which most rows are never touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "numerics/contract.hpp"

namespace terrace {

/// Returns so many zero bytes; many are in pages of the system that take no memory until they are written.
/// Null for none. Throws std::bad_alloc.
[[nodiscard]] void* untouched_pages(std::size_t bytes);
/// Gives the bytes back.
void return_pages(void* pages, std::size_t bytes) noexcept;
/// Frees the memory of the whole system pages between `first` and `last` [bytes] of `pages`, which has
/// `bytes` in all: they are zero again. Does nothing if the system cannot.
void forget_pages(void* pages, std::size_t bytes, std::size_t first, std::size_t last) noexcept;

/// An array whose bytes are all 0 at first. It takes memory only where it is written, some thousand bytes at
/// a time: whoever has room for all rows and works on a few pays for the few.
template <class T>
requires std::is_trivially_copyable_v<T>
class UntouchedArray {
 public:
  using value_type = T;
  static_assert(alignof(T) <= 64, "as small arrays are aligned");

  UntouchedArray() = default;
  /// Throws std::bad_alloc.
  explicit UntouchedArray(std::size_t size)
      : data_(static_cast<T*>(untouched_pages(bytes_of(size)))), size_(size) {}
  UntouchedArray(const UntouchedArray& other) : UntouchedArray(other.size_) {
    if (size_ > 0) std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
  }
  UntouchedArray(UntouchedArray&& other) noexcept { swap(other); }
  UntouchedArray& operator=(UntouchedArray other) noexcept {
    swap(other);
    return *this;
  }
  ~UntouchedArray() { return_pages(data_, size_ * sizeof(T)); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t place) { return data_[place]; }
  [[nodiscard]] const T& operator[](std::size_t place) const { return data_[place]; }
  /// Gives up the entries from `first` to before `last`. But for those at the ends of the range, they take no
  /// memory until they are written again; until then their values are arbitrary.
  void forget(std::size_t first, std::size_t last) {
    forget_pages(data_, size_ * sizeof(T), first * sizeof(T), last * sizeof(T));
  }
  /// The same for the entries at these places, which must be consecutive and ascending. Nothing for an empty
  /// array.
  void forget(std::span<const std::int32_t> places) {
    if (size_ == 0 || places.empty()) return;
    const auto first = static_cast<std::size_t>(places.front()), last = first + places.size();
    TERRACE_ASSERT(static_cast<std::size_t>(places.back()) + 1 == last && last <= size_, first, last, size_);
    forget(first, last);
  }
  /// Changes the size. Entries that remain keep their values, new ones are 0. Throws std::bad_alloc.
  void resize(std::size_t size) {
    if (size == size_) return;
    UntouchedArray other(size);
    const std::size_t common = size < size_ ? size : size_;
    if (common > 0) std::memcpy(static_cast<void*>(other.data_), data_, common * sizeof(T));
    swap(other);
  }

 private:
  static std::size_t bytes_of(std::size_t size) {
    if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    return size * sizeof(T);
  }
  void swap(UntouchedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace terrace
