import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.PowerMode;
import com.baidu.paddle.lite.Tensor;
import java.util.Date;

/** A classifier as the Android demonstrations have it: Classify MODEL SIDE... */
public class Classify {
    protected PaddlePredictor paddlePredictor = null;
    protected float inferenceTime = 0;

    protected boolean loadModel(String modelPath, int cpuThreadNum, String cpuPowerMode) {
        if (modelPath.isEmpty()) {
            return false;
        }
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(modelPath);
        config.setThreads(cpuThreadNum);
        if (cpuPowerMode.equalsIgnoreCase("LITE_POWER_HIGH")) {
            config.setPowerMode(PowerMode.LITE_POWER_HIGH);
        } else {
            config.setPowerMode(PowerMode.LITE_POWER_NO_BIND);
        }
        paddlePredictor = PaddlePredictor.createPaddlePredictor(config);
        return paddlePredictor != null;
    }

    public Tensor getInput(int idx) {
        return paddlePredictor == null ? null : paddlePredictor.getInput(idx);
    }

    public Tensor getOutput(int idx) {
        return paddlePredictor == null ? null : paddlePredictor.getOutput(idx);
    }

    protected boolean runModel(float[] pixels, long[] shape) {
        Tensor inputTensor = getInput(0);
        inputTensor.resize(shape);
        inputTensor.setData(pixels);
        for (int i = 0; i < 2; i++) { // warm up
            paddlePredictor.run();
        }
        Date start = new Date();
        paddlePredictor.run();
        inferenceTime = new Date().getTime() - start.getTime();
        return true;
    }

    public static void main(String[] args) {
        Classify program = new Classify();
        if (!program.loadModel(args[0], 2, "LITE_POWER_HIGH")) {
            System.exit(1);
        }
        for (int at = 1; at < args.length; at++) {
            int side = Integer.parseInt(args[at]);
            float[] pixels = new float[3 * side * side];
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = i % 5 / 5f - 0.4f;
            }
            program.runModel(pixels, new long[] {1, 3, side, side});
            Tensor outputTensor = program.getOutput(0);
            long[] outputShape = outputTensor.shape();
            long outputSize = 1;
            for (long s : outputShape) {
                outputSize *= s;
            }
            for (int i = 0; i < outputSize; i++) {
                System.out.println(outputTensor.getFloatData()[i]);
            }
        }
    }
}
