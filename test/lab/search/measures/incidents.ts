/** Many searches of each incident: how many find it, how early, how small it becomes, and which changes it survives. */
import type { Finding } from '../../../../src/lab/search/index.ts';
import type { Incident } from '../incidents/catalogue.ts';
import { hunt } from '../incidents/hunt.ts';
import { CHANGES, outlives } from './changes.ts';

export interface Hunted {
  readonly incident: Incident;
  readonly found: readonly { readonly foundIn: number; readonly finding: Finding | undefined; readonly seconds: number }[];
  readonly searches: number;
}

/** Seconds of processor time, because the wall time of a busy machine says nothing about a search. */
const seconds = (since: NodeJS.CpuUsage): number => process.cpuUsage(since).user / 1e6;

export function hunted(incidents: readonly Incident[], searches: number, runs: number, print: (line: string) => void): readonly Hunted[] {
  return incidents.map((incident) => {
    const found: { foundIn: number; finding: Finding | undefined; seconds: number }[] = [];
    for (let seed = 1; seed <= searches; seed++) {
      const sought = hunt(incident, seed, runs);
      if (sought.foundIn === undefined) {
        print(`${incident.name}, seed ${seed}: not in ${sought.runs} runs`);
        continue;
      }
      const since = process.cpuUsage();
      const finding = sought.small();
      found.push({ foundIn: sought.foundIn, finding, seconds: seconds(since) });
      print(
        `${incident.name}, seed ${seed}: in run ${sought.foundIn}, ${finding?.choices.length ?? 'no'} choices after ${finding?.shrinks ?? 0} runs`,
      );
    }
    return { incident, found, searches };
  });
}

const median = (numbers: readonly number[]): number | undefined => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
const shown = (number: number | undefined, digits = 0): string => number?.toFixed(digits) ?? '-';

export function incidentRows(hunts: readonly Hunted[]): readonly (readonly string[])[] {
  const all = hunts.flatMap(({ found }) => found);
  const row = (name: string, of: Hunted['found'], searches: number): readonly string[] => {
    const small = of.flatMap(({ finding }) => finding ?? []);
    return [
      name,
      `${of.length} of ${searches}`,
      shown(median(of.map(({ foundIn }) => foundIn))),
      shown(median(small.map(({ choices }) => choices.length))),
      shown(median(small.map(({ shrinks }) => shrinks))),
      shown(median(of.map((each) => each.seconds)), 1),
    ];
  };
  return [
    ['INCIDENT', 'FOUND', 'FIRST RUN', 'CHOICES', 'SHRINKING RUNS', 'CPU SECONDS (medians)'],
    ...hunts.map(({ incident, found, searches }) => row(incident.name, found, searches)),
    row(
      'all',
      all,
      hunts.reduce((sum, { searches }) => sum + searches, 0),
    ),
  ];
}

export function replayRows(hunts: readonly Hunted[]): readonly (readonly string[])[] {
  const seen = hunts.flatMap(({ incident, found }) =>
    found.flatMap(({ finding }) => {
      if (finding === undefined) return [];
      const { faults: _, ...making } = incident.making;
      return [{ name: incident.name, survives: outlives(finding.scenario, making, incident.claims) }];
    }),
  );
  const share = (some: readonly boolean[]): string =>
    some.length === 0
      ? '-'
      : `${some.filter(Boolean).length} of ${some.length}, ${Math.round((some.filter(Boolean).length / some.length) * 100)} %`;
  return [
    ['CHANGE', 'STILL BREAKS'],
    ...CHANGES.map(({ name }, at) => [name, share(seen.map(({ survives }) => survives[at] === true))]),
    ...hunts.map(({ incident }) => [
      `(${incident.name})`,
      share(seen.filter(({ name }) => name === incident.name).flatMap(({ survives }) => survives)),
    ]),
    ['all', share(seen.flatMap(({ survives }) => survives))],
  ];
}
