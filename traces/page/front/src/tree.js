// Values are written by the model as text. A tree shows what is nested in one.
const pairs = { "[": "]", "{": "}", "(": ")", "<": ">" };

// split cuts the inside of brackets into its elements: at commas, else at blanks. It returns null
// where the brackets are not balanced.
function split(text) {
  const parts = { ",": [], " ": [] }, from = { ",": 0, " ": 0 }, stack = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (pairs[c]) stack.push(pairs[c]);
    else if (stack.length && c === stack[stack.length - 1]) stack.pop();
    else if (!stack.length && (c === "," || c === " ")) {
      parts[c].push(text.slice(from[c], i));
      from[c] = i + 1;
    }
  }
  if (stack.length) return null;
  for (const c of [",", " "]) parts[c].push(text.slice(from[c]));
  const list = parts[","].length > 1 ? parts[","] : parts[" "];
  return list.map((p) => p.trim()).filter((p) => p);
}

// nested returns the elements of a value such as [1 2 {3 4}], with the name before the bracket;
// null if it has none.
export function nested(text) {
  const open = text.search(/[[{]/);
  if (open < 0 || /\s/.test(text.slice(0, open)) || text[text.length - 1] !== pairs[text[open]]) return null;
  const parts = split(text.slice(open + 1, -1));
  return parts && parts.length > 1 ? { name: text.slice(0, open), parts } : null;
}
