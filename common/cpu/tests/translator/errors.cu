void errors() {
  one<<<256>>>(x);
  one<<<n / 256>>>(x);
  empty<<<>>>(x);
  two_brackets<<<4, 256>>(x);
  spaced<<<4, 256> >>(x);
  no_arguments<<<4, 256>>>;
  <<<4, 256>>>(x);
  typed<float>
    <<<f(4, 256)>>>(x);
}
#define NO_KERNEL <<<4, 256>>>
__global__ void shared() {
  extern __shared__ float single;
}
void last() {
  open<<<4, 256
}
