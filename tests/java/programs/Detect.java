import com.baidu.paddle.lite.*;

/** Two inputs by their places, boxes and their number: Detect MODEL. */
public class Detect {
    public static void main(String[] args) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        Tensor image = predictor.getInput(0);
        image.resize(new long[] {1, 3, 64, 64});
        float[] pixels = new float[3 * 64 * 64];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (i / 64 % 64 > 20 && i % 64 > 30) ? 2 : -1;
        }
        image.setData(pixels);
        Tensor scale = predictor.getInput(1);
        scale.resize(new long[] {1, 2});
        scale.setData(new float[] {0.5f, 2});
        predictor.run();
        Tensor boxes = predictor.getOutput(0);
        int count = predictor.getOutput(1).getIntData()[0];
        float[] numbers = boxes.getFloatData();
        for (int box = 0; box < count; box++) {
            for (int i = 0; i < 6; i++) {
                System.out.println(numbers[box * 6 + i]);
            }
        }
    }
}
