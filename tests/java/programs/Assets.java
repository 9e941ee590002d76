import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.PowerMode;
import com.baidu.paddle.lite.Tensor;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A model among the application's resources, copied to its cache, and a batch of bitmaps as Android
 * has them: Assets CACHE, the model being /classifier.nb of the class path.
 */
public class Assets {
    private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
    private static final float[] DEVIATION = {0.229f, 0.224f, 0.225f};

    private static String copyFromAssets(String name, File cache) throws IOException {
        File file = new File(cache, name);
        try (InputStream in = Assets.class.getResourceAsStream("/" + name);
                OutputStream out = new FileOutputStream(file)) {
            byte[] buffer = new byte[1024];
            for (int length = in.read(buffer); length != -1; length = in.read(buffer)) {
                out.write(buffer, 0, length);
            }
        }
        return file.getPath();
    }

    private static void fill(float[] data, int image, int[] argb) {
        for (int i = 0; i < argb.length; i++) {
            for (int c = 0; c < 3; c++) {
                float part = (argb[i] >> (16 - 8 * c) & 0xff) / 255f;
                data[(image * 3 + c) * argb.length + i] = (part - MEAN[c]) / DEVIATION[c];
            }
        }
    }

    public static void main(String[] args) throws IOException {
        String model = copyFromAssets("classifier.nb", new File(args[0]));
        int side = 32;
        float[] data = new float[2 * 3 * side * side];
        for (int image = 0; image < 2; image++) {
            int[] argb = new int[side * side];
            for (int i = 0; i < argb.length; i++) {
                argb[i] = 0xff000000 | (i * 7 % 256) << 16 | (i * 3 % 256) << 8 | (i + image) % 256;
            }
            fill(data, image, argb);
        }
        // However it is run, the numbers are the same.
        for (PowerMode mode : PowerMode.values()) {
            MobileConfig config = new MobileConfig();
            config.setModelFromFile(model);
            config.setPowerMode(mode);
            config.setThreads(1 + mode.ordinal() % 3);
            try (PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config)) {
                Tensor input = predictor.getInput(0);
                input.resize(new long[] {2, 3, side, side});
                input.setData(data);
                predictor.run();
                for (float number : predictor.getOutput(0).getFloatData()) {
                    System.out.println(number);
                }
            }
        }
    }
}
