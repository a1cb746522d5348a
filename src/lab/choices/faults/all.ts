/** Every fault, by the file that does it: a file and a line, and its members in the format of scenarios. */
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
