// The lanes of a request that go where nobody can say before the kernel runs: how few and how many places they may need.

const OPEN = { band: 58, most: 98, least: 126, height: 150 };

/** Bytes: what the type of an index allows is no news beyond this. */
const FAR = 2 ** 30;

const UNITS = { global: 'sector', shared: 'wavefront', constant: 'address' };

/** A row of as many boxes as a request costs.  They stand for a number: no lane is drawn to any. */
function costRow(y, name, cost, ideal) {
  const step = Math.min(STEP, (31 * STEP + LANES.box) / cost);
  const width = Math.min(LANES.box, 0.75 * step);
  const kind = cost > ideal ? 'target bad' : 'target';
  const boxes = Array.from({ length: cost }, (_, i) =>
    drawn('rect', { class: kind, x: LANES.left + i * step, y, width, height: LANES.box, rx: Math.min(3, width / 4) }));
  return [rowName(y, name), boxes];
}

function openLanesPicture(access) {
  const { active, worst, best, reach } = access.open;
  const unit = UNITS[access.space] ?? 'unit';
  const lanes = active.flatMap((runs, lane) => (runs ? [lane] : []));
  const [left, right] = [laneX(lanes[0]), laneX(lanes[lanes.length - 1]) + LANES.box];
  const [start, end] = [LANES.left, laneX(31) + LANES.box];
  const where = reach === null || reach > FAR ? 'anywhere' : `somewhere within ${counted(reach, 'byte')}`;
  const top = LANES.top + LANES.box;
  const made = [
    drawn('path', { class: 'open', d: `M${left} ${top} L${right} ${top} L${end} ${OPEN.band} L${start} ${OPEN.band} Z` }),
    laneRow(active),
    drawn('rect', { class: 'band', x: start, y: OPEN.band, width: end - start, height: 22, rx: 3 }),
    drawn('text', { class: 'axis', x: (start + end) / 2, y: OPEN.band + 15, 'text-anchor': 'middle' }, where),
    worst === best ? costRow(OPEN.most, 'always', worst, access.ideal)
      : [costRow(OPEN.most, 'at most', worst, access.ideal), costRow(OPEN.least, 'at least', best, access.ideal)],
  ];
  const cost = worst === best ? `always ${counted(worst, unit)}` : `at most ${counted(worst, unit)}, at least ${best}`;
  const reason = access.data_dependent ? 'memory decides where' : 'where is not known';
  const label = `${counted(lanes.length, 'lane')} ${where}: ${cost}`;
  const notes = [label, reason];
  if (worst > access.ideal) notes.push(`ideal ${access.ideal}`);
  return lanesFigure(worst === best ? OPEN.least : OPEN.height, label, notes, made);
}
