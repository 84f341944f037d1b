// The kernel's text, and that of functions which it calls, with what each line costs.

/** Lines that are shown around one outside of the kernel that costs something. */
const AROUND = 2;

/** What the lines of this file, and those of others, cost of a metric at the chosen sizes. */
function costsByLine(launch, name, values) {
  const here = new Map();
  const elsewhere = new Map();
  for (const place of launch.bounds[name].places) {
    const cost = valueOf(place.cost, values);
    if (cost === null || cost <= 0n) continue;
    if ('path' in place) {
      const key = placeElsewhere(place);
      const known = elsewhere.get(key);
      elsewhere.set(key, { texts: [...(known?.texts ?? []), place.text], cost: (known?.cost ?? 0n) + cost });
    } else {
      here.set(place.line, (here.get(place.line) ?? 0n) + cost);
    }
  }
  return { here, elsewhere };
}

/** The runs of lines that are shown, first to last: the kernel, and what costs something outside of it. */
function runsOfLines(kernel, costs, count) {
  const shown = new Set();
  const add = (first, last) => {
    for (let line = Math.max(1, first); line <= Math.min(count, last); line += 1) shown.add(line);
  };
  add(kernel.lines[0], kernel.lines[1]);
  for (const line of costs.keys()) {
    if (line < kernel.lines[0] || line > kernel.lines[1]) add(line - AROUND, line + AROUND);
  }
  const runs = [];
  for (const line of [...shown].sort((a, b) => a - b)) {
    if (line === runs.at(-1)?.[1] + 1) runs.at(-1)[1] = line;
    else runs.push([line, line]);
  }
  return runs;
}

function totalCost(launch, name, values) {
  return launch.bounds[name].places.reduce((sum, place) => sum + (valueOf(place.cost, values) ?? 0n), 0n);
}

/** The share of a cost in all, as a bar and a number. */
function heatCell(cost, total) {
  const heat = element('td', { class: 'heat' });
  if (cost !== null) {
    const share = total === 0n ? 0 : Number((cost * 10000n) / total) / 10000;
    heat.append(element('span', { class: 'bar' }), element('span', { class: 'share' }, percent(share)));
    heat.style.setProperty('--share', String(share));
    heat.title = `${numberText(cost)} of ${numberText(total)} per warp`;
  }
  return heat;
}

function sourceTable(report, kernel, launch, name, values, show) {
  const { here, elsewhere } = costsByLine(launch, name, values);
  const total = totalCost(launch, name, values);
  const accessed = new Set(launch.accesses.filter((a) => !('path' in a)).map((a) => a.line));
  const row = (line) => {
    const number = accessed.has(line)
      ? element('button', { type: 'button', title: 'Show the accesses of this line', onclick: () => show(line) }, String(line))
      : String(line);
    return element(
      'tr', { 'data-line': line, class: line === chosen.line ? 'at' : false },
      heatCell(here.get(line) ?? null, total),
      element('td', { class: 'number' }, number),
      element('td', { class: 'code' }, element('code', {}, report.text[line - 1] ?? '')),
    );
  };
  const reasons = Object.values(launch.bounds).map((bound) => bound.per_warp.because?.reason ?? '');
  const share = reasons.some((reason) => reason.startsWith('not analysed from here on')) ? 'share of what was read' : 'share';
  const gap = () => element('tr', { class: 'gap' }, element('td'), element('td', { class: 'number' }, '⋯'), element('td'));
  const rows = runsOfLines(kernel, here, report.text.length).map(([first, last], i) => [
    i > 0 ? gap() : null,
    Array.from({ length: last - first + 1 }, (_, k) => row(first + k)),
  ]);
  const others = [...elsewhere].map(([place, { texts, cost }]) =>
    element('tr', { class: 'elsewhere' }, heatCell(cost, total), element('td'), element('td', {}, place, ' ', element('code', {}, texts.join(' ')))));
  return element(
    'div', { class: 'wide source', tabindex: 0, role: 'region', 'aria-label': 'Source' },
    element(
      'table', {},
      element('thead', {}, element('tr', {}, [share, 'line', 'source'].map((head) => element('th', { scope: 'col' }, head)))),
      element('tbody', {}, rows, others),
    ),
  );
}
