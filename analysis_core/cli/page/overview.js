// All kernels of the file with their bounds and findings, what there is to gain in one, and links to a place of the report.

const METRIC_OF = { WC1: 'sectors', WC2: 'conflicts', WC3: 'divergences' };
const OVERVIEW = ['sectors', 'conflicts', 'divergences'];

/** What a kernel's part begins with. */
function atKernel(kernel) {
  return { kernel, launch: report.kernels[kernel]?.worst ?? 0, parameter: '', metric: '', line: 0, sizes: {} };
}

/** What the page opens with: the kernel around the line that it was asked for (`opened`), else the first. */
function opened() {
  const around = report.kernels.findIndex((kernel) => !kernel.path && kernel.lines[0] <= report.line && report.line <= kernel.lines[1]);
  return { scope: '', most: 2048, filter: '', opened: report.line, ...atKernel(Math.max(0, around)) };
}

/** What the editor asks for, once, since it may load the page again; or the address in a browser: `#kernel=scale&metric=sectors&line=12&n=4096`. */
function asked() {
  if (editor) return report.line > 0 && report.line !== editor.getState()?.opened ? opened() : {};
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (!wanted.has('kernel')) return {};
  const kernel = report.kernels.findIndex((one) => one.title === wanted.get('kernel'));
  if (kernel < 0) return {};
  const found = atKernel(kernel);
  const number = (name) => (/^\d{1,9}$/.test(wanted.get(name) ?? '') ? Number(wanted.get(name)) : 0);
  const last = Math.max(0, report.kernels[kernel].launches.length - 1);
  found.launch = wanted.has('launch') ? Math.min(last, number('launch')) : found.launch;
  found.metric = wanted.get('metric') ?? '';
  found.line = number('line');
  const sizes = report.kernels[kernel].launches[found.launch]?.sizes ?? {};
  for (const [name, value] of wanted) {
    if (Object.hasOwn(sizes, name) && /^\d{1,18}$/.test(value)) found.sizes[name] = value;
  }
  return found;
}

function linkTo(view) {
  const kernel = report.kernels[view.kernel];
  if (kernel === undefined) return '#';
  const parts = { kernel: kernel.title, launch: view.launch, ...(view.metric && { metric: view.metric }), ...(view.line && { line: view.line }) };
  return `#${new URLSearchParams({ ...parts, ...view.sizes })}`;
}

function overviewPart() {
  if (report.kernels.length < 2) return null;
  const rows = report.kernels.map((kernel, i) => {
    const launch = kernel.launches[kernel.worst];
    const row = element(
      'tr', {},
      element('th', { scope: 'row' }, element('button', { type: 'button', class: 'place', 'aria-current': i === chosen.kernel, onclick: () => choose(atKernel(i)) }, kernel.title)),
      OVERVIEW.map((name) => element('td', {}, launch ? amountOf(launch, name) : '–')),
      element('td', {}, findingsOf(kernel)),
    );
    const said = [kernel.title, ...kernel.findings.map((one) => `${one.code} ${one.level} ${one.message}`)].join(' ').toLowerCase();
    return { row, said };
  });
  const filter = () => rows.forEach(({ row, said }) => (row.hidden = !said.includes(chosen.filter.toLowerCase())));
  const input = element('input', { type: 'search', value: chosen.filter, placeholder: 'name, rule or words', oninput: () => {
    chosen.filter = input.value;
    filter();
  } });
  filter();
  const heads = ['kernel', ...OVERVIEW.map((name) => `${metricTitle(name)} per warp`), 'findings'];
  return section(
    'overview', `${report.kernels.length} kernels`,
    element('div', { class: 'fields' }, element('label', {}, element('span', {}, 'filter'), input)),
    element(
      'div', { class: 'wide overview', tabindex: 0, role: 'region', 'aria-label': 'Kernels' },
      element('table', {}, element('thead', {}, element('tr', {}, heads.map((head) => element('th', { scope: 'col' }, head)))), element('tbody', {}, rows.map(({ row }) => row))),
    ),
  );
}

/** "= 32", "≤ 8 + 130*C"; the value at usual sizes where that is long. */
function amountOf(launch, name) {
  const bound = launch.bounds[name]?.per_warp;
  if (bound === undefined) return '–';
  const values = Object.fromEntries(Object.entries(launch.sizes).map(([size, value]) => [size, BigInt(value)]));
  const { upper, exact } = applicable(bound, values);
  if (upper === null) return 'no bound';
  const text = peopleText(upper, launch.symbols);
  return `${exact ? '=' : '≤'} ${text.length <= 24 ? text : numberText(valueOf(upper, values))}`;
}

function findingsOf(kernel) {
  const count = (level) => kernel.findings.filter((one) => one.level === level).length;
  const levels = ['error', 'warning', 'information', 'hint'].filter((level) => count(level) > 0);
  return levels.map((level) => `${count(level)} ${level}${count(level) > 1 && level !== 'information' ? 's' : ''}`).join(', ') || 'none';
}

/** The places of a kernel by what could be saved there, and what is lost and not reported. */
function gainsPart(launch, values) {
  const places = launch.gains.map((place) =>
    element(
      'li', {}, placeButton(place, place.metric), ' ', element('code', {}, place.text), `: ${place.what} · ${place.share}`,
      place.unreported ? withCode(` · not reported: ${place.unreported}`) : null,
    ));
  const amount = ({ metric }) => numberText(launch.bounds[metric] ? rangeAt(launch.bounds[metric].per_warp, values).upper : null);
  const silent = launch.unreported.map((one) =>
    element(
      'p', { class: 'quiet unreported' }, one.metric === 'sectors' ? 'Sectors' : `${amount(one)} ${one.metric}`,
      `, not reported: ${one.gain >= 0.01 ? percent(one.gain) : 'less than 1%'} of the work (`, placeButton(one, one.metric), one.reason ? [': ', withCode(one.reason)] : null, ')',
    ));
  if (places.length + silent.length === 0) return null;
  return section('gains', 'Most to gain', element('ol', { class: 'gains' }, places), silent, launch.work === '' ? null : element('p', { class: 'quiet' }, launch.work));
}
