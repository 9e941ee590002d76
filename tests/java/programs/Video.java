import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.nio.FloatBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Frames from one thread, read by another into the input's own memory: Video MODEL FRAMES. */
public class Video {
    private static final int SIDE = 20;

    public static void main(String[] args) throws InterruptedException {
        int frames = Integer.parseInt(args[1]);
        BlockingQueue<int[]> camera = new ArrayBlockingQueue<>(2);
        Thread capture =
                new Thread(
                        () -> {
                            try {
                                for (int frame = 0; frame < frames; frame++) {
                                    int[] argb = new int[SIDE * SIDE];
                                    for (int i = 0; i < argb.length; i++) {
                                        argb[i] = 0xff000000 | (i * 5 + frame * 31) * 40503;
                                    }
                                    camera.put(argb);
                                }
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        capture.start();
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        try (PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config)) {
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {1, 3, SIDE, SIDE});
            input.setData(new float[3 * SIDE * SIDE]);
            FloatBuffer pixels = input.buffer().asFloatBuffer();
            for (int frame = 0; frame < frames; frame++) {
                int[] argb = camera.take();
                for (int i = 0; i < argb.length; i++) {
                    pixels.put(i, (argb[i] >> 16 & 255) / 255f);
                    pixels.put(i + argb.length, (argb[i] >> 8 & 255) / 255f);
                    pixels.put(i + 2 * argb.length, (argb[i] & 255) / 255f);
                }
                predictor.run();
                float[] scores = predictor.getOutput(0).getFloatData();
                int best = 0;
                for (int i = 1; i < scores.length; i++) {
                    best = scores[i] > scores[best] ? i : best;
                }
                System.out.println(best + "\n" + scores[best]);
            }
        }
        capture.join();
    }
}
