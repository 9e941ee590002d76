import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.util.ArrayList;
import java.util.List;

/** A detector whose last steps are the program's own: Yolo MODEL SIDE. */
public class Yolo {
    private static final int FIELDS = 7; // x, y, w, h, certainty, two classes
    private static final float[][] ANCHORS = {{10, 13}, {33, 23}};

    static class Box implements Comparable<Box> {
        float left, top, right, bottom, score;
        int label;

        @Override
        public int compareTo(Box other) {
            return Float.compare(other.score, score);
        }

        float overlap(Box other) {
            float w = Math.min(right, other.right) - Math.max(left, other.left);
            float h = Math.min(bottom, other.bottom) - Math.max(top, other.top);
            float both = Math.max(w, 0) * Math.max(h, 0);
            return both / (area() + other.area() - both);
        }

        float area() {
            return (right - left) * (bottom - top);
        }
    }

    static float sigmoid(float x) {
        return (float) (1 / (1 + Math.exp(-x)));
    }

    static List<Box> decode(float[] maps, int grid, int stride) {
        List<Box> boxes = new ArrayList<>();
        for (int anchor = 0; anchor < ANCHORS.length; anchor++) {
            for (int cell = 0; cell < grid * grid; cell++) {
                float[] fields = new float[FIELDS];
                for (int i = 0; i < FIELDS; i++) {
                    fields[i] = maps[(anchor * FIELDS + i) * grid * grid + cell];
                }
                Box box = new Box();
                box.label = fields[6] > fields[5] ? 1 : 0;
                box.score = sigmoid(fields[4]) * sigmoid(fields[5 + box.label]);
                float x = (sigmoid(fields[0]) + cell % grid) * stride;
                float y = (sigmoid(fields[1]) + cell / grid) * stride;
                float w = (float) Math.exp(fields[2]) * ANCHORS[anchor][0];
                float h = (float) Math.exp(fields[3]) * ANCHORS[anchor][1];
                box.left = x - w / 2;
                box.right = x + w / 2;
                box.top = y - h / 2;
                box.bottom = y + h / 2;
                boxes.add(box);
            }
        }
        return boxes;
    }

    static List<Box> suppress(List<Box> boxes, float threshold) {
        boxes.sort(null);
        List<Box> kept = new ArrayList<>();
        for (Box box : boxes) {
            if (kept.stream().noneMatch(b -> b.label == box.label && b.overlap(box) > threshold)) {
                kept.add(box);
            }
        }
        return kept;
    }

    public static void main(String[] args) {
        int side = Integer.parseInt(args[1]);
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        float[] data = new float[3 * side * side];
        for (int i = 0; i < data.length; i++) {
            data[i] = i * i % 101 / 50f - 1;
        }
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, side, side});
        input.setData(data);
        predictor.run();
        List<Box> boxes = decode(predictor.getOutput(0).getFloatData(), side / 8, 8);
        for (Box box : suppress(boxes, 0.4f)) {
            System.out.println(box.label + "\n" + box.score + "\n" + box.left + "\n" + box.top);
        }
    }
}
