/** Fault rules are installed and removed; while any is active, every lease is renewed for real. */
import type { FaultRules } from './context.ts';
import type { Runtime } from './runtime.ts';

/** Installs rules among the active ones; the returned function removes them. */
export function install(about: FaultRules[], rules: FaultRules, runtime: Pick<Runtime, 'forbidElision'>): () => void {
  about.push(rules);
  const lift = runtime.forbidElision();
  return () => {
    lift();
    const at = about.indexOf(rules);
    if (at >= 0) about.splice(at, 1);
  };
}
