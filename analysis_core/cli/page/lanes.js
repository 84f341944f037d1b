// The 32 lanes of a request, and the sectors or banks that they touch.

const LANES = { width: 720, height: 150, left: 64, top: 26, bottom: 118, box: 15 };

const STEP = (LANES.width - LANES.left - LANES.box) / 31;

function laneX(lane) {
  return LANES.left + lane * STEP;
}

/** What a row of the drawing is: at its left end, beside boxes whose upper edge is at `y`. */
function rowName(y, text) {
  return drawn('text', { class: 'row', x: 0, y: y + 12 }, text);
}

/** The row of lanes; those that do not run are hollow. */
function laneRow(active) {
  const half = LANES.box / 2;
  return [
    rowName(LANES.top, 'lane'),
    active.map((runs, lane) => [
      drawn('rect', { class: runs ? 'lane' : 'lane off', x: laneX(lane), y: LANES.top, width: LANES.box, height: LANES.box, rx: 3 }),
      lane % 8 === 0 || lane === 31
        ? drawn('text', { class: 'tick', x: laneX(lane) + half, y: LANES.top - 6, 'text-anchor': 'middle' }, String(lane))
        : null,
    ]),
  ];
}

function lanesFigure(height, label, notes, drawing) {
  return element(
    'figure', { class: 'lanes' },
    drawn('svg', { viewBox: `0 0 ${LANES.width} ${height}`, role: 'img', 'aria-label': label }, drawing),
    element('figcaption', {}, notes.join(' · ')),
  );
}

function lanesPicture(access) {
  const { unit, group, stride, bank } = access.picture;
  const groups = Math.max(-1, ...group.filter((g) => g !== null)) + 1;
  const lanesOf = Array.from({ length: groups }, (_, g) => group.filter((other) => other === g).length);
  const width = 31 * STEP + LANES.box;
  const groupX = (g) => LANES.left + ((g + 0.5) / groups) * width - LANES.box / 2;
  // Sharing a sector is good, sharing a bank with other words is not.
  const bad = (g) => (unit === 'bank' ? access.worst > access.ideal && lanesOf[g] > 1 : access.worst > access.ideal);
  const half = LANES.box / 2;
  const made = [rowName(LANES.bottom, unit)];
  group.forEach((g, lane) => {
    if (g !== null) {
      const line = { x1: laneX(lane) + half, y1: LANES.top + LANES.box, x2: groupX(g) + half, y2: LANES.bottom };
      made.push(drawn('line', { class: bad(g) ? 'link bad' : 'link', ...line }));
    }
  });
  made.push(laneRow(group.map((g) => g !== null)));
  for (let g = 0; g < groups; g += 1) {
    made.push(
      drawn('rect', { class: bad(g) ? 'target bad' : 'target', x: groupX(g), y: LANES.bottom, width: LANES.box, height: LANES.box, rx: 3 }),
    );
    if (lanesOf[g] > 1) {
      made.push(drawn('text', { class: 'tick', x: groupX(g) + half, y: LANES.bottom + LANES.box + 13, 'text-anchor': 'middle' }, String(lanesOf[g])));
    }
  }
  const active = group.filter((g) => g !== null).length;
  const label = `${counted(active, 'lane')} on ${counted(groups, unit)}`;
  const notes = [label];
  if (stride) notes.push(stride === '0' ? 'all at one address' : `neighbours are ${stride} bytes apart`);
  if (bank && unit === 'bank') notes.push(`bank ${bank}`);
  if (lanesOf.some((lanes) => lanes > 1)) notes.push(`numbers below: lanes on one ${unit}`);
  return lanesFigure(LANES.height + 4, label, notes, made);
}
