package com.baidu.paddle.lite.ocr;

import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the text in pictures, PP-OCR's way: a detector finds lines, a classifier those that stand
 * upside down, a recogniser reads them.
 *
 * <p>For one thread at a time; {@link #close} frees the models.
 */
public final class TextReader implements AutoCloseable {
    private static final int LONGEST_SIDE = 1280;
    private static final int SHORTEST_LONG_SIDE = 320;
    private static final int LINE_HEIGHT = 48;
    private static final int NARROWEST = 320;
    private static final int WIDEST = 3200;
    private static final int CLASSIFIER_WIDTH = 192;
    private static final float CERTAINLY_UPSIDE_DOWN = 0.9f;
    private static final float LEAST_CONFIDENCE = 0.5f;
    private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
    private static final float[] DEVIATION = {0.229f, 0.224f, 0.225f};
    private static final float[] HALF = {0.5f, 0.5f, 0.5f};

    private final PaddlePredictor detector;
    private final PaddlePredictor classifier;
    private final PaddlePredictor recogniser;
    private final List<String> characters = new ArrayList<>();

    /**
     * Over models as paddle_lite_opt writes them, .nb.
     *
     * @param characters the recogniser's, without the blank and the space
     */
    public TextReader(
            MobileConfig detector, MobileConfig classifier, MobileConfig recogniser,
            List<String> characters) {
        this.detector = PaddlePredictor.createPaddlePredictor(detector);
        this.classifier = PaddlePredictor.createPaddlePredictor(classifier);
        this.recogniser = PaddlePredictor.createPaddlePredictor(recogniser);
        this.characters.add(""); // the blank
        this.characters.addAll(characters);
        this.characters.add(" ");
    }

    /** The lines of a picture, from top to bottom, each row from left to right. */
    public List<TextLine> read(Picture image) {
        List<TextLine> lines = new ArrayList<>();
        for (double[][] box : findLines(image)) {
            TextLine line = read(upright(cutOut(image, box)), box);
            if (line != null) {
                lines.add(line);
            }
        }
        return lines;
    }

    @Override
    public void close() {
        detector.close();
        classifier.close();
        recogniser.close();
    }

    /** The colour between pixels, red, green, blue; the picture's border goes on for ever. */
    private static void sample(Picture image, double x, double y, float[] colour) {
        x = Math.min(Math.max(x, 0), image.width() - 1);
        y = Math.min(Math.max(y, 0), image.height() - 1);
        int x0 = (int) x;
        int y0 = (int) y;
        int x1 = Math.min(x0 + 1, image.width() - 1);
        int y1 = Math.min(y0 + 1, image.height() - 1);
        float right = (float) (x - x0);
        float down = (float) (y - y0);
        int[] near = {
            image.rgb(x0, y0), image.rgb(x1, y0), image.rgb(x0, y1), image.rgb(x1, y1)
        };
        for (int c = 0; c < 3; c++) {
            int shift = 16 - 8 * c;
            float top = (near[0] >> shift & 255) * (1 - right) + (near[1] >> shift & 255) * right;
            float low = (near[2] >> shift & 255) * (1 - right) + (near[3] >> shift & 255) * right;
            colour[c] = top * (1 - down) + low * down;
        }
    }

    /** A picture scaled to width x height as planes of blue, green, red, each row `stride` wide. */
    private static void fill(
            float[] planes, Picture image, int width, int height, int stride,
            float[] mean, float[] deviation) {
        float[] colour = new float[3];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double fromX = (x + 0.5) * image.width() / width - 0.5;
                double fromY = (y + 0.5) * image.height() / height - 0.5;
                sample(image, fromX, fromY, colour);
                for (int c = 0; c < 3; c++) {
                    float value = (colour[2 - c] / 255 - mean[c]) / deviation[c];
                    planes[(c * height + y) * stride + x] = value;
                }
            }
        }
    }

    private static int roundTo32(double size) {
        return Math.max(32, (int) Math.round(size / 32) * 32);
    }

    private List<double[][]> findLines(Picture image) {
        int longest = Math.max(image.width(), image.height());
        double wanted = Math.min(Math.max(longest, SHORTEST_LONG_SIDE), LONGEST_SIDE);
        int width = roundTo32(image.width() * wanted / longest);
        int height = roundTo32(image.height() * wanted / longest);
        float[] planes = new float[3 * width * height];
        fill(planes, image, width, height, width, MEAN, DEVIATION);
        Tensor output = run(detector, planes, width, height);
        List<double[][]> boxes = TextBoxes.of(output.getFloatData(), width, height);
        for (double[][] box : boxes) {
            for (double[] corner : box) {
                corner[0] *= (double) image.width() / width;
                corner[1] *= (double) image.height() / height;
            }
        }
        return boxes;
    }

    private static Tensor run(PaddlePredictor predictor, float[] planes, int width, int height) {
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, height, width});
        input.setData(planes);
        predictor.run();
        return predictor.getOutput(0);
    }

    /** The picture inside a box, upright; a standing line is turned by 90 degrees. */
    private static Picture cutOut(Picture image, double[][] box) {
        int width = Math.max(1, (int) Math.round(TextBoxes.widthOf(box)));
        int height = Math.max(1, (int) Math.round(TextBoxes.heightOf(box)));
        boolean standing = height >= 1.5 * width;
        int[] line = new int[width * height];
        float[] colour = new float[3];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double[] at = new double[2];
                for (int axis = 0; axis < 2; axis++) {
                    at[axis] = box[0][axis]
                            + (box[1][axis] - box[0][axis]) * (x + 0.5) / width
                            + (box[3][axis] - box[0][axis]) * (y + 0.5) / height;
                }
                sample(image, at[0] - 0.5, at[1] - 0.5, colour);
                int rgb = 0;
                for (float part : colour) {
                    rgb = rgb << 8 | Math.round(part);
                }
                line[standing ? (width - 1 - x) * height + y : y * width + x] = rgb;
            }
        }
        return standing ? new Pixels(height, width, line) : new Pixels(width, height, line);
    }

    /** Runs a line that is scaled to the input's height; zeros fill what is right of it. */
    private static Tensor runLine(PaddlePredictor predictor, Picture line, int width) {
        double natural = Math.ceil((double) LINE_HEIGHT * line.width() / line.height());
        int scaled = Math.min(width, Math.max(1, (int) natural));
        float[] planes = new float[3 * LINE_HEIGHT * width];
        fill(planes, line, scaled, LINE_HEIGHT, width, HALF, HALF);
        return run(predictor, planes, width, LINE_HEIGHT);
    }

    private Picture upright(Picture line) {
        float[] scores = runLine(classifier, line, CLASSIFIER_WIDTH).getFloatData();
        if (scores[1] <= CERTAINLY_UPSIDE_DOWN) {
            return line;
        }
        int width = line.width();
        int height = line.height();
        int[] turned = new int[width * height];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                turned[(height - 1 - y) * width + width - 1 - x] = line.rgb(x, y);
            }
        }
        return new Pixels(width, height, turned);
    }

    /** A line: of each step the best character, repeated ones and blanks (0) left out; or null. */
    private TextLine read(Picture line, double[][] box) {
        double steps = Math.ceil((double) LINE_HEIGHT * line.width() / line.height() / 32);
        int width = Math.min(Math.max((int) steps * 32, NARROWEST), WIDEST);
        Tensor output = runLine(recogniser, line, width);
        float[] scores = output.getFloatData();
        int classes = (int) output.shape()[2];
        if (classes != characters.size()) {
            throw new IllegalArgumentException(
                    (characters.size() - 2) + " characters are given, the recogniser knows "
                            + (classes - 2));
        }
        StringBuilder text = new StringBuilder();
        float confidence = 0;
        int count = 0;
        int last = 0;
        for (int step = 0; step * classes < scores.length; step++) {
            int best = 0;
            for (int kind = 1; kind < classes; kind++) {
                if (scores[step * classes + kind] > scores[step * classes + best]) {
                    best = kind;
                }
            }
            if (best != 0 && best != last) {
                text.append(characters.get(best));
                confidence += scores[step * classes + best];
                count++;
            }
            last = best;
        }
        boolean certain = count > 0 && confidence / count >= LEAST_CONFIDENCE;
        return certain ? new TextLine(text.toString(), confidence / count, box) : null;
    }
}
