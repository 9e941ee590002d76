import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/**
 * The text in a picture: Ocr DET.nb CLS.nb REC.nb KEYS.txt PICTURE.png
 *
 * <p>PP-OCR: a detector finds lines, a classifier those that stand upside down, a recogniser reads
 * them. KEYS.txt has the recogniser's characters, one a line. Prints each line with the mean
 * probability of its characters.
 */
public final class Ocr {
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

    private Ocr(String detector, String classifier, String recogniser, String keys)
            throws IOException {
        this.detector = load(detector);
        this.classifier = load(classifier);
        this.recogniser = load(recogniser);
        characters.add(""); // the blank
        characters.addAll(Files.readAllLines(Paths.get(keys), StandardCharsets.UTF_8));
        characters.add(" ");
    }

    private static PaddlePredictor load(String path) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(path);
        config.setThreads(2);
        return PaddlePredictor.createPaddlePredictor(config);
    }

    /** The colour between pixels, red, green, blue; the picture's border goes on for ever. */
    private static void sample(BufferedImage image, double x, double y, float[] colour) {
        x = Math.min(Math.max(x, 0), image.getWidth() - 1);
        y = Math.min(Math.max(y, 0), image.getHeight() - 1);
        int x0 = (int) x;
        int y0 = (int) y;
        int x1 = Math.min(x0 + 1, image.getWidth() - 1);
        int y1 = Math.min(y0 + 1, image.getHeight() - 1);
        float right = (float) (x - x0);
        float down = (float) (y - y0);
        int[] near = {
            image.getRGB(x0, y0), image.getRGB(x1, y0), image.getRGB(x0, y1), image.getRGB(x1, y1)
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
            float[] planes, BufferedImage image, int width, int height, int stride,
            float[] mean, float[] deviation) {
        float[] colour = new float[3];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double fromX = (x + 0.5) * image.getWidth() / width - 0.5;
                double fromY = (y + 0.5) * image.getHeight() / height - 0.5;
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

    private List<double[][]> findLines(BufferedImage image) {
        int longest = Math.max(image.getWidth(), image.getHeight());
        double wanted = Math.min(Math.max(longest, SHORTEST_LONG_SIDE), LONGEST_SIDE);
        int width = roundTo32(image.getWidth() * wanted / longest);
        int height = roundTo32(image.getHeight() * wanted / longest);
        float[] planes = new float[3 * width * height];
        fill(planes, image, width, height, width, MEAN, DEVIATION);
        Tensor output = run(detector, planes, width, height);
        List<double[][]> boxes = TextBoxes.of(output.getFloatData(), width, height);
        for (double[][] box : boxes) {
            for (double[] corner : box) {
                corner[0] *= (double) image.getWidth() / width;
                corner[1] *= (double) image.getHeight() / height;
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
    private static BufferedImage cutOut(BufferedImage image, double[][] box) {
        int width = Math.max(1, (int) Math.round(TextBoxes.widthOf(box)));
        int height = Math.max(1, (int) Math.round(TextBoxes.heightOf(box)));
        boolean standing = height >= 1.5 * width;
        BufferedImage line = new BufferedImage(
                standing ? height : width, standing ? width : height, BufferedImage.TYPE_INT_RGB);
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
                line.setRGB(standing ? y : x, standing ? width - 1 - x : y, rgb);
            }
        }
        return line;
    }

    /** Runs a line that is scaled to the input's height; zeros fill what is right of it. */
    private static Tensor runLine(PaddlePredictor predictor, BufferedImage line, int width) {
        double natural = Math.ceil((double) LINE_HEIGHT * line.getWidth() / line.getHeight());
        int scaled = Math.min(width, Math.max(1, (int) natural));
        float[] planes = new float[3 * LINE_HEIGHT * width];
        fill(planes, line, scaled, LINE_HEIGHT, width, HALF, HALF);
        return run(predictor, planes, width, LINE_HEIGHT);
    }

    private BufferedImage upright(BufferedImage line) {
        float[] scores = runLine(classifier, line, CLASSIFIER_WIDTH).getFloatData();
        if (scores[1] <= CERTAINLY_UPSIDE_DOWN) {
            return line;
        }
        int width = line.getWidth();
        int height = line.getHeight();
        BufferedImage turned = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                turned.setRGB(width - 1 - x, height - 1 - y, line.getRGB(x, y));
            }
        }
        return turned;
    }

    /** Reads a line: of each step the best character, repeated ones and blanks (0) left out. */
    private void read(BufferedImage line) {
        double steps = Math.ceil((double) LINE_HEIGHT * line.getWidth() / line.getHeight() / 32);
        int width = Math.min(Math.max((int) steps * 32, NARROWEST), WIDEST);
        Tensor output = runLine(recogniser, line, width);
        float[] scores = output.getFloatData();
        int classes = (int) output.shape()[2];
        if (classes != characters.size()) {
            throw new IllegalArgumentException(
                    "KEYS.txt has " + (characters.size() - 2) + " characters, the recogniser knows "
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
        if (count > 0 && confidence / count >= LEAST_CONFIDENCE) {
            System.out.println(String.format(Locale.ROOT, "%.3f %s", confidence / count, text));
        }
    }

    /** See the class. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 5) {
            System.err.println("usage: Ocr DET.nb CLS.nb REC.nb KEYS.txt PICTURE.png");
            System.exit(2);
        }
        Ocr ocr = new Ocr(arguments[0], arguments[1], arguments[2], arguments[3]);
        BufferedImage image = ImageIO.read(new File(arguments[4]));
        if (image == null) {
            System.err.println(arguments[4] + ": no picture that Java reads");
            System.exit(1);
        }
        for (double[][] box : ocr.findLines(image)) {
            ocr.read(ocr.upright(cutOut(image, box)));
        }
    }
}
