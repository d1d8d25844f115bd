# Random tiny problems on 1, 3 and 48 ranks agree with breadth-first search (PROBLEMS=)

.PHONY: planner-tiny
planner-tiny: setup ## 200 random tiny problems on 1, 3 and 48 ranks against a search in Python (PROBLEMS=; half an hour)
	@$(BIN)/python systems/planner/tiny.py --problems $(or $(PROBLEMS),200)

.PHONY: planner-options
planner-options: setup ## what each way to share a search costs, 48 ranks (systems/planner/options.md; half an hour)
	@$(BIN)/python systems/planner/options.py $(ARGS)

.PHONY: planner-fuzz
planner-fuzz: ## a million changed PDDL texts for the planner's reader, under sanitizers (COUNT= SEED=; needs c++)
	@mkdir -p out/planner
	@c++ -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Isystems/planner \
		systems/planner/pddl/*.cpp systems/planner/ground/*.cpp systems/planner/state/*.cpp \
		systems/planner/programs/fuzz.cpp -o out/planner/fuzz
	@out/planner/fuzz systems/planner/tests/texts/domain.pddl systems/planner/tests/texts/problem.pddl \
		$(or $(SEED),1) $(or $(COUNT),1000000)
