// Puts the parts together, and shows what is under the pointer.
function showTips() {
    const tip = document.getElementById("tip");
    const tell = (element, x, y) => {
        const words = element && element.closest ? element.closest("[data-tip]") : null;
        tip.hidden = !words;
        if (!words) return;
        tip.textContent = words.dataset.tip;
        const box = tip.getBoundingClientRect();
        tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - box.width - 4))}px`;
        tip.style.top = `${Math.max(4, Math.min(y + 12, innerHeight - box.height - 4))}px`;
    };
    document.addEventListener("pointermove", (e) => tell(e.target, e.clientX, e.clientY));
    document.addEventListener("pointerdown", (e) => tell(e.target, e.clientX, e.clientY));
    document.addEventListener("focusin", (e) => {
        const box = e.target.getBoundingClientRect();
        tell(e.target, box.left, box.bottom);
    });
    document.addEventListener("focusout", () => { tip.hidden = true; });
}

function begin() {
    const data = JSON.parse(document.getElementById("data").textContent);
    const command = [data.program, ...data.arguments].join(" ");
    document.getElementById("title").textContent = `${command} on ${data.cores.length} cores`;
    document.getElementById("summary").textContent =
        `${data.end} after ${micros(data.time_ps)}; ${short(data.instructions)} instructions, `
        + `${short(data.totals.messages)} messages, ${short(data.totals.mesh_packets)} packets; `
        + `chip ${data.chip.name}, clocks ${data.chip.clocks} MHz. ${data.errors.join(" ")}`;
    const root = document.documentElement;
    root.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
    document.getElementById("theme").addEventListener("click", () => root.classList.toggle("dark"));
    const metric = document.getElementById("metric"), pairs = document.getElementById("pairs");
    fill("metric", ...Object.entries(data.metrics)
        .map(([name, what]) => element("option", { value: name }, what)));
    let moment = 0;
    const drawBoth = () => {
        drawDie(data, metric.value, moment);
        timeline.draw(metric.value);
    };
    metric.addEventListener("change", drawBoth);
    pairs.addEventListener("change", () => drawMatrix(data, pairs.value));
    const timeline = zoomable(data);
    chooseMoment(data, (chosen) => {
        moment = chosen;
        drawDie(data, metric.value, moment);
    });
    drawMatrix(data, pairs.value);
    timeline.draw(metric.value);
    drawLines(data);
    const left = data.moments.spans.length ? "Rows: cores, in the colours of the die. "
        : "Blue: ended with 0; orange: did not. ";
    document.getElementById("timeline-note").textContent =
        left + (data.marks.length ? "Yellow: marks. " : "")
        + (data.power.length ? "Below: power of the chip. " : "")
        + "Wheel or buttons zoom, dragging moves.";
    showTips();
}
begin();
