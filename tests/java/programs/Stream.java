import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;

/** Sound in chunks as it comes; what the network remembers goes back into it: Stream MODEL LENGTH... */
public class Stream {
    public static void main(String[] args) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        config.setThreads(1);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        float[] state = new float[8];
        for (int arg = 1; arg < args.length; arg++) {
            int length = Integer.parseInt(args[arg]);
            float[] chunk = new float[4 * length];
            for (int i = 0; i < chunk.length; i++) {
                chunk[i] = (i * 3 + arg) % 7 - 3;
            }
            Tensor sound = predictor.getInput(0);
            sound.resize(new long[] {length, 4});
            sound.setData(chunk);
            Tensor memory = predictor.getInput(1);
            memory.resize(new long[] {1, 8});
            memory.setData(state);
            predictor.run();
            state = predictor.getOutput(1).getFloatData();
            for (float number : predictor.getOutput(0).getFloatData()) {
                System.out.println(number);
            }
        }
    }
}
