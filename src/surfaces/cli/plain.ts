/** Files without a scenario: whether a text in a folder is meant as one, and the scenario of a file of manifests. */
import { nearest, jsonIn } from '../../schema/values/index.ts';
import { basename } from 'node:path';
import { scenarioHead, type Scenario } from '../../lab/scenario/index.ts';

/** Schemas and reports have scenarios in them, and are none. */
export function isMeantAsScenario(text: string): boolean {
  const json = text.trimStart().startsWith('{') ? jsonIn(text) : undefined;
  return json === undefined ? [...text.matchAll(AS_YAML)].some(([, key = '']) => isMark(key)) : isMarked(json);
}

/** What may be a mark at the left edge of a document. */
const AS_YAML = /^(?:\{\s*)?["']?(\w+)["']?\s*:\s*["']?scenario(?:\.|\b)/gim;
const MARKS = ['apiVersion', 'kind'];

/** Well spelt or not. */
const isMark = (key: string): boolean => MARKS.includes(key) || nearest(key, MARKS) !== undefined;

const isMarked = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  Object.entries(json).some(([key, value]) => isMark(key) && typeof value === 'string' && /^scenario(?:\.|$)/i.test(value));

export const nameOf = (file: string): string =>
  basename(file)
    .replace(/\.[^.]+$/, '')
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '') || 'manifests';

const nodesText = ({ cluster: { nodes } }: Scenario): string =>
  nodes.length === 3 ? 'three nodes' : nodes.length === 1 ? 'one node' : `${nodes.length} nodes`;

export const plainNote = (file: string, scenario: Scenario): string =>
  [
    `${file} holds manifests and no scenario: they are applied to ${nodesText(scenario)} ${scenario.untilMs === undefined ? 'and run until nothing more happens' : 'and run for an hour, since a CronJob fires indefinitely'}; pods of Jobs end after 10 s.`,
    'To add steps and expectations, begin the file with',
    ...scenarioHead(scenario).map((line) => `  ${line}`),
  ].join('\n');
