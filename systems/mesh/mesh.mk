# 48 cores in a random order at random clocks (OPERATIONS=100000, SEED=1)

.PHONY: mesh-storm
mesh-storm: setup ## random operations on MESH's shared objects on 48 cores (OPERATIONS=100000): a minute
	@$(BIN)/python systems/mesh/storm.py --operations $(or $(OPERATIONS),100000) --seed $(or $(SEED),1)
