// The kernel's text with what each line costs.

/** Line (from 1) -> cost of a metric at the chosen sizes; places in other files are left to the list below. */
function costsByLine(launch, name, values) {
  const costs = new Map();
  for (const place of launch.bounds[name].places) {
    const cost = valueOf(place.cost, values);
    if (!('path' in place) && cost !== null && cost > 0n) {
      costs.set(place.line, (costs.get(place.line) ?? 0n) + cost);
    }
  }
  return costs;
}

function totalCost(launch, name, values) {
  return launch.bounds[name].places.reduce((sum, place) => sum + (valueOf(place.cost, values) ?? 0n), 0n);
}

function sourceTable(report, kernel, launch, name, values, show) {
  const costs = costsByLine(launch, name, values);
  const total = totalCost(launch, name, values);
  const accessed = new Set(launch.accesses.filter((a) => !('path' in a)).map((a) => a.line));
  const rows = [];
  for (let line = kernel.lines[0]; line <= kernel.lines[1]; line += 1) {
    const cost = costs.get(line) ?? null;
    const share = cost === null || total === 0n ? 0 : Number((cost * 10000n) / total) / 10000;
    const heat = element('td', { class: 'heat' });
    if (cost !== null) {
      heat.append(element('span', { class: 'bar' }), element('span', { class: 'share' }, percent(share)));
      heat.style.setProperty('--share', String(share));
      heat.title = `${numberText(cost)} of ${numberText(total)} per warp`;
    }
    const number = accessed.has(line)
      ? element('button', { type: 'button', title: 'Show the accesses of this line', onclick: () => show(line) }, String(line))
      : String(line);
    rows.push(
      element(
        'tr', { 'data-line': line },
        heat,
        element('td', { class: 'number' }, number),
        element('td', { class: 'code' }, element('code', {}, report.text[line - 1] ?? '')),
      ),
    );
  }
  return element(
    'div', { class: 'wide source', tabindex: 0, role: 'region', 'aria-label': 'Source' },
    element(
      'table', {},
      element('thead', {}, element('tr', {}, ['share', 'line', 'source'].map((head) => element('th', { scope: 'col' }, head)))),
      element('tbody', {}, rows),
    ),
  );
}
