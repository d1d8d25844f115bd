// How long each core ran, its marks, and the chip's power; zoomed by buttons, wheel and dragging.
// As wide as a window is likely to show it, so that its texts stay readable.
const NARROW = innerWidth < 600;
const PLOT = { left: 46, wide: NARROW ? 290 : 900, row: 11, power: NARROW ? 60 : 90 };
const TICKS = NARROW ? 2 : 6; // at most

function powerLine(data, at, top) {
    const most = Math.max(...data.power.map(([, watts]) => watts)) || 1;
    let before = 0;
    const steps = data.power.map(([end, watts]) => {
        const y = top + PLOT.power * (1 - watts / most), x = at(before);
        before = end;
        return `L${x},${y}L${at(end)},${y}`;
    });
    const bottom = top + PLOT.power;
    const path = `M${at(0)},${bottom}${steps.join("")}L${at(before)},${bottom}Z`;
    return element("path", {
        d: path, fill: KINDS[2], "fill-opacity": 0.6,
        "data-tip": `power of the chip, at most ${short(most)} W`,
    });
}

// A core's row in the colours of a metric, between samples.
function cells(data, metric, n, y, at, view) {
    const { spans, values } = data.moments;
    const range = rangeOf(values[metric].flat());
    return spans.flatMap(([start, end], moment) => {
        if (end < view.from || start > view.to) return [];
        const value = values[metric][moment][n];
        const tip = `core ${data.cores[n].core}, ${micros(start)} to ${micros(end)}\n`
            + `${data.metrics[metric]}: ${short(value)}`;
        return [element("rect", {
            x: at(start), y, width: at(end) - at(start) + 0.2, height: PLOT.row - 1,
            fill: amount(shareOf(value, range)), "data-tip": tip,
        })];
    });
}

// Round instants that are seen: multiples of 1, 2 or 5 times a power of ten.
function roundTicks({ from, to }) {
    const least = (to - from) / TICKS, ten = 10 ** Math.floor(Math.log10(least));
    const step = ten * [1, 2, 5, 10].find((times) => times * ten >= least);
    const first = Math.ceil(from / step), last = Math.floor(to / step);
    return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
}

// Instants below the rows.
function timeAxis(view, high) {
    return roundTicks(view).flatMap((ps) => {
        const part = (ps - view.from) / (view.to - view.from), x = PLOT.left + part * PLOT.wide;
        return [
            element("line", { x1: x, x2: x, y1: 4, y2: high, stroke: "var(--rule)" }),
            element("text", {
                x, y: high + 14, "font-size": 10, "text-anchor": part > 0.95 ? "end" : "middle",
            }, micros(ps)),
        ];
    });
}

// Every fourth core beside its row, and the unit of power.
function coreAxis(data, rows, bottom) {
    const label = (y, words) => element("text", {
        x: PLOT.left - 4, y, "font-size": 10, "text-anchor": "end",
    }, words);
    const cores = data.cores.filter((_, n) => n % 4 === 0);
    return [...cores.map((one) => label(rows.get(one.core) + 8, one.core)),
        ...(data.power.length ? [label(bottom + 16, "W")] : [])];
}

function drawTimeline(data, view, metric) {
    const at = (ps) => PLOT.left + PLOT.wide * (ps - view.from) / (view.to - view.from);
    const parts = [], bottom = 8 + data.cores.length * PLOT.row, rows = new Map();
    data.cores.forEach((one, n) => {
        const end = one.end_ps === null ? data.time_ps : one.end_ps, y = 8 + n * PLOT.row;
        const did = one.exit_code === null ? one.reason : `exit code ${one.exit_code}`;
        const tip = [`core ${one.core} (UE ${one.rank}): ${did} at ${micros(end)}`, ...one.waits];
        const tint = one.reason === "exit" && !one.exit_code ? KINDS[0] : KINDS[5];
        rows.set(one.core, y);
        if (data.moments.spans.length) parts.push(...cells(data, metric, n, y, at, view));
        else parts.push(element("rect", {
            x: at(0), y, width: Math.max(0, at(end) - at(0)), height: PLOT.row - 3, fill: tint,
            "data-tip": tip.join("\n"),
        }));
    });
    for (const mark of data.marks) {
        if (!rows.has(mark.core)) continue;
        const tip = `mark ${mark.id} of core ${mark.core} at ${micros(mark.time_ps)}`;
        parts.push(element("rect", {
            x: at(mark.time_ps) - 1.5, y: rows.get(mark.core) - 1, width: 3, height: PLOT.row,
            fill: KINDS[6], "data-tip": tip,
        }));
    }
    if (data.power.length) parts.push(powerLine(data, at, bottom + 6));
    const high = bottom + (data.power.length ? PLOT.power + 12 : 4);
    fill("timeline", drawing(PLOT.left + PLOT.wide + 10, high + 20,
        element("clipPath", { id: "inside" }, element("rect", {
            x: PLOT.left, y: 0, width: PLOT.wide, height: high + 4,
        })),
        ...timeAxis(view, high), ...coreAxis(data, rows, bottom),
        element("g", { "clip-path": "url(#inside)" }, ...parts)));
    document.getElementById("span").textContent = `${micros(view.from)} to ${micros(view.to)}`;
}

function zoomable(data) {
    const view = { from: 0, to: data.time_ps || 1 }, whole = view.to;
    let metric = Object.keys(data.metrics)[0];
    const place = document.getElementById("timeline");
    const show = (from, to) => {
        const length = Math.max(Math.min(to - from, whole), whole / 1e6);
        view.from = Math.max(0, Math.min(from, whole - length));
        view.to = view.from + length;
        drawTimeline(data, view, metric);
    };
    const zoom = (times, part) => {
        const still = view.from + part * (view.to - view.from);
        show(still - (still - view.from) * times, still + (view.to - still) * times);
    };
    const partOf = (event) => {
        const box = place.getBoundingClientRect();
        return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    };
    for (const button of document.querySelectorAll("[data-zoom], [data-move]")) {
        button.addEventListener("click", () => {
            const { zoom: times, move } = button.dataset;
            const by = Number(move) * (view.to - view.from);
            if (move) show(view.from + by, view.to + by);
            else if (times === "all") show(0, whole);
            else zoom(Number(times), 0.5);
        });
    }
    place.addEventListener("wheel", (event) => {
        event.preventDefault();
        zoom(event.deltaY < 0 ? 0.8 : 1.25, partOf(event));
    }, { passive: false });
    let grip = null;
    place.addEventListener("pointerdown", (event) => { grip = partOf(event); });
    window.addEventListener("pointerup", () => { grip = null; });
    place.addEventListener("pointermove", (event) => {
        if (grip === null) return;
        const by = (grip - partOf(event)) * (view.to - view.from);
        grip = partOf(event);
        show(view.from + by, view.to + by);
    });
    return {
        draw: (chosen) => {
            metric = chosen;
            show(view.from, view.to);
        },
    };
}
