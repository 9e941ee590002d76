import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Place;
import com.baidu.paddle.lite.Tensor;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.File;
import java.io.IOException;
import javax.imageio.ImageIO;

/** A picture's bytes as they lie in memory, blue first: Bytes MODEL PICTURE. */
public class Bytes {
    public static void main(String[] args) throws IOException {
        BufferedImage read = ImageIO.read(new File(args[1]));
        BufferedImage image =
                new BufferedImage(
                        read.getWidth(), read.getHeight(), BufferedImage.TYPE_3BYTE_BGR);
        image.getGraphics().drawImage(read, 0, 0, null);
        byte[] bytes = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(args[0]);
        PaddlePredictor predictor = PaddlePredictor.createPaddlePredictor(config);
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, image.getHeight(), image.getWidth(), 3});
        input.setData(bytes);
        predictor.run();
        if (predictor.getOutput(0).precision() != Place.PrecisionType.FLOAT) {
            System.exit(1);
        }
        for (float mean : predictor.getOutput(0).getFloatData()) {
            System.out.println(mean);
        }
    }
}
