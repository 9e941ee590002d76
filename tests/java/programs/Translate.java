import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;

/** A sentence, then one word after another until the last one: Translate ENCODER DECODER WORD... */
public class Translate {
    private static final int WORDS = 20;
    private static final int END = 0;

    static PaddlePredictor load(String model) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(model);
        return PaddlePredictor.createPaddlePredictor(config);
    }

    public static void main(String[] args) {
        PaddlePredictor encoder = load(args[0]);
        PaddlePredictor decoder = load(args[1]);
        long[] words = new long[args.length - 2];
        for (int i = 0; i < words.length; i++) {
            words[i] = Long.parseLong(args[i + 2]);
        }
        Tensor input = encoder.getInput(0);
        input.resize(new long[] {words.length});
        input.setData(words);
        encoder.run();
        Tensor sentence = decoder.getInput(0);
        sentence.resize(encoder.getOutput(0).shape());
        sentence.setData(encoder.getOutput(0).getFloatData());
        float[] said = new float[WORDS];
        for (int step = 0; step < WORDS; step++) {
            Tensor already = decoder.getInput(1);
            already.resize(new long[] {1, WORDS});
            already.setData(said);
            decoder.run();
            float[] marks = decoder.getOutput(0).getFloatData();
            int word = 0;
            for (int i = 1; i < WORDS; i++) {
                word = marks[i] > marks[word] ? i : word;
            }
            System.out.println(word);
            if (word == END) {
                break;
            }
            said[word] += 9;
        }
    }
}
