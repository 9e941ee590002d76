import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/** Requests from many threads, predictors in a queue: Server MODEL REQUESTS. */
public class Server {
    private final BlockingQueue<PaddlePredictor> free = new LinkedBlockingQueue<>();

    Server(String model, int predictors) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(model);
        PaddlePredictor first = PaddlePredictor.createPaddlePredictor(config);
        free.add(first);
        for (int i = 1; i < predictors; i++) {
            free.add(first.copy());
        }
    }

    float[] answer(int side) throws InterruptedException {
        PaddlePredictor predictor = free.take();
        try {
            float[] pixels = new float[3 * side * side];
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = i % 5 / 5f - 0.4f;
            }
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {1, 3, side, side});
            input.setData(pixels);
            predictor.run();
            return predictor.getOutput(0).getFloatData();
        } finally {
            free.put(predictor);
        }
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        Server server = new Server(args[0], 3);
        ExecutorService workers = Executors.newFixedThreadPool(8);
        List<Future<float[]>> answers = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            int side = 20 + i % 7;
            answers.add(workers.submit(() -> server.answer(side)));
        }
        for (Future<float[]> answer : answers) {
            for (float number : answer.get()) {
                System.out.println(number);
            }
        }
        workers.shutdown();
    }
}
