// Colours that people of any colour vision tell apart: cividis for amounts, Okabe and Ito's for kinds.
const SCALE = [[0, 34, 78], [65, 77, 107], [124, 123, 120], [187, 174, 108], [254, 232, 56]];
const KINDS = ["#0072b2", "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442",
    "#999999", "#6a3d9a", "#555555"];

function amount(share) {
    const at = Math.max(0, Math.min(1, share)) * (SCALE.length - 1);
    const low = Math.min(Math.floor(at), SCALE.length - 2);
    const part = SCALE[low].map((from, i) => from + (SCALE[low + 1][i] - from) * (at - low));
    return `rgb(${part.map(Math.round).join(",")})`;
}

// Where a value lies between the least and the most of those beside it.
function shareOf(value, { least, most }) {
    return most > least ? (value - least) / (most - least) : 1;
}

function rangeOf(values) {
    return { least: Math.min(...values), most: Math.max(...values) };
}

// The colours from the least to the most, with both numbers below.
function scaleBar(x, y, wide, { least, most }) {
    const parts = 40, step = wide / parts, size = { "font-size": 12 };
    const bar = Array.from({ length: parts }, (_, n) => element("rect", {
        x: x + n * step, y, width: step + 0.3, height: 10, fill: amount(n / (parts - 1)),
    }));
    return [...bar, element("text", { x, y: y + 24, ...size }, short(least)),
        element("text", { x: x + wide, y: y + 24, "text-anchor": "end", ...size }, short(most))];
}

function ink(share) {
    return share > 0.55 ? "#000" : "#fff";
}

function short(value) {
    if (Number.isInteger(value)) return value.toLocaleString("en");
    return String(Number(value.toPrecision(4)));
}

function micros(ps) {
    return `${Number((ps / 1e6).toPrecision(6))} us`;
}
