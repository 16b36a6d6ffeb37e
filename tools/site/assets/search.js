"use strict";
// The search: every word that was typed begins a word of a part of a page, or of its headings, which count more.
(() => {
  const root = document.currentScript.dataset.root;
  const input = document.getElementById("search");
  const found = document.getElementById("found");
  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const most = 12; // results
  let index = null; // of all parts, made when something is typed first

  const begins = (list, word) => list.some((w) => w.startsWith(word));
  const score = (entry, typed) => {
    let sum = 0;
    for (const word of typed) {
      if (begins(entry.title, word)) sum += entry.title.length < 6 ? 6 : 4;
      else if (begins(entry.page, word)) sum += 2;
      else if (begins(entry.text, word)) sum += 1;
      else return 0;
    }
    return sum;
  };

  const show = () => {
    index ??= searchIndex.map((e) => ({ e, title: words(e.t), page: words(e.p), text: words(e.x) }));
    const typed = words(input.value);
    const best = typed.length === 0 ? [] : index
      .map((entry) => [score(entry, typed), entry.e])
      .filter(([s]) => s > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, most);
    found.replaceChildren(...best.map(([, e]) => {
      const item = document.createElement("li"), a = document.createElement("a"), where = document.createElement("small");
      a.href = root + "/" + e.u;
      a.textContent = e.t;
      where.textContent = e.p === e.t ? e.x.slice(0, 90) : e.p;
      a.append(where);
      item.append(a);
      return item;
    }));
    if (typed.length > 0 && best.length === 0) found.textContent = "nothing found";
    found.hidden = typed.length === 0;
  };

  input.addEventListener("input", show);
  input.addEventListener("keydown", (e) => {
    if (e.key === "Enter") found.querySelector("a")?.click();
    if (e.key === "ArrowDown") found.querySelector("a")?.focus();
  });
  found.addEventListener("keydown", (e) => {
    const item = e.target.closest("li");
    if (e.key === "ArrowDown") item?.nextElementSibling?.firstChild.focus();
    if (e.key === "ArrowUp") (item?.previousElementSibling?.firstChild ?? input).focus();
    if (e.key.startsWith("Arrow")) e.preventDefault();
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && document.activeElement !== input) { input.focus(); e.preventDefault(); }
    if (e.key === "Escape") { found.hidden = true; input.blur(); }
  });
  document.addEventListener("click", (e) => { if (!found.contains(e.target) && e.target !== input) found.hidden = true; });

  // On a wide screen the menu is always open.
  const menu = document.querySelector("details.menu");
  const wide = matchMedia("(min-width: 60rem)");
  const open = () => { menu.open = wide.matches; };
  wide.addEventListener("change", open);
  open();
})();
