// An access: its figures, the lanes of its worst request, and the cases that decide its cost.

const DIRECTION = { R: 'load', W: 'store', RW: 'load and store', A: 'atomic' };

function accessFigures(access, symbols) {
  const kind = `${access.space} ${DIRECTION[access.rw] ?? access.rw}, ${counted(access.bytes, 'byte')} a thread`;
  const unit = UNITS[access.space];
  if (unit === undefined || access.space === 'constant') return `not counted · ${kind}`;
  const cost = access.worst === access.best ? counted(access.worst, unit) : `${access.best} to ${counted(access.worst, unit)}`;
  const factor = access.ideal > 0 && access.worst > access.ideal ? `, ${Number((access.worst / access.ideal).toFixed(1))}x the ideal ${access.ideal}` : ', ideal';
  const often = access.times === '1' ? 'once' : `${peopleText(access.times ?? '', symbols)} times`;
  const times = access.times === null ? '' : ` · ${often} per warp`;
  return `${cost} per request${factor} · ${kind}${times}`;
}

/** A cost beside the ideal, which is the access's: the same lanes ask for the same bytes in all cases. */
function besideIdeal(cost, ideal) {
  if (cost <= ideal) return `${cost}, ideal`;
  return ideal > 0 ? `${cost} (${Number((cost / ideal).toFixed(1))}x the ideal)` : `${cost} (ideal 0)`;
}

function casesTable(access, symbols, values) {
  const rows = access.cases.map((one) => {
    const known = namesIn(one.when).every((name) => name in values);
    const holds = known && valueOf(one.when, values) === true;
    return element(
      'tr', { class: holds ? 'holds' : false },
      element('td', {}, element('code', {}, peopleText(one.when, symbols))),
      element('td', {}, besideIdeal(one.cost, access.ideal)),
      element('td', {}, holds ? 'at these sizes' : ''),
    );
  });
  return element(
    'table', { class: 'cases' },
    element('thead', {}, element('tr', {}, ['when', 'cost of a request', ''].map((head) => element('th', { scope: 'col' }, head)))),
    element('tbody', {}, rows, element('tr', {}, element('td', {}, 'otherwise'), element('td', {}, `at most ${besideIdeal(access.worst, access.ideal)}`), element('td', {}))),
  );
}

function accessCard(access, launch, values) {
  const place = 'path' in access ? placeElsewhere(access) : `line ${access.line}`;
  return element(
    'article', { class: 'access', 'data-line': 'path' in access ? false : access.line, tabindex: -1 },
    element('h3', {}, element('span', { class: 'place' }, place), ' ', element('code', {}, access.text)),
    element('p', {}, accessFigures(access, launch.symbols)),
    access.cause ? element('p', { class: 'quiet' }, withCode(access.cause)) : null,
    access.picture ? lanesPicture(access) : null,
    access.open ? openLanesPicture(access) : null,
    access.cases.length > 0 ? casesTable(access, launch.symbols, values) : null,
  );
}
