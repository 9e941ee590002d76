package com.baidu.paddle.lite;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Loads the native library: from the library path, else the one that the jar has. */
public class PaddleLiteInitializer {
    private static final String LIBRARY = "paddle_lite_jni";
    // What the library needs beside it, where the jar has it.
    private static final String[] NEEDED = {
        "libpaddle_lite_core.so", "libpaddle_full_api_shared.so"
    };

    private static boolean loaded;

    private PaddleLiteInitializer() {}

    /** Does nothing where it is loaded already; UnsatisfiedLinkError where there is none. */
    public static synchronized boolean init() {
        if (!loaded) {
            try {
                System.loadLibrary(LIBRARY);
            } catch (UnsatisfiedLinkError notInPath) {
                loadFromJar(notInPath);
            }
            loaded = true;
        }
        return true;
    }

    private static void loadFromJar(UnsatisfiedLinkError notInPath) {
        String folder = "/natives/" + platform() + "/";
        Path extracted = null;
        try {
            extracted = Files.createTempDirectory(LIBRARY);
            for (String name : NEEDED) {
                extract(folder, name, extracted);
            }
            Path library = extract(folder, "lib" + LIBRARY + ".so", extracted);
            if (library == null) {
                throw new UnsatisfiedLinkError(
                        notInPath.getMessage() + ", and the jar has nothing in " + folder);
            }
            System.load(library.toString());
        } catch (IOException error) {
            UnsatisfiedLinkError failed =
                    new UnsatisfiedLinkError("the native library cannot be unpacked: " + error);
            failed.initCause(error);
            throw failed;
        } finally {
            deleteAll(extracted);  // what is loaded stays, without a name
        }
    }

    private static Path extract(String folder, String name, Path target) throws IOException {
        try (InputStream in = PaddleLiteInitializer.class.getResourceAsStream(folder + name)) {
            if (in == null) {
                return null;
            }
            Path file = target.resolve(name);
            Files.copy(in, file);
            return file;
        }
    }

    private static void deleteAll(Path folder) {
        if (folder == null) {
            return;
        }
        File[] files = folder.toFile().listFiles();
        for (File file : files == null ? new File[0] : files) {
            file.delete();
        }
        folder.toFile().delete();
    }

    private static String platform() {
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        machine = machine.equals("amd64") ? "x86_64" : machine;
        machine = machine.equals("arm64") ? "aarch64" : machine;
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "-" + machine;
    }
}
