// Sequences that nobody stores, and other views of sequences.
#pragma once

#include "memory.h"
#include "tuple.h"

#include <utility>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// Base of the iterators below: access by position. `Derived` has at(position), and after(other):
// how far its position 0 is behind that of another one.
template <class Derived, class Value, class Reference = Value> struct Sequence {
  using value_type = Value;
  using reference = Reference;
  using pointer = const Value *;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  difference_type position = 0;

  Reference operator*() const { return self().at(position); }
  Reference operator[](difference_type i) const { return self().at(position + i); }
  Derived &operator++() { return ++position, self(); }
  Derived &operator--() { return --position, self(); }
  Derived operator++(int) {
    Derived old = self();
    ++position;
    return old;
  }
  Derived &operator+=(difference_type n) { return position += n, self(); }
  Derived &operator-=(difference_type n) { return position -= n, self(); }
  friend Derived operator+(Derived a, difference_type n) { return a += n; }
  friend Derived operator-(Derived a, difference_type n) { return a -= n; }
  friend difference_type operator-(const Derived &a, const Derived &b) {
    return a.after(b) + a.position - b.position;
  }
  friend bool operator==(const Derived &a, const Derived &b) { return a - b == 0; }
  friend bool operator!=(const Derived &a, const Derived &b) { return a - b != 0; }
  friend bool operator<(const Derived &a, const Derived &b) { return a - b < 0; }

private:
  Derived &self() { return static_cast<Derived &>(*this); }
  const Derived &self() const { return static_cast<const Derived &>(*this); }
};

} // namespace course_cpu

namespace thrust {

template <class T> struct counting_iterator : course_cpu::Sequence<counting_iterator<T>, T> {
  T first{};
  explicit counting_iterator(T first = T()) : first(first) {}
  T at(std::ptrdiff_t i) const { return static_cast<T>(first + static_cast<T>(i)); }
  std::ptrdiff_t after(const counting_iterator &other) const {
    return static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(other.first);
  }
};
template <class T> counting_iterator<T> make_counting_iterator(T first) {
  return counting_iterator<T>(first);
}

template <class T> struct constant_iterator : course_cpu::Sequence<constant_iterator<T>, T> {
  T value{};
  explicit constant_iterator(T value = T()) : value(value) {}
  T at(std::ptrdiff_t) const { return value; }
  std::ptrdiff_t after(const constant_iterator &) const { return 0; }
};
template <class T> constant_iterator<T> make_constant_iterator(T value) {
  return constant_iterator<T>(value);
}

template <class Function, class Iterator>
using TransformedValue = std::decay_t<decltype(std::declval<const Function &>()(
    std::declval<typename std::iterator_traits<Iterator>::value_type>()))>;

template <class Function, class Iterator>
struct transform_iterator : course_cpu::Sequence<transform_iterator<Function, Iterator>,
                                                 TransformedValue<Function, Iterator>> {
  Iterator base;
  Function function;
  transform_iterator(Iterator base, Function function) : base(base), function(function) {}
  TransformedValue<Function, Iterator> at(std::ptrdiff_t i) const { return function(base[i]); }
  std::ptrdiff_t after(const transform_iterator &other) const { return base - other.base; }
};
template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator base, Function function) {
  return {base, function};
}

// An element that takes every value and keeps none.
struct Nothing {
  template <class T> const Nothing &operator=(const T &) const { return *this; }
};

template <class Iterator> using ValueOf = typename std::iterator_traits<Iterator>::value_type;
template <class Iterator> using ReferenceOf = typename std::iterator_traits<Iterator>::reference;

// elements[-1], elements[-2], ...
template <class Elements>
struct reverse_iterator
    : course_cpu::Sequence<reverse_iterator<Elements>, ValueOf<Elements>, ReferenceOf<Elements>> {
  Elements elements;
  explicit reverse_iterator(Elements elements) : elements(elements) {}
  ReferenceOf<Elements> at(std::ptrdiff_t i) const { return elements[-1 - i]; }
  std::ptrdiff_t after(const reverse_iterator &other) const { return other.elements - elements; }
};
template <class Elements> reverse_iterator<Elements> make_reverse_iterator(Elements elements) {
  return reverse_iterator<Elements>(elements);
}

// Tuples of the elements of several sequences.
template <class Iterators> struct zip_iterator;
template <class... Iterators>
struct zip_iterator<tuple<Iterators...>>
    : course_cpu::Sequence<zip_iterator<tuple<Iterators...>>, tuple<ValueOf<Iterators>...>,
                           tuple<ReferenceOf<Iterators>...>> {
  tuple<Iterators...> iterators;
  explicit zip_iterator(tuple<Iterators...> iterators) : iterators(iterators) {}
  tuple<ReferenceOf<Iterators>...> at(std::ptrdiff_t i) const {
    return std::apply(
        [i](const auto &...each) { return tuple<ReferenceOf<Iterators>...>(each[i]...); },
        iterators);
  }
  std::ptrdiff_t after(const zip_iterator &other) const {
    return std::get<0>(iterators) - std::get<0>(other.iterators);
  }
};
template <class... Iterators>
zip_iterator<tuple<Iterators...>> make_zip_iterator(tuple<Iterators...> iterators) {
  return zip_iterator<tuple<Iterators...>>(iterators);
}
template <class... Iterators>
zip_iterator<tuple<Iterators...>> make_zip_iterator(Iterators... iterators) {
  return zip_iterator<tuple<Iterators...>>(tuple<Iterators...>(iterators...));
}

struct discard_iterator : course_cpu::Sequence<discard_iterator, Nothing> {
  Nothing at(std::ptrdiff_t) const { return {}; }
  std::ptrdiff_t after(const discard_iterator &) const { return 0; }
};
inline discard_iterator make_discard_iterator() { return {}; }

template <class Iterator>
typename std::iterator_traits<Iterator>::difference_type distance(Iterator begin, Iterator end) {
  return end - begin;
}

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
