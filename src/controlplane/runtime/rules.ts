/** Fault rules come and go; while some are about, every lease is renewed for real. */
import type { FaultRules } from './context.ts';
import type { Runtime } from './runtime.ts';

/** Installs rules among those that are about; the answer lifts them. */
export function install(about: FaultRules[], rules: FaultRules, runtime: Pick<Runtime, 'forbidElision'>): () => void {
  about.push(rules);
  const lift = runtime.forbidElision();
  return () => {
    lift();
    const at = about.indexOf(rules);
    if (at >= 0) about.splice(at, 1);
  };
}
