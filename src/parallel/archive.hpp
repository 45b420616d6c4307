// Serialisation: a type lists its fields once, and snapshots to go back to, messages, restart files and
// hashes all use that list.
//
// A type that is not a plain number, array or standard container lists its fields in a static function:
//
//   template <class Self, class Archive>
//   static void fields(Self& self, Archive& archive) {
//     auto& [level, offset] = self;  // names every member: one that is forgotten does not compile
//     archive(level, offset);
//   }
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel/error.hpp"
#include "parallel/hash.hpp"

namespace terrace {

/// A type that is stored as one number: numbers, bool, enumerations.
template <class T>
concept PlainField = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, __int128>;

/// A container of plain fields that lie contiguously in memory, so that they can be copied all at once.
template <class Container>
concept PlainRow = requires(Container& row) {
  row.data();
  requires PlainField<typename Container::value_type> && !std::same_as<typename Container::value_type, bool>;
};

/// Visits all fields of the values that it is called with. `Derived` defines what happens to a plain field
/// (`plain`) and to the size of a container (`size`), and, where that is faster, to a whole row of plain
/// fields (`plain_ones`). `Derived::reads` says whether it overwrites the values.
template <class Derived>
class Archive {
 public:
  template <class... Fields>
  void operator()(Fields&... values) {
    (visit(values), ...);
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }

  template <class Container>
  void visit_each(Container& values) {
    if constexpr (PlainRow<Container> && requires { derived().plain_ones(std::span(values)); }) {
      derived().plain_ones(std::span(values));
    } else {
      for (auto& x : values) visit(x);
    }
  }

  template <class T>
  requires PlainField<std::remove_const_t<T>>
  void visit(T& x) { derived().plain(x); }
  template <class T, std::size_t count>
  void visit(std::array<T, count>& values) {
    visit_each(values);
  }
  template <class T, std::size_t count>
  void visit(const std::array<T, count>& values) {
    visit_each(values);
  }
  template <class First, class Second>
  void visit(std::pair<First, Second>& pair) {
    (*this)(pair.first, pair.second);
  }
  template <class First, class Second>
  void visit(const std::pair<First, Second>& pair) {
    (*this)(pair.first, pair.second);
  }
  // Containers that are written: vectors, strings, sets, maps.
  template <class Container>
  requires requires(const Container& c) { c.size(), c.begin(), typename Container::value_type{}; }
  void visit(const Container& values) {
    derived().size(values.size());
    visit_each(values);
  }
  template <class T>
  void visit(const std::optional<T>& value) {
    const bool there = value.has_value();
    visit(there);
    if (there) visit(*value);
  }
  template <class T>
  requires requires(T& x, Derived& archive) { std::remove_const_t<T>::fields(x, archive); }
  void visit(T& x) { std::remove_const_t<T>::fields(x, derived()); }

  // Containers that may be read: a reader resizes them or fills them anew.
  template <class Container>
  requires requires(Container& c) { c.resize(1), typename Container::value_type{}; }
  void visit(Container& values) {
    values.resize(derived().size(values.size()));
    visit_each(values);
  }
  template <class Container>
  requires requires { typename Container::key_type; }
  void visit(Container& values) {
    if constexpr (Derived::reads) {
      values.clear();
      for (std::size_t left = derived().size(0); left > 0; --left) {
        using Element = typename Container::value_type;
        if constexpr (std::same_as<Element, typename Container::key_type>) {
          Element key{};
          visit(key);
          values.insert(values.end(), std::move(key));
        } else {
          std::pair<typename Container::key_type, typename Container::mapped_type> entry{};
          visit(entry);
          values.insert(values.end(), std::move(entry));
        }
      }
    } else {
      visit(std::as_const(values));
    }
  }
  template <class T>
  void visit(std::optional<T>& value) {
    bool there = value.has_value();
    visit(there);
    if constexpr (Derived::reads) value = there ? std::optional<T>(std::in_place) : std::nullopt;
    if (there) visit(*value);
  }
};

/// Appends values to a string of bytes.
class ByteWriter : public Archive<ByteWriter> {
 public:
  static constexpr bool reads = false;
  template <class T>
  void plain(const T& x) {
    plain_ones(std::span<const T, 1>(&x, 1));
  }
  template <class T, std::size_t extent>
  void plain_ones(std::span<T, extent> values) {
    append(std::as_bytes(values));
  }
  std::size_t size(std::size_t count) {
    plain(static_cast<std::uint64_t>(count));
    return count;
  }
  [[nodiscard]] std::size_t written() const { return bytes_.size(); }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(std::span<const std::byte> bytes);
  std::vector<std::byte> bytes_;
};

/// Reads the values that a ByteWriter wrote, in the same order.
class ByteReader : public Archive<ByteReader> {
 public:
  static constexpr bool reads = true;
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  /// Throws Error(run) where the bytes end too early, or where a bool is neither true nor false.
  template <class T>
  void plain(T& x) {
    require(sizeof(T));
    if constexpr (std::is_same_v<T, bool>)
      if (bytes_.front() > std::byte{1})
        throw Error(Error::Kind::run, "saved state", "true or false as 1 or 0",
                    std::to_string(std::to_integer<int>(bytes_.front())));
    std::memcpy(&x, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
  }
  template <class T, std::size_t extent>
  void plain_ones(std::span<T, extent> values) {
    require(values.size_bytes());
    if (!values.empty()) std::memcpy(values.data(), bytes_.data(), values.size_bytes());
    bytes_ = bytes_.subspan(values.size_bytes());
  }
  std::size_t size(std::size_t /*count*/) {
    std::uint64_t count = 0;
    plain(count);
    require(count);  // each element takes at least one byte: a corrupt size fails before memory is taken
    return static_cast<std::size_t>(count);
  }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  void require(std::uint64_t count) const {
    if (bytes_.size() < count)
      throw Error(Error::Kind::run, "saved state", std::to_string(count) + " more bytes",
                  std::to_string(bytes_.size()));
  }
  std::span<const std::byte> bytes_;
};

/// Hashes values; a change of any bit of any field changes the hash.
class Hasher : public Archive<Hasher> {
 public:
  static constexpr bool reads = false;
  template <class T>
  void plain(const T& x) {
    if constexpr (sizeof(T) == 16) {
      value_ = chain(value_, static_cast<std::uint64_t>(x));
      value_ = chain(value_, static_cast<std::uint64_t>(x >> 64));
    } else if constexpr (std::is_floating_point_v<T>) {
      value_ = chain(value_, std::bit_cast<std::uint64_t>(static_cast<double>(x)));
    } else {
      value_ = chain(value_, static_cast<std::uint64_t>(x));
    }
  }
  std::size_t size(std::size_t count) {
    plain(static_cast<std::uint64_t>(count));
    return count;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 1;
};

}  // namespace terrace
