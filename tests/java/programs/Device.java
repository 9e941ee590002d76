import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;

/** A picture on an NNAdapter device, for which the model was optimised: Device MODEL SIDE DEVICE. */
public class Device {
    public static void main(String[] args) {
        int side = Integer.parseInt(args[1]);
        float[] pixels = new float[3 * side * side];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = i % 5 / 5f - 0.4f;
        }
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        config.setNNAdapterDeviceNames(args[2]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, side, side});
        input.setData(pixels);
        predictor.run();
        if (!predictor.getPlacement().contains(args[2])) {
            throw new IllegalStateException(predictor.getPlacement());
        }
        for (float number : predictor.getOutput(0).getFloatData()) {
            System.out.println(number);
        }
    }
}
