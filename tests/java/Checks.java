import java.util.Arrays;
import java.util.concurrent.Callable;

/** Assertions of the tests' programs. */
final class Checks {
    private Checks() {}

    static void that(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void same(Object found, Object expected, String what) {
        if (!found.equals(expected)) {
            throw new AssertionError(what + ": " + found + ", expected " + expected);
        }
    }

    static void same(long[] found, long... expected) {
        that(Arrays.equals(found, expected), Arrays.toString(found));
    }

    static void near(float[] found, float[] expected) {
        same(found.length, expected.length, "elements");
        for (int i = 0; i < found.length; i++) {
            if (Math.abs(found[i] - expected[i]) > 1e-5) {
                throw new AssertionError(i + ": " + found[i] + ", expected " + expected[i]);
            }
        }
    }

    static void fails(Class<? extends Throwable> type, String text, Callable<?> call) {
        try {
            call.call();
        } catch (Throwable error) {
            boolean is = type.isInstance(error) && String.valueOf(error.getMessage()).contains(text);
            if (!is) {
                throw new AssertionError("not a " + type + " with '" + text + "'", error);
            }
            return;
        }
        throw new AssertionError("nothing is thrown, expected " + type + " with '" + text + "'");
    }
}
