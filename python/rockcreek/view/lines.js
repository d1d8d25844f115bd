// The source lines with most cycles, each with a bar of the causes.
function drawLines(data) {
    if (!data.lines) {
        fill("lines", "No profile: `rck run --profile FILE` writes one for "
            + "`rck view --profile FILE`.");
        return;
    }
    const rows = data.lines.rows, sum = (row) => Object.values(row.causes)
        .reduce((a, b) => a + b, 0);
    const causes = [...new Set(rows.flatMap((row) => Object.keys(row.causes)))];
    const tint = (cause) => KINDS[causes.indexOf(cause) % KINDS.length];
    const most = Math.max(...rows.map(sum), 1);
    const key = causes.map((cause) => element("span", { class: "key" },
        element("i", { style: { background: tint(cause) } }), cause));
    fill("lines", ...key, ...rows.map((row) => {
        const bar = Object.entries(row.causes).map(([cause, cycles]) => element("span", {
            style: { width: `${100 * cycles / most}%`, background: tint(cause) },
            "data-tip": `${cause}: ${short(cycles)} cycles`,
        }));
        const share = `${(100 * sum(row) / data.lines.cycles).toFixed(1)} %`;
        return element("div", { class: "line" },
            element("div", {}, element("code", {}, row.where), element("span", {}, share)),
            ...(row.text ? [element("pre", {}, row.text)] : []),
            element("div", { class: "bar stack" }, ...bar));
    }));
}
