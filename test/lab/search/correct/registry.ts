/** All correct controllers, one line each. */
import { adoption } from './adoption.ts';
import { byLabel } from './by-label.ts';
import { configHash } from './config-hash.ts';
import { drawnNames } from './drawn-names.ts';
import { finalizer } from './finalizer.ts';
import { lock } from './lock.ts';
import { mirror } from './mirror.ts';
import { observedGeneration } from './observed-generation.ts';
import { ownerChild } from './owner-child.ts';
import { phases } from './phases.ts';
import { podKeeper } from './pod-keeper.ts';
import { requeueAfter } from './requeue-after.ts';
import { scaleUser } from './scale-user.ts';
import { singleton } from './singleton.ts';
import { statusFromChildren } from './status-from-children.ts';
import { twoWriters } from './two-writers.ts';
import type { Correct } from './model.ts';

export const CORRECT: readonly Correct[] = [
  adoption,
  byLabel,
  configHash,
  drawnNames,
  finalizer,
  lock,
  mirror,
  observedGeneration,
  ownerChild,
  phases,
  podKeeper,
  requeueAfter,
  scaleUser,
  singleton,
  statusFromChildren,
  twoWriters,
];
