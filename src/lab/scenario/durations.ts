/** Durations as the ecosystem writes them (`500ms`, `1h30m`, `400d`), held as whole milliseconds. Models: Go time.ParseDuration, with `d` added and signs left out. */

const UNIT_MS: ReadonlyMap<string, number> = new Map([['ms', 1], ['s', 1_000], ['m', 60_000], ['h', 3_600_000], ['d', 86_400_000]]);
const TERM = /(\d+)(?:\.(\d+))?(ms|s|m|h|d)/gy;

/** Milliseconds, or undefined if the text is no duration or not a whole number of milliseconds. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  let total = 0;
  let end = 0;
  TERM.lastIndex = 0;
  for (let term = TERM.exec(text); term !== null; term = TERM.exec(text)) {
    const unit = UNIT_MS.get(term[3] ?? '') ?? 0;
    const fraction = term[2] ?? '';
    if (fraction.length > 6) return undefined;
    // Multiplied before it is divided: both are whole numbers, so an exact result stays exact.
    const scale = Number(`1e${fraction.length}`);
    const ms = Number(term[1]) * unit + (Number(fraction === '' ? '0' : fraction) * unit) / scale;
    if (!Number.isSafeInteger(ms)) return undefined;
    total += ms;
    end = TERM.lastIndex;
  }
  return end === text.length && text !== '' && Number.isSafeInteger(total) ? total : undefined;
}

const LARGE_UNITS = [['h', 3_600_000], ['m', 60_000], ['s', 1_000]] as const;

/** A text that parses back to the same duration: `90m` is `1h30m`, whole days are days, anything with a fraction of a second is `1500ms`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms % 1_000 !== 0) return `${ms}ms`;
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000}d`;
  let rest = ms;
  let text = '';
  for (const [unit, size] of LARGE_UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text;
}
