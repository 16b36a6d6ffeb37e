"use strict";
// The playground: an editor, and the checker in a worker. Nothing leaves the page; what is shared is in the address.
// program.js has the program (packed), and the scripts of the worker, because a page that was opened from a
// disk may not fetch files.
(() => {
  const get = (id) => document.getElementById(id);
  const [report, frame, status, args] = ["report", "run", "status", "args"].map(get);
  const check = get("check"), stop = get("stop"), select = get("examples");
  const modelFile = "model.star", traceFile = "run.ndjson";
  let worker = null, began = 0, program = null;

  const pack = async (bytes, how) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(how)).arrayBuffer());
  const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

  // The model in the address: packed, after the #.
  const encode = async (value) => {
    const bytes = await pack(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  const decode = async (text) => {
    const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(await pack(bytes, new DecompressionStream("deflate-raw"))));
  };

  const show = (tab) => {
    for (const name of ["report", "run"]) {
      get(name).hidden = name !== tab;
      get("tab-" + name).setAttribute("aria-selected", String(name === tab));
    }
  };
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1) + " s";

  // start starts a worker, which unpacks the program by itself the first time.
  const start = async () => {
    program ??= await pack(fromBase64(atmostkProgram), new DecompressionStream("gzip"));
    worker = new Worker(URL.createObjectURL(new Blob([atmostkWorker], { type: "text/javascript" })));
    await new Promise((ready) => {
      worker.onmessage = ready;
      worker.postMessage({ program });
    });
    worker.onmessage = ({ data }) => receive(data);
  };

  const receive = (data) => {
    if (data.out !== undefined) report.textContent += data.out;
    if (data.diag !== undefined) {
      const line = data.diag.trimEnd().split("\n").pop();
      if (/^(\d+%, .*, )?[\d,]+ states?, /.test(line)) status.textContent = line; // progress, maybe with an estimate
      else report.textContent += data.diag;
    }
    if (data.code === undefined) return;
    ended();
    const ends = { 1: "something is violated", 2: "undecided", 65: "the model has a mistake" };
    if (/^holds$/m.test(report.textContent)) ends[0] = "all properties hold";
    status.textContent = (ends[data.code] ?? "nothing was checked") + ", " + seconds();
    const at = report.textContent.match(/model\.star:(\d+)(?::(\d+))?:? ?(.*)/);
    if (data.code > 2 && at) editor.mark(Number(at[1]), Number(at[2]), at[3]);
    if (data.files["run.html"]) {
      frame.srcdoc = data.files["run.html"];
      get("tab-run").disabled = false;
    }
  };

  const ended = () => {
    check.disabled = false;
    stop.disabled = true;
    document.body.dataset.ended = Number(document.body.dataset.ended ?? 0) + 1; // for tests
  };

  const run = async () => {
    if (check.disabled) return;
    check.disabled = true;
    stop.disabled = false;
    began = performance.now();
    report.textContent = status.textContent = "";
    get("tab-run").disabled = true;
    editor.mark();
    show("report");
    const given = args.value.split(/\s+/).filter(Boolean);
    const others = Object.entries(playgroundExamples).map(([name, { text }]) => [name + ".star", text]); // that it may implement
    worker.postMessage({
      run: [
        { args: ["check", modelFile, ...given, "--trace", traceFile, "--workers", "1", "--memory", "1500M"] },
        { args: ["replay", traceFile, "--as", "html"], needs: traceFile, into: "run.html" },
      ],
      files: { ...Object.fromEntries(others), [modelFile]: editor.text() }, want: ["run.html"],
    });
  };

  check.onclick = run;
  args.onkeydown = (e) => { if (e.key === "Enter") run(); };
  stop.onclick = async () => {
    worker.terminate();
    ended();
    check.disabled = true;
    status.textContent = "stopped after " + seconds();
    await start();
    check.disabled = false;
  };
  get("share").onclick = async () => {
    history.replaceState(null, "", "#" + await encode(typed()));
    try {
      await navigator.clipboard.writeText(location.href);
      status.textContent = "the address of this page, which holds the model, is in the clipboard";
    } catch {
      status.textContent = "the address of this page now holds the model";
    }
  };
  for (const name of ["report", "run"]) get("tab-" + name).onclick = () => show(name);
  const gallery = document.createElement("optgroup");
  gallery.label = "With a mistake to find: mistake=yes";
  for (const [name, example] of Object.entries(playgroundExamples))
    (name.startsWith("gallery/") ? gallery : select).append(new Option(example.title, name));
  select.append(gallery);
  const take = (name) => {
    editor.set(playgroundExamples[name].text);
    args.value = playgroundExamples[name].args;
  };
  select.onchange = () => take(select.value);

  const editor = makeEditor(get("editor"), "", run);
  const typed = () => ({ model: editor.text(), args: args.value });
  const put = ({ model, args: given }) => {
    editor.set(String(model));
    args.value = String(given);
  };
  // openShared shows the model in the address, if there is one.
  const openShared = async () => {
    if (location.hash.length <= 1) return;
    try {
      put(await decode(location.hash.slice(1)));
    } catch {
      status.textContent = "what stands behind # in the address is no model";
    }
  };
  addEventListener("hashchange", openShared); // an address was pasted into this tab
  // What was typed survives a reload, in this tab.
  const kept = "atmostk playground";
  addEventListener("pagehide", () => {
    try {
      sessionStorage.setItem(kept, JSON.stringify({ ...typed(), hash: location.hash }));
    } catch { /* the browser keeps nothing */ }
  });
  const before = () => {
    try {
      return JSON.parse(sessionStorage.getItem(kept));
    } catch {
      return null;
    }
  };
  (async () => {
    check.disabled = true;
    take(select.value);
    const last = before();
    if (last?.hash === location.hash) put(last);
    else await openShared();
    await start();
    report.textContent = "Ready. Ctrl-Enter checks the model.\n";
    check.disabled = false;
    document.body.dataset.ready = "yes";
  })();
})();
