package com.baidu.paddle.lite;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a model. Calls on one predictor take turns; {@link #copy} gives another that shares the
 * weights, for runs side by side. Mistakes are exceptions, and leave the predictor usable.
 */
public class PaddlePredictor implements AutoCloseable {
    private static final AtomicInteger ALIVE = new AtomicInteger();
    // So many that nobody closed are likely to be garbage, of which Java sees a few bytes alone.
    private static final int MANY = 64;

    final Set<Handle> tensors = ConcurrentHashMap.newKeySet();
    private final Handle handle;
    private volatile Executor executor;

    private PaddlePredictor(long pointer) {
        handle = new Handle(this, "the predictor", pointer, PaddlePredictor::delete, null);
        if (ALIVE.incrementAndGet() % MANY == 0) {
            System.gc();
        }
    }

    /** PaddleLiteException where the model cannot be read or run. */
    public static PaddlePredictor createPaddlePredictor(ConfigBase config) {
        return new PaddlePredictor(Arguments.notNull(config, "the configuration").create());
    }

    public Tensor getInput(int offset) {
        return new Tensor(use(pointer -> Native.input(pointer, offset)), offset, this);
    }

    public Tensor getOutput(int offset) {
        return new Tensor(use(pointer -> Native.output(pointer, offset)), Tensor.READ_ONLY, this);
    }

    /** The output, or else the input, of a name; null where there is none. Read only. */
    public Tensor getTensor(String name) {
        byte[] utf8 = Arguments.utf8(Arguments.notNull(name, "the name of a tensor"));
        long tensor = use(pointer -> Native.tensor(pointer, utf8));
        return tensor == 0 ? null : new Tensor(tensor, Tensor.READ_ONLY, this);
    }

    public String[] getInputNames() {
        return names(false);
    }

    public String[] getOutputNames() {
        return names(true);
    }

    /** True, or an exception. */
    public boolean run() {
        return use(
                pointer -> {
                    Native.run(pointer);
                    return true;
                });
    }

    /** Where {@link #runAsync} runs; null: the common pool. */
    public void setExecutor(Executor executor) {
        this.executor = executor;
    }

    /** A run elsewhere; cancelling the future stops it between two operators. */
    public CompletableFuture<Boolean> runAsync() {
        CompletableFuture<Boolean> done =
                new CompletableFuture<Boolean>() {
                    @Override
                    public boolean cancel(boolean mayInterrupt) {
                        boolean cancelled = super.cancel(mayInterrupt);
                        if (cancelled) {
                            PaddlePredictor.this.cancel();
                        }
                        return cancelled;
                    }
                };
        Runnable running =
                () -> {
                    if (done.isDone()) {
                        return; // cancelled before it began
                    }
                    try {
                        done.complete(run());
                    } catch (CancellationException cancelled) {
                        done.cancel(false);
                    } catch (Throwable error) {
                        done.completeExceptionally(error);
                    }
                };
        Executor chosen = executor;
        if (chosen == null) {
            CompletableFuture.runAsync(running);
        } else {
            chosen.execute(running);
        }
        return done;
    }

    /** From another thread: stops the run that goes on, which throws. */
    public void cancel() {
        use(
                pointer -> {
                    Native.cancel(pointer);
                    return null;
                });
    }

    /** Another predictor of the same weights. */
    public PaddlePredictor copy() {
        return new PaddlePredictor(use(Native::copy));
    }

    public String getVersion() {
        return text(use(Native::version));
    }

    /** What runs on which device and why, as JSON. */
    public String getPlacement() {
        return text(use(Native::placement));
    }

    /** Writes the optimised model as the file modelDir.nb; of a CxxConfig alone. */
    public boolean saveOptimizedModel(String modelDir) {
        byte[] utf8 = Arguments.utf8(Arguments.notNull(modelDir, "the path of the model"));
        return use(
                pointer -> {
                    Native.save(pointer, utf8);
                    return true;
                });
    }

    /** Frees the model when the calls that go on have ended; its tensors are closed, too. */
    @Override
    public void close() {
        handle.close();
        for (Handle tensor : tensors) {
            tensor.close();
        }
    }

    /** What an input of the number reads in each run from now on; null: its own memory. */
    void keep(int input, Object data) {
        if (data == null) {
            handle.kept.remove(input);
        } else {
            handle.kept.put(input, data);
        }
    }

    private static void delete(long pointer) {
        Native.deletePredictor(pointer);
        ALIVE.decrementAndGet();
    }

    <T> T use(Handle.Call<T> call) {
        return handle.use(call);
    }

    private String[] names(boolean ofOutputs) {
        byte[][] found = use(pointer -> Native.names(pointer, ofOutputs));
        String[] names = new String[found.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = text(found[i]);
        }
        return names;
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
