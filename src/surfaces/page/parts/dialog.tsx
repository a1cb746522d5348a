/** A dialog as the browser has it: what lies behind is out of reach until it is closed, and the focus goes back to where it was. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface Props {
  /** For whoever listens; `title` where it is the same. */
  readonly name?: string;
  readonly title: string;
  close(): void;
  readonly children: ComponentChildren;
}

export function Dialog({ name, title, close, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = element;
    const before = document.activeElement;
    // Whoever typed in it already keeps the focus there.
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={name ?? title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={({ target }) => {
        // What is not inside of it belongs to its backdrop.
        if (target === element.current) close();
      }}
    >
      <div>
        <h2>
          <span>{title}</span>
          <button class="button" aria-label="Close" onClick={close}>
            <Icon of="close" />
          </button>
        </h2>
        {children}
      </div>
    </dialog>
  );
}
