import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers that come later, each predictor with its own tensors, one executor: Later MODEL SIDE... */
public class Later {
    static float sum(Tensor tensor) {
        float sum = 0;
        for (float value : tensor.getFloatData()) {
            sum += value * value;
        }
        return sum;
    }

    public static void main(String[] args) {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        PaddlePredictor original = PaddlePredictor.createPaddlePredictor(config);
        List<CompletableFuture<Float>> sums = new ArrayList<>();
        for (int arg = 1; arg < args.length; arg++) {
            int side = Integer.parseInt(args[arg]);
            float[] pixels = new float[3 * side * side];
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = i % 5 / 5f - 0.4f;
            }
            PaddlePredictor predictor = original.copy();
            predictor.setExecutor(executor);
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {1, 3, side, side});
            input.setData(pixels);
            sums.add(predictor.runAsync().thenApply(done -> sum(predictor.getOutput(0))));
        }
        original.close();
        for (CompletableFuture<Float> sum : sums) {
            System.out.println(sum.join());
        }
        executor.shutdown();
    }
}
