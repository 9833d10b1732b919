// says: __cluster_dims__
__global__ void __cluster_dims__(2, 1, 1) kernel() {}
