package com.baidu.paddle.lite;

import java.nio.charset.StandardCharsets;

/** Checks of what callers give, and texts as C++ has them. */
final class Arguments {
    private Arguments() {}

    static <T> T notNull(T given, String what) {
        if (given == null) {
            throw new IllegalArgumentException(what + " is null");
        }
        return given;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
