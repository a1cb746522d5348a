/** What the generators of scenarios draw, by kind of step and by member: `drawn.txt` lists every value, so that a corner that is lost is seen. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { properties } from '../../../src/lab/explore/index.ts';
import type { Scenario, Step } from '../../../src/lab/scenario/index.ts';

/** The values of each member, by its path. */
type Drawn = Map<string, Set<unknown>>;

function collect(value: unknown, path: string, drawn: Drawn): void {
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) collect(item, `${path}[]`, drawn);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) collect(inner, `${path}.${name}`, drawn);
  else {
    const values = drawn.get(path) ?? new Set();
    drawn.set(path, values.add(value));
  }
}

/** The verb of a step with what it is about. */
function titleOf(step: Step): string {
  const { target, fault } = step as { readonly target?: { readonly kind: string }; readonly fault?: { readonly name: string } };
  return [step.verb, target?.kind ?? fault?.name].filter((word) => word !== undefined).join(' ');
}

function collectSteps({ steps }: Scenario, drawn: Drawn): void {
  for (const { verb: _, ...step } of steps as readonly (Step & Readonly<Record<string, unknown>>)[]) {
    const title = titleOf({ verb: _, ...step } as Step);
    const { objects, ...rest } = step as { readonly objects?: readonly { readonly object: { readonly kind?: string } }[] };
    collect(rest, title, drawn);
    for (const { object } of objects ?? []) collect(object, `${title} ${object.kind ?? ''}`, drawn);
  }
}

const MOST = 12;
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** All values, or the bounds of many numbers, or the number of many texts. */
function summary(values: ReadonlySet<unknown>): string {
  const all = [...values];
  if (all.length <= MOST)
    return all
      .map((value) => JSON.stringify(value) ?? 'absent')
      .sort()
      .join(' ');
  const numbers = all.filter(isNumber);
  return numbers.length === all.length ? `${Math.min(...numbers)} to ${Math.max(...numbers)}` : `${all.length} texts`;
}

function linesOf(name: string, scenarios: readonly Scenario[]): readonly string[] {
  const drawn: Drawn = new Map();
  for (const scenario of scenarios) {
    const { steps: _, seed: __, ...rest } = scenario;
    collect(rest, '', drawn);
    collectSteps(scenario, drawn);
  }
  const counts = scenarios.map(({ steps }) => steps.length);
  return [
    `# ${name}: ${Math.min(...counts)} to ${Math.max(...counts)} steps`,
    ...[...drawn].map(([path, values]) => `${path}: ${summary(values)}`).sort(),
  ];
}

const SAMPLES = { seed: 1, numRuns: 250 };

it('is every value that it should be', () => {
  const text = properties.flatMap(({ name, scenarios }) => linesOf(name, fc.sample(scenarios, SAMPLES))).join('\n');
  expect(`${text}\n`).toBe(readFileSync(new URL('drawn.txt', import.meta.url), 'utf8'));
});
