"use strict";
// The worker of the playground: it has the program, runs it once for each message { run: [arguments], files: {name:
// text}, want: [names] }, and answers with what it prints while it runs, and then { code, files }.
let program = null; // compiled
self.onmessage = async ({ data }) => {
  if (data.program) {
    program = await WebAssembly.compile(data.program);
    self.postMessage({ ready: true });
    return;
  }
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  files.clear();
  for (const [name, text] of Object.entries(data.files)) files.set(name, encoder.encode(text));
  let code = 0;
  for (const args of data.run) {
    const go = new Go();
    go.argv = ["atmostk", ...args];
    go.env = { NO_COLOR: "1" };
    go.exit = (n) => { code = n; };
    await go.run(await WebAssembly.instantiate(program, go.importObject));
    if (code > 1) break; // what follows needs what this one should have written
  }
  const written = {};
  for (const name of data.want) if (files.has(name)) written[name] = decoder.decode(files.get(name));
  self.postMessage({ code, files: written });
};
