package com.baidu.paddle.lite.ocr;

/** A picture in memory: {@code rgb[y * width + x]}, as Android's {@code Bitmap.getPixels} gives. */
public final class Pixels implements Picture {
    private final int width;
    private final int height;
    private final int[] rgb;

    /** Keeps the array; what is above the lower 24 bits of a pixel does not matter. */
    public Pixels(int width, int height, int[] rgb) {
        if (width < 1 || height < 1 || (long) width * height != rgb.length) {
            throw new IllegalArgumentException(
                    width + " x " + height + " pixels, but " + rgb.length + " are given");
        }
        this.width = width;
        this.height = height;
        this.rgb = rgb;
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public int height() {
        return height;
    }

    @Override
    public int rgb(int x, int y) {
        return rgb[y * width + x] & 0xffffff;
    }
}
