import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.awt.image.BufferedImage;

/** Pixels by class, painted over the picture, and how many there are of each: Segment MODEL SIDE. */
public class Segment {
    private static final int[] COLOURS = {0x000000, 0x800000, 0x008000, 0x808000};

    public static void main(String[] args) {
        int side = Integer.parseInt(args[1]);
        BufferedImage picture = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < side * side; i++) {
            picture.setRGB(i % side, i / side, (i * 7 % 256) << 16 | (i * 3 % 256) << 8 | i % 256);
        }
        int[] rgb = picture.getRGB(0, 0, side, side, null, 0, side);
        float[] data = new float[3 * rgb.length];
        for (int i = 0; i < rgb.length; i++) {
            data[i] = ((rgb[i] >> 16 & 255) / 255f - 0.5f) / 0.5f;
            data[rgb.length + i] = ((rgb[i] >> 8 & 255) / 255f - 0.5f) / 0.5f;
            data[2 * rgb.length + i] = ((rgb[i] & 255) / 255f - 0.5f) / 0.5f;
        }
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, side, side});
        input.setData(data);
        predictor.run();
        Tensor output = predictor.getOutput(0);
        long[] shape = output.shape();
        long[] mask = output.getLongData();
        BufferedImage painted =
                new BufferedImage((int) shape[2], (int) shape[1], BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < mask.length; i++) {
            painted.setRGB(i % side, i / side, COLOURS[(int) mask[i]]);
        }
        for (int colour : COLOURS) {
            int count = 0;
            for (int pixel : painted.getRGB(0, 0, side, side, null, 0, side)) {
                count += (pixel & 0xffffff) == colour ? 1 : 0;
            }
            System.out.println(count);
        }
    }
}
