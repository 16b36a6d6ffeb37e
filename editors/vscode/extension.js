// The language server, and tasks that check the model in the open file.
const vscode = require("vscode");

let client;

// startServer does nothing in a folder without `npm install`.
function startServer() {
  let lsp;
  try {
    lsp = require("vscode-languageclient/node");
  } catch {
    return;
  }
  client = new lsp.LanguageClient("atmostk", "atmostk", { command: "atmostk", args: ["lsp"] },
    { documentSelector: [{ language: "atmostk-star" }] });
  client.start();
}

const verbs = {
  check: { words: ["check"], matcher: "$atmostk" },
  watch: { words: ["check", "--watch"], matcher: "$atmostk-watch", background: true },
  lint: { words: ["lint"], matcher: ["$atmostk", "$atmostk-lint", "$atmostk-lint-file"] },
};

function task(definition) {
  const verb = verbs[definition.verb];
  const [first, ...flags] = verb.words;
  const args = [first, "${file}", ...(definition.arguments || []), ...flags, "--color", "never"];
  const made = new vscode.Task(definition, vscode.TaskScope.Workspace, definition.verb, "atmostk",
    new vscode.ProcessExecution("atmostk", args, { cwd: "${workspaceFolder}" }), verb.matcher);
  made.isBackground = Boolean(verb.background);
  return made;
}

exports.activate = (context) => {
  startServer();
  context.subscriptions.push(vscode.tasks.registerTaskProvider("atmostk", {
    provideTasks: () => Object.keys(verbs).map((verb) => task({ type: "atmostk", verb })),
    resolveTask: (unresolved) => (verbs[unresolved.definition.verb] ? task(unresolved.definition) : undefined),
  }));
};

exports.deactivate = () => client && client.stop();
