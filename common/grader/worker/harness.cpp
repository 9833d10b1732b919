// The part of a submission's worker that is for its exercise alone. CONTRACT is the header that
// declares its function, FUNCTION that function; neither if the exercise is about a whole program.
#include "common/grader/worker/contract.hpp"

#ifdef CONTRACT
#include CONTRACT

#include <type_traits>
#include <utility>

namespace {

template <class T> T value_at(void *address) {
  if constexpr (std::is_pointer_v<T>)
    return static_cast<T>(address);
  else
    return *static_cast<T *>(address);
}

template <class F> struct Table;
template <class R, class... P> struct Table<R(P...)> {
  static constexpr course::Contract::Parameter parameters[] = {
      {sizeof(std::remove_pointer_t<P>), std::is_pointer_v<P>}...};

  template <std::size_t... i>
  static void call_with(void *const *values, void *result, std::index_sequence<i...>) {
    if constexpr (std::is_void_v<R>)
      FUNCTION(value_at<P>(values[i])...);
    else
      *static_cast<R *>(result) = FUNCTION(value_at<P>(values[i])...);
  }
  static void call(void *const *values, void *result) {
    call_with(values, result, std::index_sequence_for<P...>());
  }

  static constexpr course::Contract contract() {
    if constexpr (std::is_void_v<R>)
      return {parameters, sizeof...(P), 0, call};
    else
      return {parameters, sizeof...(P), sizeof(R), call};
  }
};

} // namespace

const course::Contract course::contract = Table<decltype(FUNCTION)>::contract();
#else
const course::Contract course::contract{};
#endif
