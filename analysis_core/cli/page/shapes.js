// What a kernel would pay with other blocks: a map over the block's x and y, darker where more is lost.

const SHAPE_HEADS = [['sectors', 'sectors'], ['conflicts', 'bank conflicts'], ['divergences', 'divergences']];

/** The extents along an axis, in order. */
function extentsOf(rows, axis) {
  return [...new Set(rows.map((row) => row.block[axis]))].sort((a, b) => a - b);
}

function shapesPart(kernel) {
  const shapes = kernel.shapes;
  if (!shapes) return null;
  const known = shapes.rows.filter((row) => row.score !== null);
  if (known.length < 2) return null;
  const least = Math.min(...known.map((row) => row.score));
  const most = Math.max(...known.map((row) => row.score));
  const flat = known.every((row) => row.block[1] === 1);
  const z = shapes.rows[0].block[2];
  const heads = extentsOf(shapes.rows, 0);
  const cell = (x, y) => shapeCell(shapes.rows.find((row) => row.block[0] === x && row.block[1] === y), shapes, least, most);
  return section(
    'shapes', 'Block shapes',
    element(
      'p', { class: 'quiet' },
      `(sectors + conflicts / 2) / occupancy at compute capability ${shapes.capability}, as a multiple of the best, with the occupancy below; less is better. `,
      'It is a score and no running time. ', withCode(shapes.said),
    ),
    element(
      'div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Block shapes' },
      element(
        'table', { class: 'shapes' },
        element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, flat ? 'threads' : 'y \\ x'), heads.map((x) => element('th', { scope: 'col' }, String(x))))),
        element('tbody', {}, extentsOf(shapes.rows, 1).map((y) =>
          element('tr', {}, element('th', { scope: 'row' }, flat ? 'x' : String(y)), heads.map((x) => cell(x, y))))),
      ),
    ),
    element(
      'p', { class: 'quiet' }, `Framed: the present block${z > 1 ? ` (z = ${z})` : ''}.`,
      shapes.rows.some((row) => row.offered) ? ' Underlined: clearly better, and the same in memory after a run.' : '',
    ),
  );
}

function shapeCell(row, shapes, least, most) {
  if (row === undefined) return element('td', { class: 'none' });
  const name = row.block.filter((extent, axis) => axis === 0 || extent > 1 || axis < 2).slice(0, row.block[2] > 1 ? 3 : 2).join('x');
  if (row.score === null) return element('td', { class: 'none', title: `${name}: ${row.why}` }, '–');
  const times = least > 0 ? row.score / least : 1;
  const paid = SHAPE_HEADS.map(([key, noun]) => `${shortText(row[key])} ${noun}`).join(', ');
  const said = `${name}: ${paid} per 1,000 threads; occupancy ${percent(row.share)}, limited by ${row.limits.join(', ')}${row.proved ? '; proved equal' : ''}`;
  const made = element(
    'td', { class: ['shape', row === shapes.rows[0] && 'present', row.offered && 'offered'].filter(Boolean).join(' '), title: said },
    element('b', {}, `${Number(times.toPrecision(3))}×`), element('small', {}, percent(row.share)),
  );
  made.style.setProperty('--share', String(most > least ? Math.log(row.score / least || 1) / Math.log(most / least || 2) : 0));
  return made;
}
