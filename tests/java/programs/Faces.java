import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/** Who of those that are known looks most alike, and how much: Faces MODEL. */
public class Faces {
    private final Map<String, float[]> known = new LinkedHashMap<>();
    private final PaddlePredictor predictor;

    Faces(PaddlePredictor predictor) {
        this.predictor = predictor;
    }

    float[] feature(float[] face, int side) {
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, side, side});
        input.setData(face);
        predictor.run();
        float[] feature = predictor.getOutput(0).getFloatData();
        double length = 0;
        for (float value : feature) {
            length += value * value;
        }
        for (int i = 0; i < feature.length; i++) {
            feature[i] /= (float) Math.sqrt(length);
        }
        return feature;
    }

    static float[] face(int person, int noise, int side) {
        float[] face = new float[3 * side * side];
        for (int i = 0; i < face.length; i++) {
            face[i] = i * person % 17 / 17f - 0.5f + noise * (i % 3) / 100f;
        }
        return face;
    }

    public static void main(String[] args) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        Faces faces = new Faces(PaddlePredictor.createPaddlePredictor(config));
        for (int person = 1; person < 6; person++) {
            faces.known.put("person " + person, faces.feature(face(person, 0, 32), 32));
        }
        for (int person = 1; person < 6; person++) {
            float[] seen = faces.feature(face(person, 1, 32), 32);
            String best = null;
            float alike = -2;
            for (Map.Entry<String, float[]> entry : faces.known.entrySet()) {
                float product = 0;
                for (int i = 0; i < seen.length; i++) {
                    product += seen[i] * entry.getValue()[i];
                }
                if (product > alike) {
                    best = entry.getKey();
                    alike = product;
                }
            }
            System.out.println(best + "," + alike);
        }
    }
}
