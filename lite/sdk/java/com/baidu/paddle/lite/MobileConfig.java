package com.baidu.paddle.lite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A `.nb` file or its bytes, and how to run it. */
public class MobileConfig extends ConfigBase {
    private String modelFile = "";
    private byte[] modelBuffer;
    private String modelText = "";

    public void setModelFromFile(String modelFile) {
        this.modelFile = Arguments.notNull(modelFile, "the file of a model");
        modelBuffer = null;
        modelText = "";
    }

    public String getModelFromFile() {
        return modelFile;
    }

    /**
     * The bytes of a file, a char for each (ISO-8859-1), as programs for Paddle Lite give them.
     * {@link #setModelFromBuffer(byte[])} needs no such text.
     */
    public void setModelFromBuffer(String modelBuffer) {
        Arguments.notNull(modelBuffer, "the bytes of a model");
        for (int i = 0; i < modelBuffer.length(); i++) {
            if (modelBuffer.charAt(i) > 0xFF) {
                throw new IllegalArgumentException(
                        "the bytes of a model have a char above 255 at "
                                + i
                                + ": read the file as ISO_8859_1, or give a byte[]");
            }
        }
        setModelFromBuffer(modelBuffer.getBytes(StandardCharsets.ISO_8859_1));
        modelText = modelBuffer;
    }

    public String getModelFromBuffer() {
        return modelText;
    }

    /** The bytes of a file; the array may be used again. */
    public void setModelFromBuffer(byte[] modelBuffer) {
        this.modelBuffer = Arguments.notNull(modelBuffer, "the bytes of a model").clone();
        modelFile = "";
        modelText = "";
    }

    /** What remains of a buffer, as one that maps a file. */
    public void setModelFromBuffer(ByteBuffer modelBuffer) {
        ByteBuffer source = Arguments.notNull(modelBuffer, "the bytes of a model").duplicate();
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        this.modelBuffer = bytes;
        modelFile = "";
        modelText = "";
    }

    @Override
    long create() {
        return Native.createMobile(texts(modelFile, ""), modelBuffer, threads, powerMode.value());
    }
}
