__global__ void m(float *o, int n) {
    float v; int x;
    asm("ld.global.f32 %0;" : "=f"(v));
    asm("ld" : "=f"(v));
    asm("cvt %0, %1;" : "=f"(v) : "r"(n));
    asm("cp.async;");
    asm("cp.async.ca;");
    asm("cp.async [%0];" ::"l"(o));
    asm("atom.add.u32;");
    asm("red.add.u32 [%0];"::"l"(o));
    asm("bar;"); asm("bar.warp.sync;"); asm("st.global.f32 [%0];"::"l"(o));
    asm("ldmatrix.m8n8.x4;"); asm("stmatrix.m8n8.x4.b16 {%0};"::"r"(n));
    asm("setp.eq.s32;"); asm("add.s32 ,,;"); asm("mov.b32 %9, %8;"); asm("@p mov.b32 %0, 1;" : "=r"(x));
    asm("@ mov.b32 %0, 1;" : "=r"(x)); asm("{{{{"); asm("}}};;;"); asm("add.u32 %0, %0, 99999999999999999999999999;" : "+r"(x));
    asm("shl.b32 %0, %0, -5;" : "+r"(x)); asm("shl.b64 %0, %0, 0xffffffffffffffffff;" : "+r"(x));
    asm(L"mov.u32 %0, 1;" : "=r"(x)); asm("mov.u32 %[q], 1;" : [q] "=r"(x)); asm(R"(mov.u32 %0, 1;)" : "=r"(x));
    asm("mov.u32 %0, %1;" : "=r"() : "r"()); asm("mov.u32 %0, %1;" : "=r"(x+1) : "r"(3)); asm("mov.u32 %0, 3;" : "=r"(5));
    asm("ld.global.v4.f32 {%0,%1,%2,%3}, [%4+0x7fffffffffffffffff];" : "=f"(v),"=f"(v),"=f"(v),"=f"(v) : "l"(o));
    asm("red.add.f32 [%0], %1;" :: "l"(o), "f"(o)); asm("cvt.u32 %0, %1;" : "=r"(x) : "r"(n)); asm("shfl;"); asm("fence;"); asm("mov.u32 %0, {1,2};" : "=r"(x));
    asm("selp.b32 %0, 1, 2, 3;" : "=r"(x)); asm("cvt.s32.s32 %0, 1.5;" : "=r"(x)); asm("ld.global.pred %0, [%1];" : "=r"(x) : "l"(o));
    o[threadIdx.x] = v + x;
}
