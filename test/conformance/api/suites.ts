/** The kinds of API recordings; each is a suite and a line. */
import { storyDeviation } from '../kubectl/deviations.ts';
import { hasKubectl, printStories, type StepOutcome, type StoryStep } from '../kubectl/stories.ts';
import { authorizeHere, replaySet, servedAuthorizer, type DecisionOutcome } from './decisions.ts';
import type { RecordedSet } from './recorded-decisions.ts';
import { deviationOf } from './deviations.ts';
import { replayTranscript } from './replay.ts';
import { servedTargets } from './served-target.ts';
import { inProcess } from './target.ts';
import type { Transcript } from './transcript.ts';

export interface SuiteOptions {
  readonly http: boolean;
  readonly only: string;
}

export interface SuiteResult {
  readonly name: string;
  readonly total: number;
  /** Expected deviations count as passed. */
  readonly passed: number;
  readonly deviations: number;
  /** The names of the records that deviate. */
  readonly deviating: readonly string[];
  readonly failed: number;
  readonly differences: readonly string[];
}

export interface Suite {
  /** The file name. */
  readonly name: string;
  run(lines: readonly unknown[], options: SuiteOptions): Promise<SuiteResult>;
}

const transcripts = (name: string): Suite => ({
  name,
  async run(lines, { http, only }) {
    const records = (lines as readonly Transcript[]).filter(({ id }) => id.includes(only));
    const differences: string[] = [];
    const deviating: string[] = [];
    const served = http ? servedTargets() : undefined;
    try {
      for (const record of records) {
        const { difference } = await replayTranscript(record, served?.open ?? inProcess);
        if (difference === undefined) continue;
        if (deviationOf(record, difference) !== undefined) deviating.push(record.id);
        else differences.push(`${name} ${record.id} ${difference}`);
      }
    } finally {
      await served?.close();
    }
    return {
      name,
      total: records.length,
      passed: records.length - differences.length,
      deviations: deviating.length,
      deviating,
      failed: differences.length,
      differences,
    };
  },
});

/** Each decision and each request counts. */
const rbac: Suite = {
  name: 'rbac',
  async run(lines, { http, only }) {
    const sets = (lines as readonly RecordedSet[]).filter(({ set }) => set.includes(only));
    const outcomes: DecisionOutcome[] = [];
    const served = http ? await servedAuthorizer(sets) : undefined;
    try {
      for (const set of sets) outcomes.push(...(await replaySet(set, await (served?.open ?? authorizeHere)())));
    } finally {
      await served?.close();
    }
    const differences = outcomes.flatMap(({ name, difference }) => (difference === undefined ? [] : [`rbac ${name}\n     ${difference}`]));
    return {
      name: 'rbac',
      total: outcomes.length,
      passed: outcomes.length - differences.length,
      deviations: 0,
      deviating: [],
      failed: differences.length,
      differences,
    };
  },
};

/** Stories are replayed if kubectl is installed. */
const kubectl: Suite = {
  name: 'kubectl',
  async run(lines, { only }) {
    const outcomes = hasKubectl() ? await printStories(lines as readonly StoryStep[], only) : [];
    const different = outcomes.filter(({ difference }) => difference !== undefined);
    const isMeant = (outcome: StepOutcome): boolean => storyDeviation(outcome) !== undefined;
    const deviating = different.filter(isMeant).map(({ name }) => name);
    const differences = different
      .filter((outcome) => !isMeant(outcome))
      .map(({ name, difference = '' }) => `kubectl ${name}\n     ${difference}`);
    return {
      name: 'kubectl',
      total: outcomes.length,
      passed: outcomes.length - differences.length,
      deviations: deviating.length,
      deviating,
      failed: differences.length,
      differences,
    };
  },
};

export const API_SUITES: readonly Suite[] = [
  ...['admission', 'update', 'delete', 'list', 'errors', 'patch', 'watch'].map(transcripts),
  rbac,
  kubectl,
];
