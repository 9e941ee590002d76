import com.baidu.paddle.lite.CxxConfig;
import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Place;
import com.baidu.paddle.lite.Tensor;

/** A Paddle model, optimised, saved and run again: Optimise FOLDER SAVED. */
public class Optimise {
    static void print(PaddlePredictor predictor) {
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, 24, 24});
        float[] pixels = new float[3 * 24 * 24];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = i % 5 / 5f - 0.4f;
        }
        input.setData(pixels);
        predictor.run();
        for (float number : predictor.getOutput(0).getFloatData()) {
            System.out.println(number);
        }
    }

    public static void main(String[] args) {
        CxxConfig config = new CxxConfig();
        config.setModelDir(args[0]);
        config.setValidPlaces(
                new Place[] {new Place(Place.TargetType.X86, Place.PrecisionType.FLOAT)});
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        print(predictor);
        predictor.saveOptimizedModel(args[1]);
        MobileConfig mobile = new MobileConfig();
        mobile.setModelFromFile(args[1] + ".nb");
        print(PaddlePredictor.createPaddlePredictor(mobile));
    }
}
