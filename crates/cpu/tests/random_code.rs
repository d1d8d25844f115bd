//! Random bytes as code, in ring 0 and ring 3: whatever they encode, the core continues or reports
//! why not.

use crate::common;

use common::{Bench, CODE, STACK};
use proptest::prelude::*;
use rockcreek_cpu::{Exit, gpr};

const STEPS: u64 = 3000;

/// A core about to execute `code` with these registers; memory holds a copy of the code.
fn bench(code: &[u8], registers: [u32; 8], user: bool, paged: bool) -> Bench {
    let mut bench = if paged { Bench::paged(code) } else { Bench::protected(code) };
    for copy in 1..16 {
        bench.put(0x10_0000 + copy * 0x800, code);
    }
    if user {
        bench.enter_user();
    }
    bench.set(|all| {
        all.general = registers.map(|value| value % 0x3F_0000);
        all.general[gpr::ESP] = STACK;
        all.eip = CODE;
    });
    bench
}

fn end(bench: &mut Bench) -> (Exit, rockcreek_cpu::CoreSnapshot) {
    let exit = bench.run(STEPS);
    (exit, bench.core.snapshot())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn any_code_runs_the_same_way_twice(
        code in prop::collection::vec(any::<u8>(), 64..256),
        registers in any::<[u32; 8]>(),
        user in any::<bool>(),
        paged in any::<bool>(),
        cut in 1..STEPS,
    ) {
        let first = end(&mut bench(&code, registers, user, paged));
        let mut pieces = bench(&code, registers, user, paged);
        let stopped = pieces.run(cut);
        pieces.core.begin_window();
        if stopped == Exit::Limit {
            pieces.core.run(&mut pieces.code, cut + 100);
            pieces.core.rollback();
        }
        let second = end(&mut pieces);
        prop_assert_eq!(first.0, second.0);
        prop_assert!(first.1 == second.1);
    }
}
