import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.io.File;
import java.nio.file.Files;

/** Predictors and tensors by the thousand, closed and forgotten: Loops FOLDER COUNT. */
public class Loops {
    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[1]);
        Api.main(arguments); // all code has run once
        long before = 0;
        for (int i = 0; i < count; i++) {
            if (i == count / 4) {
                before = resident();
            }
            PaddlePredictor predictor = Api.predictor("integers.nb");
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {1});
            input.setData(new float[] {i % 100});
            predictor.run();
            Checks.same(predictor.getOutput(0).getLongData(), i % 100);
            if (i % 2 == 0) {
                predictor.close(); // the others are garbage
            }
        }
        long grown = resident() - before;
        Checks.that(grown < 48 << 20, "resident memory has grown by " + grown);
        System.out.println("flat");
    }

    static long resident() throws Exception {
        String statm = new String(Files.readAllBytes(new File("/proc/self/statm").toPath()));
        return Long.parseLong(statm.split(" ")[1]) * 4096;
    }
}
