// Who sent how much to whom: a row for each sender, a column for each receiver.
function drawMatrix(data, kind) {
    const place = document.getElementById("matrix");
    if (!data.messages.length) {
        place.textContent = "No messages: `rck run --messages` watches them.";
        return;
    }
    const most = Math.max(...data.messages.map((pair) => pair[kind])) || 1;
    const cell = Math.max(10, Math.round(460 / data.ues)), head = 26, side = data.ues * cell;
    const parts = [`<rect x="${head}" y="${head}" width="${side}" height="${side}"
        fill="var(--paper)" stroke="var(--rule)"/>`];
    for (const pair of data.messages) {
        const tip = `UE ${pair.source} to UE ${pair.target}\n${short(pair.messages)} messages, `
            + `${short(pair.bytes)} bytes`;
        parts.push(`<rect x="${head + pair.target * cell}" y="${head + pair.source * cell}"
            width="${cell - 1}" height="${cell - 1}" fill="${amount(pair[kind] / most)}"
            data-tip="${text(tip)}"/>`);
    }
    const step = data.ues > 16 ? 8 : 1;
    for (let n = 0; n < data.ues; n += step) {
        const at = head + n * cell + cell / 2;
        parts.push(`<text x="${at}" y="${head - 7}" font-size="11" text-anchor="middle">${n}</text>
            <text x="${head - 6}" y="${at + 4}" font-size="11" text-anchor="end">${n}</text>`);
    }
    const whole = head + side + 4;
    place.innerHTML = `<svg viewBox="0 0 ${whole} ${whole}" role="img">${parts.join("")}</svg>`;
    document.getElementById("matrix-note").textContent =
        `From UE (rows) to UE (columns); bright: up to ${short(most)} ${kind}.`;
}
