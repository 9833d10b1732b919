// says: cudaGraphAddKernelNode
// note: graphs made node by node
int main() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr);
}
