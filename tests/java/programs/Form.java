import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Whatever a user types, an answer or a sentence that says what is wrong: Form MODEL. */
public class Form {
    private final PaddlePredictor predictor;

    Form(String model) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(model);
        predictor = PaddlePredictor.createPaddlePredictor(config);
    }

    String answer(String line) {
        try {
            String[] words = line.trim().split(" +");
            float[] row = new float[words.length];
            for (int i = 0; i < row.length; i++) {
                row[i] = Float.parseFloat(words[i]);
            }
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {1, row.length});
            input.setData(row);
            predictor.run();
            return "price " + predictor.getOutput(0).getFloatData()[0];
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    public static void main(String[] args) throws IOException {
        Form form = new Form(args[0]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(form.answer(line).split("\n")[0]);
        }
    }
}
