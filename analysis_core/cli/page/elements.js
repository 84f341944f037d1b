// Making elements.

/** An element with attributes, listeners (`onclick: f`) and children; strings are text, never markup. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  return furnish(made, attributes, children);
}

/** The same in a drawing. */
function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  return furnish(made, attributes, children);
}

function furnish(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

/** A text of the report, in which backquotes stand around code: its parts. */
function withCode(text) {
  return text.split(/`([^`\n]+)`/).map((part, i) => (i % 2 === 1 ? element('code', {}, part) : part));
}

/** A selection of one among several: `options` are [value, text]. */
function choice(label, options, chosen, onchange) {
  const select = element('select', { onchange: () => onchange(select.value) });
  for (const [value, text] of options) {
    select.append(element('option', { value, selected: value === chosen }, text));
  }
  return element('label', {}, element('span', {}, label), select);
}

const DIGITS = new Intl.NumberFormat('en');

/** A number with thousands apart; a dash where there is none. */
function numberText(value) {
  return value === null ? '–' : DIGITS.format(value);
}

/** "1 sector", "1,024 bytes", "2 addresses". */
function counted(number, unit) {
  const plural = unit.endsWith('s') ? 'es' : 's';
  return `${numberText(number)} ${unit}${number === 1 ? '' : plural}`;
}

/** A number in few characters, for axes: 1.2k, 35M. */
function shortText(value) {
  const steps = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];
  const step = steps.find(([size]) => Math.abs(value) >= size);
  return step ? `${Number((value / step[0]).toPrecision(3))}${step[1]}` : String(Number(value.toPrecision(3)));
}

/** An expression as people write it: names as in the source, `and` as `&&`. */
function peopleText(text, symbols) {
  return spelled(text)
    .replace(/[A-Za-z_]\w*/g, (word) => (word in symbols ? symbols[word].source : word))
    .replace(/ and /g, ' && ')
    .replace(/ or /g, ' || ');
}

/** `ceil_div(n, 32)` as `ceil(n/32)`, `floor_log(2, n)` as `floor(log2(n))`. */
function spelled(text) {
  const call = /\b(ceil_div|floor_log)\(/.exec(text);
  if (!call) return text.replace(/([A-Za-z_]\w*) \/\/ (\w+)/g, 'floor($1/$2)');
  const start = call.index + call[0].length;
  let [depth, comma, end] = [0, -1, start];
  for (; end < text.length && !(depth === 0 && text[end] === ')'); end += 1) {
    if (text[end] === '(') depth += 1;
    else if (text[end] === ')') depth -= 1;
    else if (text[end] === ',' && depth === 0 && comma < 0) comma = end;
  }
  const [one, other] = [text.slice(start, comma).trim(), text.slice(comma + 1, end).trim()].map(spelled);
  const grouped = (part, signs) => (signs.test(part) ? `(${part})` : part);
  const made = call[1] === 'ceil_div' ? `ceil(${grouped(one, /[-+%]/)}/${grouped(other, /[-+*/%]/)})` : `floor(log${one}(${other}))`;
  return `${text.slice(0, call.index)}${made}${spelled(text.slice(end + 1))}`;
}

function percent(share) {
  return share >= 0.995 ? '100%' : share >= 0.095 ? `${Math.round(share * 100)}%` : `${(share * 100).toFixed(1)}%`;
}
