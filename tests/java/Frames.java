import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.ocr.CameraFrame;
import com.baidu.paddle.lite.ocr.Pixels;
import com.baidu.paddle.lite.ocr.TextLine;
import com.baidu.paddle.lite.ocr.TextReader;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/** DET.nb CLS.nb REC.nb KEYS.txt PICTURE.png ROTATION: the text in what a turned camera sees. */
public final class Frames {
    private static final int ROW = 16; // bytes beyond a row's pixels
    private static final int CHROMA_STRIDE = 2; // as NV21 has its planes

    private Frames() {}

    /** The picture as a sensor has it that must be turned by `rotation` degrees clockwise. */
    private static CameraFrame frame(BufferedImage image, int rotation) {
        boolean turned = rotation % 180 != 0;
        int width = turned ? image.getHeight() : image.getWidth();
        int height = turned ? image.getWidth() : image.getHeight();
        int rows = (height + 1) / 2;
        int chroma = ((width + 1) / 2) * CHROMA_STRIDE + ROW;
        ByteBuffer y = ByteBuffer.allocateDirect((width + ROW) * height);
        ByteBuffer u = ByteBuffer.allocateDirect(chroma * rows);
        ByteBuffer v = ByteBuffer.allocateDirect(chroma * rows);
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < width; column++) {
                int rgb = pixel(image, column, row, width, height, rotation);
                float red = rgb >> 16 & 255;
                float green = rgb >> 8 & 255;
                float blue = rgb & 255;
                float bright = 0.299f * red + 0.587f * green + 0.114f * blue;
                y.put(row * (width + ROW) + column, (byte) Math.round(bright));
                int at = row / 2 * chroma + column / 2 * CHROMA_STRIDE;
                u.put(at, (byte) Math.round((blue - bright) / 1.772f + 128));
                v.put(at, (byte) Math.round((red - bright) / 1.402f + 128));
            }
        }
        return new CameraFrame(
                width, height, new CameraFrame.Plane(y, width + ROW, 1),
                new CameraFrame.Plane(u, chroma, CHROMA_STRIDE),
                new CameraFrame.Plane(v, chroma, CHROMA_STRIDE), rotation);
    }

    private static int pixel(
            BufferedImage image, int column, int row, int width, int height, int rotation) {
        switch (rotation) {
            case 90:
                return image.getRGB(height - 1 - row, column);
            case 180:
                return image.getRGB(width - 1 - column, height - 1 - row);
            case 270:
                return image.getRGB(row, width - 1 - column);
            default:
                return image.getRGB(column, row);
        }
    }

    private static void refused(Runnable mistake, String words) {
        try {
            mistake.run();
        } catch (IllegalArgumentException error) {
            if (error.getMessage().contains(words)) {
                return;
            }
            throw error;
        }
        throw new AssertionError("not refused: " + words);
    }

    private static void mistakes() {
        CameraFrame.Plane plane = new CameraFrame.Plane(ByteBuffer.allocate(16), 4, 1);
        CameraFrame.Plane small = new CameraFrame.Plane(ByteBuffer.allocate(3), 2, 1);
        refused(() -> new CameraFrame(4, 4, plane, plane, small, 0), "plane V has 3 bytes");
        refused(() -> new CameraFrame(5, 4, plane, plane, plane, 0), "plane Y has 16 bytes");
        refused(() -> new CameraFrame(4, 4, plane, plane, plane, 45), "not by 45");
        refused(() -> new CameraFrame(0, 4, plane, plane, plane, 0), "0 x 4");
        refused(() -> new Pixels(1 << 16, 1 << 16, new int[0]), "65536 x 65536 pixels");
    }

    private static MobileConfig config(String model) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(model);
        return config;
    }

    /** See the class. */
    public static void main(String[] arguments) throws IOException {
        mistakes();
        List<String> keys = Files.readAllLines(Paths.get(arguments[3]), StandardCharsets.UTF_8);
        try (TextReader reader = new TextReader(
                config(arguments[0]), config(arguments[1]), config(arguments[2]), keys)) {
            BufferedImage image = ImageIO.read(new File(arguments[4]));
            CameraFrame frame = frame(image, Integer.parseInt(arguments[5]));
            for (TextLine line : reader.read(frame)) {
                System.out.println(
                        String.format(Locale.ROOT, "%.3f %s", line.confidence, line.text));
            }
        }
    }
}
