/* A C99 client that declares the API on its own: every function, every misuse. It prints one line a
 * check and returns how many failed. argv[1]: libnnadapter.so, argv[2]: a folder to write in. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t count;
  int32_t data[8];
  uint32_t dynamic_count;
  int32_t dynamic_data[8][8];
} Dimensions;
typedef struct {
  uint32_t channel_dim;
  uint32_t scale_count;
  const float* scales;
} PerChannel;
typedef struct {
  float scale;
  int32_t zero_point;
} Asymmetric;
typedef struct {
  int32_t precision;
  int32_t layout;
  int32_t lifetime;
  Dimensions dimensions;
  union {
    float scale;
    PerChannel per_channel;
    Asymmetric asymmetric;
  } quant;
} Type;
typedef char size_of_dimensions[sizeof(Dimensions) == 296 ? 1 : -1];
typedef char size_of_type[sizeof(Type) == 328 ? 1 : -1];
typedef char offset_of_dimensions[offsetof(Type, dimensions) == 12 ? 1 : -1];
typedef char offset_of_quant[offsetof(Type, quant) == 312 ? 1 : -1];

enum { OK, OUT_OF_MEMORY, BAD_DIMENSIONS, BAD_PARAMETER, NOT_FOUND, INTERNAL, UNSUPPORTED };
enum { BOOL8 = 0, INT8 = 1, INT32 = 5, FLOAT32 = 10, QUANT8 = 24, QUANT8_CHANNEL = 25 };
enum { ADD = 3, CONV_2D = 14, RELU = 65, SOFTMAX = 77, UNKNOWN = -65535 };

typedef void* Handle;
typedef void* (*Access)(void* memory, Type* type, void* device_buffer);
typedef int (*Event)(int event_id, void* user_data);

static int (*GetVersion)(uint32_t*);
static int (*GetDeviceCount)(uint32_t*);
static const char* (*LastMessage)(void);
static int (*LastCode)(void);
static int (*DeviceAcquire)(const char*, Handle*);
static void (*DeviceRelease)(Handle);
static int (*DeviceName)(Handle, const char**);
static int (*DeviceVendor)(Handle, const char**);
static int (*DeviceType)(Handle, int32_t*);
static int (*DeviceVersion)(Handle, int32_t*);
static int (*ContextCreate)(Handle*, uint32_t, const char*, Event, Handle*);
static void (*ContextDestroy)(Handle);
static int (*ModelCreate)(Handle*);
static void (*ModelDestroy)(Handle);
static int (*ModelFinish)(Handle);
static int (*AddOperand)(Handle, const Type*, Handle*);
static int (*SetValue)(Handle, void*, uint32_t, bool);
static int (*GetType)(Handle, Type**);
static int (*AddOperation)(Handle, int32_t, uint32_t, Handle*, uint32_t, Handle*, Handle*);
static int (*Identify)(Handle, uint32_t, Handle*, uint32_t, Handle*);
static int (*Supported)(Handle, Handle, bool*);
static int (*CompilationCreate)(Handle, const char*, void*, uint32_t, const char*, Handle, Handle*);
static void (*CompilationDestroy)(Handle);
static int (*CompilationFinish)(Handle);
static int (*Query)(Handle, uint32_t*, Type**, uint32_t*, Type**);
static int (*ExecutionCreate)(Handle, Handle*);
static void (*ExecutionDestroy)(Handle);
static int (*SetInput)(Handle, int32_t, void*, Access);
static int (*SetOutput)(Handle, int32_t, void*, Access);
static int (*Compute)(Handle);

static int checks = 0, failures = 0;

static void Check(bool fits, const char* what) {
  ++checks;
  if (!fits) {
    ++failures;
    printf("FAILED %s: code %d, \"%s\"\n", what, LastCode(), LastMessage());
  }
}
/* A call that must be refused with a code and a text. */
static void Refused(int code, int expected, const char* what) {
  Check(code == expected && LastCode() == expected && strlen(LastMessage()) > 10, what);
}

static void* Symbol(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  if (!symbol) {
    printf("FAILED no symbol %s\n", name);
    exit(1);
  }
  return symbol;
}

static void Load(const char* path) {
  void* l = dlopen(path, RTLD_LAZY);
  if (!l) {
    printf("FAILED %s\n", dlerror());
    exit(1);
  }
#define GET(pointer, name) *(void**)(&pointer) = Symbol(l, "NNAdapter" name)
  GET(GetVersion, "_getVersion");
  GET(GetDeviceCount, "_getDeviceCount");
  GET(LastMessage, "_getLastErrorMessage");
  GET(LastCode, "_getLastErrorCode");
  GET(DeviceAcquire, "Device_acquire");
  GET(DeviceRelease, "Device_release");
  GET(DeviceName, "Device_getName");
  GET(DeviceVendor, "Device_getVendor");
  GET(DeviceType, "Device_getType");
  GET(DeviceVersion, "Device_getVersion");
  GET(ContextCreate, "Context_create");
  GET(ContextDestroy, "Context_destroy");
  GET(ModelCreate, "Model_create");
  GET(ModelDestroy, "Model_destroy");
  GET(ModelFinish, "Model_finish");
  GET(AddOperand, "Model_addOperand");
  GET(SetValue, "Model_setOperandValue");
  GET(GetType, "Model_getOperandType");
  GET(AddOperation, "Model_addOperation");
  GET(Identify, "Model_identifyInputsAndOutputs");
  GET(Supported, "Model_getSupportedOperations");
  GET(CompilationCreate, "Compilation_create");
  GET(CompilationDestroy, "Compilation_destroy");
  GET(CompilationFinish, "Compilation_finish");
  GET(Query, "Compilation_queryInputsAndOutputs");
  GET(ExecutionCreate, "Execution_create");
  GET(ExecutionDestroy, "Execution_destroy");
  GET(SetInput, "Execution_setInput");
  GET(SetOutput, "Execution_setOutput");
  GET(Compute, "Execution_compute");
}

static Type Make(int precision, uint32_t rank, int32_t first, int32_t second) {
  Type type;
  memset(&type, 0, sizeof(type));
  type.precision = precision;
  type.dimensions.count = rank;
  type.dimensions.data[0] = first;
  type.dimensions.data[1] = second;
  return type;
}

static Handle Operand(Handle model, int precision, uint32_t rank, int32_t first, int32_t second) {
  const Type type = Make(precision, rank, first, second);
  Handle operand = NULL;
  AddOperand(model, &type, &operand);
  return operand;
}

static Handle Number(Handle model, int32_t value) {
  Handle operand = Operand(model, INT32, 1, 1, 0);
  SetValue(operand, &value, 4, true);
  return operand;
}

typedef struct {
  float data[64];
  int32_t rows;
  int calls;
} Tensor;

static void* Read(void* memory, Type* type, void* device_buffer) {
  Tensor* tensor = memory;
  (void)device_buffer;
  ++tensor->calls;
  type->dimensions.count = 2;
  type->dimensions.data[0] = tensor->rows;
  type->dimensions.data[1] = 3;
  return tensor->data;
}
static void* Write(void* memory, Type* type, void* device_buffer) {
  Tensor* tensor = memory;
  (void)device_buffer;
  ++tensor->calls;
  tensor->rows = type->dimensions.data[0];
  return type->dimensions.count == 2 && tensor->rows <= 20 ? tensor->data : NULL;
}
static void* Nothing(void* memory, Type* type, void* device_buffer) {
  (void)memory;
  (void)type;
  (void)device_buffer;
  return NULL;
}
static void* Nonsense(void* memory, Type* type, void* device_buffer) {
  (void)device_buffer;
  type->dimensions.count = 4000000000u;
  return memory;
}

/* relu(x + c) of [rows, 3]; the finished model. */
static Handle Finished(int32_t rows) {
  static float c[3] = {1, 2, 3};
  Handle model = NULL, operation = NULL;
  ModelCreate(&model);
  Handle x = Operand(model, FLOAT32, 2, rows, 3), constant = Operand(model, FLOAT32, 1, 3, 0);
  SetValue(constant, c, 12, false);
  Handle sum = Operand(model, UNKNOWN, 0, 0, 0), y = Operand(model, UNKNOWN, 0, 0, 0);
  Handle add[3] = {x, constant, Number(model, 0)};
  AddOperation(model, ADD, 3, add, 1, &sum, &operation);
  AddOperation(model, RELU, 1, &sum, 1, &y, &operation);
  Identify(model, 1, &x, 1, &y);
  if (ModelFinish(model) != OK) printf("FAILED finish: %s\n", LastMessage());
  return model;
}

static void Library(void) {
  uint32_t number = 99;
  Check(strcmp(LastMessage(), "") == 0 && LastCode() == OK, "no error before the first");
  Check(GetVersion(&number) == OK && number == 1, "version");
  Refused(GetVersion(NULL), BAD_PARAMETER, "version into null");
  Check(GetDeviceCount(&number) == OK && number >= 1, "device count");
  Refused(GetDeviceCount(NULL), BAD_PARAMETER, "device count into null");
}

static void Devices(void) {
  Handle device = (Handle)1, gone = NULL;
  const char* text = NULL;
  int32_t number = -1;
  Refused(DeviceAcquire(NULL, &device), BAD_PARAMETER, "acquire null");
  Refused(DeviceAcquire("builtin_device", NULL), BAD_PARAMETER, "acquire into null");
  Refused(DeviceAcquire("no_such_device", &device), NOT_FOUND, "acquire a missing device");
  Check(device == NULL && strstr(LastMessage(), "libno_such_device.so"), "where was looked");
  Check(DeviceAcquire("builtin_device", &device) == OK && device, "acquire");
  Check(strstr(LastMessage(), "no_such_device") != NULL, "success leaves the last error");
  Check(DeviceName(device, &text) == OK && !strcmp(text, "builtin_device"), "name");
  Check(DeviceVendor(device, &text) == OK && text && *text, "vendor");
  Check(DeviceType(device, &number) == OK && number == 0, "type");
  Check(DeviceVersion(device, &number) == OK && number >= 1, "device's version");
  Refused(DeviceName(device, NULL), BAD_PARAMETER, "name into null");
  Refused(DeviceVendor(NULL, &text), BAD_PARAMETER, "vendor of null");
  Refused(DeviceType((Handle)&number, &number), BAD_PARAMETER, "type of something else");
  DeviceRelease(device);
  Refused(DeviceVersion(device, &number), BAD_PARAMETER, "a released device");
  DeviceRelease(device);
  DeviceRelease(NULL);
  Check(DeviceAcquire("builtin_device", &gone) == OK, "acquire after releasing twice");
  DeviceRelease(gone);
}

static void Contexts(Handle device) {
  Handle context = (Handle)1, pair[2];
  pair[0] = pair[1] = device;
  Refused(ContextCreate(NULL, 1, "", NULL, &context), BAD_PARAMETER, "context of no devices");
  Check(context == NULL, "a refused handle is null");
  Refused(ContextCreate(&device, 0, "", NULL, &context), BAD_PARAMETER, "context of 0 devices");
  Refused(ContextCreate(&device, 1, "", NULL, NULL), BAD_PARAMETER, "context into null");
  Refused(ContextCreate(pair, 2, "", NULL, &context), BAD_PARAMETER, "one device twice");
  Check(ContextCreate(&device, 1, NULL, NULL, &context) == OK && context, "null properties");
  ContextDestroy(context);
  ContextDestroy(context);
  ContextDestroy(NULL);
  Check(ContextCreate(&device, 1, "A=1;B=2;", NULL, &context) == OK, "properties");
  ContextDestroy(context);
}

static void Operands(void) {
  Handle model = NULL, operand = NULL, other = NULL;
  Type type = Make(FLOAT32, 2, 2, 3), *known = NULL;
  float values[6] = {0}, scales[3] = {1, 2, 3};
  Refused(ModelCreate(NULL), BAD_PARAMETER, "model into null");
  Check(ModelCreate(&model) == OK && model, "model");
  Refused(AddOperand(model, NULL, &operand), BAD_PARAMETER, "operand of no type");
  Refused(AddOperand(model, &type, NULL), BAD_PARAMETER, "operand into null");
  Refused(AddOperand(NULL, &type, &operand), BAD_PARAMETER, "operand of no model");
  type.precision = 17;
  Refused(AddOperand(model, &type, &operand), BAD_PARAMETER, "an unused precision");
  type = Make(FLOAT32, 9, 1, 1);
  Refused(AddOperand(model, &type, &operand), BAD_PARAMETER, "nine dimensions");
  type = Make(FLOAT32, 2, 2, -4);
  Refused(AddOperand(model, &type, &operand), BAD_PARAMETER, "a negative dimension");
  type = Make(FLOAT32, 1, UNKNOWN, 0);
  type.dimensions.dynamic_count = 9;
  Refused(AddOperand(model, &type, &operand), BAD_PARAMETER, "nine candidates");
  type = Make(QUANT8_CHANNEL, 2, 2, 3);
  Refused(AddOperand(model, &type, &operand), BAD_PARAMETER, "channels without scales");
  type.quant.per_channel.channel_dim = 1;
  type.quant.per_channel.scale_count = 3;
  type.quant.per_channel.scales = scales;
  Check(AddOperand(model, &type, &operand) == OK, "scales for channels");
  Check(GetType(operand, &known) == OK && known->quant.per_channel.scales != scales &&
            known->quant.per_channel.scales[2] == 3,
        "scales are copied");
  type = Make(FLOAT32, 2, 2, 3);
  Check(AddOperand(model, &type, &operand) == OK && operand, "operand");
  Check(GetType(operand, &known) == OK && known->dimensions.data[1] == 3, "type");
  Refused(GetType(operand, NULL), BAD_PARAMETER, "type into null");
  Refused(GetType((Handle)&type, &known), BAD_PARAMETER, "type of something else");
  Refused(SetValue(operand, NULL, 24, true), BAD_PARAMETER, "value null");
  Refused(SetValue(operand, values, 0, true), BAD_PARAMETER, "value of 0 bytes");
  Refused(SetValue(operand, values, 20, true), BAD_PARAMETER, "value too short");
  Refused(SetValue(NULL, values, 24, true), BAD_PARAMETER, "value of no operand");
  Check(SetValue(operand, values, 24, true) == OK, "value");
  Check(GetType(operand, &known) == OK && known->lifetime == 2, "a copied constant");
  Check(SetValue(operand, values, 24, false) == OK, "value again");
  ModelCreate(&other);
  ModelDestroy(model);
  Refused(GetType(operand, &known), BAD_PARAMETER, "an operand of a destroyed model");
  Refused(AddOperand(model, &type, &operand), BAD_PARAMETER, "a destroyed model");
  ModelDestroy(model);
  ModelDestroy(NULL);
  ModelDestroy(other);
}

static void Operations(Handle context) {
  Handle model = NULL, other = NULL, operation = NULL;
  Type* known = NULL;
  bool flags[2];
  ModelCreate(&model);
  ModelCreate(&other);
  Handle x = Operand(model, FLOAT32, 2, 2, 3), y = Operand(model, UNKNOWN, 0, 0, 0);
  Handle z = Operand(model, UNKNOWN, 0, 0, 0), foreign = Operand(other, FLOAT32, 2, 2, 3);
  Handle nothing = NULL, outputs[2];
  Refused(AddOperation(model, RELU, 1, &x, 1, &y, NULL), BAD_PARAMETER, "operation into null");
  Refused(AddOperation(model, RELU, 1, NULL, 1, &y, &operation), BAD_PARAMETER, "null inputs");
  Refused(AddOperation(model, RELU, 1, &x, 0, &y, &operation), BAD_PARAMETER, "no outputs");
  Refused(AddOperation(model, RELU, 1, &nothing, 1, &y, &operation), BAD_PARAMETER, "a null input");
  Refused(AddOperation(model, RELU, 1, &x, 1, &nothing, &operation), BAD_PARAMETER,
          "a null output");
  Refused(AddOperation(model, RELU, 1, &foreign, 1, &y, &operation), BAD_PARAMETER,
          "another model's operand");
  Refused(AddOperation(model, 96, 1, &x, 1, &y, &operation), BAD_PARAMETER, "operation 96");
  Refused(AddOperation(model, ADD, 1, &x, 1, &y, &operation), BAD_PARAMETER, "ADD of one");
  Check(strstr(LastMessage(), "ADD") != NULL, "the text names the operation");
  Check(AddOperation(model, RELU, 1, &x, 1, &y, &operation) == OK && operation, "operation");
  Check(GetType(y, &known) == OK && known->precision == FLOAT32 && known->dimensions.count == 2 &&
            known->dimensions.data[0] == 2 && known->dimensions.data[1] == 3,
        "the output is inferred");
  Refused(ModelFinish(model), BAD_PARAMETER, "finish before inputs and outputs");
  Refused(Identify(model, 1, &x, 0, &y), BAD_PARAMETER, "a model of no outputs");
  Refused(Identify(model, 1, NULL, 1, &y), BAD_PARAMETER, "null inputs of a model");
  Refused(Identify(model, 1, &foreign, 1, &y), BAD_PARAMETER, "a foreign input");
  outputs[0] = outputs[1] = y;
  Refused(Identify(model, 1, &x, 2, outputs), BAD_PARAMETER, "an output twice");
  Refused(Supported(model, context, flags), BAD_PARAMETER, "supported before finish");
  Check(Identify(model, 1, &x, 1, &y) == OK, "identify");
  AddOperation(model, RELU, 1, &y, 1, &z, &operation);
  Check(ModelFinish(model) == OK, "finish");
  Refused(ModelFinish(model), BAD_PARAMETER, "finish twice");
  Refused(AddOperation(model, RELU, 1, &x, 1, &y, &operation), BAD_PARAMETER, "add after finish");
  Refused(Identify(model, 1, &x, 1, &y), BAD_PARAMETER, "identify after finish");
  Check(Supported(model, context, flags) == OK && flags[0] && flags[1], "supported");
  Refused(Supported(model, context, NULL), BAD_PARAMETER, "supported into null");
  Refused(Supported(NULL, context, flags), BAD_PARAMETER, "supported of no model");
  ModelDestroy(model);
  ModelDestroy(other);
}

/* Models that cannot be computed. */
static void BadGraphs(void) {
  Handle model = NULL, operation = NULL;
  ModelCreate(&model);
  Handle x = Operand(model, FLOAT32, 2, 2, 3), a = Operand(model, FLOAT32, 2, 2, 3);
  Handle b = Operand(model, FLOAT32, 2, 2, 3), c = Operand(model, FLOAT32, 2, 2, 3);
  Handle first[3] = {x, b, Number(model, 0)};
  AddOperation(model, ADD, 3, first, 1, &a, &operation);
  AddOperation(model, RELU, 1, &a, 1, &b, &operation);
  AddOperation(model, RELU, 1, &b, 1, &c, &operation);
  Identify(model, 1, &x, 1, &c);
  Refused(ModelFinish(model), BAD_PARAMETER, "a cycle");
  Check(strstr(LastMessage(), "cycle") != NULL, "the text says so");
  ModelDestroy(model);

  ModelCreate(&model);
  x = Operand(model, FLOAT32, 2, 2, 3), a = Operand(model, FLOAT32, 2, 2, 3);
  b = Operand(model, FLOAT32, 2, 2, 3);
  Handle dangling[3] = {x, b, Number(model, 0)};
  AddOperation(model, ADD, 3, dangling, 1, &a, &operation);
  Identify(model, 1, &x, 1, &a);
  Refused(ModelFinish(model), BAD_PARAMETER, "an operand that nobody writes");
  ModelDestroy(model);

  ModelCreate(&model);
  x = Operand(model, FLOAT32, 2, 2, 3), a = Operand(model, FLOAT32, 2, 2, 3);
  AddOperation(model, RELU, 1, &x, 1, &a, &operation);
  const int twice = AddOperation(model, RELU, 1, &x, 1, &a, &operation);
  Identify(model, 1, &x, 1, &a);
  Refused(twice != OK ? twice : ModelFinish(model), BAD_PARAMETER, "an operand written twice");
  ModelDestroy(model);
}

static void Compilations(Handle context, const char* folder) {
  Handle model = Finished(2), open = NULL, compilation = NULL;
  uint32_t inputs = 0, outputs = 0;
  Type *in[1], *out[1];
  char junk[64] = "this is no cache";
  ModelCreate(&open);
  Refused(CompilationCreate(model, NULL, NULL, 0, NULL, NULL, &compilation), BAD_PARAMETER,
          "compile without a context");
  Refused(CompilationCreate(model, NULL, NULL, 0, NULL, context, NULL), BAD_PARAMETER,
          "compile into null");
  Refused(CompilationCreate(NULL, NULL, NULL, 0, NULL, context, &compilation), BAD_PARAMETER,
          "compile nothing");
  Refused(CompilationCreate(open, NULL, NULL, 0, NULL, context, &compilation), BAD_PARAMETER,
          "compile a model that is not finished");
  Refused(CompilationCreate(NULL, "t", NULL, 9, NULL, context, &compilation), BAD_PARAMETER,
          "a cache at null");
  Refused(CompilationCreate(NULL, "../t", NULL, 0, folder, context, &compilation), BAD_PARAMETER,
          "a token that leaves its folder");
  Check(CompilationCreate(NULL, "t", junk, 64, NULL, context, &compilation) == OK, "junk, create");
  Refused(CompilationFinish(compilation), BAD_PARAMETER, "junk as a cache");
  CompilationDestroy(compilation);
  CompilationCreate(NULL, "missing", NULL, 0, folder, context, &compilation);
  Refused(CompilationFinish(compilation), BAD_PARAMETER, "a cache that is not there");
  CompilationDestroy(compilation);
  Check(CompilationCreate(model, "", NULL, 0, "", context, &compilation) == OK, "compile");
  Refused(Query(compilation, &inputs, NULL, &outputs, NULL), BAD_PARAMETER, "query before finish");
  Check(CompilationFinish(compilation) == OK, "finish compilation");
  Refused(CompilationFinish(compilation), BAD_PARAMETER, "finish compilation twice");
  Check(Query(compilation, &inputs, NULL, &outputs, NULL) == OK && inputs == 1 && outputs == 1,
        "query counts");
  Check(Query(compilation, &inputs, in, &outputs, out) == OK && in[0]->dimensions.data[1] == 3 &&
            out[0]->precision == FLOAT32,
        "query types");
  Refused(Query(compilation, NULL, NULL, &outputs, NULL), BAD_PARAMETER, "query into null");
  CompilationDestroy(compilation);
  CompilationDestroy(compilation);
  CompilationDestroy(NULL);
  Refused(CompilationFinish(compilation), BAD_PARAMETER, "a destroyed compilation");
  ModelDestroy(model);
  ModelDestroy(open);
}

static void Executions(Handle context) {
  Handle model = Finished(2), compilation = NULL, execution = NULL;
  Tensor x, y;
  memset(&x, 0, sizeof(x));
  memset(&y, 0, sizeof(y));
  CompilationCreate(model, NULL, NULL, 0, NULL, context, &compilation);
  Refused(ExecutionCreate(compilation, &execution), BAD_PARAMETER, "execute before finish");
  CompilationFinish(compilation);
  Refused(ExecutionCreate(compilation, NULL), BAD_PARAMETER, "execution into null");
  Refused(ExecutionCreate(NULL, &execution), BAD_PARAMETER, "execution of nothing");
  Check(ExecutionCreate(compilation, &execution) == OK && execution, "execution");
  Refused(Compute(execution), BAD_PARAMETER, "compute without arguments");
  Refused(SetInput(execution, -1, &x, Read), BAD_PARAMETER, "input -1");
  Refused(SetInput(execution, 1, &x, Read), BAD_PARAMETER, "input 1 of 1");
  Refused(SetInput(execution, 0, &x, NULL), BAD_PARAMETER, "input without access");
  Refused(SetOutput(execution, 7, &y, Write), BAD_PARAMETER, "output 7 of 1");
  Refused(SetOutput(execution, 0, &y, NULL), BAD_PARAMETER, "output without access");
  x.rows = 2;
  for (int i = 0; i < 6; ++i) x.data[i] = (float)i - 4;
  Check(SetInput(execution, 0, &x, Read) == OK, "set input");
  Refused(Compute(execution), BAD_PARAMETER, "compute without its output");
  Check(SetOutput(execution, 0, &y, Write) == OK, "set output");
  Check(Compute(execution) == OK && y.rows == 2, "compute");
  Check(y.data[0] == 0 && y.data[2] == 1 && y.data[4] == 2 && y.data[5] == 4, "right numbers");
  x.data[0] = 10;
  Check(Compute(execution) == OK && y.data[0] == 11, "compute again");
  SetInput(execution, 0, &x, Nothing);
  Check(Compute(execution) != OK, "an input at null");
  SetInput(execution, 0, &x, Nonsense);
  Check(Compute(execution) != OK, "an input of nonsensical rank");
  SetInput(execution, 0, &x, Read);
  SetOutput(execution, 0, &y, Nothing);
  Refused(Compute(execution), BAD_PARAMETER, "an output at null");
  SetOutput(execution, 0, &y, Write);
  Check(Compute(execution) == OK, "usable after errors");
  /* The execution keeps what it needs. */
  ModelDestroy(model);
  CompilationDestroy(compilation);
  ContextDestroy(context);
  x.data[0] = 20;
  Check(Compute(execution) == OK && y.data[0] == 21, "compute after its parents' destruction");
  ExecutionDestroy(execution);
  Refused(Compute(execution), BAD_PARAMETER, "a destroyed execution");
  ExecutionDestroy(execution);
  ExecutionDestroy(NULL);
}

static void Caching(Handle device, const char* folder) {
  Handle context = NULL, compilation = NULL, execution = NULL, model = Finished(2);
  Tensor x, y;
  memset(&x, 0, sizeof(x));
  memset(&y, 0, sizeof(y));
  x.rows = 2;
  ContextCreate(&device, 1, "", NULL, &context);
  CompilationCreate(model, "client", NULL, 0, folder, context, &compilation);
  Check(CompilationFinish(compilation) == OK, "compile with a cache");
  CompilationDestroy(compilation);
  CompilationCreate(NULL, "client", NULL, 0, folder, context, &compilation);
  Check(CompilationFinish(compilation) == OK, "restore from the cache");
  ExecutionCreate(compilation, &execution);
  SetInput(execution, 0, &x, Read);
  SetOutput(execution, 0, &y, Write);
  Check(Compute(execution) == OK && y.data[2] == 3, "compute from the cache");
  ExecutionDestroy(execution);
  CompilationDestroy(compilation);
  ContextDestroy(context);
  ModelDestroy(model);
}

int main(int argc, char** argv) {
  Handle device = NULL, context = NULL;
  if (argc < 4) return 1;
  Load(argv[1]);
  Library();
  Devices();
  DeviceAcquire("builtin_device", &device);
  Contexts(device);
  ContextCreate(&device, 1, "", NULL, &context);
  Operands();
  Operations(context);
  BadGraphs();
  Compilations(context, argv[2]);
  Executions(context);
  DeviceRelease(device);
  DeviceAcquire(argv[3], &device);
  Caching(device, argv[2]);
  DeviceRelease(device);
  printf("%d checks, %d failed\n", checks, failures);
  return failures != 0;
}
