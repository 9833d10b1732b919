// NVTX: names for stretches of time. They show in a timeline (./course profile); without one they
// cost nothing.
#pragma once

#include <cstdint>

typedef std::uint64_t nvtxRangeId_t;

extern "C" {
int nvtxRangePushA(const char *message); // ends at the nvtxRangePop of the same thread
int nvtxRangePop();
nvtxRangeId_t nvtxRangeStartA(const char *message); // ends at nvtxRangeEnd, of any thread
void nvtxRangeEnd(nvtxRangeId_t id);
}

#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
