package com.baidu.paddle.lite;

/** A Paddle model of any format, and how to optimise and run it; needs the full library. */
public class CxxConfig extends ConfigBase {
    protected String modelFile = "";
    protected String paramFile = "";
    protected Place[] validPlaces = new Place[0];

    public void setModelFile(String modelFile) {
        this.modelFile = Arguments.notNull(modelFile, "the file of a model");
    }

    public String getModelFile() {
        return modelFile;
    }

    public void setParamFile(String paramFile) {
        this.paramFile = Arguments.notNull(paramFile, "the file of parameters");
    }

    public String getParamFile() {
        return paramFile;
    }

    public void setValidPlaces(Place[] validPlaces) {
        for (Place place : Arguments.notNull(validPlaces, "the places")) {
            Arguments.notNull(place, "a place");
        }
        this.validPlaces = validPlaces.clone();
    }

    public Place[] getValidPlaces() {
        return validPlaces.clone();
    }

    @Override
    long create() {
        int[] places = new int[4 * validPlaces.length];
        for (int i = 0; i < validPlaces.length; i++) {
            places[4 * i] = validPlaces[i].getTargetInt();
            places[4 * i + 1] = validPlaces[i].getPrecisionInt();
            places[4 * i + 2] = validPlaces[i].getDataLayoutInt();
            places[4 * i + 3] = validPlaces[i].getDevice();
        }
        return Native.createCxx(
                texts(modelFile, paramFile), places, threads, powerMode.value());
    }
}
