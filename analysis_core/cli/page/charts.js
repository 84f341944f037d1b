// A chart per metric: the upper bound, the lower end and the ideal over one size, the others held.

const CHART = { width: 420, height: 240, left: 56, right: 16, top: 16, bottom: 36 };
const SAMPLES = 2048;

/** How far apart the sizes are that are drawn: none is left out where there are few; an odd step meets all residues. */
function stepTo(most) {
  return most <= SAMPLES ? 1 : Math.ceil(most / SAMPLES) | 1;
}

/** Sizes from 0 to `most`, the chosen one among them. */
function samples(most, chosen) {
  const found = new Set([most]);
  for (let size = 0; size <= most; size += stepTo(most)) found.add(size);
  if (chosen <= most) found.add(chosen);
  return [...found].sort((a, b) => a - b);
}

function chartFor(launch, name, scope, parameter, most, values) {
  const metric = launch.bounds[name];
  const at = (size) => ({ ...values, [parameter]: BigInt(size) });
  const number = (value) => (value === null ? null : Number(value));
  const points = samples(most, Number(values[parameter])).map((size) => {
    const { upper, lower } = rangeAt(metric[scope], at(size));
    const ideal = scope === 'per_warp' ? valueOf(idealOf(metric, at(size)), at(size)) : null;
    return { size, upper: number(upper), lower: number(lower), ideal: number(ideal) };
  });
  const highest = Math.max(1, ...points.flatMap((p) => [p.upper, p.lower, p.ideal]).filter((v) => v !== null));
  const top = niceTop(highest);
  const x = (size) => CHART.left + (size / Math.max(1, most)) * (CHART.width - CHART.left - CHART.right);
  const y = (value) => CHART.height - CHART.bottom - (value / top) * (CHART.height - CHART.top - CHART.bottom);
  const source = launch.symbols[parameter].source;
  const marker = drawn('line', { class: 'marker', y1: CHART.top, y2: CHART.height - CHART.bottom });
  const said = element('div', { class: 'said', 'aria-live': 'polite' });
  let chosen = points.reduce((best, p, i) => (p.size <= Number(values[parameter]) ? i : best), 0);

  const show = () => {
    const { size, upper, lower, ideal } = points[chosen];
    marker.setAttribute('x1', x(size));
    marker.setAttribute('x2', x(size));
    const parts = upper === null ? ['no bound'] : [lower === upper ? `exactly ${numberText(upper)}` : `at most ${numberText(upper)}`];
    if (lower !== null && lower !== upper) parts.push(`at least ${numberText(lower)}`);
    if (ideal !== null) parts.push(`ideal ${numberText(ideal)}`);
    said.textContent = `${source} = ${numberText(size)}: ${parts.join(', ')}`;
  };
  const move = (step) => {
    chosen = Math.min(points.length - 1, Math.max(0, chosen + step));
    show();
  };
  const picture = drawn(
    'svg',
    {
      class: 'chart', viewBox: `0 0 ${CHART.width} ${CHART.height}`, tabindex: 0, role: 'img',
      'aria-label': `${metricTitle(name)} over ${source}; arrow keys read values`,
      onkeydown: (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -64, PageDown: 64, Home: -Infinity, End: Infinity }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(Number.isFinite(step) ? step : step < 0 ? -points.length : points.length);
      },
      onmousemove: (event) => {
        const box = picture.getBoundingClientRect();
        const size = (((event.clientX - box.left) / box.width) * CHART.width - CHART.left) / (CHART.width - CHART.left - CHART.right);
        const away = (point) => Math.abs(point.size - size * most);
        chosen = points.reduce((best, point, i) => (away(point) < away(points[best]) ? i : best), 0);
        show();
      },
    },
    axes(top, most, source, x, y),
    ['ideal', 'lower', 'upper'].map((kind) => curve(points, kind, x, y)),
    marker,
  );
  show();
  const figure = element('figure', { 'data-metric': name }, element('figcaption', {}, metricTitle(name)), picture, said);
  return { figure, kinds: kindsIn(points) };
}

/** The curves that are seen: what lies under the upper bound everywhere is not. */
function kindsIn(points) {
  const isSeen = (kind) => points.some((point) => point[kind] !== null && (kind === 'upper' || point[kind] !== point.upper));
  return ['upper', 'lower', 'ideal'].filter(isSeen);
}

/** The next of 1, 2, 5, 10, ... */
function niceTop(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((f) => f * power).find((v) => v >= value);
}

function axes(top, most, source, x, y) {
  const made = [];
  for (let i = 0; i <= 4; i += 1) {
    const value = (top * i) / 4;
    made.push(
      drawn('line', { class: 'grid', x1: CHART.left, x2: CHART.width - CHART.right, y1: y(value), y2: y(value) }),
      drawn('text', { x: CHART.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, shortText(value)),
    );
  }
  for (let i = 0; i <= 4; i += 1) {
    const size = (most * i) / 4;
    made.push(drawn('text', { x: x(size), y: CHART.height - CHART.bottom + 16, 'text-anchor': 'middle' }, shortText(size)));
  }
  const middle = (CHART.left + CHART.width - CHART.right) / 2;
  made.push(drawn('text', { class: 'axis', x: middle, y: CHART.height - 4, 'text-anchor': 'middle' }, source));
  return made;
}

/** Steps, since between two sizes there is none. */
function curve(points, kind, x, y) {
  let path = '';
  let before = null;
  for (const point of points) {
    const value = point[kind];
    if (value === null) before = null;
    else {
      const [px, py] = [x(point.size).toFixed(1), y(value).toFixed(1)];
      path += before === null ? `M${px} ${py}` : `H${px}V${py}`;
      before = value;
    }
  }
  return drawn('path', { class: `curve ${kind}`, d: path });
}

function legend(most, kinds) {
  const entries = [['upper', 'upper bound'], ['lower', 'lower end'], ['ideal', 'ideal']].filter(([kind]) => kinds.has(kind));
  return element(
    'p', { class: 'legend' },
    entries.map(([kind, text]) =>
      element('span', {}, drawn('svg', { viewBox: '0 0 28 10' }, drawn('path', { class: `curve ${kind}`, d: 'M1 5H27' })), text),
    ),
    stepTo(most) > 1 ? element('span', {}, `one size in ${stepTo(most)} is drawn`) : null,
  );
}
