import com.baidu.paddle.lite.MobileConfig;
import com.baidu.paddle.lite.PaddleLiteException;
import com.baidu.paddle.lite.PaddleLiteInitializer;
import com.baidu.paddle.lite.PaddlePredictor;
import com.baidu.paddle.lite.Place;
import com.baidu.paddle.lite.PowerMode;
import com.baidu.paddle.lite.Tensor;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Every class and method: Api FOLDER, which has classifier.nb, integers.nb, words.nb. */
public class Api {
    private static String folder;

    public static void main(String[] arguments) throws Exception {
        folder = arguments[0] + File.separator;
        configurations();
        floats();
        buffers();
        integers();
        words();
        copies();
        mistakes();
        closed();
        cancelled();
        System.out.println("all right");
    }

    static MobileConfig config(String name) {
        MobileConfig config = new MobileConfig();
        config.setModelFromFile(folder + name);
        return config;
    }

    static PaddlePredictor predictor(String name) {
        return PaddlePredictor.createPaddlePredictor(config(name));
    }

    static float[] picture(int side) {
        float[] picture = new float[3 * side * side];
        for (int i = 0; i < picture.length; i++) {
            picture[i] = i % 7 / 7f;
        }
        return picture;
    }

    static float[] classify(PaddlePredictor predictor, int side) {
        Tensor input = predictor.getInput(0);
        input.resize(new long[] {1, 3, side, side});
        input.setData(picture(side));
        Checks.that(predictor.run(), "run");
        return predictor.getOutput(0).getFloatData();
    }

    static void configurations() throws Exception {
        Checks.that(PaddleLiteInitializer.init() && PaddleLiteInitializer.init(), "init");
        MobileConfig config = config("classifier.nb");
        Checks.same(config.getModelFromFile(), folder + "classifier.nb", "file");
        config.setThreads(2);
        config.setPowerMode(PowerMode.LITE_POWER_HIGH);
        Checks.same(config.getThreads(), 2, "threads");
        Checks.same(config.getPowerMode(), PowerMode.LITE_POWER_HIGH, "mode");
        Checks.same(config.getPowerModeInt(), 0, "mode");
        float[] expected = classify(PaddlePredictor.createPaddlePredictor(config), 32);

        byte[] bytes = Files.readAllBytes(new File(folder + "classifier.nb").toPath());
        MobileConfig inMemory = new MobileConfig();
        inMemory.setModelFromBuffer(bytes);
        Arrays.fill(bytes, 0, 64, (byte) 0); // it is the caller's again
        Checks.near(classify(PaddlePredictor.createPaddlePredictor(inMemory), 32), expected);
        bytes = Files.readAllBytes(new File(folder + "classifier.nb").toPath());
        inMemory.setModelFromBuffer(new String(bytes, StandardCharsets.ISO_8859_1));
        Checks.same(inMemory.getModelFromBuffer().length(), bytes.length, "bytes");
        Checks.near(classify(PaddlePredictor.createPaddlePredictor(inMemory), 32), expected);
        ByteBuffer mapped = ByteBuffer.allocateDirect(bytes.length + 3);
        mapped.position(3);
        mapped.put(bytes).position(3);
        inMemory.setModelFromBuffer(mapped);
        Checks.same(mapped.position(), 3, "position");
        Checks.near(classify(PaddlePredictor.createPaddlePredictor(inMemory), 32), expected);

        Place place = new Place(Place.TargetType.ARM, Place.PrecisionType.FLOAT);
        Checks.that(place.isValid() && !new Place().isValid(), "places");
        Checks.same(place.getTargetInt(), 4, "target");
        Checks.same(place.layout, Place.DataLayoutType.NCHW, "layout");
    }

    static void floats() {
        try (PaddlePredictor predictor = predictor("classifier.nb")) {
            float[] first = classify(predictor, 32);
            Checks.same(first.length, 7, "classes");
            float sum = 0;
            for (float part : first) {
                sum += part;
            }
            Checks.near(new float[] {sum}, new float[] {1});
            float[] larger = classify(predictor, 48);
            Checks.that(!Arrays.equals(first, larger), "another size");
            Checks.near(classify(predictor, 32), first);
            Tensor output = predictor.getOutput(0);
            Checks.same(output.shape(), 1, 7);
            Checks.that(output.isReadOnly() && !predictor.getInput(0).isReadOnly(), "read only");
            Checks.same(output.precision(), Place.PrecisionType.FLOAT, "precision");
            Checks.same(predictor.getInputNames()[0], "image", "input");
            Checks.same(predictor.getOutputNames()[0], "prob", "output");
            Checks.near(predictor.getTensor("prob").getFloatData(), first);
            Checks.that(predictor.getTensor("nothing") == null, "no tensor");
            Checks.that(!predictor.getVersion().isEmpty(), "version");
            Checks.that(predictor.getPlacement().startsWith("{"), "placement");
        }
    }

    static void buffers() {
        try (PaddlePredictor predictor = predictor("classifier.nb")) {
            float[] expected = classify(predictor, 32);
            ByteBuffer direct = ByteBuffer.allocateDirect(4 * 3 * 32 * 32 + 8);
            direct.order(ByteOrder.nativeOrder()).position(8);
            FloatBuffer pixels = direct.slice().order(ByteOrder.nativeOrder()).asFloatBuffer();
            pixels.put(picture(32));
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {1, 3, 32, 32});
            input.setData(direct);
            predictor.run();
            shared(predictor, expected);
            Checks.near(predictor.getOutput(0).getFloatData(), expected);
            pixels.put(0, 5f); // each run reads it again
            predictor.run();
            Checks.that(
                    !Arrays.equals(predictor.getOutput(0).getFloatData(), expected), "changed");

            ByteBuffer inside = predictor.getInput(0).buffer();
            Checks.same(inside.capacity(), 4 * 3 * 32 * 32, "bytes of the input");
            inside.asFloatBuffer().put(picture(32));
            predictor.run();
            ByteBuffer result = predictor.getOutput(0).buffer();
            Checks.that(result.isReadOnly() && result.isDirect(), "a view");
            float[] found = new float[7];
            result.asFloatBuffer().get(found);
            Checks.near(found, expected);
            predictor.close();
            result.asFloatBuffer().get(found); // its memory stays
            Checks.near(found, expected);
        }
    }

    /** A buffer that the predictor alone knows stays while runs read it. */
    static void shared(PaddlePredictor predictor, float[] expected) {
        try (PaddlePredictor other = predictor.copy()) {
            Tensor input = other.getInput(0);
            input.resize(new long[] {1, 3, 32, 32});
            ByteBuffer direct = ByteBuffer.allocateDirect(4 * 3 * 32 * 32);
            direct.order(ByteOrder.nativeOrder()).asFloatBuffer().put(picture(32));
            input.setData(direct);
            input = null;
            direct = null;
            for (int i = 0; i < 20; i++) {
                System.gc();
                ByteBuffer.allocateDirect(4 * 3 * 32 * 32); // would take its place
                other.run();
                Checks.near(other.getOutput(0).getFloatData(), expected);
            }
        }
    }

    static void integers() {
        try (PaddlePredictor predictor = predictor("integers.nb")) {
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {3});
            input.setData(new float[] {1.5f, 200f, 3f});
            predictor.run();
            Checks.same(predictor.getOutput(0).getLongData(), 1, 200, 3);
            int[] ints = predictor.getOutput(1).getIntData();
            Checks.that(Arrays.equals(ints, new int[] {1, 200, 3}), Arrays.toString(ints));
            byte[] bytes = predictor.getOutput(2).getByteData();
            Checks.that(Arrays.equals(bytes, new byte[] {1, (byte) 200, 3}), "bytes");
            Checks.same(predictor.getOutput(2).precision(), Place.PrecisionType.UINT8, "type");
            String text = "elements are int64_t, not float";
            Checks.fails(
                    IllegalArgumentException.class,
                    text,
                    () -> predictor.getOutput(0).getFloatData());
        }
    }

    static void words() {
        try (PaddlePredictor predictor = predictor("words.nb")) {
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {5, 1});
            input.setData(new long[] {1, 2, 3, 4, 5});
            input.set_lod(new long[][] {{0, 3, 5}});
            predictor.run();
            Tensor output = predictor.getOutput(0);
            Checks.same(output.shape(), 5, 1);
            Checks.same(output.lod()[0], 0, 3, 5);
        }
    }

    static void copies() throws Exception {
        try (PaddlePredictor predictor = predictor("classifier.nb")) {
            float[] expected = classify(predictor, 32);
            Thread[] threads = new Thread[4];
            Throwable[] failed = new Throwable[1];
            for (int i = 0; i < threads.length; i++) {
                PaddlePredictor own = predictor.copy();
                threads[i] =
                        new Thread(
                                () -> {
                                    for (int run = 0; run < 50; run++) {
                                        Checks.near(classify(own, 32), expected);
                                    }
                                    own.close();
                                });
                threads[i].setUncaughtExceptionHandler((thread, error) -> failed[0] = error);
            }
            for (Thread thread : threads) {
                thread.start();
            }
            predictor.close(); // the copies share the weights
            for (Thread thread : threads) {
                thread.join();
            }
            if (failed[0] != null) {
                throw new AssertionError("a copy failed", failed[0]);
            }
        }
    }

    static void mistakes() {
        Class<PaddleLiteException> ours = PaddleLiteException.class;
        Class<IllegalArgumentException> argument = IllegalArgumentException.class;
        Checks.fails(ours, "nothing.nb", () -> predictor("nothing.nb"));
        Checks.fails(ours, "\u4f60\u597d\ud83d\ude00", () -> predictor("\u4f60\u597d\ud83d\ude00.nb"));
        MobileConfig config = new MobileConfig();
        Checks.fails(ours, "", () -> PaddlePredictor.createPaddlePredictor(config));
        config.setModelFromBuffer(new byte[] {1, 2, 3});
        Checks.fails(ours, "", () -> PaddlePredictor.createPaddlePredictor(config));
        MobileConfig threads = config("classifier.nb");
        threads.setThreads(0);
        Checks.fails(ours, "threads", () -> PaddlePredictor.createPaddlePredictor(threads));
        Checks.fails(argument, "null", () -> PaddlePredictor.createPaddlePredictor(null));
        Checks.fails(argument, "char above 255", () -> {
            new MobileConfig().setModelFromBuffer("\u4f60");
            return null;
        });
        try (PaddlePredictor predictor = predictor("classifier.nb")) {
            Checks.fails(ours, "1", () -> predictor.getInput(1));
            Checks.fails(ours, "-1", () -> predictor.getOutput(-1));
            Checks.fails(ours, "image", predictor::run); // nothing was set
            Tensor input = predictor.getInput(0);
            Checks.fails(argument, "null", () -> input.setData((float[]) null));
            Checks.fails(argument, "null", () -> input.resize(null));
            input.resize(new long[] {1, 3, 32, 32});
            Checks.fails(argument, "5 elements are given, the shape is [1,3,32,32]",
                    () -> input.setData(new float[5]));
            Checks.fails(ours, "", () -> input.setData(new long[3 * 32 * 32]));
            Checks.fails(ours, "", () -> input.resize(new long[] {1, -2, 3, 4}));
            Checks.fails(argument, "not direct", () -> input.setData(ByteBuffer.allocate(12288)));
            Checks.fails(ours, "", () -> input.setData(ByteBuffer.allocateDirect(16)));
            Checks.fails(argument, "null", () -> {
                input.set_lod(new long[][] {null});
                return null;
            });
            Checks.fails(IllegalStateException.class, "an output cannot be changed",
                    () -> predictor.getOutput(0).resize(new long[] {1}));
            Checks.fails(ours, "", () -> predictor.saveOptimizedModel(folder + "x"));
            input.resize(new long[] {1, 4, 32, 32});
            input.setData(new float[4 * 32 * 32]);
            Checks.fails(ours, "conv2d", predictor::run); // the operator and shapes
            Checks.same(classify(predictor, 32).length, 7, "usable after all that");
        }
    }

    static void closed() {
        PaddlePredictor predictor = predictor("classifier.nb");
        Tensor input = predictor.getInput(0);
        Tensor second = predictor.getInput(0);
        second.close();
        second.close();
        Class<IllegalStateException> state = IllegalStateException.class;
        Checks.fails(state, "the tensor is closed", second::shape);
        predictor.close();
        predictor.close();
        Checks.fails(state, "the predictor is closed", predictor::run);
        Checks.fails(state, "the predictor is closed", () -> predictor.getInput(0));
        Checks.fails(state, "the predictor is closed", predictor::copy);
        Checks.fails(state, "the predictor is closed", input::shape);
        Checks.fails(state, "the predictor is closed", () -> input.setData(new float[1]));
    }

    static void cancelled() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (PaddlePredictor predictor = predictor("classifier.nb")) {
            predictor.setExecutor(executor);
            Tensor input = predictor.getInput(0);
            input.resize(new long[] {16, 3, 512, 512});
            input.setData(new float[16 * 3 * 512 * 512]);
            Checks.that(predictor.runAsync().get(60, TimeUnit.SECONDS), "ran");
            CompletableFuture<Boolean> running = predictor.runAsync();
            CompletableFuture<Boolean> waiting = predictor.runAsync();
            Checks.that(waiting.cancel(true) && running.cancel(true), "cancelled");
            Checks.fails(CancellationException.class, "", running::get);
            executor.submit(() -> {}).get(60, TimeUnit.SECONDS);
            Checks.same(classify(predictor, 32).length, 7, "usable after cancelling");
        } finally {
            executor.shutdown();
        }
    }
}
