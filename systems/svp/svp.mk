# 12,500 families by lot on 48 cores, each transport at other clocks, some killed: 10,000 and more run

.PHONY: svp-storm
svp-storm: setup ## families of SVP on places drawn by lot, by each transport: half an hour
	@$(BIN)/python -m pytest -q -m slow systems/svp/tests/test_storm.py
