package com.baidu.paddle.lite.ocr;

/** A picture of any kind, upright. */
public interface Picture {
    /** Pixels from left to right. */
    int width();

    /** Pixels from top to bottom. */
    int height();

    /** The colour of a pixel inside of the picture: 0xRRGGBB. */
    int rgb(int x, int y);
}
