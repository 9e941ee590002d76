import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** Batches of several sizes from one direct buffer, none of them copied: Batch MODEL SIZE... */
public class Batch {
    private static final int SIDE = 16;
    private static final int PICTURE = 3 * SIDE * SIDE;

    public static void main(String[] args) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        int at = 0;
        for (int arg = 1; arg < args.length; arg++) {
            int size = Integer.parseInt(args[arg]);
            ByteBuffer bytes = ByteBuffer.allocateDirect(4 * size * PICTURE);
            FloatBuffer pixels = bytes.order(ByteOrder.nativeOrder()).asFloatBuffer();
            for (int i = 0; i < size * PICTURE; i++) {
                pixels.put((at + i) % 11 / 11f);
            }
            at += size * PICTURE;
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {size, 3, SIDE, SIDE});
            input.setData(bytes);
            predictor.run();
            FloatBuffer found = predictor.getOutput(0).buffer().asFloatBuffer();
            while (found.hasRemaining()) {
                System.out.println(found.get());
            }
        }
    }
}
