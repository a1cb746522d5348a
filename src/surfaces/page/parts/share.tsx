/** The link to the current view, and the markup that embeds it. */
import { shared } from '../state.ts';
import { Dialog } from './dialog.tsx';

export function Share() {
  const of = shared.value;
  if (of === undefined) return null;
  const close = (): void => {
    shared.value = undefined;
  };
  const [page = '', hash = ''] = of.url.split('#');
  const frame = `<iframe src="${page}?embed#${hash}" width="100%" height="640" title="orchsim"></iframe>`;
  return (
    <Dialog name="Link" title={of.copied ? 'The link is copied' : 'A link to what you see'} close={close}>
      <div class="offer">
        <p class="quiet">Scenario, seed, step, eyes and what stands beside it: whoever has this page sees the same.</p>
        <label>
          the link
          <input class="field" readOnly value={of.url} autofocus onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
        <label>
          in slides, or in a page of your own
          <input class="field" readOnly value={frame} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
      </div>
    </Dialog>
  );
}
