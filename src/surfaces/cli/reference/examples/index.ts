/**
 * The scenarios from which the reference takes its examples: small, complete, and each of them runs and holds. A field is shown as it
 * stands here, so a new field of the format only needs a place in one of them.
 */
import { choices } from './choices.ts';
import { network, storage } from './decisions.ts';
import { images } from './images.ts';
import { lesson } from './lesson.ts';
import { machines } from './machines.ts';
import { metrics } from './metrics.ts';
import { podSources } from './pod-sources.ts';
import { processes } from './processes.ts';
import { small } from './small.ts';
import { usage } from './usage.ts';
import { work } from './work.ts';

/** By file name. */
export const exampleScenarios: Readonly<Record<string, string>> = {
  'small.yaml': small,
  'work.yaml': work,
  'lesson.yaml': lesson,
  'choices.yaml': choices,
  'machines.yaml': machines,
  'processes.yaml': processes,
  'images.yaml': images,
  'usage.yaml': usage,
  'metrics.yaml': metrics,
  'pod-sources.yaml': podSources,
  'storage.yaml': storage,
  'network.yaml': network,
};
