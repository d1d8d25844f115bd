# The simulation with the host's compiler (SEEDS=5), and the protocol on 48 cores (TRANSACTIONS=100000)

.PHONY: jcell-simulation
jcell-simulation: ## J-Cell's simulation, natively, by seeds (SEEDS=5)
	@mkdir -p out/jcell
	@$(CC) -O2 -std=c11 -Isystems/jcell/include systems/jcell/simulation/*.c systems/jcell/tree/*.c \
		-o out/jcell/simulate
	@for tree in avl rb; do for cache in 50 450; do for seed in $$(seq $(or $(SEEDS),5)); do \
		echo "$$tree $$cache $$seed: $$(out/jcell/simulate $$tree $$cache $$seed | head -1)"; \
	done; done; done

.PHONY: jcell-storm
jcell-storm: setup ## J-Cell on 48 cores, its order checked (TRANSACTIONS=100000): 20 minutes or more
	@rm -rf out/jcell/logs; mkdir -p out/jcell/logs
	@$(BIN)/rck cc -DGORY systems/jcell/programs/jcell.c -ljcell -lrcce -o out/jcell/jcell
	@$(BIN)/rck run -n 48 --share out/jcell/logs out/jcell/jcell $(or $(TRANSACTIONS),100000) 4000 50 1 log
	@$(BIN)/python systems/jcell/check.py out/jcell/logs
