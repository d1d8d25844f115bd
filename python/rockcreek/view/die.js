// Tiles with their cores, and links between routers as wide as what went over them.
const TILE = { wide: 84, high: 60, gapX: 34, gapY: 26 };
const STEPS = { east: [1, 0], west: [-1, 0], north: [0, 1], south: [0, -1] };

function corner(data, x, y) {
    return [20 + x * (TILE.wide + TILE.gapX),
        20 + (data.rows - 1 - y) * (TILE.high + TILE.gapY)];
}

function linkLine(data, link, way, most) {
    const flits = link[way], [dx, dy] = STEPS[way];
    const [left, top] = corner(data, link.x, link.y);
    const x = left + TILE.wide / 2, y = top + TILE.high / 2;
    const ex = x + dx * (TILE.wide + TILE.gapX), ey = y - dy * (TILE.high + TILE.gapY);
    const side = 6, ox = dy ? side * dy : 0, oy = dx ? side * dx : 0;
    const tip = `link of tile ${link.x},${link.y} ${way}: ${short(flits)} flits`;
    const wide = 1 + 8 * flits / most;
    return element("line", {
        x1: x + ox, y1: y + oy, x2: ex + ox, y2: ey + oy,
        stroke: amount(0.3 + 0.7 * flits / most), "stroke-width": wide, "data-tip": tip,
    });
}

// What is drawn: the run in mean (moment 0), or what was between two samples. All moments have
// the same scale.
function seenAt(data, metric, moment) {
    if (!moment) {
        const carried = data.links.flatMap((link) => Object.keys(STEPS)
            .filter((way) => link[way]).map((way) => [link.x, link.y, way, link[way]]));
        const values = data.cores.map((one) => one.values[metric]);
        return { values, carried, range: rangeOf(values),
            mostFlits: Math.max(...carried.map((link) => link[3])) };
    }
    const { values, links } = data.moments;
    return { values: values[metric][moment - 1], carried: links[moment - 1],
        range: rangeOf(values[metric].flat()),
        mostFlits: Math.max(...links.flat().map((link) => link[3])) };
}

function drawDie(data, metric, moment) {
    const { values, carried, range, mostFlits } = seenAt(data, metric, moment);
    const parts = carried.map(([x, y, way, flits]) => linkLine(data, { x, y, [way]: flits }, way,
        mostFlits));
    for (const link of data.links) {
        const [left, top] = corner(data, link.x, link.y);
        parts.push(element("rect", {
            x: left, y: top, width: TILE.wide, height: TILE.high, rx: 4,
            fill: "var(--paper)", stroke: "var(--rule)",
        }));
        const inside = data.cores.filter((one) => one.x === link.x && one.y === link.y);
        inside.forEach((one, n) => {
            const value = values[data.cores.indexOf(one)], share = shareOf(value, range);
            const wide = (TILE.wide - 8) / inside.length, x = left + 4 + n * wide;
            const tip = `core ${one.core} (UE ${one.rank}), tile ${one.x},${one.y}\n`
                + (moment ? `${data.metrics[metric]}: ${short(value)}`
                    : Object.entries(data.metrics)
                        .map(([name, what]) => `${what}: ${short(one.values[name])}`).join("\n"));
            parts.push(element("rect", {
                x, y: top + 4, width: wide - 2, height: TILE.high - 8, rx: 3,
                fill: amount(share), tabindex: 0, "data-tip": tip,
            }), element("text", {
                x: x + wide / 2 - 1, y: top + 35, "font-size": 15, "text-anchor": "middle",
                "pointer-events": "none", style: { fill: ink(share) },
            }, one.core));
        });
    }
    const wide = 40 + data.columns * (TILE.wide + TILE.gapX) - TILE.gapX;
    const high = 40 + data.rows * (TILE.high + TILE.gapY) - TILE.gapY;
    parts.push(...scaleBar(20, high, 240, range));
    fill("die", drawing(wide, high + 34, ...parts));
    document.getElementById("die-note").textContent =
        `The bar: ${data.metrics[metric]}, from the least to the most. `
        + (carried.length ? `Links: up to ${short(mostFlits)} flits; `
            + "the right one of each pair goes that way." : "");
}

// The instants of a run with samples: a slider, and a button that moves it.
function chooseMoment(data, draw) {
    const spans = data.moments.spans, slider = document.getElementById("moment");
    const play = document.getElementById("play"), when = document.getElementById("when");
    document.getElementById("moments").hidden = !spans.length;
    slider.max = spans.length;
    const show = (moment) => {
        slider.value = moment;
        when.textContent = moment
            ? spans[moment - 1].map(micros).join(" to ") : "whole run";
        draw(moment);
    };
    let clock = null;
    play.addEventListener("click", () => {
        if (clock) clearInterval(clock);
        clock = clock ? null : setInterval(() => {
            show(Number(slider.value) % spans.length + 1);
        }, 250);
        play.textContent = clock ? "stop" : "play";
    });
    slider.addEventListener("input", () => show(Number(slider.value)));
    show(0);
}
