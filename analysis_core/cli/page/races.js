// Pairs of accesses by which threads meet, and the two threads as they meet in a cell.

const MEETING = { width: 720, height: 158, box: 250, high: 44, cells: 9, cell: 22, row: 118 };

const MOST_RACES = 12;

const RACE_LEVELS = { certain: 'warning', conditional: 'information' };

/** What is said of pairs that are not proved apart, the loudest first, and how many are. */
function racesPart(launch) {
  const races = launch.races;
  if (races === null || (races.cause === null && Object.keys(races.pairs).length < 2 && races.pairs.absent === 0)) return null;
  const apart = races.pairs.absent;
  const said = races.cause !== null ? `Not looked at: ${races.cause}.` : `${counted(apart, 'pair')} of accesses proved never to meet.`;
  const shown = races.list.slice(0, MOST_RACES);
  const more = races.list.length - shown.length;
  return section(
    'races', 'Threads that may meet',
    element('p', { class: 'quiet' }, withCode(said)),
    element('ul', { class: 'findings' }, shown.map(raceItem)),
    more > 0 ? element('p', { class: 'quiet' }, `and ${counted(more, 'pair')} more`) : null,
  );
}

function raceItem(race) {
  const [one, other] = race.accesses;
  const said = [`: one thread ${one.does} \`${one.text}\`, another ${other.does} \`${other.text}\``];
  if (race.required !== null) said.push(`, unless \`${race.required.text}\``);
  if (race.cause !== null) said.push(` (${race.cause})`);
  return element(
    'li', { class: RACE_LEVELS[race.verdict] ?? 'hint' },
    placeButton(one), ' ', placeButton(other), ' ', element('b', {}, race.verdict), withCode(said.join('')),
    race.witness === null ? null : meetingPicture(race),
  );
}

/** Two threads above a row of cells; each leads to the one in which they meet. */
function meetingPicture(race) {
  const { threads, array, byte, values } = race.witness;
  const middle = MEETING.width / 2;
  const sides = [0, 1].map((side) => {
    const x = side === 0 ? 0 : MEETING.width - MEETING.box;
    const { block, thread } = threads[side];
    const access = race.accesses[side];
    return [
      drawn('line', { class: 'link bad', x1: x + MEETING.box / 2, y1: MEETING.high, x2: middle, y2: MEETING.row }),
      drawn('rect', { class: 'meeter', x: x + 1, y: 1, width: MEETING.box - 2, height: MEETING.high, rx: 4 }),
      drawn('text', { class: 'meets', x: x + 10, y: 18 }, `thread (${thread.join(', ')}) of block (${block.join(', ')})`),
      drawn('text', { class: 'meets', x: x + 10, y: 36 }, `${access.does} ${access.text}`.slice(0, 38)),
    ];
  });
  const left = middle - (MEETING.cells * MEETING.cell) / 2;
  const cells = Array.from({ length: MEETING.cells }, (_, n) =>
    drawn('rect', {
      class: n === (MEETING.cells - 1) / 2 ? 'target bad' : 'target',
      x: left + n * MEETING.cell, y: MEETING.row, width: MEETING.cell - 3, height: MEETING.cell - 3, rx: 3,
    }));
  const name = drawn('text', { class: 'tick', x: middle, y: MEETING.row + MEETING.cell + 14, 'text-anchor': 'middle' }, `byte ${byte} of ${array}`);
  const under = Object.entries(values).map(([key, value]) => `${key} = ${value}`);
  const notes = [race.verdict === 'certain' ? 'seen in a simulated run' : 'for example', ...under];
  const label = `both threads at byte ${byte} of ${array}`;
  return element(
    'figure', { class: 'lanes' },
    drawn('svg', { viewBox: `0 0 ${MEETING.width} ${MEETING.height}`, role: 'img', 'aria-label': label }, sides, cells, name),
    element('figcaption', {}, notes.join(' · ')),
  );
}
