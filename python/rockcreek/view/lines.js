// The source lines with most cycles, each with a bar of the causes.
function drawLines(data) {
    const place = document.getElementById("lines");
    if (!data.lines) {
        place.textContent = "No profile: `rck run --profile FILE` writes one for "
            + "`rck view --profile FILE`.";
        return;
    }
    const rows = data.lines.rows, sum = (row) => Object.values(row.causes)
        .reduce((a, b) => a + b, 0);
    const causes = [...new Set(rows.flatMap((row) => Object.keys(row.causes)))];
    const tint = (cause) => KINDS[causes.indexOf(cause) % KINDS.length];
    const most = rows.length ? sum(rows[0]) : 1;
    const key = causes.map((cause) => `<span class="key"><i style="background:${tint(cause)}"></i>`
        + `${text(cause)}</span>`).join("");
    place.innerHTML = key + rows.map((row) => {
        const all = sum(row);
        const bar = Object.entries(row.causes).map(([cause, cycles]) => `<span
            style="width:${100 * cycles / most}%;background:${tint(cause)}"
            data-tip="${text(`${cause}: ${short(cycles)} cycles`)}"></span>`).join("");
        const code = row.text ? `<pre>${text(row.text)}</pre>` : "";
        return `<div class="line"><div><code>${text(row.where)}</code>
            <span>${(100 * all / data.lines.cycles).toFixed(1)} %</span></div>${code}
            <div class="bar stack">${bar}</div></div>`;
    }).join("");
}
