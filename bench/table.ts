/** Results as text: a headline with the verdict, one line for each measurement. */
import { held, type Benchmark, type Result, type Score, type Skipped } from './benchmark.ts';

const number = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');

const scoreText = ({ value, limit, is, unit }: Score): string =>
  `${number(value)}${unit === 'x' ? '×' : ' ms'} (${is === 'most' ? '≤' : '≥'} ${limit}${unit === 'x' ? '×' : ' ms'})`;

const verdict = (result: Result): string => {
  const kept = held(result);
  return kept === undefined ? '     ' : kept ? 'held ' : 'BROKE';
};

const perUnit = (ms: number, units: number): string => {
  const us = (ms * 1000) / units;
  return us >= 10_000 ? `${number(us / 1000)} ms` : `${number(us)} µs`;
};

/** The lines of one benchmark. */
export function resultLines({ name, asks }: Benchmark, result: Result | Skipped): readonly string[] {
  if ('skipped' in result) return [`-     ${name.padEnd(18)} ${result.skipped}`, ''];
  const { rows, score, note } = result;
  const width = Math.max(...rows.map(({ label }) => label.length));
  return [
    `${verdict(result)} ${name.padEnd(18)} ${score === undefined ? '' : `${scoreText(score)}  `}${asks}`,
    ...rows.map(({ label, ms, units, unit, work = {} }) => {
      const parts = Object.entries(work).map(
        ([what, amount]) => `${what} ${typeof amount === 'number' ? (Number.isInteger(amount) ? count(amount) : number(amount)) : amount}`,
      );
      const time =
        ms === 0 ? '' : `${(ms / 1000).toFixed(ms >= 10_000 ? 1 : 3).padStart(8)} s  ${perUnit(ms, units).padStart(9)} a ${unit}`;
      return `        ${label.padEnd(width)}  ${`${count(units)} ${unit}s`.padStart(16)}${time}${parts.length === 0 ? '' : `   ${parts.join(' · ')}`}`;
    }),
    ...(note === undefined ? [] : [`        ${note}`]),
    '',
  ];
}

/** A summary in one line. */
export function summaryLine(results: readonly (Result | Skipped)[], broken: readonly string[]): string {
  const judged = results.filter((result) => 'rows' in result && result.score !== undefined).length;
  const skipped = results.filter((result) => 'skipped' in result).length;
  return `${judged - broken.length} of ${judged} limits held${broken.length === 0 ? '' : `; broken: ${broken.join(', ')}`}${skipped === 0 ? '' : `; ${skipped} skipped`}`;
}
