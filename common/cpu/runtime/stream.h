// Queues of work, and waits for it.
#pragma once

#include "device.h"

namespace course_cpu {

std::shared_ptr<Stream> add_stream(Device &device, unsigned flags);
cudaError_t create_stream(cudaStream_t *handle, unsigned flags);
// The stream of a handle, the default one for nullptr; empty for a handle that names none.
std::shared_ptr<Stream> find_stream(cudaStream_t handle);

// The same; the handle names no stream any more. Then the stream's work runs, and it is gone.
std::shared_ptr<Stream> take_stream(cudaStream_t handle);
void destroy(const std::shared_ptr<Stream> &stream);

// Queues work and returns the point after it, whether the stream is captured or not.
enum class OnError { skip, run };
Mark queue(const std::shared_ptr<Stream> &stream, std::function<void()> work, OnError on_error,
           std::vector<Mark> after, std::function<void()> meet);

bool reached(const Mark &mark);
void finish(const Mark &mark);   // runs what must run before the mark, and no more
bool advance(const Mark &mark);  // the same, for work that waits and not for the host; false: it
                                 // waits for what this very thread is running
bool query(const Mark &mark);    // the same as reached, for the host; if not, runs one operation
void finish_all(Device &device); // runs all that is queued
bool is_looker();                // the thread that runs what nobody waits for

} // namespace course_cpu
