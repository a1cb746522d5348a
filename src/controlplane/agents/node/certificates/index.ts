/**
 * Certificates of an agent: signers as data (`signers.ts`), and the controller that requests and renews certificates (`keeper.ts`). Active
 * only where a scenario or a flag configures it.
 */
export { certificateKeeper, type Folder, isGood } from './keeper.ts';
