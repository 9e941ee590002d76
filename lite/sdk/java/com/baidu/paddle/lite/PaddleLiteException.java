package com.baidu.paddle.lite;

import java.nio.charset.StandardCharsets;

/** What the library says of a mistake: what, where, and what was expected. */
public class PaddleLiteException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public PaddleLiteException(String text) {
        super(text);
    }

    /** What jni.cc throws. */
    static PaddleLiteException of(byte[] utf8) {
        return new PaddleLiteException(new String(utf8, StandardCharsets.UTF_8));
    }
}
