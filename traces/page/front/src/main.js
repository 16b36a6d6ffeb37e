import { render } from "preact";
import { html } from "./html.js";
import { Head, Tools } from "./head.js";
import { Diagram } from "./diagram.js";
import { StatePanel, Lower, PhoneTabs, Stepper } from "./panels.js";
import { Live, start } from "./live.js";
import { keys } from "./keys.js";
import { live, notice, phoneTab, isLog } from "./store.js";

function App() {
  return html`<div class="app ${isLog ? "log" : ""}" data-tab=${phoneTab.value}>
    <${Head} />
    ${live && html`<${Live} />`}
    ${notice.value && html`<p class="notice" role="status">${notice.value} <button onClick=${() => (notice.value = "")}>close</button></p>`}
    <main>
      <section class="run" aria-label="the run"><${Tools} /><${Diagram} /></section>
      <section class="side" aria-label="the state and what can happen"><${StatePanel} /><${Lower} /></section>
    </main>
    <${Stepper} /><${PhoneTabs} />
  </div>`;
}

render(html`<${App} />`, document.getElementById("app"));
document.addEventListener("keydown", keys);
if (live) start();
