# The concordance of the guide's pages (or TEXT=...) on 1, 2, 8 and 32 tiles: a minute.

.PHONY: lino-concordance
lino-concordance: setup ## Lino's concordance by tiles: times, output, fit (TEXT=files)
	@mkdir -p out/lino
	@$(BIN)/rck cc -O2 systems/lino/programs/concordance.c -llino -lircce -lrcce -lm -o out/lino/concordance
	@PATH="$(BIN):$$PATH" $(BIN)/python systems/lino/concordance.py out/lino/concordance $(or $(TEXT),$(sort $(wildcard docs/guide/*.md)))

# The text that the study `concordance` reads: seconds, once.
.PHONY: lino-text
lino-text: setup ## fetch the Bible for the study `concordance` (build/lino/kjv.txt)
	@$(BIN)/python systems/lino/text/fetch.py
