// The objects behind the C API's handles.
#pragma once

#include "lite/nnadapter/runtime/handles.h"

namespace nnadapter::runtime {

class Device;
class Context;
class Model;
class Compilation;
class Execution;

HandleTable<Device>& Devices();
HandleTable<Context>& Contexts();
HandleTable<Model>& Models();
HandleTable<Compilation>& Compilations();
HandleTable<Execution>& Executions();

}  // namespace nnadapter::runtime
