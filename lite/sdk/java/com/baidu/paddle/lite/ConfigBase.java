package com.baidu.paddle.lite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What both configurations have: the model's folder, threads, devices that are not the CPU. */
public abstract class ConfigBase {
    protected String modelDir = "";
    protected PowerMode powerMode = PowerMode.LITE_POWER_NO_BIND;
    protected int threads = 1;
    private String precision = "fp32";
    private List<String> deviceNames = new ArrayList<>();
    private String contextProperties = "";
    private String modelCacheDir = "";

    public void setModelDir(String modelDir) {
        this.modelDir = Arguments.notNull(modelDir, "the folder of a model");
    }

    public String getModelDir() {
        return modelDir;
    }

    public void setPowerMode(PowerMode powerMode) {
        this.powerMode = Arguments.notNull(powerMode, "the power mode");
    }

    public PowerMode getPowerMode() {
        return powerMode;
    }

    public int getPowerModeInt() {
        return powerMode.value();
    }

    /** From 1 to 256; another number is an exception when the predictor is made. */
    public void setThreads(int threads) {
        this.threads = threads;
    }

    public int getThreads() {
        return threads;
    }

    /** "fp32", "bf16", "fp16" or "exact", as in C++. */
    public void setPrecision(String precision) {
        this.precision = Arguments.notNull(precision, "the precision");
    }

    public String getPrecision() {
        return precision;
    }

    /** Devices of NNAdapter, in order of preference. */
    public void setNNAdapterDeviceNames(String... names) {
        Arguments.notNull(names, "the devices' names");
        for (String name : names) {
            Arguments.notNull(name, "a device's name");
        }
        deviceNames = new ArrayList<>(Arrays.asList(names));
    }

    public List<String> getNNAdapterDeviceNames() {
        return new ArrayList<>(deviceNames);
    }

    /** The devices' properties, "KEY=value;". */
    public void setNNAdapterContextProperties(String properties) {
        contextProperties = Arguments.notNull(properties, "the devices' properties");
    }

    public String getNNAdapterContextProperties() {
        return contextProperties;
    }

    /** Where programs that a device compiled are kept. */
    public void setNNAdapterModelCacheDir(String folder) {
        modelCacheDir = Arguments.notNull(folder, "the folder of the cache");
    }

    public String getNNAdapterModelCacheDir() {
        return modelCacheDir;
    }

    /** What all configurations say, in the order in which jni.cc reads it. */
    byte[][] texts(String modelFile, String paramFile) {
        List<String> texts = new ArrayList<>();
        texts.add(modelDir);
        texts.add(modelFile);
        texts.add(paramFile);
        texts.add(precision);
        texts.add(contextProperties);
        texts.add(modelCacheDir);
        texts.addAll(deviceNames);
        byte[][] bytes = new byte[texts.size()][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Arguments.utf8(texts.get(i));
        }
        return bytes;
    }

    abstract long create();
}
