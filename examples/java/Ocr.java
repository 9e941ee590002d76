import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.ocr.Pixels;
import com.baidu.paddle.lite.ocr.TextLine;
import com.baidu.paddle.lite.ocr.TextReader;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/**
 * The text in a picture: Ocr DET.nb CLS.nb REC.nb KEYS.txt PICTURE.png
 *
 * <p>KEYS.txt has the recogniser's characters, one a line. Prints each line with the mean probability
 * of its characters. The reader's sources are android/src/main/java's.
 */
public final class Ocr {
    private Ocr() {}

    private static MobileConfig config(String model) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(model);
        config.setThreads(2);
        return config;
    }

    /** See the class. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 5) {
            System.err.println("usage: Ocr DET.nb CLS.nb REC.nb KEYS.txt PICTURE.png");
            System.exit(2);
        }
        BufferedImage image = ImageIO.read(new File(arguments[4]));
        if (image == null) {
            System.err.println(arguments[4] + ": no picture that Java reads");
            System.exit(1);
        }
        int width = image.getWidth();
        int height = image.getHeight();
        Pixels pixels =
                new Pixels(width, height, image.getRGB(0, 0, width, height, null, 0, width));
        List<String> keys =
                Files.readAllLines(Paths.get(arguments[3]), StandardCharsets.UTF_8);
        try (TextReader reader =
                new TextReader(
                        config(arguments[0]), config(arguments[1]), config(arguments[2]), keys)) {
            for (TextLine line : reader.read(pixels)) {
                System.out.println(
                        String.format(Locale.ROOT, "%.3f %s", line.confidence, line.text));
            }
        }
    }
}
