/** Dumps for tests: of recorded cases, and of objects as texts. */
import type { OracleCase } from '../../support/oracle.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

type Recorded = Readonly<{ kind: string; metadata: Readonly<{ name: string; namespace?: string; resourceVersion: string }> }>;

/** The end state of a recorded case, as `kubectl get -o json` would print it. */
export function dumpOf({ trace }: Pick<OracleCase, 'trace'>): string {
  const last = new Map<string, Recorded>();
  for (const { type, object } of trace) {
    const recorded = object as unknown as Recorded;
    const { kind, metadata } = recorded;
    const key = `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
    if (type === 'DELETED') last.delete(key);
    else if (Number(last.get(key)?.metadata.resourceVersion ?? 0) <= Number(metadata.resourceVersion)) last.set(key, recorded);
  }
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...last.values()] });
}

/** The scenario of a minute that begins with a dump, or the lines of its problems. */
export function beginWith(
  text: string,
  { spec = {}, file = 'dump.json' }: { readonly spec?: object; readonly file?: string } = {},
): { readonly scenario: Scenario } | { readonly problems: readonly string[] } {
  const document = {
    apiVersion: 'scenario.orch.io/v1',
    kind: 'Scenario',
    metadata: { name: 'dumped' },
    spec: { from: file, until: '60s', ...spec },
  };
  const read = readScenarios(JSON.stringify(document), { file: 'dumped.yaml', readDump: () => [{ file, text }] });
  if ('problems' in read)
    return {
      problems: read.problems.map(
        ({ file: at, line, path, expected, found }) => `${at}:${line}: ${path}: expected ${expected}, found ${found}`,
      ),
    };
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('there is no scenario');
  return { scenario };
}
