"use strict";
// The worker of the playground. It has the program, and carries out what a message says: { run: [{ args, needs, into }],
// files: { name: text }, want: [names] }. What needs a file that is not there is left out; into is the file that gets what it
// would print. It answers with what is printed, and then with { code, files }: the first exit code, and the files wanted.
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
  let code;
  for (const { args, needs, into } of data.run) {
    if (needs && !files.has(needs)) continue;
    self.intoFile = into;
    const go = new Go();
    go.argv = ["atmostk", ...args];
    go.env = { NO_COLOR: "1" };
    let ended = 0;
    go.exit = (n) => { ended = n; };
    await go.run(await WebAssembly.instantiate(program, go.importObject));
    for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer); // else they wake a program that has ended
    code ??= ended;
  }
  const written = {};
  for (const name of data.want) if (files.has(name)) written[name] = decoder.decode(files.get(name));
  self.postMessage({ code, files: written });
};
