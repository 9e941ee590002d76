/* A program of Paddle Inference's C API that tests steer, as inference_tool.cc: KEY=VALUE... with
 * dir, model, params, memory, threads, clone, in (NAME:TYPE:SHAPE:FILE) and out. Written as those
 * of Paddle's documentation are: it asks nobody whether a call failed but PD_PredictorRun. */
#include <pd_inference_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char* data;
  size_t size;
} Bytes;

static Bytes ReadFile(const char* path) {
  Bytes bytes = {NULL, 0};
  FILE* file = fopen(path, "rb");
  if (file == NULL) exit(3);
  fseek(file, 0, SEEK_END);
  bytes.size = (size_t)ftell(file);
  rewind(file);
  bytes.data = malloc(bytes.size + 1);
  if (fread(bytes.data, 1, bytes.size, file) != bytes.size) exit(3);
  fclose(file);
  return bytes;
}

static void Set(PD_Config* config, const char* key, const char* value) {
  if (strcmp(key, "dir") == 0) PD_ConfigSetModelDir(config, value);
  if (strcmp(key, "model") == 0) PD_ConfigSetProgFile(config, value);
  if (strcmp(key, "params") == 0) PD_ConfigSetParamsFile(config, value);
  if (strcmp(key, "threads") == 0) PD_ConfigSetCpuMathLibraryNumThreads(config, atoi(value));
  if (strcmp(key, "memory") == 0) {
    Bytes program = ReadFile(PD_ConfigGetProgFile(config));
    Bytes params = ReadFile(PD_ConfigGetParamsFile(config));
    PD_ConfigSetModelBuffer(config, program.data, program.size, params.data, params.size);
    free(program.data);
    free(params.data);
  }
}

static void Feed(PD_Predictor* predictor, char* words) {
  const char* const name = strtok(words, ":");
  const char* const type = strtok(NULL, ":");
  char* const dims = strtok(NULL, ":");
  Bytes bytes = ReadFile(strtok(NULL, ":"));
  PD_Tensor* const input = PD_PredictorGetInputHandle(predictor, name);
  int32_t shape[8];
  size_t rank = 0;
  const char* dim;
  for (dim = strtok(dims, ","); dim != NULL; dim = strtok(NULL, ",")) shape[rank++] = atoi(dim);
  PD_TensorReshape(input, rank, shape);
  if (strcmp(type, "float32") == 0) PD_TensorCopyFromCpuFloat(input, (const float*)bytes.data);
  if (strcmp(type, "int64") == 0) PD_TensorCopyFromCpuInt64(input, (const int64_t*)bytes.data);
  if (strcmp(type, "int32") == 0) PD_TensorCopyFromCpuInt32(input, (const int32_t*)bytes.data);
  if (strcmp(type, "uint8") == 0) PD_TensorCopyFromCpuUint8(input, (const uint8_t*)bytes.data);
  if (strcmp(type, "int8") == 0) PD_TensorCopyFromCpuInt8(input, (const int8_t*)bytes.data);
  PD_TensorDestroy(input);
  free(bytes.data);
}

#define READ_AS(Name, T)                           \
  T* const values = malloc(count * sizeof(T) + 1); \
  PD_TensorCopyToCpu##Name(output, values);        \
  fwrite(values, sizeof(T), count, file);          \
  free(values)

static void Write(PD_Predictor* predictor, const char* name, const char* folder, int index) {
  PD_Tensor* const output = PD_PredictorGetOutputHandle(predictor, name);
  const PD_DataType type = PD_TensorGetDataType(output);
  PD_OneDimArrayInt32* const shape = PD_TensorGetShape(output);
  char path[4096];
  FILE* file;
  size_t count = 1, i;
  snprintf(path, sizeof(path), "%s/%d", folder, index);
  file = fopen(path, "wb");
  if (file == NULL) exit(3);
  printf("%s %s ", PD_TensorGetName(output),
         type == PD_DATA_FLOAT32 ? "float32"
         : type == PD_DATA_INT64 ? "int64"
                                 : "int32");
  for (i = 0; i < shape->size; ++i) {
    printf("%d,", (int)shape->data[i]);
    count *= (size_t)shape->data[i];
  }
  printf("\n");
  if (type == PD_DATA_FLOAT32) {
    READ_AS(Float, float);
  } else if (type == PD_DATA_INT64) {
    READ_AS(Int64, int64_t);
  } else {
    READ_AS(Int32, int32_t);
  }
  fclose(file);
  PD_OneDimArrayInt32Destroy(shape);
  PD_TensorDestroy(output);
}

int main(int argc, char** argv) {
  PD_Config* const config = PD_ConfigCreate();
  PD_Predictor *predictor, *clone = NULL;
  PD_OneDimArrayCstr* names;
  const char* folder = ".";
  int i;
  size_t n;
  for (i = 1; i < argc; ++i) {
    char* const equals = strchr(argv[i], '=');
    *equals = 0;
    if (strcmp(argv[i], "out") == 0) folder = equals + 1;
    Set(config, argv[i], equals + 1);
    *equals = '=';
  }
  predictor = PD_PredictorCreate(config);
  for (i = 1; i < argc; ++i)
    if (strncmp(argv[i], "clone=", 6) == 0) clone = PD_PredictorClone(predictor);
  if (clone != NULL) {
    PD_PredictorDestroy(predictor);
    predictor = clone;
  }
  for (i = 1; i < argc; ++i)
    if (strncmp(argv[i], "in=", 3) == 0) Feed(predictor, argv[i] + 3);
  if (!PD_PredictorRun(predictor)) return 1;
  names = PD_PredictorGetOutputNames(predictor);
  for (n = 0; n < names->size; ++n) Write(predictor, names->data[n], folder, (int)n);
  PD_OneDimArrayCstrDestroy(names);
  PD_PredictorDestroy(predictor);
  return 0;
}
