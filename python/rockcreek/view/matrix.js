// Who sent how much to whom: a row for each sender, a column for each receiver.
function drawMatrix(data, kind) {
    if (!data.messages.length) {
        fill("matrix", "No messages: `rck run --messages` watches them.");
        return;
    }
    const most = Math.max(...data.messages.map((pair) => pair[kind])) || 1;
    const cell = Math.max(10, Math.round(460 / data.ues)), head = 26, side = data.ues * cell;
    const parts = [element("rect", {
        x: head, y: head, width: side, height: side, fill: "var(--paper)", stroke: "var(--rule)",
    })];
    for (const pair of data.messages) {
        const tip = `UE ${pair.source} to UE ${pair.target}\n${short(pair.messages)} messages, `
            + `${short(pair.bytes)} bytes`;
        parts.push(element("rect", {
            x: head + pair.target * cell, y: head + pair.source * cell,
            width: cell - 1, height: cell - 1, fill: amount(0.3 + 0.7 * pair[kind] / most), "data-tip": tip,
        }));
    }
    const step = data.ues > 16 ? 8 : 1;
    for (let n = 0; n < data.ues; n += step) {
        const at = head + n * cell + cell / 2;
        const size = { "font-size": 11 };
        parts.push(
            element("text", { x: at, y: head - 7, "text-anchor": "middle", ...size }, n),
            element("text", { x: head - 6, y: at + 4, "text-anchor": "end", ...size }, n),
        );
    }
    const whole = head + side + 4;
    fill("matrix", drawing(whole, whole, ...parts));
    document.getElementById("matrix-note").textContent =
        `From UE (rows) to UE (columns); bright: up to ${short(most)} ${kind}.`;
}
