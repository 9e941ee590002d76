package com.baidu.paddle.lite;

import java.nio.ByteBuffer;

/** The functions of jni.cc; what is wrong in C++ is a PaddleLiteException. */
final class Native {
    static {
        PaddleLiteInitializer.init();
    }

    private Native() {}

    static native long createMobile(byte[][] texts, byte[] model, int threads, int powerMode);

    static native long createCxx(byte[][] texts, int[] places, int threads, int powerMode);

    static native void deletePredictor(long predictor);

    static native long input(long predictor, int index);

    static native long output(long predictor, int index);

    /** 0 where the model has no such tensor. */
    static native long tensor(long predictor, byte[] name);

    static native byte[][] names(long predictor, boolean ofOutputs);

    static native void run(long predictor);

    static native void cancel(long predictor);

    static native long copy(long predictor);

    static native byte[] version(long predictor);

    static native byte[] placement(long predictor);

    static native void save(long predictor, byte[] path);

    static native void deleteTensor(long tensor);

    static native void resize(long tensor, long[] shape);

    static native long[] shape(long tensor);

    static native int precision(long tensor);

    static native void setLod(long tensor, long[][] lod);

    static native long[][] lod(long tensor);

    /** The elements of an array go to an input, which has their type from then on. */
    static native void setFloats(long tensor, float[] data);

    static native void setBytes(long tensor, byte[] data);

    static native void setInts(long tensor, int[] data);

    static native void setLongs(long tensor, long[] data);

    static native float[] floats(long tensor);

    static native byte[] bytes(long tensor);

    static native int[] ints(long tensor);

    static native long[] longs(long tensor);

    /** A direct buffer that an input reads in each run. */
    static native void share(long tensor, ByteBuffer data, int at, int count);

    static native ByteBuffer view(long tensor, boolean isInput);

    /** Another handle of the tensor, which keeps its predictor's memory. */
    static native long keep(long tensor);
}
