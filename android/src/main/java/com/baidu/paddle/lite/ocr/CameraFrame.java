package com.baidu.paddle.lite.ocr;

import java.nio.ByteBuffer;

/**
 * A picture as Android's cameras give it, {@code ImageFormat.YUV_420_888}: brightness of each pixel,
 * two numbers of colour for each 2 x 2 pixels (ITU-R BT.601, full range, as JFIF has them).
 *
 * <p>The planes are read where they lie: an {@code Image} is closed after the text has been read.
 */
public final class CameraFrame implements Picture {
    /** One of an image's three planes, as {@code Image.Plane} describes it. */
    public static final class Plane {
        private final ByteBuffer bytes;
        private final int rowStride;
        private final int pixelStride;

        /** Bytes from one row, and from one number, to the next. */
        public Plane(ByteBuffer bytes, int rowStride, int pixelStride) {
            this.bytes = bytes;
            this.rowStride = rowStride;
            this.pixelStride = pixelStride;
        }

        private int at(int x, int y) {
            return bytes.get(y * rowStride + x * pixelStride) & 255;
        }

        private void check(String name, int width, int height) {
            long last = (long) (height - 1) * rowStride + (long) (width - 1) * pixelStride;
            if (rowStride < 1 || pixelStride < 1 || last >= bytes.limit()) {
                throw new IllegalArgumentException(
                        "plane " + name + " has " + bytes.limit() + " bytes in rows of " + rowStride
                                + ", too few for " + width + " x " + height);
            }
        }
    }

    private final int width;
    private final int height;
    private final Plane y;
    private final Plane u;
    private final Plane v;
    private final int rotation;

    /**
     * A frame of width x height pixels before it is turned.
     *
     * @param rotation degrees by which it is turned clockwise to be upright: 0, 90, 180 or 270, as
     *     CameraX's {@code getRotationDegrees} and Camera2's sensor orientation say
     */
    public CameraFrame(int width, int height, Plane y, Plane u, Plane v, int rotation) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("a frame of " + width + " x " + height + " pixels");
        }
        if (rotation < 0 || rotation > 270 || rotation % 90 != 0) {
            throw new IllegalArgumentException(
                    "a frame is turned by 0, 90, 180 or 270 degrees, not by " + rotation);
        }
        y.check("Y", width, height);
        u.check("U", (width + 1) / 2, (height + 1) / 2);
        v.check("V", (width + 1) / 2, (height + 1) / 2);
        this.width = width;
        this.height = height;
        this.y = y;
        this.u = u;
        this.v = v;
        this.rotation = rotation;
    }

    @Override
    public int width() {
        return rotation % 180 == 0 ? width : height;
    }

    @Override
    public int height() {
        return rotation % 180 == 0 ? height : width;
    }

    @Override
    public int rgb(int right, int down) {
        switch (rotation) {
            case 90:
                return colour(down, height - 1 - right);
            case 180:
                return colour(width - 1 - right, height - 1 - down);
            case 270:
                return colour(width - 1 - down, right);
            default:
                return colour(right, down);
        }
    }

    private int colour(int column, int row) {
        float bright = y.at(column, row);
        float blue = u.at(column / 2, row / 2) - 128;
        float red = v.at(column / 2, row / 2) - 128;
        return part(bright + 1.402f * red) << 16
                | part(bright - 0.344136f * blue - 0.714136f * red) << 8
                | part(bright + 1.772f * blue);
    }

    private static int part(float value) {
        return Math.min(Math.max(Math.round(value), 0), 255);
    }
}
