import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import javax.imageio.ImageIO;

/** A picture in another style, strip after strip as memory allows: Style MODEL IN.png OUT.png. */
public class Style {
    private final PaddlePredictor predictor;

    Style(String model) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(model);
        predictor = PaddlePredictor.createPaddlePredictor(config);
    }

    /** Strips overlap by the two pixels that the filter reaches. */
    void paint(BufferedImage in, BufferedImage out, int from, int rows) {
        int width = in.getWidth();
        int top = Math.max(from - 2, 0);
        int height = Math.min(from + rows + 2, in.getHeight()) - top;
        int size = width * height;
        float[] data = new float[3 * size];
        for (int i = 0; i < size; i++) {
            int rgb = in.getRGB(i % width, top + i / width);
            for (int c = 0; c < 3; c++) {
                data[c * size + i] = (rgb >> (16 - 8 * c) & 255) / 127.5f - 1;
            }
        }
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, height, width});
        input.setData(data);
        predictor.run();
        float[] painted = predictor.getOutput(0).getFloatData();
        for (int y = from; y < Math.min(from + rows, in.getHeight()); y++) {
            for (int x = 0; x < width; x++) {
                int rgb = 0;
                for (int c = 0; c < 3; c++) {
                    float value = painted[c * size + (y - top) * width + x];
                    rgb = rgb << 8 | Math.round((value + 1) * 127.5f);
                }
                out.setRGB(x, y, rgb);
            }
        }
    }

    public static void main(String[] args) throws IOException {
        Style style = new Style(args[0]);
        BufferedImage in = ImageIO.read(new File(args[1]));
        BufferedImage out =
                new BufferedImage(in.getWidth(), in.getHeight(), BufferedImage.TYPE_INT_RGB);
        for (int from = 0; from < in.getHeight(); from += 16) {
            style.paint(in, out, from, 16);
        }
        ImageIO.write(out, "png", new File(args[2]));
    }
}
