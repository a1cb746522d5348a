/** All faults of a search: a file for each, with its line here and its members in the scenario format. */
export { hold } from './hold.ts';
export { late } from './late.ts';
export { refuse } from './refuse.ts';
export { lose } from './lose.ts';
export { crash } from './crash.ts';
export { relist } from './relist.ts';
export { cut } from './cut.ts';
export { skew } from './skew.ts';
export { hang } from './hang.ts';
export { slow } from './slow.ts';
