// An access: its figures, the 32 lanes of its worst request, and the cases that decide its cost.

const LANES = { width: 720, height: 150, left: 64, top: 26, bottom: 118, box: 15 };

function lanesPicture(access) {
  const { unit, group, stride, bank } = access.picture;
  const groups = Math.max(-1, ...group.filter((g) => g !== null)) + 1;
  const lanesOf = Array.from({ length: groups }, (_, g) => group.filter((other) => other === g).length);
  const step = (LANES.width - LANES.left - LANES.box) / 31;
  const laneX = (lane) => LANES.left + lane * step;
  const width = 31 * step + LANES.box;
  const groupX = (g) => LANES.left + ((g + 0.5) / groups) * width - LANES.box / 2;
  // Sharing a sector is good, sharing a bank with other words is not.
  const bad = (g) => (unit === 'bank' ? access.worst > access.ideal && lanesOf[g] > 1 : access.worst > access.ideal);
  const half = LANES.box / 2;
  const made = [
    drawn('text', { class: 'row', x: 0, y: LANES.top + 12 }, 'lane'),
    drawn('text', { class: 'row', x: 0, y: LANES.bottom + 12 }, unit),
  ];
  group.forEach((g, lane) => {
    if (g !== null) {
      const line = { x1: laneX(lane) + half, y1: LANES.top + LANES.box, x2: groupX(g) + half, y2: LANES.bottom };
      made.push(drawn('line', { class: bad(g) ? 'link bad' : 'link', ...line }));
    }
  });
  group.forEach((g, lane) => {
    const kind = g === null ? 'lane off' : 'lane';
    made.push(drawn('rect', { class: kind, x: laneX(lane), y: LANES.top, width: LANES.box, height: LANES.box, rx: 3 }));
    if (lane % 8 === 0 || lane === 31) {
      made.push(drawn('text', { class: 'tick', x: laneX(lane) + half, y: LANES.top - 6, 'text-anchor': 'middle' }, String(lane)));
    }
  });
  for (let g = 0; g < groups; g += 1) {
    made.push(
      drawn('rect', { class: bad(g) ? 'target bad' : 'target', x: groupX(g), y: LANES.bottom, width: LANES.box, height: LANES.box, rx: 3 }),
    );
    if (lanesOf[g] > 1) {
      made.push(drawn('text', { class: 'tick', x: groupX(g) + half, y: LANES.bottom + LANES.box + 13, 'text-anchor': 'middle' }, String(lanesOf[g])));
    }
  }
  const active = group.filter((g) => g !== null).length;
  const label = `${active} lanes on ${groups} ${unit}${groups === 1 ? '' : 's'}`;
  const notes = [label];
  if (stride) notes.push(`neighbours are ${stride} bytes apart`);
  if (bank) notes.push(`bank ${bank}`);
  if (lanesOf.some((lanes) => lanes > 1)) notes.push(`numbers below: lanes on one ${unit}`);
  return element(
    'figure', { class: 'lanes' },
    drawn('svg', { viewBox: `0 0 ${LANES.width} ${LANES.height + 4}`, role: 'img', 'aria-label': label }, made),
    element('figcaption', {}, notes.join(' · ')),
  );
}

const DIRECTION = { R: 'load', W: 'store', RW: 'load and store', A: 'atomic' };

function accessFigures(access, symbols) {
  const unit = { global: 'sectors', shared: 'wavefronts' }[access.space] ?? 'units';
  const cost = access.worst === access.best ? `${access.worst}` : `${access.best} to ${access.worst}`;
  const factor = access.ideal > 0 && access.worst > access.ideal ? `, ${Number((access.worst / access.ideal).toFixed(1))}x the ideal ${access.ideal}` : ', ideal';
  const often = access.times === '1' ? 'once' : `${peopleText(access.times ?? '', symbols)} times`;
  const times = access.times === null ? '' : ` · ${often} per warp`;
  return `${cost} ${unit} per request${factor} · ${access.space} ${DIRECTION[access.rw] ?? access.rw}, ${access.bytes} bytes a lane${times}`;
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
  const place = 'path' in access ? `${access.path}:${access.line}` : `line ${access.line}`;
  return element(
    'article', { class: 'access', 'data-line': 'path' in access ? false : access.line, tabindex: -1 },
    element('h3', {}, element('span', { class: 'place' }, place), ' ', element('code', {}, access.text)),
    element('p', {}, accessFigures(access, launch.symbols)),
    access.cause ? element('p', { class: 'quiet' }, withCode(access.cause)) : null,
    access.picture ? lanesPicture(access) : null,
    access.cases.length > 0 ? casesTable(access, launch.symbols, values) : null,
  );
}
