// Puts the page together, and again whenever something else is chosen.

const report = JSON.parse(document.getElementById('data').textContent);
const editor = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : null;

/** What is chosen.  In the editor it outlives a new drawing of the report; in a browser the address says it. */
const chosen = { ...opened(), ...editor?.getState(), ...asked() };

function keep() {
  editor?.setState(chosen);
  if (!editor) history.replaceState(null, '', linkTo(chosen));
}

/** Draws anew with another choice, and leaves the focus where it was. */
function choose(change) {
  Object.assign(chosen, change);
  keep();
  draw();
}

function valuesOf(launch) {
  const values = {};
  for (const [name, size] of Object.entries(launch.sizes)) {
    values[name] = clamped(BigInt(chosen.sizes[name] ?? size), launch.symbols[name]);
  }
  return values;
}

function draw() {
  const kernel = report.kernels[Math.min(chosen.kernel, report.kernels.length - 1)];
  const at = document.activeElement?.closest('[data-part]')?.getAttribute('data-part');
  const index = at ? focusables(at).indexOf(document.activeElement) : -1;
  const name = report.path.split('/').pop();
  const body = kernel === undefined ? [element('p', {}, 'No kernel was found in this file.')] : kernelParts(kernel);
  document.querySelector('main')?.remove();
  document.body.append(element('main', {}, element('h1', {}, 'Kernel report ', element('code', {}, name)), overviewPart(), body));
  if (index >= 0) focusables(at)[index]?.focus();
}

function focusables(part) {
  return [...document.querySelectorAll(`[data-part="${part}"] :is(select, input, button, [tabindex])`)];
}

function kernelParts(kernel) {
  const launch = kernel.launches[Math.min(chosen.launch, kernel.launches.length - 1)];
  const pick = element(
    'div', { class: 'fields', 'data-part': 'pick' },
    choice('kernel', report.kernels.map((k, i) => [String(i), k.title]), String(report.kernels.indexOf(kernel)), (i) =>
      choose(atKernel(Number(i)))),
    launch && choice('launch', kernel.launches.map((l, i) => [String(i), l.title]), String(kernel.launches.indexOf(launch)), (i) =>
      choose({ ...atKernel(chosen.kernel), launch: Number(i) })),
  );
  if (launch === undefined) {
    return [pick, element('p', {}, kernel.failure !== null ? withCode(kernel.failure) : 'This kernel was not analysed.')];
  }
  const values = valuesOf(launch);
  return [
    pick,
    findingsPart(kernel),
    gainsPart(launch, values),
    racesPart(launch),
    boundsPart(launch, values),
    rooflinePart(launch, values),
    chartsPart(launch, values),
    shapesPart(kernel),
    sourcePart(kernel, launch, values),
    accessesPart(launch, values),
    assumptionsPart(launch),
  ];
}

function findingsPart(kernel) {
  if (kernel.findings.length === 0) return element('p', { class: 'quiet' }, 'No findings.');
  return element(
    'ul', { class: 'findings', 'data-part': 'findings' },
    kernel.findings.map((finding) =>
      element('li', { class: finding.level }, placeButton(finding, METRIC_OF[finding.code.slice(0, 3)]), ' ', element('b', {}, finding.code), ' ', withCode(finding.message))),
  );
}

/** A place in another file, from the folder of this one on where it lies below. */
function placeElsewhere({ path, line }) {
  const folder = report.path.slice(0, report.path.lastIndexOf('/') + 1);
  return `${path.startsWith(folder) ? path.slice(folder.length) : path}:${line}`;
}

/** A place of the file, which is shown with its metric in the source below; in the editor it leads there, too. */
function placeButton(thing, metric) {
  if ('path' in thing) return element('span', { class: 'place' }, placeElsewhere(thing));
  const go = () => {
    choose({ line: thing.line, ...(metric ? { metric } : {}) });
    editor?.postMessage({ showLine: thing.line });
    toLine(thing.line);
  };
  return element('button', { type: 'button', class: 'place', onclick: go }, `line ${thing.line}`);
}

function toLine(line) {
  document.querySelector(`.source [data-line="${line}"]`)?.scrollIntoView({ block: 'center' });
}

function section(part, title, ...children) {
  return element('section', { 'data-part': part }, element('h2', {}, title), children);
}

function boundsPart(launch, values) {
  const changed = (name, value) => choose({ sizes: { ...chosen.sizes, [name]: String(value) } });
  return section(
    'bounds', 'Bounds',
    element('p', { class: 'quiet' }, '= is exact, ≤ an upper bound. With each formula stands its value at these sizes.'),
    sizeFields(launch, values, changed),
    boundsTable(launch, values),
  );
}

/** The names in the bounds of a scope; `conditions`: those of the conditions of cases too. */
function namesOf(launch, scope, conditions) {
  const texts = Object.values(launch.bounds).flatMap((metric) => {
    const bound = metric[scope];
    const cases = bound.cases.flatMap((one) => (conditions ? [one.when, one.upper] : [one.upper]));
    return [bound.upper, lowerOf(bound), ...cases];
  });
  const used = new Set(texts.flatMap(namesIn));
  return Object.keys(launch.sizes).filter((name) => used.has(name));
}

/** What is shown until somebody chooses: a scope whose bounds grow with a size, and that size. */
function firstView(launch) {
  const scope = ['per_warp', 'per_launch'].find((one) => namesOf(launch, one, false).length > 0) ?? 'per_warp';
  return { scope, parameter: namesOf(launch, scope, false)[0] };
}

function chartsPart(launch, values) {
  const all = SCOPES.flatMap(([scope]) => namesOf(launch, scope, true));
  const parameters = Object.keys(launch.sizes).filter((name) => all.includes(name));
  if (parameters.length === 0) return section('charts', 'Over a size', element('p', { class: 'quiet' }, 'No bound depends on a size.'));
  const first = firstView(launch);
  const parameter = parameters.includes(chosen.parameter) ? chosen.parameter : (first.parameter ?? parameters[0]);
  const scope = chosen.scope || first.scope;
  const shown = Object.keys(launch.bounds).filter((name) => isShown(launch.bounds[name]));
  const ends = [64, 256, 1024, 2048, 4096, 16384, 65536].map((n) => [String(n), numberText(n)]);
  const charts = shown.map((name) => chartFor(launch, name, scope, parameter, chosen.most, values));
  return section(
    'charts', 'Over a size',
    element(
      'div', { class: 'fields' },
      choice('parameter', parameters.map((name) => [name, launch.symbols[name].source]), parameter, (p) => choose({ parameter: p })),
      choice('up to', ends, String(chosen.most), (n) => choose({ most: Number(n) })),
      choice('cost', SCOPES, scope, (one) => choose({ scope: one })),
    ),
    legend(chosen.most, new Set(charts.flatMap(({ kinds }) => kinds))),
    element('div', { class: 'charts' }, charts.map(({ figure }) => figure)),
  );
}

function sourcePart(kernel, launch, values) {
  const metrics = Object.keys(launch.bounds).filter((name) => launch.bounds[name].places.length > 0);
  if (metrics.length === 0) return section('source', 'Where it goes', element('p', { class: 'quiet' }, 'No cost has a place.'));
  const metric = metrics.includes(chosen.metric) ? chosen.metric : metrics[0];
  const show = (line) => {
    const card = document.querySelector(`.access[data-line="${line}"]`);
    card?.scrollIntoView({ block: 'start' });
    card?.focus();
    editor?.postMessage({ showLine: line });
  };
  return section(
    'source', 'Where it goes',
    element('div', { class: 'fields' }, choice('metric', metrics.map((name) => [name, metricTitle(name)]), metric, (m) => choose({ metric: m }))),
    sourceTable(report, kernel, launch, metric, values, show),
  );
}

function accessesPart(launch, values) {
  const cards = launch.accesses.map((access) => accessCard(access, launch, values));
  const none = element('p', { class: 'quiet' }, 'This kernel touches no memory.');
  return section('accesses', 'Accesses', cards.length > 0 ? cards : none);
}

function assumptionsPart(launch) {
  return section('assumptions', 'Assumptions', element('ul', {}, launch.assumptions.map((text) => element('li', {}, withCode(text)))));
}

draw();
if (chosen.line) toLine(chosen.line);
window.addEventListener('hashchange', () => {
  choose({ ...opened(), ...asked() });
  if (chosen.line) toLine(chosen.line);
});
