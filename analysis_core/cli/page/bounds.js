// The table of bounds: per warp, block and launch, as expressions and at the chosen sizes.

const METRICS = {
  sectors: 'global sectors (32 bytes)',
  excessive_sectors: 'sectors above the ideal',
  wavefronts: 'shared wavefronts',
  conflicts: 'bank conflicts',
  steps: 'evaluation steps',
};

const SCOPES = [
  ['per_warp', 'per warp'],
  ['per_block', 'per block'],
  ['per_launch', 'per launch'],
];

function metricTitle(name) {
  return METRICS[name] ?? name.replace(/_/g, ' ');
}

/** The lower end that belongs to an upper one: of the most expensive warp, or of the sum. */
function lowerOf(bound) {
  return 'worst_lower' in bound ? bound.worst_lower : bound.lower;
}

/** The first case whose condition holds, else the bound itself. */
function applicable(bound, values) {
  return bound.cases.find((one) => valueOf(one.when, values)) ?? bound;
}

/** Upper and lower value at some sizes; null where there is none. */
function rangeAt(bound, values) {
  const found = applicable(bound, values);
  return { upper: valueOf(found.upper, values), lower: valueOf(lowerOf(found), values), exact: found.exact };
}

/** What the best pattern would pay per warp at some sizes, as an expression: that of the case that holds there, if it has one. */
function idealOf(metric, values) {
  return applicable(metric.per_warp, values).ideal ?? metric.ideal;
}

/** Whether a metric of a launch costs anything, or is not known to cost nothing. */
function isShown(metric) {
  return metric.per_warp.upper !== '0';
}

function boundsTable(launch, values) {
  const rows = Object.entries(launch.bounds).map(([name, metric]) => {
    const cells = SCOPES.map(([scope, head]) => boundCell(head, metric, metric[scope], launch.symbols, values));
    const best = idealOf(metric, values);
    const ideal = best === null ? '–' : peopleText(best, launch.symbols);
    return element('tr', {}, element('th', { scope: 'row' }, metricTitle(name)), cells, element('td', { 'data-head': 'ideal per warp' }, element('code', {}, ideal)));
  });
  const heads = ['metric', ...SCOPES.map(([, title]) => title), 'ideal per warp'];
  return element(
    'div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Bounds' },
    element(
      'table', { class: 'bounds' },
      element('thead', {}, element('tr', {}, heads.map((head) => element('th', { scope: 'col' }, head)))),
      element('tbody', {}, rows),
    ),
  );
}

function boundCell(head, metric, bound, symbols, values) {
  if (bound.upper === null && bound.cases.length === 0) {
    const because = metric.per_warp.because;
    const reason = because ? `${because.reason} (line ${because.line})` : 'no bound';
    return element('td', { class: 'none', 'data-head': head }, withCode(reason), because?.annotation ? element('code', {}, ` ${because.annotation}`) : null);
  }
  const found = applicable(bound, values);
  const { upper, lower, exact } = rangeAt(bound, values);
  const sign = exact ? '=' : '≤';
  const text = found.upper === null ? 'no bound' : `${sign} ${peopleText(found.upper, symbols)}`;
  const now = exact || lower === null ? numberText(upper) : `${numberText(lower)} … ${numberText(upper)}`;
  // A number needs no value beside it.
  const value = exact && /^\d+$/.test(found.upper) ? null : element('div', { class: 'now' }, now);
  const when = 'when' in found ? element('div', { class: 'when' }, `when ${peopleText(found.when, symbols)}`) : null;
  return element('td', { 'data-head': head }, element('code', {}, text), value, when);
}

/** A size within what a launch may have: at least one block, nothing that a 32-bit integer does not hold. */
function clamped(value, symbol) {
  const least = symbol?.kind === 'grid' ? 1n : 0n;
  return value < least ? least : value > MOST_SIZE ? MOST_SIZE : value;
}

const MOST_SIZE = 2147483647n;

/** The sizes that change any figure of a launch. */
function sizesThatMatter(launch) {
  const bounds = Object.values(launch.bounds).flatMap((metric) => [
    ...SCOPES.flatMap(([scope]) => [metric[scope].upper, lowerOf(metric[scope]), ...metric[scope].cases.flatMap((one) => [one.when, one.upper])]),
    metric.ideal, ...metric.places.map((place) => place.cost),
  ]);
  const used = new Set([...bounds, ...launch.accesses.flatMap((access) => access.cases.map((one) => one.when))].flatMap(namesIn));
  return Object.keys(launch.sizes).filter((name) => used.has(name));
}

/** One field per size that changes something; whatever is typed is used at once, within what is possible. */
function sizeFields(launch, values, changed) {
  const names = sizesThatMatter(launch);
  if (names.length === 0) return element('p', { class: 'quiet' }, 'No bound depends on a size.');
  return element(
    'div', { class: 'fields' },
    names.map((name) => {
      const symbol = launch.symbols[name];
      const input = element('input', {
        type: 'number', min: clamped(0n, symbol), max: MOST_SIZE, step: 1, value: values[name], name,
        oninput: () => {
          if (/^\d+$/.test(input.value)) changed(name, clamped(BigInt(input.value), symbol));
        },
        onchange: () => {
          if (!/^\d+$/.test(input.value)) changed(name, clamped(/^-\d/.test(input.value) ? 0n : values[name], symbol));
        },
      });
      const what = { trip: 'iterations', grid: 'blocks' }[symbol.kind] ?? '';
      return element('label', {}, element('span', {}, symbol.source, what ? element('small', {}, ` ${what}`) : null), input);
    }),
  );
}
