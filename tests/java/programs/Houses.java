import com.baidu.paddle.lite.ConfigBase;
import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Prices by a table's rows, one at a time: Houses MODEL TABLE.csv. */
public class Houses {
    public static void main(String[] args) throws IOException {
        ConfigBase config = new MobileConfig();
        ((MobileConfig) config).setModelFromFile(args[0]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        try (BufferedReader lines = Files.newBufferedReader(Paths.get(args[1]))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(",");
                float[] row = new float[words.length];
                for (int i = 0; i < words.length; i++) {
                    row[i] = Float.parseFloat(words[i]);
                }
                Tensor input = predictor.getInput(0);
                input.resize(new long[] {1, row.length});
                input.setData(row);
                predictor.run();
                System.out.println(predictor.getOutput(0).getFloatData()[0]);
            }
        }
    }
}
