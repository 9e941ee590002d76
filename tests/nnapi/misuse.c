/* What the functions answer to a client that uses them wrongly. C99; prints what is not as it should
 * be, and the number of checks. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */

#include <android/NeuralNetworks.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int checks = 0, failures = 0;

static void Check(int line, const char* what, int got, int expected) {
  ++checks;
  if (got == expected) return;
  ++failures;
  printf("line %d: %s gives %d, expected %d\n", line, what, got, expected);
}

/* The call without the names' common beginnings. */
#define GIVES(code, call) Check(__LINE__, #call, ANeuralNetworks##call, ANEURALNETWORKS_##code)
#define OK(call) GIVES(NO_ERROR, call)

static const uint32_t kTwo[2] = {2, 2};
static const uint32_t kZero[1] = {0}, kOne[1] = {1};

static ANeuralNetworksOperandType TypeOf(int32_t type, uint32_t rank, const uint32_t* dims,
                                         float scale, int32_t zero_point) {
  ANeuralNetworksOperandType made;
  made.type = type;
  made.dimensionCount = rank;
  made.dimensions = dims;
  made.scale = scale;
  made.zeroPoint = zero_point;
  return made;
}

static ANeuralNetworksOperandType Floats(void) {
  return TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 2, kTwo, 0, 0);
}

/* output 3 = input 0 + input 1, activation 2 */
static ANeuralNetworksModel* AddedOperands(void) {
  ANeuralNetworksModel* model = NULL;
  const ANeuralNetworksOperandType tensor = Floats();
  const ANeuralNetworksOperandType scalar = TypeOf(ANEURALNETWORKS_INT32, 0, NULL, 0, 0);
  const int32_t none = ANEURALNETWORKS_FUSED_NONE;
  OK(Model_create(&model));
  OK(Model_addOperand(model, &tensor));
  OK(Model_addOperand(model, &tensor));
  OK(Model_addOperand(model, &scalar));
  OK(Model_addOperand(model, &tensor));
  OK(Model_setOperandValue(model, 2, &none, sizeof(none)));
  return model;
}

static const uint32_t kInputs[3] = {0, 1, 2}, kOutput[1] = {3};

static ANeuralNetworksModel* Sum(void) {
  ANeuralNetworksModel* model = AddedOperands();
  OK(Model_addOperation(model, ANEURALNETWORKS_ADD, 3, kInputs, 1, kOutput));
  OK(Model_identifyInputsAndOutputs(model, 2, kInputs, 1, kOutput));
  OK(Model_finish(model));
  return model;
}

static void NullPointers(ANeuralNetworksModel* model, ANeuralNetworksCompilation* compilation) {
  ANeuralNetworksMemory* memory = NULL;
  uint32_t number = 0;
  const ANeuralNetworksOperandType tensor = Floats();
  GIVES(UNEXPECTED_NULL, Model_create(NULL));
  GIVES(UNEXPECTED_NULL, Model_finish(NULL));
  GIVES(UNEXPECTED_NULL, Model_addOperand(NULL, &tensor));
  GIVES(UNEXPECTED_NULL, Model_addOperand(model, NULL));
  GIVES(UNEXPECTED_NULL, Model_setOperandValue(NULL, 0, &number, 4));
  GIVES(UNEXPECTED_NULL, Model_addOperation(NULL, ANEURALNETWORKS_ADD, 3, kInputs, 1, kOutput));
  GIVES(UNEXPECTED_NULL, Model_addOperation(model, ANEURALNETWORKS_ADD, 3, NULL, 1, kOutput));
  GIVES(UNEXPECTED_NULL, Model_addOperation(model, ANEURALNETWORKS_ADD, 3, kInputs, 1, NULL));
  GIVES(UNEXPECTED_NULL, Model_identifyInputsAndOutputs(model, 2, NULL, 1, kOutput));
  GIVES(UNEXPECTED_NULL, Model_relaxComputationFloat32toFloat16(NULL, true));
  GIVES(UNEXPECTED_NULL, Compilation_create(NULL, &compilation));
  GIVES(UNEXPECTED_NULL, Compilation_create(model, NULL));
  GIVES(UNEXPECTED_NULL, Compilation_finish(NULL));
  GIVES(UNEXPECTED_NULL, Compilation_setPreference(NULL, 0));
  GIVES(UNEXPECTED_NULL, Execution_create(NULL, NULL));
  GIVES(UNEXPECTED_NULL, Execution_create(compilation, NULL));
  GIVES(UNEXPECTED_NULL, Execution_compute(NULL));
  GIVES(UNEXPECTED_NULL, Memory_createFromFd(4, 3, 0, 0, NULL));
  GIVES(UNEXPECTED_NULL, Memory_copy(NULL, NULL));
  GIVES(UNEXPECTED_NULL, MemoryDesc_create(NULL));
  GIVES(UNEXPECTED_NULL, Memory_createFromDesc(NULL, &memory));
  GIVES(UNEXPECTED_NULL, Burst_create(compilation, NULL));
  GIVES(UNEXPECTED_NULL, Event_wait(NULL));
  GIVES(UNEXPECTED_NULL, Event_getSyncFenceFd(NULL, NULL));
  GIVES(UNEXPECTED_NULL, _getDeviceCount(NULL));
  GIVES(UNEXPECTED_NULL, _getDevice(0, NULL));
  GIVES(UNEXPECTED_NULL, Device_getName(NULL, NULL));
  GIVES(UNEXPECTED_NULL, Device_wait(NULL));
  ANeuralNetworksModel_free(NULL);
  ANeuralNetworksCompilation_free(NULL);
  ANeuralNetworksExecution_free(NULL);
  ANeuralNetworksMemory_free(NULL);
  ANeuralNetworksMemoryDesc_free(NULL);
  ANeuralNetworksBurst_free(NULL);
  ANeuralNetworksEvent_free(NULL);
}

static void OperandTypes(void) {
  ANeuralNetworksModel* model = NULL;
  static const uint32_t huge[3] = {65536, 65536, 65536};
  const struct {
    ANeuralNetworksOperandType type;
    int code;
  } types[] = {
      {TypeOf(-1, 0, NULL, 0, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(16, 0, NULL, 0, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_INT32, 1, kOne, 0, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 2, NULL, 0, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 3, huge, 0, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 2, kTwo, 1, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 2, kTwo, 0, 1), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_BOOL8, 2, kTwo, 1, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_INT32, 2, kTwo, 0, 1), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_INT32, 2, kTwo, -1, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_INT32, 2, kTwo, 0.5f, 0), ANEURALNETWORKS_NO_ERROR},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 2, kTwo, 0, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 2, kTwo, -1, 0), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 2, kTwo, 1, 256), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 2, kTwo, 1, -1), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 2, kTwo, 1, 255), ANEURALNETWORKS_NO_ERROR},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, 2, kTwo, 1, 128),
       ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, 2, kTwo, 1, -128),
       ANEURALNETWORKS_NO_ERROR},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, 2, kTwo, 1, 65536), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, 2, kTwo, 1, 1), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_SYMM, 2, kTwo, 1, 1), ANEURALNETWORKS_BAD_DATA},
      {TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 0, NULL, 0, 0), ANEURALNETWORKS_NO_ERROR},
      {TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 1, kZero, 0, 0), ANEURALNETWORKS_NO_ERROR},
  };
  size_t i;
  OK(Model_create(&model));
  for (i = 0; i < sizeof(types) / sizeof(types[0]); ++i)
    Check(__LINE__, "Model_addOperand of the type at this place",
          ANeuralNetworksModel_addOperand(model, &types[i].type) == types[i].code ? 0 : (int)i + 1,
          0);
  ANeuralNetworksModel_free(model);
}

static void Values(void) {
  ANeuralNetworksModel* model = AddedOperands();
  const float data[4] = {1, 2, 3, 4};
  const float scales[2] = {0.5f, 0.25f};
  ANeuralNetworksOperandType channels =
      TypeOf(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, 2, kTwo, 0, 0);
  ANeuralNetworksSymmPerChannelQuantParams quantisation;
  GIVES(BAD_DATA, Model_setOperandValue(model, -1, data, sizeof(data)));
  GIVES(BAD_DATA, Model_setOperandValue(model, 4, data, sizeof(data)));
  GIVES(BAD_DATA, Model_setOperandValue(model, 1, data, sizeof(data) - 4));
  GIVES(BAD_DATA, Model_setOperandValue(model, 1, data, 0));
  GIVES(UNEXPECTED_NULL, Model_setOperandValue(model, 1, NULL, sizeof(data)));
  OK(Model_setOperandValue(model, 1, data, sizeof(data)));
  OK(Model_addOperand(model, &channels));
  quantisation.channelDim = 0;
  quantisation.scaleCount = 2;
  quantisation.scales = scales;
  GIVES(BAD_DATA, Model_setOperandSymmPerChannelQuantParams(model, 1, &quantisation));
  GIVES(BAD_DATA, Model_setOperandSymmPerChannelQuantParams(model, 5, &quantisation));
  GIVES(UNEXPECTED_NULL, Model_setOperandSymmPerChannelQuantParams(model, 4, NULL));
  OK(Model_setOperandSymmPerChannelQuantParams(model, 4, &quantisation));
  quantisation.scaleCount = 1;
  GIVES(BAD_DATA, Model_setOperandSymmPerChannelQuantParams(model, 4, &quantisation));
  quantisation.scaleCount = 2;
  quantisation.channelDim = 2;
  GIVES(BAD_DATA, Model_setOperandSymmPerChannelQuantParams(model, 4, &quantisation));
  ANeuralNetworksModel_free(model);
}

static void Operations(void) {
  ANeuralNetworksModel* model = AddedOperands();
  static const uint32_t outside[3] = {0, 1, 9}, swapped[3] = {0, 2, 1}, twice[2] = {0, 0};
  GIVES(BAD_DATA, Model_addOperation(model, -1, 3, kInputs, 1, kOutput));
  GIVES(BAD_DATA, Model_addOperation(model, 5000, 3, kInputs, 1, kOutput));
  GIVES(BAD_DATA, Model_addOperation(model, ANEURALNETWORKS_ADD, 2, kInputs, 1, kOutput));
  GIVES(BAD_DATA, Model_addOperation(model, ANEURALNETWORKS_ADD, 3, outside, 1, kOutput));
  GIVES(BAD_DATA, Model_addOperation(model, ANEURALNETWORKS_ADD, 3, swapped, 1, kOutput));
  GIVES(BAD_DATA, Model_addOperation(model, ANEURALNETWORKS_ADD, 3, kInputs, 1, outside + 2));
  GIVES(BAD_DATA, Model_identifyInputsAndOutputs(model, 2, twice, 1, kOutput));
  GIVES(BAD_DATA, Model_identifyInputsAndOutputs(model, 1, kInputs + 2, 1, kOutput));
  GIVES(BAD_DATA, Model_identifyInputsAndOutputs(model, 1, outside + 2, 1, kOutput));
  ANeuralNetworksModel_free(model);
}

/* Models that cannot be finished stay invalid. */
static void Finishing(void) {
  const ANeuralNetworksOperandType tensor = Floats();
  ANeuralNetworksModel* model = AddedOperands();
  ANeuralNetworksCompilation* compilation = NULL;
  GIVES(BAD_STATE, Compilation_create(model, &compilation));
  GIVES(BAD_DATA, Model_finish(model)); /* no operation */
  GIVES(BAD_STATE, Model_addOperand(model, &tensor));
  GIVES(BAD_STATE, Model_finish(model));
  GIVES(BAD_STATE, Compilation_create(model, &compilation));
  ANeuralNetworksModel_free(model);

  model = AddedOperands(); /* operand 1 is read and never written */
  OK(Model_addOperation(model, ANEURALNETWORKS_ADD, 3, kInputs, 1, kOutput));
  OK(Model_identifyInputsAndOutputs(model, 1, kInputs, 1, kOutput));
  GIVES(BAD_DATA, Model_finish(model));
  ANeuralNetworksModel_free(model);

  model = AddedOperands(); /* operand 3 is written twice */
  OK(Model_addOperation(model, ANEURALNETWORKS_ADD, 3, kInputs, 1, kOutput));
  ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_ADD, 3, kInputs, 1, kOutput);
  ANeuralNetworksModel_identifyInputsAndOutputs(model, 2, kInputs, 1, kOutput);
  GIVES(BAD_DATA, Model_finish(model));
  ANeuralNetworksModel_free(model);
}

static void Circles(void) {
  static const uint32_t first[3] = {0, 4, 2}, second[3] = {3, 1, 2}, four[1] = {4};
  const ANeuralNetworksOperandType tensor = Floats();
  ANeuralNetworksModel* model = AddedOperands();
  OK(Model_addOperand(model, &tensor));
  OK(Model_addOperation(model, ANEURALNETWORKS_ADD, 3, first, 1, kOutput));
  OK(Model_addOperation(model, ANEURALNETWORKS_ADD, 3, second, 1, four));
  OK(Model_identifyInputsAndOutputs(model, 2, kInputs, 1, kOutput));
  GIVES(BAD_DATA, Model_finish(model));
  ANeuralNetworksModel_free(model);
}

static void Compilations(ANeuralNetworksModel* model) {
  ANeuralNetworksCompilation* compilation = NULL;
  ANeuralNetworksExecution* execution = NULL;
  ANeuralNetworksBurst* burst = NULL;
  ANeuralNetworksDevice* device = NULL;
  const ANeuralNetworksDevice* devices[2] = {NULL, NULL};
  uint32_t count = 0;
  OK(_getDeviceCount(&count));
  GIVES(BAD_DATA, _getDevice(count, &device));
  OK(_getDevice(0, &device));
  GIVES(BAD_DATA, Compilation_createForDevices(model, devices, 0, &compilation));
  GIVES(UNEXPECTED_NULL, Compilation_createForDevices(model, devices, 1, &compilation));
  GIVES(UNEXPECTED_NULL, Compilation_createForDevices(model, NULL, 1, &compilation));
  devices[0] = devices[1] = device;
  GIVES(BAD_DATA, Compilation_createForDevices(model, devices, 2, &compilation));
  OK(Compilation_create(model, &compilation));
  GIVES(BAD_DATA, Compilation_setPreference(compilation, 3));
  GIVES(BAD_DATA, Compilation_setPreference(compilation, -1));
  GIVES(BAD_DATA, Compilation_setPriority(compilation, 95));
  GIVES(BAD_DATA, Compilation_setTimeout(compilation, 1000));
  GIVES(UNEXPECTED_NULL, Compilation_setCaching(compilation, "/tmp", NULL));
  GIVES(BAD_STATE, Execution_create(compilation, &execution));
  GIVES(BAD_STATE, Burst_create(compilation, &burst));
  OK(Compilation_finish(compilation));
  GIVES(BAD_STATE, Compilation_finish(compilation));
  GIVES(BAD_STATE, Compilation_setPreference(compilation, 0));
  GIVES(BAD_STATE, Compilation_setPriority(compilation, ANEURALNETWORKS_PRIORITY_LOW));
  GIVES(BAD_DATA, Compilation_getPreferredMemoryAlignmentForInput(compilation, 2, &count));
  ANeuralNetworksCompilation_free(compilation);
}

static void ExecutionArguments(ANeuralNetworksCompilation* compilation) {
  ANeuralNetworksExecution* execution = NULL;
  const float data[4] = {1, 2, 3, 4};
  float sum[4];
  static const uint32_t other[2] = {4, 1};
  ANeuralNetworksOperandType wrong = TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 2, other, 0, 0);
  OK(Execution_create(compilation, &execution));
  GIVES(BAD_DATA, Execution_setInput(execution, 2, NULL, data, sizeof(data)));
  GIVES(BAD_DATA, Execution_setInput(execution, -1, NULL, data, sizeof(data)));
  GIVES(BAD_DATA, Execution_setInput(execution, 0, NULL, data, sizeof(data) - 1));
  GIVES(BAD_DATA, Execution_setInput(execution, 0, NULL, data, sizeof(data) + 4));
  GIVES(BAD_DATA, Execution_setInput(execution, 0, &wrong, data, sizeof(data)));
  GIVES(BAD_DATA, Execution_setOutput(execution, 1, NULL, sum, sizeof(sum)));
  GIVES(BAD_DATA, Execution_compute(execution)); /* arguments are missing */
  ANeuralNetworksExecution_free(execution);
  OK(Execution_create(compilation, &execution));
  GIVES(BAD_DATA, Execution_setMeasureTiming(execution, true));
  GIVES(BAD_DATA, Execution_setTimeout(execution, 1000));
  OK(Execution_setInput(execution, 0, NULL, data, sizeof(data)));
  GIVES(BAD_STATE, Execution_setInput(execution, 0, NULL, data, sizeof(data)));
  OK(Execution_setInput(execution, 1, NULL, data, sizeof(data)));
  OK(Execution_setOutput(execution, 0, NULL, sum, sizeof(sum)));
  ANeuralNetworksExecution_free(execution);
}

static void ExecutionStates(ANeuralNetworksCompilation* compilation) {
  ANeuralNetworksExecution* execution = NULL;
  ANeuralNetworksEvent* event = NULL;
  const float data[4] = {1, 2, 3, 4};
  float sum[4] = {0, 0, 0, 0};
  uint32_t rank = 0, dims[2] = {0, 0};
  uint64_t duration = 0;
  int fence = 0;
  OK(Execution_create(compilation, &execution));
  OK(Execution_setInput(execution, 0, NULL, data, sizeof(data)));
  OK(Execution_setInput(execution, 1, NULL, data, sizeof(data)));
  OK(Execution_setOutput(execution, 0, NULL, sum, sizeof(sum)));
  GIVES(BAD_STATE, Execution_getOutputOperandRank(execution, 0, &rank));
  GIVES(BAD_STATE, Execution_getOutputOperandDimensions(execution, 0, dims));
  GIVES(BAD_STATE,
        Execution_getDuration(execution, ANEURALNETWORKS_DURATION_ON_HARDWARE, &duration));
  OK(Execution_startCompute(execution, &event));
  OK(Event_wait(event));
  GIVES(BAD_DATA, Event_getSyncFenceFd(event, &fence));
  Check(__LINE__, "the descriptor of an event without a fence", fence, -1);
  ANeuralNetworksEvent_free(event);
  Check(__LINE__, "2 + 2", (int)sum[1], 4);
  OK(Execution_getOutputOperandRank(execution, 0, &rank));
  OK(Execution_getOutputOperandDimensions(execution, 0, dims));
  Check(__LINE__, "the shape", rank == 2 && dims[0] == 2 && dims[1] == 2, 1);
  GIVES(BAD_DATA, Execution_getOutputOperandRank(execution, 1, &rank));
  GIVES(BAD_DATA, Execution_getDuration(execution, 7, &duration));
  GIVES(BAD_STATE, Execution_compute(execution));
  GIVES(BAD_STATE, Execution_setInput(execution, 0, NULL, data, sizeof(data)));
  GIVES(BAD_STATE, Execution_setReusable(execution, true));
  ANeuralNetworksExecution_free(execution);
}

/* An output buffer that is too small for a shape that the model leaves open. */
static void SmallOutput(void) {
  static const uint32_t open[2] = {0, 2}, both[2] = {0, 1};
  const ANeuralNetworksOperandType unknown =
      TypeOf(ANEURALNETWORKS_TENSOR_FLOAT32, 2, open, 0, 0);
  const ANeuralNetworksOperandType known = Floats();
  ANeuralNetworksModel* model = NULL;
  ANeuralNetworksCompilation* compilation = NULL;
  ANeuralNetworksExecution* execution = NULL;
  const float data[4] = {-1, 2, -3, 4};
  float out[4];
  uint32_t dims[2] = {0, 0};
  OK(Model_create(&model));
  OK(Model_addOperand(model, &unknown));
  OK(Model_addOperand(model, &unknown));
  OK(Model_addOperation(model, ANEURALNETWORKS_RELU, 1, both, 1, both + 1));
  OK(Model_identifyInputsAndOutputs(model, 1, both, 1, both + 1));
  OK(Model_finish(model));
  OK(Compilation_create(model, &compilation));
  OK(Compilation_finish(compilation));
  OK(Execution_create(compilation, &execution));
  GIVES(BAD_DATA, Execution_setInput(execution, 0, &unknown, data, sizeof(data)));
  OK(Execution_setInput(execution, 0, &known, data, sizeof(data)));
  OK(Execution_setOutput(execution, 0, NULL, out, sizeof(float)));
  GIVES(OUTPUT_INSUFFICIENT_SIZE, Execution_compute(execution));
  GIVES(OUTPUT_INSUFFICIENT_SIZE, Execution_getOutputOperandDimensions(execution, 0, dims));
  Check(__LINE__, "the rows that were wanted", (int)dims[0], 2);
  ANeuralNetworksExecution_free(execution);
  ANeuralNetworksCompilation_free(compilation);
  ANeuralNetworksModel_free(model);
}

static void Memories(ANeuralNetworksCompilation* compilation) {
  char path[] = "/tmp/nnapi_misuse_XXXXXX";
  const int fd = mkstemp(path);
  const char bytes[16] = {0};
  ANeuralNetworksMemory* memory = NULL;
  ANeuralNetworksMemoryDesc* desc = NULL;
  ANeuralNetworksExecution* execution = NULL;
  Check(__LINE__, "a file of 16 bytes", write(fd, bytes, sizeof(bytes)) == 16, 1);
  GIVES(BAD_DATA, Memory_createFromFd(0, 3, fd, 0, &memory));
  OK(Memory_createFromFd(16, 3, fd, 0, &memory));
  OK(Execution_create(compilation, &execution));
  GIVES(BAD_DATA, Execution_setInputFromMemory(execution, 0, NULL, memory, 4, 16));
  GIVES(BAD_DATA, Execution_setInputFromMemory(execution, 0, NULL, memory, 0, 12));
  OK(Execution_setInputFromMemory(execution, 0, NULL, memory, 0, 16));
  ANeuralNetworksExecution_free(execution);
  ANeuralNetworksMemory_free(memory);
  OK(MemoryDesc_create(&desc));
  GIVES(BAD_DATA, MemoryDesc_finish(desc)); /* no role */
  GIVES(BAD_DATA, MemoryDesc_addInputRole(desc, compilation, 7, 1.0f));
  GIVES(BAD_DATA, MemoryDesc_addInputRole(desc, compilation, 0, 0.0f));
  GIVES(BAD_DATA, MemoryDesc_addInputRole(desc, compilation, 0, 1.5f));
  GIVES(BAD_STATE, Memory_createFromDesc(desc, &memory));
  OK(MemoryDesc_addInputRole(desc, compilation, 0, 0.5f));
  GIVES(BAD_DATA, MemoryDesc_addInputRole(desc, compilation, 0, 0.5f));
  OK(MemoryDesc_finish(desc));
  GIVES(BAD_STATE, MemoryDesc_finish(desc));
  GIVES(BAD_STATE, MemoryDesc_addInputRole(desc, compilation, 1, 0.5f));
  ANeuralNetworksMemoryDesc_free(desc);
  close(fd);
  unlink(path);
}

int main(void) {
  ANeuralNetworksModel* model = Sum();
  ANeuralNetworksCompilation* compilation = NULL;
  const ANeuralNetworksOperandType tensor = Floats();
  GIVES(BAD_STATE, Model_addOperand(model, &tensor));
  GIVES(BAD_STATE, Model_finish(model));
  GIVES(BAD_STATE, Model_addOperation(model, ANEURALNETWORKS_ADD, 3, kInputs, 1, kOutput));
  GIVES(BAD_STATE, Model_identifyInputsAndOutputs(model, 2, kInputs, 1, kOutput));
  GIVES(BAD_STATE, Model_relaxComputationFloat32toFloat16(model, true));
  Compilations(model);
  OK(Compilation_create(model, &compilation));
  OK(Compilation_finish(compilation));
  NullPointers(model, compilation);
  OperandTypes();
  Values();
  Operations();
  Finishing();
  Circles();
  ExecutionArguments(compilation);
  ExecutionStates(compilation);
  SmallOutput();
  Memories(compilation);
  ANeuralNetworksCompilation_free(compilation);
  ANeuralNetworksModel_free(model);
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
