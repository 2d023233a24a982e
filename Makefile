# CUDA Reduction Labs.  `make` alone says what one can do.
#
# A target a person types (demo, v3, test ...) first calls grading/setup.sh,
# which installs missing tools and writes what it found to build/config.mk;
# then it builds the program and runs it.  File lists come from the folders:
# a new .c file needs no line here.

BUILD := build
BIN := $(BUILD)/bin
SETUP ?= yes# no: never install anything
FROM ?= labs# grade: the folder with the kernels
N ?=# elements, such as 20M or 2^24
BLOCK ?=# threads in a block
DEVICE ?=# sim or cuda
COMPILER ?=# nvcc or clang
BY ?=# counters: total, line or step
LAB ?=# v0 ... v6, x1, x2
GPU ?=# whose time: h200, t4 ...; lab list --gpus
NAME ?=# of an experiment
LEVEL ?=# hint: 1 to 3
A ?=# compare: a stage ...
B ?=# ... and another
SHOW ?=# trace: the block, 0 or where a mistake is
export SETUP COMPILER

ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)# for the makes below
endif
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# ---- what a person types --------------------------------------------------
STAGES := $(sort v0 v1 v2 v3 v4 v5 v6 $(foreach d,$(wildcard labs/*), \
  $(firstword $(subst _, ,$(notdir $d)))))
quote = '$(subst ','\'',$1)'
option = $(if $($1),$2 $(call quote,$($1)))
RUN := $(call option,N,--n) $(call option,BLOCK,--block) \
  $(call option,DEVICE,--device)
PAGE = $(call option,N,--n) $(call option,BLOCK,--block) \
  $(call option,SHOW,--show) --from $(call quote,$(FROM))
MODEL = $(call option,N,--n) $(call option,GPU,--gpu)
define ready
@CC='$(if $(filter command environment,$(origin CC)),$(CC))' BUILD='$(BUILD)' \
  grading/setup.sh $@
$(if $1,+@$(MAKE) -s $(addprefix $(BIN)/,$1))
endef

.PHONY: help
help: ## what you can do, and how far you are (this is plain `make`)
	@echo 'CUDA Reduction Labs'; echo
	@sed -n 's/^\([a-z][^:]*\):.*## \(.*\)/\1\t\2/p' Makefile | \
	  sed 's/^v0 .*v6/v0 ... v6/; s/^/  make /' | expand -t 20
	@echo; echo 'Variables: N=20M BLOCK=256 DEVICE=sim COMPILER=clang' \
	  'FROM=folder SETUP=no'; echo
	@echo 'A student begins with  docs/00_start.md, then labs/v0_atomic/README.md'
	@echo 'An instructor          README.md, then make grade FROM=folder'
	@echo 'A reader               docs/README.md, or make book'; echo
	@if [ -x $(BIN)/lab ]; then $(BIN)/lab progress; else \
	  echo 'Nothing is built yet: `make demo` builds all and shows it.'; fi

.PHONY: demo
demo: ## the reference solutions sum ten million floats
	$(call ready,lab)
	@$(BIN)/lab demo $(RUN)

.PHONY: $(STAGES)
v0 v1 v2 v3 v4 v5 v6: ## check your kernel of that stage
$(STAGES):
	$(call ready,lab)
	@$(BIN)/lab check $@ $(RUN)

.PHONY: lab hint reset diff
lab: ## the same for LAB=v3 (or any stage, or a file)
	$(call ready,lab)
	@$(BIN)/lab check $(call quote,$(LAB)) $(RUN)
hint: ## a hint for LAB=v3, LEVEL=1 to 3
	$(call ready,lab)
	@$(BIN)/lab hint $(call quote,$(LAB)) $(call option,LEVEL,--level)
reset: ## LAB=v3 as it was shipped (a copy of yours is kept)
	$(call ready,lab)
	@$(BIN)/lab reset $(call quote,$(LAB))
diff: ## what you changed in LAB=v3
	$(call ready,lab)
	@$(BIN)/lab diff $(call quote,$(LAB))

.PHONY: counters
counters: ## what LAB=v3 does, as a profiler counts (BY=line or step)
	$(call ready,lab)
	@$(BIN)/lab counters $(call quote,$(LAB)) $(RUN) $(call option,BY,--by) \
	  --from $(call quote,$(FROM))

.PHONY: trace compare
trace: ## a page that plays one block of LAB=v1, step by step
	$(call ready,lab)
	@$(BIN)/lab trace $(call quote,$(LAB)) $(PAGE)
compare: ## the same for A=v2 and B=v3, side by side
	$(call ready,lab)
	@$(BIN)/lab compare $(call quote,$(A)) $(call quote,$(B)) $(PAGE)

.PHONY: report
report: ## a page about the whole ladder: charts, counters, lines
	$(call ready,lab)
	@$(BIN)/lab report $(RUN) $(call option,GPU,--gpu) \
	  $(if $(filter command environment,$(origin FROM)),--from $(call quote,$(FROM)))

.PHONY: sweep experiment
sweep: ## LAB=v6 over blocks and grids: which is fastest? (GPU=t4)
	$(call ready,lab)
	@$(BIN)/lab sweep $(call quote,$(LAB)) $(MODEL) --from $(call quote,$(FROM))
experiment: ## NAME=ladder crossover block-size steps accuracy atomics
	$(call ready,lab)
	@$(BIN)/lab experiment $(call quote,$(NAME)) $(MODEL) \
	  $(if $(filter command environment,$(origin FROM)),--from $(call quote,$(FROM)))

.PHONY: plot
plot: ## SVG and PNG of the experiments done so far, or of NAME=
	$(call ready,lab)
	@$(BIN)/lab plot $(if $(NAME),$(call quote,$(NAME))) $(MODEL)

.PHONY: grade progress doctor
grade: ## judge every stage, with points (FROM= another folder)
	$(call ready,lab grade)
	@$(BIN)/grade --from $(call quote,$(FROM)) $(ARGS)
progress: ## the ladder and how far you are
	$(call ready,lab)
	@$(BIN)/lab progress
doctor: ## every tool, version and device found
	$(call ready,lab)
	@$(BIN)/lab doctor

.PHONY: bench test lint format docs book clean
bench: ## the simulator's speed; DEVICE=cuda: ours beside CUB
	$(call ready,lab)
	@$(if $(filter cuda,$(DEVICE)),tests/peers/bench.sh,\
	  tests/bench.sh $(if $(N),$(call quote,$(N))))

.PHONY: sanitize profile conform
conform: ## random kernels: is a GPU bit for bit the same? (N=1000)
	$(call ready,conform)
	@$(BIN)/conform $(if $(N),$(call quote,$(N)))
sanitize: ## compute-sanitizer's four tools on LAB=v3, beside our checks
	$(call ready,lab gpu_launch)
	@tests/peers/tools.sh sanitize $(call quote,$(LAB)) $(call quote,$(FROM))
profile: ## Nsight Compute on LAB=v3, beside our counters
	$(call ready,lab gpu_launch)
	@tests/peers/tools.sh profile $(call quote,$(LAB)) $(call quote,$(FROM))
test: ## the kit's own tests
	$(call ready)
	@tests/run.sh $(PARTS)
lint: ## layers, sizes, formatting, clang-tidy, shellcheck
	$(call ready)
	@tests/lint/all.sh
format: ## lay out the C files again
	$(call ready)
	@tests/lint/format.sh --apply
book: ## the book as a site, in build/site (needs mkdocs)
	$(call ready,lab)
	@docs/site.sh $(BUILD)
docs: ## write again what the pages show: tables, outputs, code
	$(call ready,lab ptx_describe time_table)
	@$(BIN)/ptx_describe >docs/ptx-subset.md
	@$(BIN)/time_table docs/time-model.md >$(BUILD)/page && \
	  mv $(BUILD)/page docs/time-model.md
	@docs/figures/draw.sh
	@tests/book.sh refresh $(BIN)
.PHONY: claims
claims: ## what is often said of reductions: does it hold?
	$(call ready,lab)
	@LAB=$(BIN)/lab docs/claims.sh $(NAME)
.PHONY: figures gallery
gallery: ## the stills of docs/gallery.md again (needs chromium)
	$(call ready,lab)
	@python3 -B tests/browser/gallery.py $(BIN)/lab docs
figures: ## the references of the speed thresholds again
	$(call ready,speed_figures reference_ptx)
	@$(BIN)/reference_ptx grading/reference
	@$(BIN)/speed_figures >$(BUILD)/speed.def && \
	  mv $(BUILD)/speed.def common/lab/speed.def
clean: ## remove everything that was built
	rm -rf build

# ---- how it is built ------------------------------------------------------
# CC HAVE_JANSSON ALU_LEVELS; CHECK_LIBS.  Only to build: `make` alone must not
# install anything.
ifneq ($(filter all units tools $(BUILD)/%,$(MAKECMDGOALS)),)
-include $(BUILD)/config.mk $(BUILD)/check.mk
endif
$(BUILD)/config.mk: grading/setup.sh
	@CC='$(if $(filter command environment,$(origin CC)),$(CC))' BUILD='$(BUILD)' \
	  grading/setup.sh build

OPTIMIZE ?= -O3
DEBUG ?= -g1# lines for backtraces; -g for a debugger takes longer
FLAGS = -std=gnu11 -Wall -Wextra $(WERROR) $(OPTIMIZE) $(DEBUG) \
  -ffp-contract=off -fno-strict-aliasing -pthread -Icommon -I. -DHAVE_JANSSON=$(HAVE_JANSSON) \
  -MMD -MP $(SANITIZE) $(EXTRA_CFLAGS)
# Static where it can be: then the programs run on a machine with libc alone.
JANSSON := $(if $(wildcard /usr/lib/libjansson.a /usr/lib/*/libjansson.a),-l:libjansson.a,-ljansson)
LIBS = $(if $(filter 1,$(HAVE_JANSSON)),$(JANSSON)) -lm -ldl -pthread

OBJ := $(BUILD)/obj
objects = $(patsubst %.c,$(OBJ)/%.o,$1)
LAB_C := $(wildcard grading/lab.c grading/cmd_*.c)
GRADE_C := $(filter-out $(LAB_C),$(wildcard grading/*.c))
# The lane loops are compiled once per level of the CPU: common/sim/alu.c, exec.c.
LANES_C := $(wildcard common/sim/alu_lanes_*.c common/sim/exec_impl.c)
LEVELS = portable $(ALU_LEVELS)
COMMON_C := $(filter-out $(LANES_C),$(wildcard common/*/*.c))
LANES_O = $(foreach l,$(LEVELS),$(patsubst %.c,$(OBJ)/%.$l.o,$(LANES_C)))
UNIT_C := $(wildcard tests/unit/test_*.c)
TOOL_C := $(wildcard tests/tools/*.c)
FUZZ_C := $(wildcard tests/fuzz/fuzz_*.c)
SUPPORT_O = $(call objects,$(wildcard tests/support/*.c))
LIBRARY := $(BUILD)/libcommon.a

.PHONY: all units tools
all: $(BIN)/lab $(BIN)/grade units tools
units: $(UNIT_C:tests/unit/%.c=$(BUILD)/unit/%)
tools: $(TOOL_C:tests/tools/%.c=$(BIN)/%) $(FUZZ_C:tests/fuzz/%.c=$(BIN)/%)

$(BIN)/lab: $(call objects,$(LAB_C)) $(LIBRARY)
	$(call link)
$(BIN)/grade: $(call objects,$(GRADE_C)) $(LIBRARY)
	$(call link,$(CHECK_LIBS))
$(BUILD)/unit/%: $(OBJ)/tests/unit/%.o $(SUPPORT_O) $(LIBRARY)
	$(call link,$(CHECK_LIBS))
$(BIN)/%: $(OBJ)/tests/tools/%.o $(SUPPORT_O) $(LIBRARY)
	$(call link)
$(BIN)/%: $(OBJ)/tests/fuzz/%.o $(SUPPORT_O) $(LIBRARY)
	$(call link)
$(LIBRARY): $(call objects,$(COMMON_C)) $(LANES_O)
	@rm -f $@.new && ar rcs $@.new $^ && mv $@.new $@

define link
@mkdir -p $(@D); echo '  link $@'
@$(CC) $(SANITIZE) -o $@.new $^ $(LIBS) $1 && mv $@.new $@
endef
define compile
@mkdir -p $(@D); echo '  $(CC) $<'
@$(CC) $(FLAGS) $1 -c -o $@ $<
endef

$(OBJ)/%.o: %.c $(BUILD)/config.mk
	$(call compile,$(if $(ALU_LEVELS),-DALU_X86=1))
$(OBJ)/tests/fuzz/%.o: tests/fuzz/%.c $(BUILD)/config.mk
	$(call compile,-DFUZZ_MAIN)
lanes = -DLEVEL=$1 -DALU_LEVEL=$1 -fno-math-errno -fno-trapping-math
$(OBJ)/%.portable.o: %.c $(BUILD)/config.mk
	$(call compile,$(call lanes,portable))
$(OBJ)/%.avx2.o: %.c $(BUILD)/config.mk
	$(call compile,$(call lanes,avx2) -mavx2 -mfma -mf16c)
$(OBJ)/%.avx512.o: %.c $(BUILD)/config.mk
	$(call compile,$(call lanes,avx512) -mfma -mf16c -mavx512f -mavx512bw \
	  -mavx512dq -mavx512vl -mprefer-vector-width=512)

.SECONDARY:
-include $(wildcard $(OBJ)/*/*.d $(OBJ)/*/*/*.d)
