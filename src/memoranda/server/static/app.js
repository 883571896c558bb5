// Keys for people who would rather not reach for the mouse. Every page works without this file.
"use strict";

const typing = (element) => element.closest("input, textarea, select, [contenteditable]") !== null;
const items = () => [...document.querySelectorAll(".list > .item")];

function here() {
  return document.querySelector(".item.here") || document.activeElement.closest(".item");
}

// The item that keys act on: marked, scrolled to, and focused, so that it is read out too.
function goTo(item) {
  if (!item) return;
  for (const other of items()) other.classList.toggle("here", other === item);
  const target = item.querySelector("a[href], button, input") || item;
  target.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

function walk(by) {
  const all = items();
  if (!all.length) return;
  const at = all.indexOf(here());
  goTo(all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + by))]);
}

// A key presses the button that names it, in the item at hand first, then on the page.
function press(key) {
  const button = `[data-key="${CSS.escape(key)}"]`;
  const found = here()?.querySelector(button) || document.querySelector(`${button}:not(.item *)`);
  // Nothing is at hand: a key of the items takes the first of them to hand, and decides nothing about it.
  if (!found && !here() && document.querySelector(`.list > .item ${button}`)) return walk(0) ?? true;
  if (!found) return false;
  if (found.matches("input, textarea, select")) found.focus();
  else found.click();
  return true;
}

// Opened, a form is ready to be typed into.
document.addEventListener("toggle", (event) => {
  if (event.target.matches("details.act[open]")) event.target.querySelector("textarea, input:not([type=hidden])")?.focus();
}, true);

// A decision takes its item away: the place in the list stays, at the one that follows.
let place = null;
document.addEventListener("htmx:beforeRequest", (event) => {
  const item = event.target.closest(".queue > .item");
  place = item && { at: items().indexOf(item), id: item.id };
});
document.addEventListener("htmx:afterSettle", () => {
  if (!place) return;
  const all = items();
  goTo(document.getElementById(place.id) || all[Math.min(place.at, all.length - 1)]);
  if (!all.length) document.getElementById("main").focus();
  place = null;
});

const keysOff = () => localStorage.getItem("keys") === "off";

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && typing(event.target)) return event.target.blur();
  if (keysOff() || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return undefined;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (!/^[a-z/?]$/.test(event.key) || !press(event.key)) return undefined;
  event.preventDefault();
  return undefined;
});

document.addEventListener("change", (event) => {
  if (event.target.id === "keys-on") localStorage.setItem("keys", event.target.checked ? "on" : "off");
});
document.addEventListener("DOMContentLoaded", () => {
  const box = document.getElementById("keys-on");
  if (box) box.checked = !keysOff();
});

// Back from a decision, or from taking one back: keys go on where it was. Earlier than this the browser, which goes to
// the same place by the address, would take the focus away again.
window.addEventListener("load", () => {
  const decided = document.getElementById(location.hash.slice(1));
  if (decided?.matches(".queue > .item")) goTo(decided);
});
