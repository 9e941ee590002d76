import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;

/** Two models in turn, as speech synthesis has them: Speech ACOUSTIC VOCODER PHONE... */
public class Speech {
    private final PaddlePredictor acoustic;
    private final PaddlePredictor vocoder;

    Speech(String acousticModel, String vocoderModel) {
        acoustic = create(acousticModel);
        vocoder = create(vocoderModel);
    }

    private static PaddlePredictor create(String model) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(model);
        config.setThreads(1);
        return PaddlePredictor.createPaddlePredictor(config);
    }

    float[] speak(long[] phones) {
        Tensor input = acoustic.getInput(0);
        input.resize(new long[] {phones.length});
        input.setData(phones);
        acoustic.run();
        Tensor sounds = acoustic.getOutput(0);
        Tensor features = vocoder.getInput(0);
        features.resize(sounds.shape());
        features.setData(sounds.getFloatData());
        vocoder.run();
        return vocoder.getOutput(0).getFloatData();
    }

    public static void main(String[] args) {
        Speech speech = new Speech(args[0], args[1]);
        long[] phones = new long[args.length - 2];
        for (int i = 0; i < phones.length; i++) {
            phones[i] = Long.parseLong(args[i + 2]);
        }
        // The second sentence is shorter than the first.
        for (int length : new int[] {phones.length, phones.length / 2}) {
            long[] some = new long[length];
            System.arraycopy(phones, 0, some, 0, length);
            for (float sample : speech.speak(some)) {
                System.out.println(sample);
            }
        }
    }
}
