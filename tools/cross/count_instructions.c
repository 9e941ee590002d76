// A plugin for qemu-user: how often the instructions of each block were executed.
//   qemu-aarch64 -plugin libcount.so,out=FILE PROGRAM...
// FILE gets lines "map" (as in /proc/self/maps) and "block ADDRESS INSTRUCTIONS-EXECUTED". Built by
// instructions.py. The few functions of QEMU's plugin API (version 1) are declared here, since
// packages of qemu-user have no header for them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Id;
struct qemu_plugin_tb;

extern void qemu_plugin_register_vcpu_tb_trans_cb(Id, void (*)(Id, struct qemu_plugin_tb*));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb*, int, void*, uint64_t);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb*);
extern void qemu_plugin_register_atexit_cb(Id, void (*)(Id, void*), void*);

int qemu_plugin_version = 1;

struct Block {
  uint64_t address, executed;
  struct Block* next;
};
static struct Block* blocks;
static const char* path;

// A block that QEMU translates again is one more.
static void OnBlock(Id id, struct qemu_plugin_tb* tb) {
  struct Block* block = calloc(1, sizeof(*block));
  if (block == NULL) abort();
  block->address = qemu_plugin_tb_vaddr(tb);
  block->next = blocks;
  blocks = block;
  qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, &block->executed, qemu_plugin_tb_n_insns(tb));
  (void)id;
}

static void OnExit(Id id, void* data) {
  FILE* out = fopen(path, "w");
  FILE* maps = fopen("/proc/self/maps", "r");
  if (out == NULL || maps == NULL) abort();
  char line[4096];
  while (fgets(line, sizeof(line), maps) != NULL) fprintf(out, "map %s", line);
  for (const struct Block* b = blocks; b != NULL; b = b->next)
    if (b->executed != 0) fprintf(out, "block %" PRIx64 " %" PRIu64 "\n", b->address, b->executed);
  fclose(maps);
  fclose(out);
  (void)id, (void)data;
}

int qemu_plugin_install(Id id, const void* info, int argc, char** argv) {
  for (int i = 0; i < argc; ++i)
    if (strncmp(argv[i], "out=", 4) == 0) path = strdup(argv[i] + 4);
  if (path == NULL) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, OnBlock);
  qemu_plugin_register_atexit_cb(id, OnExit, NULL);
  (void)info;
  return 0;
}
