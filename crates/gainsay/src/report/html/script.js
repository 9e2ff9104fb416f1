"use strict";
// Filters, sorting, copying; all else is there without it.
document.documentElement.classList.add("scripted");
const rows = [...document.querySelectorAll("#findings tbody tr")];
const form = document.querySelector("#filters");
const told = document.querySelector("#told");
const texts = new Map(rows.map((row) => [row, document.getElementById(row.dataset.at)]));
const words = new Map(rows.map((row) => [row, (row.textContent + " " + texts.get(row).textContent).toLowerCase()]));
function filter() {
  const wanted = [...form.querySelectorAll("select")].filter((s) => s.value !== "");
  const text = form.querySelector("input").value.trim().toLowerCase();
  let count = 0;
  for (const row of rows) {
    const has = (s) => row.dataset[s.name].split("|").includes(s.value);
    const shown = wanted.every(has) && (text === "" || words.get(row).includes(text));
    row.hidden = !shown;
    texts.get(row).hidden = !shown;
    count += shown ? 1 : 0;
  }
  told.textContent = count + " of " + rows.length + " shown";
}
function sort(head) {
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const at = [...head.parentNode.children].indexOf(head);
  const value = (row) => row.children[at].dataset.value ?? row.children[at].textContent;
  const number = head.classList.contains("r");
  rows.sort((a, b) => (number ? value(a) - value(b) : value(a).localeCompare(value(b))) * (down ? -1 : 1));
  document.querySelector("#findings tbody").append(...rows);
}
function open() {
  const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (at instanceof HTMLDetailsElement) { at.open = true; at.scrollIntoView(); }
}
if (form) {
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const head of document.querySelectorAll("#findings th")) head.querySelector("button").addEventListener("click", () => sort(head));
  filter();
}
for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.from).textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; }
    catch { getSelection().selectAllChildren(document.getElementById(button.dataset.from)); button.textContent = "Selected: copy it now"; }
  });
}
addEventListener("hashchange", open);
open();
