import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Sentences of several lengths, the model read as a text of bytes: Tags MODEL. */
public class Tags {
    public static void main(String[] args) throws IOException {
        byte[] bytes = Files.readAllBytes(Paths.get(args[0]));
        MobileConfig config = new MobileConfig();
        config.setModelFromBuffer(new String(bytes, Charset.forName("ISO-8859-1")));
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        for (int length : new int[] {3, 1, 6}) {
            long[] words = new long[length];
            for (int i = 0; i < length; i++) {
                words[i] = (7 * i + length) % 20;
            }
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {length, 1});
            input.set_lod(new long[][] {{0, length}});
            input.setData(words);
            predictor.run();
            for (float number : predictor.getOutput(0).getFloatData()) {
                System.out.println(number);
            }
        }
    }
}
