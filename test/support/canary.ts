/** A Job controller with a bug that no plain run shows: once its process has crashed, it takes index 0 for done. */
import type { KindRegistry } from '../../src/cluster/api/index.ts';
import { job } from '../../src/cluster/controllers/job/controller.ts';
import type { Controller } from '../../src/cluster/runtime/index.ts';
import { withMutant, writing } from './mutants.ts';

const INDEX_ZERO = /^.*-0-$/;

/** Fresh for each cluster, as its processes are. */
export const forgetful = (kinds: KindRegistry): readonly Controller[] => {
  let starts = 0;
  const leavesOut = writing(job, (write) => (starts > 1 && write.op === 'create' && INDEX_ZERO.test(write.object.metadata.generateName ?? '') ? undefined : write));
  return withMutant({ ...leavesOut, start: () => { starts++; return undefined; } })(kinds);
};
