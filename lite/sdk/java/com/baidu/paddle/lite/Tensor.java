package com.baidu.paddle.lite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An input or output of a predictor, which keeps its elements. Closed with its predictor.
 *
 * <p>Mistakes are exceptions: IllegalArgumentException for what was given, IllegalStateException
 * for a tensor that is closed or read only, PaddleLiteException for what C++ says.
 */
public class Tensor implements AutoCloseable {
    private static final Handle.Deleter DELETER = Native::deleteTensor;

    /** As the number of an input: none. */
    static final int READ_ONLY = -1;

    private final Handle handle;
    private final int input;
    private final PaddlePredictor predictor; // not garbage before its tensors are

    Tensor(long pointer, int input, PaddlePredictor predictor) {
        this.handle = new Handle(this, "the tensor", pointer, DELETER, predictor.tensors);
        this.input = input;
        this.predictor = predictor;
    }

    /** Whether it is an output. */
    public boolean isReadOnly() {
        return input == READ_ONLY;
    }

    /** Another shape than the declared one; the data must be set again. */
    public boolean resize(long[] dims) {
        Arguments.notNull(dims, "the shape");
        long[] shape = dims.clone();
        write(pointer -> Native.resize(pointer, shape));
        return true;
    }

    public long[] shape() {
        return use(Native::shape);
    }

    public Place.PrecisionType precision() {
        return Place.PrecisionType.of(use(Native::precision));
    }

    /** As many elements as the shape has; so are those of the other types. */
    public boolean setData(float[] data) {
        Arguments.notNull(data, "the data");
        write(pointer -> Native.setFloats(pointer, data));
        return true;
    }

    /** Elements of int8, uint8 or bool. */
    public boolean setData(byte[] data) {
        Arguments.notNull(data, "the data");
        write(pointer -> Native.setBytes(pointer, data));
        return true;
    }

    public boolean setData(int[] data) {
        Arguments.notNull(data, "the data");
        write(pointer -> Native.setInts(pointer, data));
        return true;
    }

    public boolean setData(long[] data) {
        Arguments.notNull(data, "the data");
        write(pointer -> Native.setLongs(pointer, data));
        return true;
    }

    /**
     * What remains of a direct buffer in the machine's byte order: each run reads it where it lies,
     * until the next resize or setData.
     */
    public boolean setData(ByteBuffer data) {
        Arguments.notNull(data, "the data");
        if (!data.isDirect()) {
            throw new IllegalArgumentException("the buffer is not direct: give an array instead");
        }
        write(pointer -> Native.share(pointer, data, data.position(), data.remaining()));
        predictor.keep(input, data);
        return true;
    }

    public float[] getFloatData() {
        return use(Native::floats);
    }

    /** Elements of int8, uint8 or bool. */
    public byte[] getByteData() {
        return use(Native::bytes);
    }

    public int[] getIntData() {
        return use(Native::ints);
    }

    public long[] getLongData() {
        return use(Native::longs);
    }

    /**
     * The elements where they lie, without a copy: an output's are read only and the next run
     * changes them; an input's can be written and count as written. Not to be used after a resize
     * or a run with other shapes; the memory stays while the buffer is reachable.
     */
    public ByteBuffer buffer() {
        ByteBuffer view =
                use(
                        pointer -> {
                            ByteBuffer made = Native.view(pointer, !isReadOnly());
                            new Handle(made, "the buffer", Native.keep(pointer), DELETER, null);
                            return made;
                        });
        ByteBuffer given = isReadOnly() ? view.asReadOnlyBuffer() : view;
        return given.order(ByteOrder.nativeOrder());
    }

    /** Offsets of sequences, as {{0, 3, 5}}. */
    public long[][] lod() {
        return use(Native::lod);
    }

    public void set_lod(long[][] lod) {
        Arguments.notNull(lod, "the offsets");
        for (long[] level : lod) {
            Arguments.notNull(level, "a level of the offsets");
        }
        write(pointer -> Native.setLod(pointer, lod));
    }

    /** Frees the handle; the predictor keeps the elements. */
    @Override
    public void close() {
        handle.close();
    }

    private interface Change {
        void of(long pointer);
    }

    private void write(Change change) {
        if (isReadOnly()) {
            throw new IllegalStateException("an output cannot be changed");
        }
        use(
                pointer -> {
                    change.of(pointer);
                    return null;
                });
        predictor.keep(input, null); // what has been written lies in the input's own memory
    }

    private <T> T use(Handle.Call<T> call) {
        return predictor.use(unused -> handle.use(call));
    }
}
