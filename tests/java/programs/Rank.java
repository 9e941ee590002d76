import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;

/** What users have seen and what is offered to them, lists of several lengths by offsets: Rank MODEL. */
public class Rank {
    static void feed(PaddlePredictor predictor, String name, long[][] lists) {
        long[] offsets = new long[lists.length + 1];
        for (int i = 0; i < lists.length; i++) {
            offsets[i + 1] = offsets[i] + lists[i].length;
        }
        long[] all = new long[(int) offsets[lists.length]];
        for (int i = 0; i < lists.length; i++) {
            System.arraycopy(lists[i], 0, all, (int) offsets[i], lists[i].length);
        }
        Tensor tensor = predictor.getInput(name.equals(predictor.getInputNames()[0]) ? 0 : 1);
        tensor.resize(new long[] {all.length, 1});
        tensor.setData(all);
        tensor.set_lod(new long[][] {offsets});
    }

    public static void main(String[] args) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        feed(predictor, "offered", new long[][] {{5}, {7, 8}, {9}});
        feed(predictor, "seen", new long[][] {{1, 2, 3}, {4}, {19, 0}});
        predictor.run();
        for (float score : predictor.getOutput(0).getFloatData()) {
            System.out.println(score);
        }
    }
}
