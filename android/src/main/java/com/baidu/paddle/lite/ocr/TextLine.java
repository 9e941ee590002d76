package com.baidu.paddle.lite.ocr;

/** A line of text that was read. */
public final class TextLine {
    /** What it says. */
    public final String text;

    /** The mean probability of its characters. */
    public final float confidence;

    /** Its corners {x, y} in the picture, clockwise from the top left. */
    public final double[][] box;

    TextLine(String text, float confidence, double[][] box) {
        this.text = text;
        this.confidence = confidence;
        this.box = box;
    }
}
