// Where a launch stands under the roofline: operations for each byte that moves, beside what common GPUs compute and move.

/** Operations and bytes of a launch at some sizes; null where nothing bounds them, or nothing is computed. */
function intensityOf(launch, values) {
  const at = (name) => {
    const metric = launch.bounds[name];
    return metric ? rangeAt(metric.per_launch, values) : { upper: null, exact: false };
  };
  const [flops, doubles, sectors, bytes] = ['flops', 'flops_f64', 'sectors', 'bytes'].map(at);
  if ([flops, doubles, sectors, bytes].some(({ upper }) => upper === null)) return null;
  const [all, wide, moved, asked] = [Number(flops.upper), Number(doubles.upper), 32 * Number(sectors.upper), Number(bytes.upper)];
  if (all === 0 || moved === 0) return null;
  return { flops: all, doubles: wide, moved, asked, exact: flops.exact && sectors.exact && bytes.exact, perByte: all / moved };
}

/** What a GPU reaches at most: its roof for this mix of floats and doubles, as one over the mean time of an operation. */
function roofOf(gpu, found) {
  const wide = found.doubles / found.flops;
  const peak = 1 / (wide / gpu.f64 + (1 - wide) / gpu.f32);
  const ridge = peak / gpu.bandwidth;
  return { peak, ridge, share: Math.min(1, found.perByte / ridge) };
}

function rooflinePart(launch, values) {
  const found = report.gpus ? intensityOf(launch, values) : null;
  if (found === null) return null;
  const about = found.exact ? '=' : '≈';
  const number = (value) => Number(value.toPrecision(3)).toString();
  const rows = report.gpus.map((gpu) => {
    const roof = roofOf(gpu, found);
    const limit = roof.share < 1 ? `memory: ${percent(roof.share)} of its peak at most` : 'computing';
    return element(
      'tr', { title: gpu.source },
      element('th', { scope: 'row' }, gpu.name),
      [shortText(roof.peak * 1e9), `${shortText(gpu.bandwidth * 1e9)}B`, number(roof.ridge), limit].map((text, i) =>
        element('td', { 'data-head': HEADS_OF_ROOFLINE[i + 1] }, text)),
    );
  });
  return section(
    'roofline', 'Roofline',
    element(
      'p', { class: 'quiet' },
      `${about} ${shortText(found.flops)} floating-point operations and ${about} ${shortText(found.moved)}B in sectors at these sizes: `,
      element('b', {}, `${about} ${number(found.perByte)} flops per byte`),
      ` (${number(found.flops / found.asked)} per byte that threads ask for). No caches are counted: what hits in them raises the figure.`,
    ),
    element(
      'div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Roofline' },
      element(
        'table', { class: 'bounds' },
        element('thead', {}, element('tr', {}, HEADS_OF_ROOFLINE.map((head) => element('th', { scope: 'col' }, head)))),
        element('tbody', {}, rows),
      ),
    ),
  );
}

const HEADS_OF_ROOFLINE = ['GPU', 'flops/s', 'memory/s', 'flops per byte where both meet', 'limited by, if no cache is hit'];
