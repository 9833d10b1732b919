// cuBLASLt: products that objects describe.
#include "cublasLt.h"
#include "products.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace course_cpu::blas;

struct cublasLtContext {};

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete handle;
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

std::size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

// ---- the objects ----

// Gives an object on the heap what init(object) gives one of the caller's.
template <class T, class Init> static cublasStatus_t create(T **object, const Init &init) {
  if (!object)
    return CUBLAS_STATUS_INVALID_VALUE;
  *object = new T;
  return init(*object);
}

template <class T> static cublasStatus_t destroy(T *object) {
  delete object;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T> static cublasStatus_t set(T &field, const void *value, std::size_t bytes) {
  if (!value || bytes != sizeof field)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&field, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t description, cublasComputeType_t compute,
                                      cudaDataType scale_type) {
  if (!description)
    return CUBLAS_STATUS_INVALID_VALUE;
  *description = {};
  description->compute = compute;
  description->scale_type = scale_type;
  description->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  description->bias_type = -1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *description,
                                        cublasComputeType_t compute, cudaDataType scale_type) {
  return create(description, [=](cublasLtMatmulDesc_t created) {
    return cublasLtMatmulDescInit(created, compute, scale_type);
  });
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  return destroy(description);
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, std::size_t bytes) {
  if (!description)
    return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
    return set(description->compute, value, bytes);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
    return set(description->scale_type, value, bytes);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE:
    return set(description->pointer_mode, value, bytes);
  case CUBLASLT_MATMUL_DESC_TRANSA:
    return set(description->op_a, value, bytes);
  case CUBLASLT_MATMUL_DESC_TRANSB:
    return set(description->op_b, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    return set(description->epilogue, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    return set(description->bias, value, bytes);
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    return set(description->a_scale, value, bytes);
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    return set(description->b_scale, value, bytes);
  case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER:
    return set(description->c_scale, value, bytes);
  case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER:
    return set(description->d_scale, value, bytes);
  case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER:
    return set(description->largest_d, value, bytes);
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
    return set(description->fast, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return set(description->bias_type, value, bytes);
  }
  return not_supported(__func__, "this attribute");
}

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type,
                                        std::uint64_t rows, std::uint64_t columns,
                                        std::int64_t leading) {
  if (!layout)
    return CUBLAS_STATUS_INVALID_VALUE;
  *layout = {type, rows, columns, leading};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t leading) {
  return create(layout, [=](cublasLtMatrixLayout_t created) {
    return cublasLtMatrixLayoutInit(created, type, rows, columns, leading);
  });
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy(layout);
}

cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  if (!preference)
    return CUBLAS_STATUS_INVALID_VALUE;
  *preference = {};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  return create(preference, cublasLtMatmulPreferenceInit);
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy(preference);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void *value, std::size_t bytes) {
  if (!preference)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
    return set(preference->workspace, value, bytes);
  return not_supported(__func__, "this attribute");
}

// ---- products ----

namespace {

bool has_eight_bits(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

bool has_bias(cublasLtEpilogue_t epilogue) { return epilogue & CUBLASLT_EPILOGUE_BIAS; }

bool has_eight_bit_product(cublasComputeType_t compute, cudaDataType a, cudaDataType b,
                           cudaDataType c, cudaDataType d) {
  const bool of_d = has_eight_bits(d)
                        ? c == CUDA_R_16BF || c == CUDA_R_16F
                        : c == d && (d == CUDA_R_16BF || d == CUDA_R_16F || d == CUDA_R_32F);
  return compute == CUBLAS_COMPUTE_32F && has_eight_bits(b) &&
         !(a == CUDA_R_8F_E5M2 && b == CUDA_R_8F_E5M2) && of_d;
}

// Reports a product that the backend does not have.
cublasStatus_t check(const char *function, const cublasLtMatmulDescOpaque_t &description,
                     const cublasLtMatrixLayoutOpaque_t &a, const cublasLtMatrixLayoutOpaque_t &b,
                     const cublasLtMatrixLayoutOpaque_t &c, const cublasLtMatrixLayoutOpaque_t &d) {
  const bool plain_a = description.op_a == CUBLAS_OP_N, plain_b = description.op_b == CUBLAS_OP_N;
  const std::uint64_t k = plain_a ? a.columns : a.rows;
  if (!known(description.op_a) || !known(description.op_b) || c.rows != d.rows ||
      c.columns != d.columns || (plain_a ? a.rows : a.columns) != d.rows ||
      (plain_b ? b.rows : b.columns) != k || (plain_b ? b.columns : b.rows) != d.columns)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (const cublasLtMatrixLayoutOpaque_t &layout : {a, b, c, d}) {
    if (std::uint64_t(layout.leading) > std::uint64_t(std::numeric_limits<int>::max()) ||
        layout.columns > std::uint64_t(std::numeric_limits<int>::max()))
      return not_supported(function, "matrices with 2^31 rows or columns");
    if (std::uint64_t(layout.leading) < std::max(std::uint64_t(1), layout.rows))
      return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (description.scale_type != scale_type(description.compute))
    return not_supported(function, "these types of sums and factors together");
  if (has_eight_bits(a.type)) {
    if (!has_eight_bit_product(description.compute, a.type, b.type, c.type, d.type))
      return not_supported(function, "a product of these types");
    // As on Hopper.
    if (plain_a || !plain_b || a.leading % 16 || b.leading % 16 || k % 16 || d.rows % 16)
      return not_supported(function,
                           "products of 8-bit floats unless A is transposed, B is not, and "
                           "all sizes are multiples of 16");
  } else if (a.type != b.type || c.type != d.type ||
             !has_product(description.compute, a.type, c.type)) {
    return not_supported(function, "a product of these types");
  }
  if (d.type == CUDA_R_32I && description.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
    return not_supported(function, "an epilogue of integers");
  return CUBLAS_STATUS_SUCCESS;
}

Matrix placed(const void *array, const cublasLtMatrixLayoutOpaque_t &layout) {
  return {const_cast<void *>(array), layout.type, int(layout.rows), int(layout.columns),
          int(layout.leading)};
}

// A bias has the type of D; where that has 8 bits, or A has, the type of halves.
Matrix bias_of(const cublasLtMatmulDescOpaque_t &description, cudaDataType a, const Matrix &c,
               const Matrix &d) {
  const cudaDataType own = !has_eight_bits(a)     ? d.type
                           : c.type == CUDA_R_16F ? CUDA_R_16F
                                                  : CUDA_R_16BF;
  const cudaDataType type =
      description.bias_type == -1 ? own : static_cast<cudaDataType>(description.bias_type);
  return {const_cast<void *>(description.bias), type, d.rows, has_bias(description.epilogue),
          std::max(1, d.rows)};
}

template <class Wide>
void apply(cublasLtEpilogue_t epilogue, std::vector<Wide> &values, const Matrix &bias) {
  if (has_bias(epilogue)) {
    const std::vector<Wide> added = widened<Wide>(bias);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += added[i % added.size()];
  }
  if (epilogue & CUBLASLT_EPILOGUE_RELU)
    for (Wide &value : values)
      value = value < 0 ? 0 : value; // NaN stays
  if (epilogue & CUBLASLT_EPILOGUE_GELU)
    for (Wide &value : values) {
      const Wide inner =
          Wide(0.7978845608028654) * (value + Wide(0.044715) * value * value * value);
      value *= Wide(0.5) * (1 + std::tanh(inner)); // the factor in `inner` is sqrt(2 / pi)
    }
}

} // namespace

cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                               cublasLtMatrixLayout_t layout_a, cublasLtMatrixLayout_t layout_b,
                               cublasLtMatrixLayout_t layout_c, cublasLtMatrixLayout_t layout_d,
                               cublasLtMatmulPreference_t preference, int wanted,
                               cublasLtMatmulHeuristicResult_t results[], int *found) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!description || !layout_a || !layout_b || !layout_c || !layout_d || !preference ||
      wanted < 1 || !results || !found)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cublasStatus_t status =
      check(__func__, *description, *layout_a, *layout_b, *layout_c, *layout_d);
  *found = status == CUBLAS_STATUS_SUCCESS;
  results[0] = {};
  results[0].state = status;
  results[0].wavesCount = 1;
  return status;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                              const void *alpha, const void *a, cublasLtMatrixLayout_t layout_a,
                              const void *b, cublasLtMatrixLayout_t layout_b, const void *beta,
                              const void *c, cublasLtMatrixLayout_t layout_c, void *d,
                              cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t *, void *,
                              std::size_t, cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!description || !layout_a || !layout_b || !layout_c || !layout_d || !alpha || !beta ||
      (has_bias(description->epilogue) && !description->bias))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (const auto status = check(__func__, *description, *layout_a, *layout_b, *layout_c, *layout_d))
    return status;
  const auto described = *description; // the program may change it before the product is computed
  const bool on_device = described.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  const Factor scale(alpha, described.scale_type, on_device);
  const Factor keep(beta, described.scale_type, on_device);
  const Matrix of_a = placed(a, *layout_a), of_b = placed(b, *layout_b);
  const Matrix of_c = placed(c, *layout_c), of_d = placed(d, *layout_d);
  if (of_d.rows == 0 || of_d.columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  const Matrix bias = bias_of(described, of_a.type, of_c, of_d);
  Operand read_c = operand("C", of_c);
  read_c.columns = keep.may_be_set() ? read_c.columns : 0;

  const bool eight_bits = has_eight_bits(of_a.type), into_eight_bits = has_eight_bits(of_d.type);
  const float *const scale_a = eight_bits ? described.a_scale : nullptr;
  const float *const scale_b = eight_bits ? described.b_scale : nullptr;
  const float *const scale_d = into_eight_bits ? described.d_scale : nullptr;
  float *const largest = into_eight_bits ? described.largest_d : nullptr;
  const auto one = [](const char *name, const float *number) {
    return matrix(name, number, number != nullptr, 1, 1);
  };

  return queue(stream, __func__,
               {operand("A", of_a), operand("B", of_b), read_c, operand("the bias", bias),
                scale.operand("alpha"), keep.operand("beta"), one("the scale of A", scale_a),
                one("the scale of B", scale_b), one("the scale of D", scale_d)},
               {operand("D", of_d), one("the largest of D", largest)}, [=] {
                 const double factor =
                     scale * (scale_a ? *scale_a : 1.0) * (scale_b ? *scale_b : 1.0);
                 const auto compute = [&](auto wide) {
                   using Wide = decltype(wide);
                   auto values = product<Wide>(described.op_a, described.op_b, Wide(factor), of_a,
                                               of_b, Wide(keep), of_c);
                   apply(described.epilogue, values, bias);
                   if (largest) {
                     *largest = 0;
                     for (const Wide value : values)
                       *largest = std::fmax(*largest, std::fabs(float(value)));
                   }
                   if (scale_d)
                     for (Wide &value : values)
                       value *= *scale_d;
                   store(values, of_d);
                 };
                 in_double(described.compute) ? compute(double()) : compute(float());
               });
}
