/** Files of manifests without a scenario: the name of their scenario, and the note about their run. */
import { basename } from 'node:path';
import { scenarioHead, type Scenario } from '../../lab/scenario/index.ts';

/** The scenario name of a file. */
export const nameOf = (file: string): string =>
  basename(file)
    .replace(/\.[^.]+$/, '')
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '') || 'manifests';

const nodesText = ({ cluster: { nodes } }: Scenario): string =>
  nodes.length === 3 ? 'three nodes' : nodes.length === 1 ? 'one node' : `${nodes.length} nodes`;

/** The note about manifests that ran without a scenario. */
export const plainNote = (file: string, scenario: Scenario): string =>
  [
    `${file} holds manifests and no scenario: they are applied to ${nodesText(scenario)} ${scenario.untilMs === undefined ? 'and run until nothing more happens' : 'and run for an hour, since a CronJob fires indefinitely'}; pods of Jobs end after 10 s.`,
    'To add steps and expectations, begin the file with',
    ...scenarioHead(scenario).map((line) => `  ${line}`),
  ].join('\n');
