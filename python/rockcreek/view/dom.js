"use strict";
// The one place where data become part of the page: as text and as values of attributes, which no
// browser takes for markup. Nothing else in these scripts makes elements.
const SVG = document.getElementById("empty").namespaceURI;
const OF_SVG = new Set(["svg", "g", "rect", "line", "path", "text", "clipPath"]);

// An element; `style` is an object, and children are elements or texts.
function element(name, attributes = {}, ...children) {
    const made = OF_SVG.has(name) ? document.createElementNS(SVG, name)
        : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (key === "style") Object.assign(made.style, value);
        else made.setAttribute(key, String(value));
    }
    made.append(...children.map((one) => one instanceof Node ? one : String(one)));
    return made;
}

// Puts these in place of what an element of the page holds.
function fill(id, ...children) {
    document.getElementById(id).replaceChildren(...children);
}

function drawing(wide, high, ...children) {
    return element("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img" }, ...children);
}
