/**
 * The completion scripts for shells. Each runs orchsim for the candidates, so the script never gets out of date: the typed word if that is a
 * program, else orchsim by npx, without installing anything.
 */
import bash from './bash.sh';
import fish from './fish.sh';
import zsh from './zsh.sh';

export const completionScripts = { bash, zsh, fish } as const;

/** Shells with a completion script. */
export const SHELLS = Object.keys(completionScripts) as readonly (keyof typeof completionScripts)[];
