import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddleLiteException;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Models of a zip file by turns, one in memory at a time; what is damaged is named: Album ZIP. */
public class Album {
    private PaddlePredictor current;

    static byte[] read(ZipFile zip, ZipEntry entry) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = zip.getInputStream(entry)) {
            byte[] part = new byte[4096];
            for (int length = in.read(part); length != -1; length = in.read(part)) {
                bytes.write(part, 0, length);
            }
        }
        return bytes.toByteArray();
    }

    boolean open(byte[] model) {
        MobileConfig config = new MobileConfig();
        config.setModelFromBuffer(model);
        try {
            PaddlePredictor next = PaddlePredictor.createPaddlePredictor(config);
            if (current != null) {
                current.close();
            }
            current = next;
            return true;
        } catch (PaddleLiteException e) {
            return false; // the one before goes on
        }
    }

    float[] look(int side) {
        float[] pixels = new float[3 * side * side];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = i % 5 / 5f - 0.4f;
        }
        Tensor input = current.getInput(0);
        input.resize(new long[] {1, 3, side, side});
        input.setData(pixels);
        current.run();
        return current.getOutput(0).getFloatData();
    }

    public static void main(String[] args) throws IOException {
        Album album = new Album();
        try (ZipFile zip = new ZipFile(args[0])) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                boolean right = album.open(read(zip, entry));
                System.out.println(entry.getName() + "," + right + "," + album.look(24)[0]);
            }
        }
    }
}
