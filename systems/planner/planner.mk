# Random tiny problems on 1, 3 and 48 ranks agree with breadth-first search (PROBLEMS=)

.PHONY: planner-tiny
planner-tiny: setup ## 200 random tiny problems on 1, 3 and 48 ranks against a search in Python (PROBLEMS=; half an hour)
	@$(BIN)/python systems/planner/tiny.py --problems $(or $(PROBLEMS),200)
