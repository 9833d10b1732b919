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

// Ranges with attributes: of these the text counts.
enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum nvtxMessageType_t { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1 };

union nvtxMessageValue_t {
  const char *ascii;
};

union nvtxPayloadValue_t {
  std::uint64_t ullValue;
  std::int64_t llValue;
  double dValue;
};

struct nvtxEventAttributes_t {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t colorType;
  std::uint32_t color;
  std::int32_t payloadType;
  nvtxPayloadValue_t payload;
  std::int32_t messageType;
  nvtxMessageValue_t message;
};

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE static_cast<std::uint16_t>(sizeof(nvtxEventAttributes_t))

inline const char *nvtxTextOf(const nvtxEventAttributes_t *attributes) {
  return attributes->messageType == NVTX_MESSAGE_TYPE_ASCII ? attributes->message.ascii : "";
}
inline int nvtxRangePushEx(const nvtxEventAttributes_t *attributes) {
  return nvtxRangePushA(nvtxTextOf(attributes));
}
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes) {
  return nvtxRangeStartA(nvtxTextOf(attributes));
}

#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
