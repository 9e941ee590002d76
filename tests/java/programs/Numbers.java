import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;

/** Outputs of three integer types, found by name: Numbers MODEL. */
public class Numbers {
    public static void main(String[] args) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {4});
        input.setData(new float[] {0.5f, 3.9f, 100, 255});
        predictor.run();
        String[] names = predictor.getOutputNames();
        for (long number : predictor.getTensor(names[0]).getLongData()) {
            System.out.println(number);
        }
        for (int number : predictor.getTensor(names[1]).getIntData()) {
            System.out.println(number);
        }
        for (byte number : predictor.getTensor(names[2]).getByteData()) {
            System.out.println(number & 255);
        }
    }
}
