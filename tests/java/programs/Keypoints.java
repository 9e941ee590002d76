import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Where each of a body's points is, and how sure that is: Keypoints MODEL SIDE. */
public class Keypoints {
    static class Keypoint {
        float x;
        float y;
        float score;
    }

    static List<Keypoint> find(Tensor heatmaps, int side) {
        int height = (int) heatmaps.shape()[2];
        int width = (int) heatmaps.shape()[3];
        float[] values = heatmaps.getFloatData();
        List<Keypoint> points = new ArrayList<>();
        for (int map = 0; map < heatmaps.shape()[1]; map++) {
            int best = map * height * width;
            for (int i = best; i < (map + 1) * height * width; i++) {
                best = values[i] > values[best] ? i : best;
            }
            Keypoint point = new Keypoint();
            point.x = (best % width + 0.5f) * side / width;
            point.y = (best / width % height + 0.5f) * side / height;
            point.score = values[best];
            points.add(point);
        }
        return points;
    }

    public static void main(String[] args) {
        int side = Integer.parseInt(args[1]);
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        config.setThreads(2);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        float[] data = new float[3 * side * side];
        for (int i = 0; i < data.length; i++) {
            data[i] = i * i % 101 / 50f - 1;
        }
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, side, side});
        input.setData(data);
        predictor.run();
        for (Keypoint point : find(predictor.getOutput(0), side)) {
            System.out.println(point.x + "\n" + point.y + "\n" + point.score);
        }
    }
}
